"""What an asker's memories are left out for before any ranking: scope, time, status. Nothing else reads these rows.

Recall fetches them only where it is to explain why a memory is not in the answer; a context always says what it left
out. They are looked for among what is the user's own, or of teams that the user has been in: by the words of the
question, or, where there is none, among the NEWEST alone, so that an old user's archive is not read with every prompt.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from memory_app.domain.actor import Actor
from memory_app.domain.words import fold
from memory_app.recall.asker import Asker

MOST = 20
NEWEST = 500  # by when they were written last, as what is archived is


@dataclass(frozen=True)
class Gated:
    """A memory in the version that was looked at, and the first gate that it did not pass: scope, not_yet_true,
    expired, archived, stale (something newer took its place)."""

    memory: str
    version: int
    reason: str


_NOW = """
    SELECT m.id, m.version AS number, m.text, m.status, m.updated_at, m.expires_at, m.scope, m.owner, m.user_id,
           m.session_id
      FROM ({own}) m
"""
_THEN = """
    SELECT m.id, v.number, v.text, v.status, v.updated_at, v.expires_at, m.scope, m.owner, m.user_id, m.session_id
      FROM ({own}) m
      JOIN LATERAL (SELECT * FROM memory_app_memoryversion known
                     WHERE known.memory_id = m.id AND known.recorded_at <= %(as_of)s
                     ORDER BY known.number DESC LIMIT 1) v ON true
"""
_ROWS = "SELECT * FROM memory_app_memory m WHERE m.workspace_id = %(workspace)s AND {own}"
_OWN = "m.user_id = %(user)s AND m.scope <> 'team'"
_OF_TEAMS = "m.scope = 'team' AND m.owner = ANY({teams})"
_REACHED = """ARRAY(SELECT taken.team_id FROM memory_app_session_teams taken
    JOIN memory_app_session held ON held.id = taken.session_id WHERE held.user_id = %(user)s) || %(teams)s::uuid[]"""
_STATEMENT = """
WITH own AS ({rows}),
gated AS (
    SELECT *, CASE
        WHEN scope = 'session' AND owner IS DISTINCT FROM %(session)s THEN 'scope'
        WHEN scope = 'team' AND owner <> ALL(%(teams)s::uuid[]) THEN 'scope'
        WHEN updated_at > %(now)s THEN 'not_yet_true'
        WHEN expires_at <= %(now)s THEN 'expired'
        WHEN status = 'archived' THEN 'archived'
        WHEN status <> 'active' THEN 'stale' END AS gate
      FROM own)
SELECT g.id, g.number, g.gate, g.text, g.scope
  FROM gated g {entries}
 WHERE g.gate IS NOT NULL
 ORDER BY {shared} g.gate = 'scope', g.updated_at DESC, g.id
 LIMIT %(most)s
"""
_ENTRIES = """JOIN memory_app_searchentry e
    ON e.memory_id = g.id AND e.number = g.number AND e.tokens && %(words)s::text[]"""
_SHARED = "(SELECT count(*) FROM unnest(%(words)s::text[]) AS word WHERE word = ANY(e.tokens)) DESC,"


def gated(
    who: Asker, words: Sequence[str], actor: Actor | None, *, visible: Collection[str] = (), most: int = MOST
) -> list[Gated]:
    """The memories that share a word with the question (without words: the newest) and do not pass a gate.

    What a session kept for itself and says no more than a text in ``visible`` is not listed. Of other sessions and teams
    only operators learn anything, who may read them anyway.
    """
    if who.user is None:
        return []
    values: dict[str, Any] = {
        "workspace": who.workspace.pk,
        "user": who.user.pk,
        "session": who.open_session,
        "teams": list(who.teams),
        "now": who.now,
        "as_of": who.as_of,
        "words": list(words),
        "most": 2 * most,
    }
    everything = actor is not None and actor.kind == "operator"
    own = _OWN if everything else f"{_OWN} AND (m.scope <> 'session' OR m.owner IS NOT DISTINCT FROM %(session)s)"
    arms = [own]
    if everything or who.teams:
        arms.append(_OF_TEAMS.format(teams=_REACHED if everything else "%(teams)s"))
    newest = "" if words else f" ORDER BY recorded_at DESC LIMIT {NEWEST}"
    # Each by an index of its own: the newest of what is either are among the newest of both.
    own = " UNION ALL ".join(f"({_ROWS.format(own=arm)}{newest})" for arm in arms) + (newest if arms[1:] else "")
    rows = (_NOW if who.as_of is None else _THEN).format(own=own)
    entries, shared = (_ENTRIES, _SHARED) if words else ("", "")
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENT.format(rows=rows, entries=entries, shared=shared), values)
        found = cursor.fetchall()
    said = {fold(text) for text in visible}
    listed: list[Gated] = []
    for memory, version, reason, text, scope in found:
        told = fold(text)
        if scope != "session" or told not in said:
            said.add(told)
            listed.append(Gated(str(memory), version, reason))
    return listed[:most]
