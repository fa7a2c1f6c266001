"""A session ends (by its caller, by falling silent, by a button): a pending run is written, its task's outbox row."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from consolidation.models import ConsolidationRun, RunCause, RunStatus
from memory_app.actions.audit import audit
from memory_app.actions.guard import masked
from memory_app.domain.actor import SYSTEM, Actor
from memory_app.domain.errors import Conflict, NotFound
from memory_app.models import Outcome, Session, SessionStatus, Workspace

from .policies import current_policy

LIVE = (RunStatus.PENDING, RunStatus.RUNNING)


def end_session(
    session: Session,
    actor: Actor,
    *,
    task: str = "",
    outcome: str = "",
    summary: str = "",
    at: datetime | None = None,
) -> ConsolidationRun:
    """The session closed and its run, pending. Twice is the same as once: the first words, no further run, and
    the newest run there is.

    `at` is when a recorded session ended; without it that is now.
    """
    task, summary = (masked(session.workspace.rules, said) for said in (task, summary))
    with transaction.atomic():
        session = _held(session)
        if session.ended_at is not None:
            run = session.runs.order_by("-created_at").first()
            if run is not None:
                return run
        session.ended_at = session.ended_at or at or timezone.now()
        session.last_active_at = at or session.last_active_at
        session.status = SessionStatus.ENDED
        session.task, session.summary = task, summary
        session.outcome = outcome or (Outcome.UNKNOWN if task or summary else Outcome.NONE)
        session.save(update_fields=["ended_at", "last_active_at", "status", "task", "summary", "outcome"])
        run = _queue(session, RunCause.END)
        audit(session.workspace, actor, "session.end", session, run=str(run.pk))
        return run


def queue_session(session: Session, actor: Actor) -> ConsolidationRun:
    """A run for a session by an operator's button; the live one, if there is one."""
    with transaction.atomic():
        session = _held(session)
        run = _queue(session, RunCause.BUTTON)
        audit(session.workspace, actor, "session.consolidate", session, run=str(run.pk))
        return run


def queue_idle_sessions(limit: int = 200) -> list[ConsolidationRun]:
    """A run for each session that has been silent for as long as its workspace's policy says."""
    runs: list[ConsolidationRun] = []
    for workspace in Workspace.objects.filter(pk__in=Session.objects.filter(status="open").values("workspace")):
        silent_since = timezone.now() - timedelta(minutes=current_policy(workspace).idle_minutes)
        idle = Session.objects.idle_since(silent_since).filter(workspace=workspace).exclude(runs__status__in=LIVE)
        for session in idle.order_by("last_active_at")[:limit]:
            with transaction.atomic():
                locked = Session.objects.select_for_update().filter(pk=session.pk).first()
                if locked is None or locked.status != SessionStatus.OPEN or locked.last_active_at > silent_since:
                    continue  # somebody has spoken since
                runs.append(_queue(locked, RunCause.IDLE))
                audit(workspace, SYSTEM, "session.idle", locked)
    return runs


def retry_failed(session: Session, actor: Actor) -> ConsolidationRun:
    """A new run in place of a failed one; Conflict when none has failed."""
    with transaction.atomic():
        session = _held(session)
        last = session.runs.order_by("-created_at").first()
        if last is None or last.status != RunStatus.FAILED:
            raise Conflict("Only a failed run can be tried again.", run=str(last.pk) if last else None)
        run = _queue(session, RunCause.BUTTON)
        audit(session.workspace, actor, "run.retry", run, failed=str(last.pk))
        return run


def _held(session: Session) -> Session:
    """The session as it is now, its row held until the transaction ends; NotFound once it is erased."""
    held = Session.objects.select_for_update().filter(pk=session.pk).first()
    if held is None:
        raise NotFound("There is no such session.")
    return held


def _queue(session: Session, cause: str, **fields: Any) -> ConsolidationRun:
    """The session's live run; the caller holds the session's row, so there is never a second one."""
    live = session.runs.filter(status=RunStatus.PENDING).first()
    if live is not None:
        return live
    running = session.runs.filter(status=RunStatus.RUNNING).first()
    if running is not None:
        return running  # when it is done it looks for what came meanwhile, and queues the next one itself
    return ConsolidationRun.objects.create(
        workspace=session.workspace, session=session, user=session.user, cause=cause, **fields
    )
