"""What an agent was shown, as a record: which memories in which version, why each was in or out, and the very text.

One statement writes it, and the answer does not wait until it is on disk: a crash of the database may lose the last
moments of this log, and nothing else.
"""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection

from memory_app.guardrails import mask
from memory_app.recall.asker import Asker

MOST_EXCLUDED = 100

# A memory that somebody is changing is not waited for: counts may lag, answers may not.
_QUICK = "WITH quick AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS done)"
_WRITTEN = """
    INSERT INTO memory_app_injection (id, workspace_id, purpose, user_id, session_id, query, moment, as_of, memory_ids,
                                      asked_about, included, excluded, tokens, text, after_turn)
    SELECT %(id)s, %(workspace)s, %(purpose)s, %(user)s, %(session)s, %(query)s, %(moment)s, %(as_of)s,
           %(shown)s::uuid[], %(asked)s::uuid[], %(included)s::jsonb, %(excluded)s::jsonb, %(tokens)s, %(text)s,
           (SELECT max(index) FROM memory_app_turn WHERE session_id = %(session)s)
      FROM quick WHERE done IS NOT NULL
"""
_COUNTED = """
free AS (
    SELECT id FROM memory_app_memory WHERE id = ANY(%(shown)s::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE memory_app_memory m
   SET recall_count = recall_count + 1, last_recalled_at = statement_timestamp(),
       first_recalled_at = coalesce(first_recalled_at, statement_timestamp()),
       passed = CASE WHEN marked.version = m.version THEN marked.mark ELSE m.passed END
  FROM free LEFT JOIN unnest(%(marked)s::uuid[], %(versions)s::int[], %(marks)s::bytea[]) AS marked(id, version, mark)
    ON marked.id = free.id
 WHERE m.id = free.id
"""
_STATEMENT = f"{_QUICK}, written AS ({_WRITTEN}), {_COUNTED}"


def record(
    who: Asker,
    purpose: str,
    query: str,
    included: Sequence[dict[str, Any]],
    excluded: Sequence[dict[str, Any]],
    tokens: int | None = None,
    text: str = "",
    asked: Sequence[str] = (),
    marked: Mapping[str, tuple[int, bytes]] | None = None,
) -> None:
    """One injection is recorded, its query masked, and each memory that was shown counts one recall more, and keeps the
    mark of its version in `marked`. `asked` are the decisions and memories whose words stand in the text's questions to
    the user."""
    if who.user is None:
        return
    shown = sorted({entry["memory"] for entry in included if "turn" not in entry})
    anew = {memory: marked[memory] for memory in shown if memory in marked} if marked else {}
    values: dict[str, Any] = {
        "id": uuid.uuid4(),
        "workspace": who.workspace.pk,
        "purpose": purpose,
        "user": who.user.pk,
        "session": who.session.pk if who.session else None,
        "query": mask(query, who.workspace.rules).text if query else "",
        "moment": who.now,
        "as_of": who.as_of,
        "shown": shown,
        "marked": list(anew),
        "versions": [version for version, _ in anew.values()],
        "marks": [mark for _, mark in anew.values()],
        "asked": sorted(set(asked)),
        "included": _json(included),
        "excluded": _json(list(excluded)[:MOST_EXCLUDED]),
        "tokens": tokens,
        "text": text,
    }
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENT if shown else _QUICK + _WRITTEN, values)


def _json(entries: Sequence[dict[str, Any]]) -> str:
    return json.dumps(list(entries), ensure_ascii=False)
