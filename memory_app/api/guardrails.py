"""What the guardrails refused, and what they would say of a text."""

from typing import Any
from uuid import UUID

from ninja import Query, Router

from memory_app import guardrails
from memory_app.auth import CURATES, READS, CallerRequest
from memory_app.domain.errors import UNFIT, Invalid
from memory_app.guardrails import OwnRule, OwnRuleError, RuleSet
from memory_app.guardrails.own import check_rules
from memory_app.guardrails.own_shape import is_unfit
from memory_app.queries import blocks as shown
from memory_app.schemas.blocks import BlockWhole, TextChecked, TextToCheck
from memory_app.schemas.listing import BlocksAsked, Listed
from memory_app.schemas.problems import refuses

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


@router.post(
    "/guardrails/preview", auth=CURATES, response=TextChecked, summary="Check a text", openapi_extra=refuses(UNFIT)
)
def preview(request: CallerRequest, body: TextToCheck) -> dict[str, Any]:
    """What the guardrails say of a text at a stage, by the rules of the workspace or those that are given. Nothing is
    written."""
    rules = _rules(request, body)
    verdict = guardrails.check(body.text, body.stage, rules)
    found = {(one.rule, one.category, one.start, one.end) for one in verdict.findings}
    found |= {(rule, rules.named(rule).category, start, end) for rule, start, end in rules.spans(body.text)}
    return {
        "verdict": "allow" if verdict.allowed else "block",
        "held": rules.holds([body.text]) if verdict.allowed else None,
        "found": [
            {"rule": rule, "category": category, "start": start, "end": end}
            for rule, category, start, end in sorted(found, key=lambda one: (one[2], one[3], one[0]))
        ],
        "category": verdict.category,
        "rule": verdict.rule,
        "excerpt": verdict.excerpt,
        "masked": verdict.masked,
        "rule_set": verdict.rule_set,
    }


def _rules(request: CallerRequest, body: TextToCheck) -> RuleSet:
    """The rules that the text is checked by; Invalid names the part of a given rule that cannot be used."""
    current = request.auth.workspace.rules
    if body.own_rules is None and body.rules_off is None:
        return current
    own = list(current.own) if body.own_rules is None else []
    for place, given in enumerate(body.own_rules or ()):
        try:
            own.append(OwnRule.from_json(given))
        except OwnRuleError as error:
            field = f"own_rules.{place}.{error.field}".rstrip(".")
            raise Invalid.field(field, error.problem, UNFIT if is_unfit(field) else "") from None
    off = sorted(current.off) if body.rules_off is None else body.rules_off
    try:
        check_rules(own, off)
    except OwnRuleError as error:
        raise Invalid.field(error.field, error.problem, UNFIT if is_unfit(error.field) else "") from None
    return RuleSet.of(own, off, current.since)
