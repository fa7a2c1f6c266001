"""The turns that a question needs, fetched in one statement: the user's own, and where the workspace lets recall.

The turns that share a word with the question and those nearest to it by an exact comparison, each with those around it
in its session. Nothing but the rows of one user is read.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import connection

from memory_app.domain.turns import REACH, Said, Usual
from memory_app.models import TurnRecall
from memory_app.models.decision import CARRIED_OUT
from memory_app.recall.asker import Asker
from memory_app.recall.visible import Wanted, similarities

KEYWORD_ROWS = 400
VECTOR_ROWS = 200

# Windows and no joins of what was found with itself: no plan of it can be a bad one. Each turn's text is looked up by
# its key, one by one, and never among those of others.
_STATEMENT = """
WITH own AS (
    SELECT e.turn_id, e.session_id, e.index, e.speaker, {similarities}
           CASE WHEN e.tokens && %(words)s::text[]
                THEN (SELECT count(*) FROM unnest(%(words)s::text[]) AS word WHERE word = ANY(e.tokens)) ELSE 0 END AS words
      FROM memory_app_turnentry e
     WHERE e.workspace_id = %(workspace)s AND e.user_id = %(user)s AND {narrowed}
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY session_id ORDER BY index) AS place,
           row_number() OVER (ORDER BY {nearest} DESC NULLS LAST, turn_id) AS nearest,
           row_number() OVER (ORDER BY words DESC, turn_id) AS fullest,
           count(*) OVER () AS turns, {means} AS means, {deviations} AS deviations
      FROM own
),
around AS (
    SELECT *, bool_or(words > 0 AND fullest <= %(keyword_rows)s OR {compared} AND nearest <= %(vector_rows)s) OVER (
                PARTITION BY session_id ORDER BY place ROWS BETWEEN {reach} PRECEDING AND {reach} FOLLOWING) AS near
      FROM ranked
)
SELECT around.turn_id, session_id, place, index, t.role, speaker, t.content, t.at, t.tokens, {each} AS similarities,
       turns, means, deviations
  FROM around
 CROSS JOIN LATERAL (
       SELECT said.role, said.content, said.at, e.tokens
         FROM memory_app_turn said JOIN memory_app_turnentry e ON e.turn_id = said.id
        WHERE said.id = around.turn_id OFFSET 0) AS t
 WHERE near
"""
# What the user took back is not handed back by the turns that it came from, nor by the one that took it back: read once.
_TAKEN_BACK = """
WITH gone AS MATERIALIZED (
    SELECT d.memory_id, d.note_id
      FROM memory_app_memory m
      JOIN memory_app_decision d ON d.memory_id = m.id AND d.action = 'retract' AND d.status = ANY(%(in_force)s)
     WHERE m.workspace_id = %(workspace)s AND m.user_id = %(user)s AND m.status = 'archived'
)
SELECT s.turn_id FROM gone JOIN memory_app_memorysource s ON s.memory_id = gone.memory_id WHERE s.turn_id IS NOT NULL
 UNION ALL
SELECT n.turn_id FROM gone JOIN memory_app_note n ON n.id = gone.note_id WHERE n.turn_id IS NOT NULL
"""
_KNOWN_THEN = "EXISTS (SELECT 1 FROM memory_app_turn t WHERE t.id = e.turn_id AND t.created_at <= %(as_of)s)"
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
        "in_force": list(CARRIED_OUT),
    }
    narrowed = ["e.at <= %(now)s", f"e.turn_id NOT IN ({_TAKEN_BACK})"]
    conditions: tuple[tuple[str, str, datetime | list[str] | None], ...] = (
        ("now", "true", who.now),
        ("since", "e.at >= %(since)s", wanted.since),
        ("until", "e.at < %(until)s", wanted.until),
        ("as_of", _KNOWN_THEN, who.as_of),
        ("only_teams", _OURS, sorted(who.only_teams) if who.only_teams is not None else None),
    )
    for name, condition, value in conditions:
        if value is not None:
            narrowed.append(condition)
            values[name] = value
    each, vectors = similarities("e", wanted)
    statement = _STATEMENT.format(narrowed=" AND ".join(narrowed), reach=REACH, **_columns(each))
    with connection.cursor() as cursor:
        cursor.execute(statement, values | vectors)
        rows = cursor.fetchall()
    usual = Usual(rows[0][-3], _known(rows[0][-2]), _known(rows[0][-1])) if rows else Usual()
    return [_said(row, who) for row in rows], usual


def _columns(each: list[str]) -> dict[str, str]:
    """The parts of the statement that there are one of for each thing that is asked."""
    names = [f"similarity_{at}" for at in range(len(each))]
    return {
        "similarities": "".join(f"{one} AS {name}, " for one, name in zip(each, names, strict=True)),
        "nearest": f"greatest({', '.join(names)})" if names else "NULL::double precision",
        "compared": f"{names[0]} IS NOT NULL" if names else "false",
        "each": _array(names),
        "means": _array(f"avg({name}) OVER ()" for name in names),
        "deviations": _array(f"stddev_pop({name}) OVER ()" for name in names),
    }


def _array(columns: Iterable[str]) -> str:
    return f"ARRAY[{', '.join(columns)}]::double precision[]"


def _known(numbers: list[float | None]) -> tuple[float, ...]:
    """The numbers; none where no vector could be compared."""
    return tuple(number for number in numbers if number is not None) if None not in numbers else ()


def _reached(who: Asker, wanted: Wanted) -> bool:
    """Whether turns are asked for at all: they are this user's episodes."""
    if who.user is None or who.workspace.turn_recall == TurnRecall.OFF or not (wanted.words or wanted.vectors):
        return False
    return (wanted.kinds is None or "episodic" in wanted.kinds) and (wanted.scopes is None or "user" in wanted.scopes)


def _said(row: tuple[Any, ...], who: Asker) -> Said:
    turn, session, place, index, role, speaker, content, at, tokens, near, *_ = row
    return Said(
        id=str(turn), session=str(session), place=place, index=index, role=role, speaker=speaker, text=content, at=at,
        tokens=tuple(tokens), similarities=_known(near), user=str(who.user.pk) if who.user else None,
    )  # fmt: skip
