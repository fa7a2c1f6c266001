"""Background work: fetch, call one action, nothing else. A message is a hint; the run's row is the truth."""

import logging
import uuid
from typing import Any

from celery import shared_task
from django.db import transaction
from django.utils import timezone

from consolidation import actions
from consolidation.actions.evaluating import lost_evaluations, run_evaluation
from consolidation.actions.forgetting import forget_due, what_would_be_forgotten
from consolidation.actions.replays import run_replay
from consolidation.actions.trials import lost_trials, run_trial
from consolidation.actions.watching import watch
from consolidation.models import ConsolidationRun
from memory_app.actions.indexing import enter_older_turns, fill_vectors
from memory_app.actions.scanning import lost_scans, run_scan
from memory_app.models import Workspace

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
    for trial in lost_trials():
        send_trial(trial)
    for evaluation in lost_evaluations():
        send_evaluation(evaluation)
    for scan in lost_scans():
        send_scan(scan)
    enter_older_turns()
    fill_vectors()


@shared_task(name="consolidation.tasks.try_policy")
def try_policy(trial: str) -> None:
    """The trial gone through, from where it stands; or the one session of it run again."""
    run_trial(uuid.UUID(trial))
    run_replay(uuid.UUID(trial))


@shared_task(name="consolidation.tasks.evaluate")
def evaluate(evaluation: str) -> None:
    """The evaluation gone through, from where it stands."""
    run_evaluation(uuid.UUID(evaluation))


@shared_task(name="consolidation.tasks.scan_stored")
def scan_stored(scan: str) -> None:
    """What is stored read again for a while; the rest of it is sent as another task."""
    if run_scan(uuid.UUID(scan)):
        send_scan(uuid.UUID(scan))


@shared_task(name="consolidation.tasks.watch_quality")
def watch_quality() -> None:
    """Alerts are raised and cleared."""
    watch()


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


def send_trial(trial_id: uuid.UUID) -> None:
    """The trial's task sent once the transaction commits."""
    transaction.on_commit(lambda: _try_to_send(try_policy, "trial", trial_id), robust=True)


def send_evaluation(evaluation_id: uuid.UUID) -> None:
    """The evaluation's task sent once the transaction commits."""
    transaction.on_commit(lambda: _try_to_send(evaluate, "evaluation", evaluation_id), robust=True)


def send_scan(scan_id: uuid.UUID) -> None:
    """The reading's task sent once the transaction commits."""
    transaction.on_commit(lambda: _try_to_send(scan_stored, "scan", scan_id), robust=True)


def _try_to_send(task: Any, what: str, row_id: uuid.UUID) -> bool:
    """Whether the broker has taken it. One that is down loses nothing: the sweep sends later."""
    try:
        task.delay(str(row_id))
    except Exception as error:  # kombu raises the errors of whichever transport is in use
        log.warning(
            "%s %s waits for the sweep: the broker did not take its task (%s)", what, row_id, type(error).__name__
        )
        return False
    return True


def send(run_id: uuid.UUID) -> None:
    """The run's task sent once the transaction commits."""
    transaction.on_commit(lambda: _send(run_id), robust=True)


def _send(run_id: uuid.UUID) -> None:
    if _try_to_send(consolidate, "run", run_id):
        ConsolidationRun.objects.filter(pk=run_id, sent_at=None).update(sent_at=timezone.now())
