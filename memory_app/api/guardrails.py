"""What the guardrails refused, and what they would say of a text."""

from typing import Any
from uuid import UUID

from ninja import Query, Router

from memory_app import guardrails
from memory_app.auth import CURATES, READS, CallerRequest
from memory_app.queries import blocks as shown
from memory_app.schemas.blocks import BlockWhole, TextChecked, TextToCheck
from memory_app.schemas.listing import BlocksAsked, Listed

from .lists import each, listed

router = Router(tags=["Guardrails"])


@router.get("/blocks", auth=READS, response=Listed[BlockWhole], summary="List blocks")
def get_blocks(request: CallerRequest, asked: Query[BlocksAsked]) -> dict[str, Any]:
    rows = shown.blocks(request.auth.workspace, asked.filters(), request.auth.teams)
    return listed(request, rows, shown.ORDER, asked, each(shown.block_whole))


@router.get("/blocks/{block_id}", auth=READS, response=BlockWhole, summary="Read a block")
def get_block(request: CallerRequest, block_id: UUID) -> dict[str, Any]:
    block = shown.get_block(request.auth.workspace, block_id)
    request.auth.may_see(block)
    return shown.block_whole(block)


@router.post("/guardrails/preview", auth=CURATES, response=TextChecked, summary="Check a text")
def preview(request: CallerRequest, body: TextToCheck) -> dict[str, Any]:
    """What the guardrails say of a text at a stage. Nothing is written."""
    verdict = guardrails.check(body.text, body.stage)
    return {
        "verdict": "allow" if verdict.allowed else "block",
        "category": verdict.category,
        "rule": verdict.rule,
        "excerpt": verdict.excerpt,
        "masked": verdict.masked,
        "rule_set": verdict.rule_set,
    }
