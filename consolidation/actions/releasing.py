"""A blocked note released as a false positive: it goes to a person, never to memory by itself."""

from dataclasses import replace
from typing import Any

from django.utils import timezone

from consolidation.domain.decide import decide
from consolidation.domain.decisions import Decided
from memory_app.actions.blocks import already, find_block, lock_block, settle
from memory_app.actions.content import TextVector, embed_all, to_json
from memory_app.actions.decisions import Proposal, record
from memory_app.actions.locks import writing
from memory_app.actions.notes import state_of
from memory_app.domain.actor import SYSTEM, Actor
from memory_app.models import Block, BlockStatus, Decision, DecisionStatus, Needs, Note, Scope, Workspace

from .gathering import gather
from .policies import current_policy
from .proposing import proposal_of

RULE = "review.released"
#: Rejections for the very thing that a person has just called a false positive.
OVERRULED = ("reject.unsafe", "reject.speculation")


def release_block(workspace: Workspace, actor: Actor, block_id: Any, reason: str) -> tuple[Block, Decision | None]:
    """The block released, and its note's decision, which waits; None where the block belongs to no note.

    What detectors found was masked before anything was stored, so only the masked text can come of it. The same
    text sent again passes, unless something in it was masked. Conflict when it is released already.
    """
    block = find_block(workspace, block_id)
    note = block.note
    vectors = embed_all([note.text, note.evidence_quote or note.text]) if note is not None else {}
    with writing():
        block = lock_block(block, actor)
        if block.status == BlockStatus.RELEASED:
            raise already(block)
        block = settle(block, actor, BlockStatus.RELEASED, reason)
        decision = _to_review(block, block.note, vectors) if block.note is not None else None
    return block, decision


def _to_review(block: Block, note: Note, vectors: dict[str, TextVector]) -> Decision:
    known = Decision.objects.filter(note=note).exclude(status=DecisionStatus.STALE).order_by("-created_at").first()
    if known is not None and known.status != DecisionStatus.DECLINED:
        return known
    if known is not None:  # released, kept, and released once more
        known.status, known.decided_at = DecisionStatus.PENDING, None
        known.decided_by_kind = known.decided_by_id = known.decided_by = known.reason_code = ""
        known.save()
        return known
    policy = current_policy(block.workspace)
    gathered = gather(note.session, [note], vectors)
    candidate = replace(gathered.candidates[0], blocked=None)
    outcome = decide(
        [candidate], gathered.existing, now=timezone.now(), policy=policy, slots=gathered.slots,
        similarity=gathered.similarity, profile=gathered.profile,
    )  # fmt: skip
    proposal, _ = proposal_of(outcome.decisions[0], gathered, {}, policy=policy)
    return record(block.workspace, SYSTEM, _held(proposal, outcome.decisions[0], note, block))


def _held(proposal: Proposal, decided: Decided, note: Note, block: Block) -> Proposal:
    wanted = decided.proposed_action or "" if decided.action == "review" else decided.action
    if decided.action == "reject":
        wanted = ""
        if decided.rule in OVERRULED:
            wanted = "session_only" if note.scope == Scope.SESSION else "promote"
    return replace(
        proposal,
        action="review",
        proposed_action=wanted,
        rule=RULE,
        params={**proposal.params, "block": block.ref, "decided": decided.rule},
        after=proposal.after or to_json(state_of(note)),
        hold=True,
        needs=Needs.ADMIN if decided.needs == "admin" else Needs.CURATOR,
    )
