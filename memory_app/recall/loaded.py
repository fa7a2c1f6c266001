"""The memories that come back, with their marks and with what the user said, word for word, that they go back to."""

from functools import cache, reduce
from operator import or_

from django.db.models import Q, prefetch_related_objects

from memory_app.domain.because import Source
from memory_app.models import Memory, MemoryVersion
from memory_app.models.decision import CARRIED_OUT, OPEN
from memory_app.models.memory import BEGINNING, DRIFT_SPAN
from memory_app.recall.asker import Asker
from memory_app.recall.rows import columns, read

# The marks are those of `with_marks()`. The quote is the newest that was found in a turn of the user's and speaks for
# what the memory says: it came with these words, or confirmed them, and no person wrote others over it; what a merge or a
# split took along was said of something else. `set_at` is since when these words are a person's, or a key's, who corrected
# it; what a session's own note says is no correction, and has no decision. By hand: it is asked with every recall, and making the statement takes longer than answering it. `told` is what says the content.
_STATEMENT = """
SELECT {columns},
       m.status = 'active' AND EXISTS (
               SELECT 1 FROM memory_app_decision d
                WHERE d.memory_id = m.id AND d.status = ANY(%(open)s) AND d.action <> 'dedupe') AS contested,
       (SELECT count(DISTINCT d.id) FROM memory_app_memoryversion v JOIN memory_app_decision d ON d.id = v.decision_id
         WHERE v.memory_id = m.id AND v.updated_at > %(since)s AND v.updated_at <= %(now)s
           AND d.action = 'override' AND d.status = ANY(%(in_force)s)) AS changes,
       said.evidence_quote, said.said_at, corrected.set_at
  FROM memory_app_memory m
  {version}
  LEFT JOIN LATERAL (
       SELECT n.evidence_quote, s.said_at
         FROM memory_app_memorysource s JOIN memory_app_note n ON n.id = s.note_id
         JOIN memory_app_memoryversion v ON v.memory_id = s.memory_id AND v.number = s.version
        WHERE s.memory_id = m.id AND (s.withdrawn_at IS NULL OR s.withdrawn_at > %(as_of)s)
          AND n.anchored AND n.evidence_role = 'user' AND n.evidence_quote <> ''
          AND (%(as_of)s::timestamptz IS NULL OR s.created_at <= %(as_of)s)
          AND v.text = {told}.text AND v.value IS NOT DISTINCT FROM {told}.value
          AND (s.decision_id IS NULL OR v.decision_id IS DISTINCT FROM s.decision_id
               OR v.author NOT IN ('operator', 'key') AND EXISTS (SELECT FROM memory_app_decision d
                                                      WHERE d.id = s.decision_id AND d.note_id = n.id))
        ORDER BY s.said_at DESC, s.created_at DESC LIMIT 1) said ON true
  LEFT JOIN LATERAL (
       SELECT first.recorded_at AS set_at
         FROM (SELECT v.number, v.recorded_at, v.decision_id FROM memory_app_memoryversion v
                WHERE {told}.author IN ('operator', 'key') AND v.memory_id = m.id AND v.author = {told}.author
                  AND (%(as_of)s::timestamptz IS NULL OR v.recorded_at <= %(as_of)s)
                  AND v.text = {told}.text AND v.value IS NOT DISTINCT FROM {told}.value
                ORDER BY v.number LIMIT 1) first
        WHERE first.decision_id IS NOT NULL
          AND (first.number > 1 OR EXISTS (SELECT FROM memory_app_memorysource s
                                            WHERE s.memory_id = m.id AND s.version = 1 AND s.note_id IS NOT NULL))
       ) corrected ON true
 WHERE m.id = ANY(%(memories)s::uuid[]) AND m.workspace_id = %(workspace)s
"""
_KNOWN = """JOIN unnest(%(memories)s::uuid[], %(numbers)s::int[]) known(id, number) ON known.id = m.id
  JOIN memory_app_memoryversion w ON w.memory_id = m.id AND w.number = known.number"""


def load(who: Asker, versions: dict[str, int]) -> dict[str, tuple[Memory, Source | None]]:
    """The memories by id, as they are, or under ``as_of`` with the content of the version that was known then; each
    with the user's words for what it says, or else with when a person or a key corrected it."""
    if not versions:
        return {}
    values = {
        "memories": list(versions),
        "numbers": list(versions.values()),
        "workspace": who.workspace.pk,
        "open": list(OPEN),
        "in_force": list(CARRIED_OUT),
        "since": max(who.now, BEGINNING) - DRIFT_SPAN,
        "now": who.now,
        "as_of": who.as_of,
    }
    found: dict[str, Memory] = {}
    said: dict[str, Source | None] = {}
    for memory, (contested, changes, quote, said_at, set_at) in read(Memory, _statement(who.as_of is not None), values):
        memory.contested, memory.changes = contested, changes  # type: ignore[attr-defined]
        found[str(memory.pk)] = memory
        said[str(memory.pk)] = Source(quote, said_at) if quote else Source("", set_at) if set_at else None
        if who.user is not None and memory.user_id == who.user.pk:
            memory.user = who.user
    if others := [
        memory for memory in found.values() if memory.team_id or memory.user_id != (who.user and who.user.pk)
    ]:
        prefetch_related_objects(others, "user", "team")
    if who.as_of is not None:
        _as_known(found, versions)
    return {pk: (memory, said[pk]) for pk, memory in found.items()}


@cache
def _statement(as_of: bool) -> str:
    told, version = ("w", _KNOWN) if as_of else ("m", "")
    return _STATEMENT.format(columns=columns(Memory, "m"), told=told, version=version)


def _as_known(found: dict[str, Memory], versions: dict[str, int]) -> None:
    """Each has the content of its version."""
    wanted = reduce(or_, (Q(memory=pk, number=versions[pk]) for pk in found), Q(pk=None))
    for version in MemoryVersion.objects.filter(wanted):
        memory = found[str(version.memory_id)]
        for name, value in version.state().items():
            setattr(memory, name, value)
        memory.version, memory.confirmed_at = version.number, version.confirmed_at
