"""One decision with all that a person needs to judge it."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory_app.models import ActorKind, AuditEvent, Block, BlockStatus, Comment, Decision, Memory, Workspace

NEAREST = 4
SIBLINGS = 8


@dataclass(frozen=True)
class Near:
    """A memory that the candidate was compared with, as it is now, and how alike they were then."""

    memory: Memory
    similarity: float


@dataclass(frozen=True)
class Released:
    """The block that a decision came from, and who let it go: a person, or a key."""

    block: Block
    kind: str
    who: str


@dataclass(frozen=True)
class Item:
    decision: Decision
    near: tuple[Near, ...]
    siblings: tuple[Decision, ...]
    rivals: tuple[Decision, ...]
    of_owner: int
    comments: tuple[Comment, ...]
    replaced_by: Decision | None
    released: Released | None


def find_item(workspace: Workspace, decision_id: Any) -> Decision | None:
    """The workspace's decision with what its page shows; None where there is none."""
    found = Decision.objects.filter(workspace=workspace, pk=decision_id)
    return found.select_related(
        "workspace",
        "user",
        "team",
        "session__agent",
        "note__turn",
        "note__user",
        "note__team",
        "memory",
        "memory__team",
    ).first()


def item_of(decision: Decision) -> Item:
    """The decision with its neighbours, the others of its session, its comments and what took its place."""
    siblings: tuple[Decision, ...] = ()
    if decision.session_id:
        others = Decision.objects.filter(session=decision.session_id).exclude(pk=decision.pk).exclude(status="stale")
        siblings = tuple(others.select_related("note", "memory").order_by("created_at", "number")[:SIBLINGS])
    own = Decision.objects.in_queue().filter(workspace=decision.workspace_id, user=decision.user_id)
    return Item(
        decision=decision,
        rivals=_rivals(decision),
        of_owner=own.count() if decision.user_id is not None else 0,
        near=nearest(decision.workspace_id, decision.neighbours),
        siblings=siblings,
        comments=tuple(decision.comments.all()),
        replaced_by=decision.replaced_by.order_by("-created_at").first() if decision.status == "stale" else None,
        released=_released(decision),
    )


def _released(decision: Decision) -> Released | None:
    """Who released the block that the decision names; None where it came from none, or that is taken back by now."""
    number = str(decision.params.get("block", "")).removeprefix("G-")
    if not number.isdecimal():
        return None
    found = Block.objects.filter(workspace=decision.workspace_id, number=number, status=BlockStatus.RELEASED)
    block = found.select_related("decided_by").first()
    if block is None:
        return None
    if block.decided_by is not None:
        return Released(block, ActorKind.OPERATOR, str(block.decided_by))
    # A key is no row of the block: the audit log knows its name.
    events = AuditEvent.objects.filter(object_id=str(block.pk), action="block.released").order_by("-at")
    kind, who = events.values_list("actor_kind", "actor").first() or (ActorKind.OPERATOR, "")
    return Released(block, kind, who)


def _rivals(decision: Decision) -> tuple[Decision, ...]:
    """Other decisions that wait for the same slot of the same user or team: at most one of them can be right."""
    if not decision.is_open or not decision.slot_key:
        return ()
    found = Decision.objects.waiting_for(decision.slot_key).filter(
        workspace=decision.workspace_id, user=decision.user_id, team=decision.team_id, scope=decision.scope
    )
    return tuple(
        found.exclude(pk=decision.pk).select_related("note", "memory").order_by("created_at", "number")[:SIBLINGS]
    )


def nearest(workspace_id: Any, neighbours: Sequence[Mapping[str, Any]]) -> tuple[Near, ...]:
    """The nearest memories that still exist, nearest first, four at most."""
    ranked = sorted(neighbours, key=lambda one: -float(one.get("similarity") or 0))
    ids = _uuids(one.get("memory") for one in ranked)
    memories = Memory.objects.filter(workspace=workspace_id).in_bulk(ids) if ids else {}
    found: dict[uuid.UUID, Near] = {}
    for one in ranked:
        for key in _uuids([one.get("memory")]):
            if key in memories and key not in found:
                found[key] = Near(memories[key], float(one.get("similarity") or 0))
    return tuple(found.values())[:NEAREST]


def _uuids(values: Iterable[Any]) -> list[uuid.UUID]:
    found = []
    for value in values:
        try:
            found.append(uuid.UUID(str(value)))
        except ValueError:
            continue
    return found
