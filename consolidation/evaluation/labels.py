"""What the product makes today of what a person has ruled on: the same functions as the worker, nothing written."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from consolidation.actions.distilling import guard_of, spoken_of
from consolidation.actions.gathering import gather
from consolidation.actions.releasing import RULE as RELEASED
from consolidation.distill import distill
from consolidation.domain.decide import decide
from consolidation.domain.decisions import Decided
from consolidation.domain.labels import MISSED, OTHER, RIGHT, Expected, judged, judged_block
from consolidation.domain.policy import Policy
from memory_app import guardrails
from memory_app.actions.content import embed_all
from memory_app.models import Block, Decision, Note, Origin, Workspace

from .likeness import same

#: What a reason says that is no word of anybody's.
OURS = ("category", "guardrail", "role", "correction")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a label now, in ids and names, and how it is judged."""

    outcome: str
    got: dict[str, Any]


def run_label(workspace: Workspace, kind: str, subject: UUID, expect: dict[str, Any], policy: Policy) -> Answer | None:
    """The decision made again from the memory of then, the turn distilled again, or the text checked again; None where
    what it was made from is no longer there."""
    if kind == "guardrail":
        block = Block.objects.filter(workspace=workspace, pk=subject).first()
        return _checked(workspace, block) if block is not None else None
    found = Decision.objects.filter(workspace=workspace, pk=subject)
    decision = found.select_related("note__session__workspace", "note__session__user", "note__turn").first()
    if decision is None or decision.note is None:
        return None
    return _distilled(decision) if kind == "distill" else _decided(decision, Expected.from_json(expect), policy)


def _checked(workspace: Workspace, block: Block) -> Answer:
    stage: Any = block.stage
    verdict = guardrails.check(block.masked, stage, workspace.rules)
    outcome = judged_block(not verdict.allowed, block.status != "released")
    return Answer(outcome, {"category": verdict.category or "", "rule": verdict.rule or ""})


def _distilled(decision: Decision) -> Answer | None:
    """Right where the rules find the very words in its turn that the person put in place of theirs."""
    note = decision.note
    assert note is not None
    if note.turn is None or not note.turn.content:
        return None
    turns = note.session.turns.exclude(content="").order_by("index")
    drafts = distill([spoken_of(turn) for turn in turns], guard=guard_of(note.workspace.rules), retractions=True)
    found = [draft for draft in drafts if draft.turn == str(note.turn_id)]
    wanted, edited = decision.after or {}, decision.edited(decision.after or {})
    right = any(all(same(getattr(draft, name), wanted.get(name)) for name in edited) for draft in found)
    return Answer(RIGHT if right else OTHER if found else MISSED, {"notes": len(found)})


def _decided(decision: Decision, expected: Expected, policy: Policy) -> Answer | None:
    notes, moment = situation_of(decision)
    quotes = [note.evidence_quote for note in notes if note.evidence_quote]
    vectors = embed_all([*(note.text for note in notes), *quotes])
    gathered = gather(notes[0].session, notes, vectors, known_at=moment)
    made = _made([note for note in notes if note.pk != decision.note_id])
    if expected.target and expected.target not in {*gathered.memories, *made.values()}:
        return None
    outcome = decide(
        gathered.candidates, gathered.existing, now=moment, policy=policy, slots=gathered.slots,
        similarity=gathered.similarity, profile=gathered.profile,
    )  # fmt: skip
    decided = outcome.decision(str(decision.note_id))
    root = decided.root or decided.target or ""
    target = made.get(root, root)
    return Answer(judged(expected, decided.action, decided.hold, target), _told(decided, target))


def situation_of(decision: Decision) -> tuple[list[Note], datetime]:
    """The notes that were decided together, and the moment whose memory they met: when their run began. What was
    released, or decided anew because memory had moved, was decided alone."""
    note = decision.note
    assert note is not None
    run = note.session.runs.filter(started_at__lte=decision.created_at).order_by("-started_at").first()
    if run is None or run.started_at is None or decision.replaces_id or decision.rule == RELEASED:
        return [note], decision.created_at
    later = note.session.runs.filter(started_at__gt=run.started_at).order_by("started_at").first()
    made = Decision.objects.filter(
        session=note.session, origin=Origin.CONSOLIDATION, replaces=None, created_at__gte=run.started_at
    )
    if later is not None:
        made = made.filter(created_at__lt=later.started_at)
    ids = made.exclude(rule=RELEASED).exclude(note=None).values("note")
    together = Note.objects.filter(pk__in=ids).select_related("turn", "team", "session__workspace", "session__user")
    return list(together.order_by("said_at", "number")), run.started_at


def _made(notes: Sequence[Note]) -> dict[str, str]:
    """The memories that came of these notes, by note: what earlier notes of the same run made stands by its memory."""
    rows = Decision.objects.filter(note__in=notes).exclude(memory=None).exclude(status="stale")
    return {str(note): str(memory) for note, memory in rows.order_by("created_at").values_list("note", "memory")}


def _told(decided: Decided, target: str) -> dict[str, Any]:
    """The decision in ids and names, without a word that anybody said."""
    return {
        "action": decided.action,
        "proposed": decided.proposed_action or "",
        "rule": decided.rule,
        "target": target,
        "version": decided.base_version,
        "waits": decided.hold,
        "needs": decided.needs,
        "hold": decided.hold_reason or "" if decided.hold else "",
        "confidence": round(decided.confidence, 4),
        "checks": [asdict(check) for check in decided.checks],
        "neighbours": [{"memory": n.memory, "similarity": round(n.similarity, 4)} for n in decided.neighbours],
        "params": {name: decided.params[name] for name in OURS if name in decided.params},
    }
