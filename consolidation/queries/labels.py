"""The cases that people's rulings make: decisions they settled and blocks they judged, each with what was right.

They are derived, not stored: a ruling that is taken back is another case or none, and what is erased is no case any more.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from consolidation.domain.labels import CONFIRMED, EDITED, KEPT, RELEASED, Expected, Ruled, expected_of
from memory_app.domain.languages import language_of
from memory_app.guardrails import JUDGED_CATEGORIES
from memory_app.models import Block, BlockStatus, Decision, DecisionStatus, NoteOrigin, Origin, Workspace
from memory_app.queries.counting import counted
from memory_app.queries.metrics import DECIDED

#: The newest rulings that one run takes.
MOST = 1_000
RULED = (DecisionStatus.APPROVED, DecisionStatus.DECLINED, DecisionStatus.UNDONE)
JUDGED = (BlockStatus.RELEASED, BlockStatus.KEPT)
#: Declined because the block of their note stands; the block is the case.
OF_BLOCKS = ("block_kept", "block_reopened")


@dataclass(frozen=True)
class Label:
    """A ruling as a case: of which decision or block, what is run, and what is expected."""

    subject: UUID
    kind: str  # consolidation | distill | guardrail
    ruling: str
    expected: str
    expect: dict[str, Any]
    language: str
    user: UUID | None
    at: datetime


def rulings(workspace: Workspace) -> QuerySet[Decision]:
    """Consolidation's decisions on notes that a person has settled."""
    found = Decision.objects.filter(
        ~Q(note=None), workspace=workspace, status__in=RULED, origin=Origin.CONSOLIDATION, action__in=DECIDED,
        proposed_action__in=("", *DECIDED), decided_by_kind__in=("operator", "key"),
    )  # fmt: skip
    return found.exclude(reason_code__in=OF_BLOCKS, status=DecisionStatus.DECLINED)


def ruled_blocks(workspace: Workspace) -> QuerySet[Block]:
    """Blocks that a person has judged and whose text is here: of what is masked, no text is left to run."""
    found = Block.objects.filter(workspace=workspace, status__in=JUDGED, category__in=JUDGED_CATEGORIES)
    return found.exclude(masked="").exclude(decided_at=None)


def label_counts(workspace: Workspace) -> dict[str, int]:
    """How many rulings are cases, by `decisions` and `blocks`, counted up to one more than MOST; one statement."""
    asked: dict[str, QuerySet[Any]] = {"decisions": rulings(workspace), "blocks": ruled_blocks(workspace)}
    return counted(workspace, {name: rows.order_by()[: MOST + 1] for name, rows in asked.items()})


def labels(workspace: Workspace, most: int = MOST) -> list[Label]:
    """The newest rulings as cases, newest first."""
    decisions = rulings(workspace).select_related("note__session").order_by("-decided_at", "-pk")[:most]
    blocks = ruled_blocks(workspace).select_related("session").order_by("-decided_at", "-pk")[:most]
    found = [*map(_of_decision, decisions), *map(_of_block, blocks)]
    return sorted(found, key=lambda one: one.at, reverse=True)[:most]


def _of_decision(decision: Decision) -> Label:
    note, expected = decision.note, expected_of(_ruled(decision))
    assert note is not None
    assert decision.decided_at is not None
    kind, expect = "consolidation", expected.to_json()
    if expected.ruling == EDITED and note.origin == NoteOrigin.DISTILLED and note.turn_id:
        kind = "distill"  # the wording was made here, so it could have been right; an agent's own could not
    return Label(
        decision.pk, kind, expected.ruling, "notes" if kind == "distill" else expected.action, expect,
        note.session.language or language_of(note.text), decision.user_id, decision.decided_at,
    )  # fmt: skip


def _ruled(decision: Decision) -> Ruled:
    kept = decision.params.get("proposal")
    action, proposed = (
        (kept["action"], kept["proposed_action"]) if kept else (decision.action, decision.proposed_action)
    )
    target = str(decision.memory_id or "")
    return Ruled(
        status=decision.status,
        proposed=proposed if action == "review" else action,
        action=decision.action,
        target=target,
        other_target=bool(kept and kept["memory"] and kept["memory"] != target),
        edited=decision.edited(decision.after or {}) if decision.status == DecisionStatus.APPROVED else (),
        reason_code=decision.reason_code,
    )


def _of_block(block: Block) -> Label:
    released = block.status == BlockStatus.RELEASED
    expected = Expected(RELEASED if released else KEPT, "allow" if released else block.category, ())
    assert block.decided_at is not None
    language = (block.session.language if block.session is not None else "") or language_of(block.masked)
    return Label(
        block.pk, "guardrail", expected.ruling, expected.action, expected.to_json(), language, block.user_id,
        block.decided_at,
    )  # fmt: skip


def confirms(ruling: str) -> bool:
    """Whether the ruling says that the product was right."""
    return ruling in (CONFIRMED, KEPT)


def texts_of(subjects: Iterator[UUID] | list[UUID]) -> dict[UUID, Decision | Block]:
    """The decisions and blocks behind labels, with what a list shows of them; two statements."""
    ids = list(subjects)
    found: dict[UUID, Decision | Block] = dict(Decision.objects.select_related("note", "memory").in_bulk(ids))
    return found | dict(Block.objects.in_bulk(ids))
