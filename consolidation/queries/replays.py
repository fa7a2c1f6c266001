"""What running a session again has found, with the rows that its ids stand for."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q

from consolidation.domain.replaying import Row
from consolidation.models import PolicyTrial, PolicyVersion
from memory_app.models import Block, Decision, Memory, MemoryVersion, Note, Session, Turn, Workspace


@dataclass(frozen=True)
class Found:
    """The rows by their ids: notes, decisions and turns of the session, memories; wording and value by version, blocks by note."""

    notes: Mapping[str, Note]
    decisions: Mapping[str, Decision]
    turns: Mapping[str, Turn]
    memories: Mapping[str, Memory]
    wordings: Mapping[tuple[str, int], tuple[str, Any]]
    blocks: Mapping[str, Block]


def find_replay(session: Session, given: str) -> PolicyTrial | None:
    """The session's replay of this id; None where there is none (erasing anybody drops them)."""
    try:
        found = PolicyTrial.objects.filter(workspace=session.workspace, pk=uuid.UUID(given))
    except ValueError:
        return None
    trial = found.exclude(replay__isnull=True).first()
    return trial if trial is not None and trial.sessions == [str(session.pk)] else None


def versions_of(workspace: Workspace) -> list[PolicyVersion]:
    """The versions of the policy that were kept, newest first, without what they say."""
    return list(PolicyVersion.objects.filter(workspace=workspace).defer("content").order_by("-number")[:200])


def decided_under(session: Session) -> list[int]:
    """The versions of the policy that the session's notes were decided under."""
    made = Decision.objects.filter(session=session).exclude(note=None).exclude(policy_version=None)
    return sorted({number for number in made.values_list("policy_version", flat=True) if number is not None})


def found_of(session: Session, rows: Sequence[Row]) -> Found:
    """What the rows stand for; six statements however many there are."""
    sides = [side for row in rows for side in (row.before, row.after)]
    names = [row.note for row in rows]
    memories = Memory.objects.filter(workspace=session.workspace_id).in_bulk(_ids(side.target for side in sides))
    met = {(side.target, side.version) for side in sides if ":" not in side.target}
    wanted = reduce(or_, (Q(memory=memory, number=number) for memory, number in met if memory and number), Q(pk=None))
    versions = MemoryVersion.objects.filter(wanted, memory__in=memories)
    return Found(
        notes=_by(session.notes.select_related("turn").in_bulk(_ids([*names, *(side.target for side in sides)]))),
        decisions=_by(Decision.objects.filter(session=session).in_bulk(_ids(row.decision for row in rows))),
        turns=_by(session.turns.in_bulk(_ids(name.split(":")[1] for name in names if ":" in name))),
        memories=_by(memories),
        wordings={(str(memory), number): (text, value)
                  for memory, number, text, value in versions.values_list("memory", "number", "text", "value")},
        blocks={str(block.note_id): block for block in session.blocks.exclude(note=None)},
    )  # fmt: skip


def _by(rows: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(pk): row for pk, row in rows.items()}


def _ids(names: Iterable[str]) -> list[uuid.UUID]:
    return [uuid.UUID(name) for name in set(names) if name and ":" not in name]
