"""Many decisions ruled on in one call."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from ninja import Router

from consolidation.actions import rule_on_many
from consolidation.actions.bulk import MOST
from memory_app.actions.decisions import Ruling
from memory_app.auth import CURATES, CallerRequest
from memory_app.domain.errors import Invalid
from memory_app.models import DecisionStatus
from memory_app.models.decision import CARRIED_OUT, OPEN
from memory_app.queries.decisions import decisions
from memory_app.queries.sessions import get_session
from memory_app.schemas.decisions import DecisionFilter, ManyDone, ManyRuled, SessionRuled

router = Router(tags=["Decisions"])
THE_WHOLE_SESSION = SessionRuled()
CAN_BE: dict[str, Sequence[str]] = {
    "approve": OPEN,
    "decline": OPEN,
    "undo": (*CARRIED_OUT, DecisionStatus.DECLINED),
}


@router.post("/decisions/bulk", auth=CURATES, response=ManyDone, summary="Rule on many decisions")
def post_bulk(request: CallerRequest, body: ManyRuled) -> dict[str, Any]:
    """Each decision in a transaction of its own, oldest first: those that cannot be are `left` with the reason, the
    others are done, under one `batch`. A call takes at most 1,000 and about 20 seconds; while `more` is true, send it
    again (with a new Idempotency-Key) and it goes on. `dry_run` tells the same and writes nothing."""
    if (body.ids is None) == (body.filter is None):
        raise Invalid.field("ids", "or `filter` is needed, and only one of them.")
    return _ruled(request, body, body.filter or DecisionFilter())


@router.post("/sessions/{session_id}/approve", auth=CURATES, response=ManyDone, summary="Rule on a session's decisions")
def post_session(request: CallerRequest, session_id: UUID, body: SessionRuled = THE_WHOLE_SESSION) -> dict[str, Any]:
    """The same for one session's decisions: without `ids` or `filter` all that wait are approved."""
    session = request.auth.may_enter(get_session(request.auth.workspace, session_id))
    request.concerns = session.user_id
    if body.ids is not None and body.filter is not None:
        raise Invalid.field("ids", "and `filter` cannot be given together.")
    return _ruled(request, body, body.filter or DecisionFilter(), session=session.pk)


def _ruled(
    request: CallerRequest, body: ManyRuled | SessionRuled, narrowed: DecisionFilter, session: UUID | None = None
) -> dict[str, Any]:
    caller = request.auth
    filters = narrowed.model_dump(exclude_none=True) | ({"session": session} if session else {})
    rows = decisions(caller.workspace, filters, caller.teams).order_by("created_at", "pk")
    if body.action == "undo":
        rows = rows.reverse()
    if body.ids is not None:
        # An id of another session is as unknown here as one of another workspace.
        own = set(rows.filter(pk__in=body.ids).values_list("pk", flat=True)) if session else set(body.ids)
        ids, more = [i for i in body.ids if i in own], False
        foreign = [i for i in body.ids if i not in own]
    else:
        found = list(rows.filter(status__in=CAN_BE[body.action]).values_list("pk", flat=True)[: MOST + 1])
        ids, more, foreign = found[:MOST], len(found) > MOST, []
    ruling = Ruling(comment=body.comment, reason_code=body.reason_code)
    made = rule_on_many(caller.workspace, caller.actor, body.action, ids, ruling, dry_run=body.dry_run)
    left: list[dict[str, Any]] = [
        {"decision": i, "code": "not_found", "reason": "There is no such decision in this session.", "fresh": None}
        for i in foreign
    ]
    left += [{"decision": x.decision, "code": x.code, "reason": x.reason, "fresh": x.fresh} for x in made.left]
    more = more or any(x.code == "not_reached" for x in made.left)
    return {"done": made.done, "left": left, "batch": made.batch, "dry_run": body.dry_run, "more": more}
