"""Background work: fetch, call one action, nothing else. A message is a hint; the row is the truth."""

import logging
import uuid
from typing import Any

from celery import shared_task
from django.db import transaction
from django.utils import timezone

from consolidation import actions
from consolidation.actions.forgetting import forget_due, what_would_be_forgotten
from consolidation.actions.watching import watch
from consolidation.actions.working import KINDS, lost_jobs, work_on
from consolidation.models import ConsolidationRun
from memory_app.actions.indexing import enter_older_turns, fill_vectors
from memory_app.actions.summing import sum_hours
from memory_app.models import Job, Workspace

log = logging.getLogger(__name__)


@shared_task(name="consolidation.tasks.consolidate")
def consolidate(run: str) -> None:
    """The run consolidated, if it is still this worker's to do; then the next one of its user is sent."""
    following = actions.run_consolidation(uuid.UUID(run))
    if following is not None:
        send(following)


@shared_task(name="consolidation.tasks.sweep_runs")
def sweep_runs() -> None:
    """Whatever was lost is sent again, sessions that fell silent are queued, vectors that are missing are made."""
    for run in actions.queue_idle_sessions():
        send(run.pk)
    for run_id in actions.sweep_runs():
        send(run_id)
    for kind, job_id in lost_jobs():
        send_job(kind, job_id)
    enter_older_turns()
    fill_vectors()


@shared_task(name="consolidation.tasks.work")
def work(kind: str, job: str) -> None:
    """A slice of the job done; the rest is sent as another task, behind what has been sent meanwhile."""
    if work_on(KINDS[kind], uuid.UUID(job)):
        send_job(KINDS[kind], uuid.UUID(job))


@shared_task(name="consolidation.tasks.watch_quality")
def watch_quality() -> None:
    """Alerts are raised and cleared."""
    watch()


@shared_task(name="consolidation.tasks.sum_hours")
def count_hours() -> None:
    """The numbers of the hours that are over, or that have changed, are summed."""
    sum_hours()


@shared_task(name="consolidation.tasks.forget")
def forget() -> None:
    """What the policies of retention say is due is forgotten, in every workspace that it does not fail in."""
    for workspace in Workspace.objects.order_by("slug"):
        try:
            _forget_in(workspace)
        except Exception:  # the next night goes on with what is left of it; the others have theirs now
            log.exception("forgetting in %s failed", workspace.slug)


def _forget_in(workspace: Workspace) -> None:
    due = sum(what_would_be_forgotten(workspace).values())
    done = 0
    for step, count in forget_due(workspace):
        done += count
        log.info("forgetting in %s: %s, %d of %d", workspace.slug, step, done, due)


def send_job(kind: type[Job], job_id: uuid.UUID) -> None:
    """The job's task sent once the transaction commits."""
    transaction.on_commit(lambda: _try_to_send(work, kind.__name__, str(job_id)), robust=True)


def _try_to_send(task: Any, *arguments: str) -> bool:
    """Whether the broker has taken it. One that is down loses nothing: the sweep sends later."""
    try:
        task.delay(*arguments)
    except Exception as error:  # kombu raises the errors of whichever transport is in use
        log.warning(
            "%s waits for the sweep: the broker did not take its task (%s)", " ".join(arguments), type(error).__name__
        )
        return False
    return True


def send(run_id: uuid.UUID) -> None:
    """The run's task sent once the transaction commits."""
    transaction.on_commit(lambda: _send(run_id), robust=True)


def _send(run_id: uuid.UUID) -> None:
    if _try_to_send(consolidate, str(run_id)):
        ConsolidationRun.objects.filter(pk=run_id, sent_at=None).update(sent_at=timezone.now())
