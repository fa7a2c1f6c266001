"""Finds work that was lost: a message that never came, a worker that died. The run's row is the truth."""

import uuid
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from consolidation.models import ConsolidationRun, RunStatus
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict
from memory_app.failures import LOST, LOST_AGAIN

from .ending import retry_failed
from .leases import MAX_ATTEMPTS, due, give_up

RESEND_AFTER = timedelta(seconds=10)


def sweep_runs(limit: int = 500) -> list[uuid.UUID]:
    """Ids of runs to send (again): pending ones that nobody has claimed for a while, and those whose worker is
    gone. A run that has had its attempts ends as failed, its notes intact."""
    now = timezone.now()
    take_back(ConsolidationRun.objects.all(), limit)
    # What is not due is sent when its turn comes, or a long queue would be sent for nothing.
    waiting = due().filter(Q(sent_at=None) | Q(sent_at__lt=now - RESEND_AFTER))
    ids = list(waiting.order_by("created_at").values_list("pk", flat=True)[:limit])
    ConsolidationRun.objects.filter(pk__in=ids).update(sent_at=now)
    return ids


def take_back(runs: QuerySet[ConsolidationRun], limit: int = 500) -> None:
    """Those of these runs whose worker is gone are pending again, or have failed if that was their last attempt."""
    lost = runs.filter(status=RunStatus.RUNNING, lease_until__lt=timezone.now())
    for run in lost.filter(attempts__gte=MAX_ATTEMPTS)[:limit]:
        give_up(run, LOST_AGAIN)
    lost.filter(attempts__lt=MAX_ATTEMPTS).update(
        status=RunStatus.PENDING, claim=None, lease_until=None, sent_at=None, error=LOST
    )


def retry_run(run: ConsolidationRun, actor: Actor) -> ConsolidationRun:
    """A new run of the same session in place of this failed one; Conflict when it has not failed."""
    if run.status != RunStatus.FAILED:
        raise Conflict("Only a failed run can be tried again.", run=str(run.pk))
    return retry_failed(run.session, actor)
