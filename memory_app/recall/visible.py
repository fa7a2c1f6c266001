"""What an asker may see, fetched in one statement: scope, time and status are a hard filter before any ranking.

The keyword arm fetches the rows that share a word with the question, the vector arm those nearest to it by an exact
comparison within the asker's own rows: no index over all users, which would shorten lists silently.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any

import psycopg
from django.db import connection

from memory_app.domain.ranking import Item
from memory_app.recall.asker import Asker

_Moment = psycopg.adapters.get_loader(psycopg.postgres.types["timestamptz"].oid, psycopg.pq.Format.TEXT)
KEYWORD_ROWS = 1000
VECTOR_ROWS = 200
CONTEXT_ROWS = 400


@dataclass(frozen=True)
class Wanted:
    """What to fetch: the words and vectors of a question, and the narrowing that the caller asks for."""

    words: Sequence[str] = ()
    vectors: Sequence[Sequence[float]] = ()
    model: str = ""
    kinds: Sequence[str] | None = None
    scopes: Sequence[str] | None = None
    since: datetime | None = None
    until: datetime | None = None
    context: bool = False  # also what belongs into a context whatever is asked


@dataclass(frozen=True)
class Fetched:
    """The rows of a question, and how many the asker may see in all."""

    items: list[Item] = field(default_factory=list)
    population: int = 0


# First what a choice needs, of every row that is visible: of a memory no more than the index `memory_of_owner_gates` has,
# so that the row itself need not be read. Then the chosen rows as a whole, each looked up by itself. What is passed on
# between the two is small, and no plan reads the rows of others, whatever the planner believes.
_CURRENT = """
    SELECT m.id, m.version AS number, {entry} AS entry, ({narrowed}) AS wanted, {belongs}
           {matches} AS matches, {similarity} AS similarity
      FROM memory_app_memory m
      {entries}
     WHERE m.workspace_id = %(workspace)s AND {owned}
       AND m.status = 'active' AND (m.expires_at IS NULL OR m.expires_at > %(now)s) AND m.updated_at <= %(now)s
"""
# The newest version that the store knew then decides, also whether the memory was visible at all.
_AS_OF = """
    SELECT m.id, v.number, {entry} AS entry, ({narrowed}) AS wanted, {belongs}
           {matches} AS matches, {similarity} AS similarity
      FROM memory_app_memory m
      JOIN LATERAL (SELECT * FROM memory_app_memoryversion known
                     WHERE known.memory_id = m.id AND known.recorded_at <= %(as_of)s
                     ORDER BY known.number DESC LIMIT 1) v ON true
      {entries}
     WHERE m.workspace_id = %(workspace)s AND {owned}
       AND v.status = 'active' AND (v.expires_at IS NULL OR v.expires_at > %(now)s) AND v.updated_at <= %(now)s
"""
# What a context holds whatever is asked; recall does not ask for it.
_BELONGS = """{told}.updated_at, (m.scope = 'session' OR {told}.pinned OR {told}.priority >= 7 OR {told}.key <> ''
                           OR cardinality(%(words)s::text[]) = 0) AS belongs,"""
_BELONGING = """UNION
    (SELECT * FROM visible WHERE wanted AND belongs ORDER BY updated_at DESC, id LIMIT %(context_rows)s)"""
# One list of owners, for the index, and a CASE that no index is chosen by: with an OR the planner takes an arm that can
# match nothing (no session, no team) for a reason to read some other index of the whole workspace.
_OWNED = """m.owner = ANY(%(owners)s::uuid[])
       AND CASE m.scope WHEN 'user' THEN m.owner = %(user)s
                        WHEN 'session' THEN m.owner = %(session)s AND m.user_id IS NOT DISTINCT FROM %(user)s
                        WHEN 'team' THEN m.owner = ANY(%(teams)s::uuid[]) END"""
# Said of the entries too, so that many of them are read in one go and not each looked up. Where neither words nor vectors
# are asked for, only those of the chosen rows are read.
_ENTRIES = """LEFT JOIN memory_app_searchentry e ON e.memory_id = m.id AND e.number = {number}
       AND e.workspace_id = %(workspace)s AND e.owner = ANY(%(owners)s::uuid[])"""
# By their hashes first, which tell most entries apart in a tenth of the time; then by the words themselves.
_MATCHES = """CASE WHEN e.hashes && word_hashes(%(words)s::text[])
                THEN (SELECT count(*) FROM unnest(%(words)s::text[]) AS word WHERE word = ANY(e.tokens)) ELSE 0 END"""
# The fields of an Item in their order; `told` is what says the content: the memory, or under as_of the version that was
# known. Ids as text, so that no object is made of each for the sake of its text.
_WHOLE = (
    "m.id::text, chosen.number, {told}.text, coalesce(e.tokens, '{{}}'), {told}.kind, m.scope, {told}.key, {told}.value, "
    "{told}.condition, {told}.subject, chosen.similarity, {told}.updated_at, {told}.occurred_at, {told}.confirmed_at, "
    "{told}.importance, m.success_count, m.failure_count, {told}.pinned, {told}.priority, m.session_id::text, "
    "m.user_id::text, m.team_id::text, m.passed"
)
_NAMES = tuple(one.name for one in fields(Item))
_VERSION = "JOIN memory_app_memoryversion v ON v.memory_id = m.id AND v.number = chosen.number"
_STATEMENT = """
WITH visible AS MATERIALIZED ({visible}),
chosen AS (
    (SELECT * FROM visible WHERE wanted AND matches > 0 ORDER BY matches DESC, id LIMIT %(keyword_rows)s)
    UNION
    (SELECT * FROM visible WHERE wanted AND similarity IS NOT NULL ORDER BY similarity DESC, id LIMIT %(vector_rows)s)
    {belonging}
)
SELECT whole.*, (SELECT count(*) FROM visible) AS population
  FROM chosen
 CROSS JOIN LATERAL (
       SELECT {whole}
         FROM memory_app_memory m {version} LEFT JOIN memory_app_searchentry e ON {found}
        WHERE m.id = chosen.id OFFSET 0) AS whole
