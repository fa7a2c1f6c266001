"""The turns that a question needs, fetched in one statement: the user's own, and where the workspace lets recall.

The turns that share a word with the question and those nearest to it by an exact comparison, each with those around it
in its session. Nothing but the rows of one user is read.
"""

from datetime import datetime
from typing import Any

from django.db import connection

from memory_app.domain.turns import REACH, Said, Usual
from memory_app.models import TurnRecall
from memory_app.recall.asker import Asker
from memory_app.recall.visible import Wanted, similarity

KEYWORD_ROWS = 400
VECTOR_ROWS = 200

# Windows and no joins of what was found with itself: no plan of it can be a bad one. Each turn's text is looked up by
# its key, one by one, and never among those of others.
_STATEMENT = """
WITH own AS (
    SELECT e.turn_id, e.session_id, e.index, e.speaker, {similarity} AS similarity,
           CASE WHEN e.tokens && %(words)s::text[]
                THEN ARRAY(SELECT word FROM unnest(e.tokens) AS word WHERE word = ANY(%(words)s::text[])) END AS words
      FROM memory_app_turnentry e
     WHERE e.workspace_id = %(workspace)s AND e.user_id = %(user)s AND {narrowed}
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY session_id ORDER BY index) AS place,
           row_number() OVER (ORDER BY similarity DESC NULLS LAST, turn_id) AS nearest,
           row_number() OVER (ORDER BY (SELECT count(DISTINCT word) FROM unnest(words) AS word) DESC, turn_id) AS fullest,
           count(*) OVER () AS turns, avg(similarity) OVER () AS mean, stddev_pop(similarity) OVER () AS deviation
      FROM own
),
around AS (
    SELECT *, bool_or(words IS NOT NULL AND fullest <= %(keyword_rows)s
                      OR similarity IS NOT NULL AND nearest <= %(vector_rows)s) OVER (
                PARTITION BY session_id ORDER BY place ROWS BETWEEN {reach} PRECEDING AND {reach} FOLLOWING) AS near
      FROM ranked
)
SELECT around.turn_id, session_id, place, index, t.role, speaker, t.content, t.at, words, similarity,
       turns, mean, deviation
  FROM around
 CROSS JOIN LATERAL (SELECT role, content, at FROM memory_app_turn WHERE id = around.turn_id OFFSET 0) AS t
 WHERE near
"""
_KNOWN = "EXISTS (SELECT 1 FROM memory_app_turn t WHERE t.id = e.turn_id AND t.created_at <= %(as_of)s)"
# A session of a team outside the key's own is not the key's to read.
_OURS = """NOT EXISTS (
    SELECT 1 FROM memory_app_session_teams st JOIN memory_app_team team ON team.id = st.team_id
     WHERE st.session_id = e.session_id AND team.external_id <> ALL(%(only_teams)s))"""


def fetch_turns(who: Asker, wanted: Wanted) -> tuple[list[Said], Usual]:
    """The turns that a question needs, ready to be ranked, and what is usual among all that the user has."""
    if not _reached(who, wanted):
        return [], Usual()
    values: dict[str, Any] = {
        "workspace": who.workspace.pk,
        "user": who.user.pk if who.user else None,
        "words": list(wanted.words),
        "keyword_rows": KEYWORD_ROWS,
        "vector_rows": VECTOR_ROWS,
    }
    narrowed = ["e.at <= %(now)s"]
    conditions: tuple[tuple[str, str, datetime | list[str] | None], ...] = (
        ("now", "true", who.now),
        ("since", "e.at >= %(since)s", wanted.since),
        ("until", "e.at < %(until)s", wanted.until),
        ("as_of", _KNOWN, who.as_of),
        ("only_teams", _OURS, sorted(who.only_teams) if who.only_teams is not None else None),
    )
    for name, condition, value in conditions:
        if value is not None:
            narrowed.append(condition)
            values[name] = value
    nearness, vectors = similarity("e", wanted)
    statement = _STATEMENT.format(similarity=nearness, narrowed=" AND ".join(narrowed), reach=REACH)
    with connection.cursor() as cursor:
        cursor.execute(statement, values | vectors)
        rows = cursor.fetchall()
    usual = Usual(rows[0][-3], rows[0][-2] or 0.0, rows[0][-1] or 0.0) if rows else Usual()
    return [_said(row, who) for row in rows], usual


def _reached(who: Asker, wanted: Wanted) -> bool:
    """Whether turns are asked for at all: they are this user's episodes."""
    if who.user is None or who.workspace.turn_recall == TurnRecall.OFF or not (wanted.words or wanted.vectors):
        return False
    return (wanted.kinds is None or "episodic" in wanted.kinds) and (wanted.scopes is None or "user" in wanted.scopes)


def _said(row: tuple[Any, ...], who: Asker) -> Said:
    turn, session, place, index, role, speaker, content, at, words, near, *_ = row
    return Said(
        id=str(turn), session=str(session), place=place, index=index, role=role, speaker=speaker, text=content, at=at,
        words=tuple(words or ()), similarity=near, user=str(who.user.pk) if who.user else None,
    )  # fmt: skip
