"""Blocks that people judge: released to review as false positives, or kept."""

from typing import Any
from uuid import UUID

from ninja import Router

from consolidation.actions import release_block
from memory_app.actions.blocks import keep_block
from memory_app.auth import CURATES, CallerRequest
from memory_app.queries.blocks import block_whole, get_block
from memory_app.schemas.blocks import BlockKept, BlockReleased, BlockRuled, BlockWhole

router = Router(tags=["Guardrails"])
WITHOUT_REASON = BlockKept()


@router.post("/{block_id}/release", auth=CURATES, response=BlockReleased, summary="Release a block")
def post_release(request: CallerRequest, block_id: UUID, body: BlockRuled) -> dict[str, Any]:
    """A false positive: its note goes to review and is never applied by itself, and the same text passes when it is
    sent again. What detectors masked stays masked. Released already: 409."""
    _enter(request, block_id)
    block, decision = release_block(request.auth.workspace, request.auth.actor, block_id, body.reason)
    return block_whole(block) | {"decision": decision.pk if decision is not None else None}


@router.post("/{block_id}/keep", auth=CURATES, response=BlockWhole, summary="Keep a block")
def post_keep(request: CallerRequest, block_id: UUID, body: BlockKept = WITHOUT_REASON) -> dict[str, Any]:
    """The block was right. One that had been released is taken back, and the decision that waits is declined; where
    its note has been stored since, 409."""
    _enter(request, block_id)
    return block_whole(keep_block(request.auth.workspace, request.auth.actor, block_id, body.reason))


def _enter(request: CallerRequest, block_id: UUID) -> None:
    block = get_block(request.auth.workspace, block_id)
    request.auth.may_see(block)
    request.concerns = block.user_id