"""


def fetch(who: Asker, wanted: Wanted) -> Fetched:
    """The visible rows that a question needs, ready to be ranked."""
    if who.user is None and not who.teams:
        return Fetched()
    statement, values = _statement(who, wanted)
    with connection.cursor() as cursor:
        # Of hundreds of rows the moments are most of what is read; psycopg's own way is many times as fast as Django's.
        cursor.cursor.adapters.register_loader("timestamptz", _Moment)
        cursor.execute(statement, values)
        rows = cursor.fetchall()
    return Fetched([_item(row) for row in rows], rows[0][-1] if rows else 0)


def _statement(who: Asker, wanted: Wanted) -> tuple[str, dict[str, Any]]:
    values: dict[str, Any] = {
        "workspace": who.workspace.pk,
        "user": who.user.pk if who.user else None,
        "session": who.open_session,
        "teams": list(who.teams),
        "owners": [owner for owner in (who.user and who.user.pk, who.open_session, *who.teams) if owner],
        "now": who.now,
        "as_of": who.as_of,
        "words": list(wanted.words),
        "keyword_rows": KEYWORD_ROWS,
        "vector_rows": VECTOR_ROWS,
        "context_rows": CONTEXT_ROWS,
    }
    narrowed = ["true"]
    for name, condition in (
        ("kinds", "{told}.kind = ANY(%(kinds)s)"),
        ("scopes", "m.scope = ANY(%(scopes)s)"),
        ("since", "coalesce({told}.occurred_at, {told}.updated_at) >= %(since)s"),
        ("until", "coalesce({told}.occurred_at, {told}.updated_at) < %(until)s"),
    ):
        value = getattr(wanted, name)
        if value is not None:
            narrowed.append(condition)
            values[name] = list(value) if name in ("kinds", "scopes") else value
    nearness, vectors = similarity("e", wanted)
    visible, told, version = (_CURRENT, "m", "") if who.as_of is None else (_AS_OF, "v", _VERSION)
    asked = bool(wanted.words or wanted.vectors)
    return _STATEMENT.format(
        visible=visible.format(
            owned=_OWNED,
            entry="e.ctid" if asked else "NULL::tid",
            entries=_ENTRIES.format(number="m.version" if who.as_of is None else "v.number") if asked else "",
            matches=_MATCHES if asked else "0",
            similarity=nearness,
            narrowed=" AND ".join(narrowed).format(told=told),
            belongs=_BELONGS.format(told=told) if wanted.context else "",
        ),
        belonging=_BELONGING if wanted.context else "",
        whole=_WHOLE.format(told=told),
        version=version,
        found="e.ctid = chosen.entry" if asked else "e.memory_id = m.id AND e.number = chosen.number",
    ), values | vectors


def similarity(table: str, wanted: Wanted) -> tuple[str, dict[str, Any]]:
    """How similar a row's vector is to what is asked, as SQL with its values; NULL where another model made it."""
    each, values = similarities(table, wanted)
    # Of several things asked at once, the nearest counts.
    return f"greatest({', '.join(each)})" if each else "NULL::double precision", values


def similarities(table: str, wanted: Wanted) -> tuple[list[str], dict[str, Any]]:
    """The same for each thing that is asked."""
    if not wanted.vectors:
        return [], {}
    values: dict[str, Any] = {"model": wanted.model, "dimensions": len(wanted.vectors[0])}
    same = f"{table}.model = %(model)s AND vector_dims({table}.vector) = %(dimensions)s"
    each = []
    for at, vector in enumerate(wanted.vectors):
        values[f"vector_{at}"] = repr(list(vector))
        # Unit vectors: the inner product is the cosine.
        each.append(f"CASE WHEN {same} THEN -({table}.vector <#> %(vector_{at})s::vector) END")
    return each, values


def _item(row: tuple[Any, ...]) -> Item:
    # Filled as a whole: of hundreds of rows, each with two dozen fields, setting one by one is a third of the answer's time.
    item = object.__new__(Item)
    told = vars(item)
    told.update(zip(_NAMES, row[:-1], strict=True))
    told["value"] = _loaded(told["value"])
    return item


def _loaded(value: Any) -> Any:
    """The JSON value: Django's connection hands jsonb out as text."""
    return json.loads(value) if isinstance(value, str) else value
