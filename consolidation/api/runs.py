"""Sessions ended, and the runs that consolidate them."""

from typing import Any
from uuid import UUID

from django.utils.translation import override
from ninja import Query, Router, Status

from consolidation.actions import end_session, retry_run
from consolidation.models import ConsolidationRun, RunStatus
from consolidation.schemas import RunsAsked, RunShown
from consolidation.tasks import send
from memory_app.api.lists import each, listed
from memory_app.auth import ASKS, CURATES, TALKS, CallerRequest
from memory_app.domain.errors import NotFound
from memory_app.failures import failure_words
from memory_app.keyset import Order
from memory_app.queries.sessions import get_session
from memory_app.queries.teams import foreign_sessions
from memory_app.schemas.listing import Listed
from memory_app.schemas.sessions import SessionEnd, SessionEnded

router = Router()
NOTHING_SAID = SessionEnd()
ORDER = Order("created_at")
FILTERS = {"user": "user__external_id", "session": "session", "status": "status"}


@router.post(
    "/sessions/{session_id}/end", auth=TALKS, response={202: SessionEnded}, summary="End a session", tags=["Sessions"]
)
def post_end(request: CallerRequest, session_id: UUID, body: SessionEnd = NOTHING_SAID) -> Status[Any]:
    """The session closed, its consolidation on its way. Twice is the same as once."""
    session = request.auth.may_enter(get_session(request.auth.workspace, session_id))
    request.concerns = session.user_id
    run = end_session(
        session, request.auth.actor, task=body.task or "", outcome=body.outcome or "", summary=body.summary or ""
    )
    if run.status == RunStatus.PENDING:
        send(run.pk)
    return Status(202, {"run": run.pk, "status": run.status})


@router.get("/runs", auth=ASKS, response=Listed[RunShown], summary="List runs", tags=["Runs"])
def get_runs(request: CallerRequest, asked: Query[RunsAsked]) -> dict[str, Any]:
    given = {FILTERS[name]: value for name, value in asked.filters().items()}
    rows = ConsolidationRun.objects.filter(workspace=request.auth.workspace, **given)
    if request.auth.teams is not None:
        rows = rows.exclude(session__in=foreign_sessions(request.auth.teams))
    return listed(request, rows, ORDER, asked, each(_shown))


@router.get("/runs/{run_id}", auth=ASKS, response=RunShown, summary="Read a run", tags=["Runs"])
def get_run(request: CallerRequest, run_id: UUID) -> dict[str, Any]:
    return _shown(_run(request, run_id))


@router.post(
    "/runs/{run_id}/retry", auth=CURATES, response={202: RunShown}, summary="Try a failed run again", tags=["Runs"]
)
def post_retry(request: CallerRequest, run_id: UUID) -> Status[Any]:
    """A new run of the same session in place of one that has failed."""
    run = retry_run(_run(request, run_id), request.auth.actor)
    if run.status == RunStatus.PENDING:
        send(run.pk)
    return Status(202, _shown(run))


def _run(request: CallerRequest, run_id: UUID) -> ConsolidationRun:
    rows = ConsolidationRun.objects.filter(workspace=request.auth.workspace, pk=run_id)
    run = rows.select_related("session__workspace", "user").first()
    if run is None:
        raise NotFound("There is no such run.")
    request.auth.may_enter(run.session)
    request.concerns = run.user_id
    return run


def _error(run: ConsolidationRun) -> str | None:
    with override("en"):  # as all that the API says
        return failure_words(run.error) or None


def _shown(run: ConsolidationRun) -> dict[str, Any]:
    return {
        "id": run.pk,
        "session": run.session_id,
        "status": run.status,
        "cause": run.cause,
        "attempts": run.attempts,
        "error": _error(run),
        "decisions": run.counts,
        "model_calls": [{"found": 0, "dropped": {}} | call for call in run.model_calls],
        "created_at": run.created_at,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
    }
