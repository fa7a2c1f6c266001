"""What consolidation and distillation would do. Nothing is written."""

from typing import Any

from ninja import Router

from consolidation.previewing import TriedTurn, try_consolidation, try_distill
from consolidation.schemas import ConsolidationOutcome, ConsolidationTried, Distilled, DistillTried
from memory_app.auth import CURATES, CallerRequest
from memory_app.domain.errors import UNFIT, Invalid
from memory_app.reasons import sentence
from memory_app.schemas.problems import refuses

router = Router(tags=["Previews"])


@router.post(
    "/consolidation/preview",
    auth=CURATES,
    response=ConsolidationOutcome,
    summary="Try a consolidation",
    openapi_extra=refuses(UNFIT),
)
def preview_consolidation(request: CallerRequest, body: ConsolidationTried) -> dict[str, Any]:
    """The decisions on the given notes against the given memory, in the caller's own ids."""
    outcome = try_consolidation(request.auth.workspace, body.model_dump())
    for decision in outcome["decisions"]:
        decision["reason"] = sentence(decision["rule"], decision["params"])
    return outcome


@router.post(
    "/distill/preview", auth=CURATES, response=Distilled, summary="Try a distillation", openapi_extra=refuses(UNFIT)
)
def preview_distill(request: CallerRequest, body: DistillTried) -> dict[str, Any]:
    """The notes that the rules find in the given turns."""
    turns = [
        TriedTurn(turn.id or str(index), turn.role, turn.content, turn.at, turn.recalled)
        for index, turn in enumerate(body.turns, start=1)
    ]
    if len({turn.id for turn in turns}) != len(turns):
        raise Invalid.field("turns", "must carry ids that differ.", UNFIT)
    return {"notes": [_shown(draft, turn) for draft, turn in try_distill(turns, request.auth.workspace.rules)]}


def _shown(draft: Any, turn: TriedTurn) -> dict[str, Any]:
    return {
        "text": draft.text,
        "key": draft.key,
        "value": draft.value,
        "condition": draft.condition,
        "subject": draft.subject,
        "kind": draft.kind,
        "scope": draft.scope,
        "said_at": draft.said_at,
        "occurred_at": draft.occurred_at,
        "turn": draft.turn,
        "evidence": {"role": turn.role, "quote": draft.quote},
        "confidence": draft.confidence,
        "retract": draft.retract,
    }
