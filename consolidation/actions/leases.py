"""Claiming a run, so that two workers never decide the same session."""

import uuid
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from consolidation.models import ConsolidationRun, RunStatus
from memory_app.actions.jobs import MAX_ATTEMPTS, LostClaim, lease
from memory_app.failures import stumbled
from memory_app.models import Session, SessionStatus


def earlier_of_user() -> QuerySet[ConsolidationRun]:
    """Live runs of earlier sessions of the outer run's user; while there is one, it is not the outer run's turn."""
    return ConsolidationRun.objects.filter(
        Q(session__started_at__lt=OuterRef("session__started_at"))
        | Q(session__started_at=OuterRef("session__started_at"), session__number__lt=OuterRef("session__number")),
        user=OuterRef("user"),
        status__in=[RunStatus.PENDING, RunStatus.RUNNING],
    )


def due() -> QuerySet[ConsolidationRun]:
    """Pending runs whose time and turn it is."""
    early = Q(not_before=None) | Q(not_before__lte=timezone.now())
    return ConsolidationRun.objects.filter(early, ~Exists(earlier_of_user()), status=RunStatus.PENDING)


def notes_wait() -> bool:
    """Whether a run would begin if a worker were free."""
    return due().exists()


def claim(run_id: uuid.UUID) -> ConsolidationRun | None:
    """The run, this worker's until its lease ends; None when it is done, claimed, too early, or not its user's turn.

    Sessions of one user are taken in the order they started: a run waits for live ones of earlier sessions.
    """
    now, token = timezone.now(), uuid.uuid4()
    running = ConsolidationRun.objects.filter(user=OuterRef("user"), status=RunStatus.RUNNING)
    mine = due().filter(~Exists(running), pk=run_id)
    with transaction.atomic():
        # The session first and then its run: the order in which everybody locks the two.
        list(Session.objects.select_for_update().filter(runs__pk=run_id).values_list("pk"))
        changed = ConsolidationRun.objects.filter(pk__in=mine.values("pk"), status=RunStatus.PENDING).update(
            status=RunStatus.RUNNING, claim=token, lease_until=now + lease(), attempts=F("attempts") + 1,
            started_at=now, finished_at=None, error="",
        )  # fmt: skip
        if changed != 1:
            return None
        run = ConsolidationRun.objects.select_related("session__user", "workspace").get(pk=run_id)
        Session.objects.filter(pk=run.session_id).update(status=SessionStatus.CONSOLIDATING)
    return run


def hold(run: ConsolidationRun, **fields: Any) -> None:
    """The claim renewed, and these fields written; in a transaction the row is kept until the commit. LostClaim when it is another's."""
    kept = ConsolidationRun.objects.filter(pk=run.pk, claim=run.claim, status=RunStatus.RUNNING).update(
        lease_until=timezone.now() + lease(), **fields
    )
    if kept != 1:
        raise LostClaim(str(run.pk))


def fail(run: ConsolidationRun, error: Exception) -> None:
    """The run pending again after a pause, or failed once it has had its attempts. What is stored of it holds no content."""
    message = stumbled(error)
    if run.attempts >= MAX_ATTEMPTS:
        give_up(run, message)
        return
    ConsolidationRun.objects.filter(pk=run.pk, claim=run.claim).update(
        status=RunStatus.PENDING,
        claim=None,
        lease_until=None,
        sent_at=None,
        error=message,
        not_before=timezone.now() + timedelta(seconds=2 ** (run.attempts - 1)),
    )


def give_up(run: ConsolidationRun, message: str) -> None:
    """The run failed, visible with its error; its notes wait as they were."""
    with transaction.atomic():
        list(Session.objects.select_for_update().filter(pk=run.session_id).values_list("pk"))
        changed = ConsolidationRun.objects.filter(pk=run.pk, claim=run.claim, status=RunStatus.RUNNING).update(
            status=RunStatus.FAILED, claim=None, lease_until=None, error=message, finished_at=timezone.now()
        )
        if changed:
            Session.objects.filter(pk=run.session_id).update(status=SessionStatus.FAILED)


def next_of_user(run: ConsolidationRun) -> uuid.UUID | None:
    """The run of the same user whose turn it is now."""
    waiting = ConsolidationRun.objects.filter(user=run.user_id, status=RunStatus.PENDING)
    return waiting.order_by("session__started_at", "session__number").values_list("pk", flat=True).first()
