"""One memory with all that its page shows: versions, sources, what is near, what waits, where it was shown."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q
from django.utils import timezone
from pgvector.django import MaxInnerProduct

from memory_app.models import (
    AuditEvent,
    Decision,
    Injection,
    Memory,
    MemorySource,
    MemoryStatus,
    MemoryVersion,
    SearchEntry,
    Workspace,
)

VERSIONS, SOURCES, NEAREST, SHOWN, WAITING = 20, 20, 4, 5, 10
WITH_CAUSE = ("decision__note__turn", "decision__note__session", "decision__note__user", "decision__session")


@dataclass(frozen=True)
class Near:
    memory: Memory
    similarity: float


@dataclass(frozen=True)
class Shown:
    """One time that an agent was shown the memory: in which version, why, and at which place."""

    injection: Injection
    version: int | None
    reason: str
    place: int | None = None


@dataclass(frozen=True)
class MemoryPage:
    """`versions` are newest first, each with the one before it; `undone` are numbers that taking back has made,
    `approvers` who approved what other numbers hold, as kind and name, whatever became of the decision since."""

    memory: Memory
    versions: tuple[tuple[MemoryVersion, MemoryVersion | None], ...]
    earlier: int | None
    undone: frozenset[int]
    approvers: Mapping[int, tuple[str, str]]
    origin: MemoryVersion | None
    sources: tuple[MemorySource, ...]
    source_count: int
    waiting: tuple[Decision, ...]
    near: tuple[Near, ...]
    shown: tuple[Shown, ...]
    successor: Memory | None


def find_memory(workspace: Workspace, memory_id: uuid.UUID) -> Memory | None:
    """The workspace's memory; None where there is none."""
    found = Memory.objects.with_marks(timezone.now()).filter(workspace=workspace, pk=memory_id)
    return found.select_related("workspace", "user", "team", "session").first()


def memory_page(memory: Memory, before: int | None = None) -> MemoryPage:
    """The page at the versions before number `before`, else at the newest."""
    rows = memory.versions.select_related(*WITH_CAUSE).prefetch_related("decision__comments")
    found = list((rows.filter(number__lt=before) if before else rows)[: VERSIONS + 1])
    pairs = tuple(
        (version, found[at + 1] if at + 1 < len(found) else None) for at, version in enumerate(found[:VERSIONS])
    )
    sources = memory.sources.select_related("note__turn", "note__session", "note__user", "decision")
    return MemoryPage(
        memory=memory,
        versions=pairs,
        earlier=pairs[-1][0].number if len(found) > VERSIONS else None,
        undone=_taken_back(memory),
        approvers=_approvers(memory, [version for version, _ in pairs]),
        origin=_origin(memory),
        sources=tuple(sources.order_by("-said_at", "-created_at")[:SOURCES]),
        source_count=memory.counting_sources().count(),
        waiting=tuple(_waiting(memory)),
        near=nearest(memory),
        shown=_shown(memory),
        successor=Memory.objects.filter(workspace=memory.workspace_id, pk=memory.superseded_by).first()
        if memory.superseded_by
        else None,
    )


def version_of(memory: Memory, number: int) -> MemoryVersion | None:
    return memory.versions.filter(number=number).first()


def nearest(memory: Memory) -> tuple[Near, ...]:
    """The live memories of the same owner that mean the most alike, nearest first."""
    own = SearchEntry.objects.filter(memory=memory, number=memory.version).exclude(vector=None).first()
    if own is None:
        return ()
    others = SearchEntry.objects.filter(
        workspace=memory.workspace_id,
        owner=memory.owner,
        memory__status=MemoryStatus.ACTIVE,
        number=F("memory__version"),
        model=own.model,
    )
    ranked = others.exclude(memory=memory.pk).exclude(vector=None).select_related("memory")
    # Vectors are of unit length, so the inner product is the cosine; the operator gives it with its sign turned.
    ranked = ranked.annotate(distance=MaxInnerProduct("vector", own.vector)).order_by("distance", "pk").defer("vector")
    return tuple(Near(entry.memory, max(0.0, min(1.0, -float(entry.distance)))) for entry in ranked[:NEAREST])


def _waiting(memory: Memory) -> Any:
    found = Decision.objects.waiting().filter(memory=memory.pk)
    return found.select_related("note", "session").order_by("created_at", "number")[:WAITING]


def _shown(memory: Memory) -> tuple[Shown, ...]:
    rows = Injection.objects.filter(workspace=memory.workspace_id, memory_ids__contains=[memory.pk])
    if memory.user_id is not None:
        rows = rows.filter(user=memory.user_id)
    return tuple(_entry(memory, row) for row in rows.select_related("session", "user").order_by("-at", "-id")[:SHOWN])


def _entry(memory: Memory, row: Injection) -> Shown:
    own: dict[str, Any] = next((one for one in row.included if one.get("memory") == str(memory.pk)), {})
    return Shown(row, own.get("version"), str(own.get("reason") or ""), own.get("rank"))


def _taken_back(memory: Memory) -> frozenset[int]:
    """Versions that an undo wrote. They name the decision that was taken back, as the version that it made does; a
    decision is carried out and taken back by turns, so every second version of it is one."""
    seen: dict[Any, int] = {}
    found = set()
    causes = memory.versions.exclude(decision=None).order_by("number").values_list("number", "decision")
    for number, decision in causes:
        seen[decision] = seen.get(decision, 0) + 1
        if seen[decision] % 2 == 0:
            found.add(number)
    return frozenset(found)


def _approvers(memory: Memory, versions: Sequence[MemoryVersion]) -> dict[int, tuple[str, str]]:
    """Of the audit log, because an undo leaves its own name on the decision: the ruling that came with a version is the
    first one written after it."""
    causes = {str(version.decision_id) for version in versions if version.decision_id}
    rows = AuditEvent.objects.filter(
        workspace=memory.workspace_id, object_id__in=causes, action__in=("decision.approved", "decision.undone")
    )
    told: dict[str, list[AuditEvent]] = {}
    for event in rows.order_by("at", "id"):
        told.setdefault(event.object_id, []).append(event)
    found = {}
    for version in versions:
        after = (e for e in told.get(str(version.decision_id), []) if e.at >= version.recorded_at)
        ruling = next(after, None)
        if ruling is not None and ruling.action == "decision.approved":
            found[version.number] = (ruling.actor_kind, ruling.actor)
    return found


def _origin(memory: Memory) -> MemoryVersion | None:
    """The version that first said what the memory says now, by a decision on a note; else the first that says it."""
    same = Q(text=memory.text, value=memory.value) if memory.value is not None else Q(text=memory.text)
    rows = memory.versions.select_related(*WITH_CAUSE).filter(same).order_by("number")
    return rows.exclude(decision__note=None).first() or rows.first()
