"""What people rule on decisions: approved, declined, undone. A stale one is decided anew."""

from typing import Any
from uuid import UUID

from ninja import Router, Status

from consolidation.actions import redecide
from memory_app.actions.decisions import UNSET, Ruling, approve, comment, decline, find_decision
from memory_app.actions.undo import undo
from memory_app.auth import CURATES, CallerRequest
from memory_app.domain.errors import UNFIT, UNKNOWN_REFERENCE, AlreadyDecided, Stale
from memory_app.models import Decision
from memory_app.queries.decisions import decision_shown, get_decision
from memory_app.schemas.decisions import CommentGiven, CommentShown, DecisionShown, DecisionUndone, Ruled, UndoWanted
from memory_app.schemas.problems import refuses

router = Router(tags=["Decisions"])
AS_IT_IS = Ruled()
ONLY_THIS = UndoWanted()


@router.post(
    "/{decision_id}/approve",
    auth=CURATES,
    response=DecisionShown,
    summary="Approve a decision",
    openapi_extra=refuses("blocked", UNKNOWN_REFERENCE, UNFIT),
)
def post_approve(request: CallerRequest, decision_id: UUID, body: Ruled = AS_IT_IS) -> dict[str, Any]:
    """Approved as it is, with an edit, or as another action. The memory moved meanwhile: 409, and the decision that
    waits in place of the stale one."""
    decision = _decision(request, decision_id)
    try:
        approved = approve(request.auth.workspace, request.auth.actor, decision.pk, _ruling(body))
    except Stale as error:
        stale = find_decision(request.auth.workspace, decision.pk)
        fresh = redecide(stale) or stale
        raise Stale(error.message, stale=str(stale.pk), decision=_shown(request, fresh.pk)) from error
    except AlreadyDecided as error:
        raise _as_it_is_now(request, error) from error
    return _shown(request, approved.pk)


@router.post(
    "/{decision_id}/decline",
    auth=CURATES,
    response=DecisionShown,
    summary="Decline a decision",
    openapi_extra=refuses(UNFIT),
)
def post_decline(request: CallerRequest, decision_id: UUID, body: Ruled = AS_IT_IS) -> dict[str, Any]:
    """Declined: nothing is written to memory."""
    decision = _decision(request, decision_id)
    try:
        decline(request.auth.workspace, request.auth.actor, decision.pk, _ruling(body))
    except AlreadyDecided as error:
        raise _as_it_is_now(request, error) from error
    return _shown(request, decision.pk)


@router.post("/{decision_id}/undo", auth=CURATES, response=DecisionUndone, summary="Undo a decision")
def post_undo(request: CallerRequest, decision_id: UUID, body: UndoWanted = ONLY_THIS) -> dict[str, Any]:
    """Content as it was before, as a new version; the decision is open again. Later decisions that build on it:
    409 lists them, unless `cascade`. Where memory that is protected would change by one person alone: 403, with what
    to propose instead."""
    decision = _decision(request, decision_id)
    try:
        undone = undo(request.auth.workspace, request.auth.actor, decision.pk, cascade=body.cascade)
    except AlreadyDecided as error:
        raise _as_it_is_now(request, error) from error
    return _shown(request, decision.pk) | {"undone": [d.pk for d in undone]}


@router.post("/{decision_id}/comments", auth=CURATES, response={201: CommentShown}, summary="Comment on a decision")
def post_comment(request: CallerRequest, decision_id: UUID, body: CommentGiven) -> Status[Any]:
    """A remark for the others who judge it, masked like everything that is stored."""
    decision = _decision(request, decision_id)
    made = comment(request.auth.workspace, request.auth.actor, decision.pk, body.text)
    return Status(201, {"id": made.pk, "author": made.author, "text": made.text, "at": made.created_at})


def _decision(request: CallerRequest, decision_id: UUID) -> Decision:
    decision = get_decision(request.auth.workspace, decision_id)
    request.auth.may_see(decision)
    request.concerns = decision.user_id
    return decision


def _shown(request: CallerRequest, decision_id: UUID) -> dict[str, Any]:
    return decision_shown(get_decision(request.auth.workspace, decision_id))


def _as_it_is_now(request: CallerRequest, error: AlreadyDecided) -> AlreadyDecided:
    return AlreadyDecided(error.message, decision=_shown(request, error.extra["decision"]))


def _ruling(body: Ruled) -> Ruling:
    return Ruling(
        comment=body.comment or "",
        base_version=body.base_version,
        text=body.text,
        value=body.value if "value" in body.model_fields_set else UNSET,
        action=body.action or "",
        memory=str(body.memory) if body.memory else None,
        reason_code=body.reason_code or "",
    )
