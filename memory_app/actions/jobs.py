"""Jobs: claimed by one worker at a time, gone on with for a slice, stopped, ended, and found again where a worker or a
message was lost. The row is the truth; a kind of job only says what its steps are."""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Forbidden
from memory_app.failures import LOST_AGAIN, stumbled
from memory_app.models import Job, JobStatus
from memory_app.models.job import on_its_way

from .audit import audit

log = logging.getLogger(__name__)

J = TypeVar("J", bound=Job)
MAX_ATTEMPTS = 5
SLICE_SECONDS = 12.0


class LostClaim(Exception):
    """Another worker has taken the work over, or it is over; whatever this one was about to write must not be written."""


class Hopeless(Exception):
    """The job cannot be done, however often it is tried. The message is a code of `memory_app.failures`."""


def lease() -> timedelta:
    return timedelta(seconds=settings.COMMONPLACE.run_lease_seconds)


@contextmanager
def kept(renew: Callable[[], None], what: str) -> Iterator[None]:
    """During the block the claim is renewed by a thread, however long an embedder or a model takes."""
    ended = threading.Event()

    def renewing() -> None:
        try:
            while not ended.wait(lease().total_seconds() / 3):
                renew()
                connection.close()  # between two renewals none is held
        except (LostClaim, DatabaseError):
            log.info("the claim of %s is renewed no more", what)
        finally:
            connection.close()

    thread = threading.Thread(target=renewing, name=f"lease of {what}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def claim(kind: type[J], job_id: uuid.UUID) -> J | None:
    """The job, this worker's until its lease ends; None where it is another's, or over."""
    token = uuid.uuid4()
    free = kind._default_manager.filter(pk=job_id, status=JobStatus.RUNNING, claim=None)
    if not free.update(claim=token, lease_until=timezone.now() + lease()):
        return None
    return kind._default_manager.select_related("workspace").filter(pk=job_id, claim=token).first()


def hold(job: Job, **fields: Any) -> None:
    """The claim renewed, and these fields written; in a transaction the row is kept until the commit. LostClaim when it
    is another's, or over."""
    if not _own(job).update(lease_until=timezone.now() + lease(), **fields):
        raise LostClaim(str(job.pk))
    for name, value in fields.items():
        setattr(job, name, value)


def keep(job: Job, **fields: Any) -> None:
    """A step behind the job, so that a worker that dies now loses nothing of it. LostClaim as in `hold`."""
    hold(job, attempts=0, error="", **fields)


def work(
    kind: type[J],
    job_id: uuid.UUID,
    steps: Callable[[J], Iterator[None]],
    seconds: float = SLICE_SECONDS,
    others_wait: Callable[[], bool] = lambda: False,
) -> bool:
    """The job gone on with, step by step, for so long or until others wait for the worker; whether the rest of it is to
    be sent. Nothing where it is not this worker's to do."""
    job = claim(kind, job_id)
    if job is None:
        return False
    until, what = time.monotonic() + seconds, f"{kind._meta.model_name} {job_id}"
    try:
        with kept(partial(hold, job), what):
            for _ in steps(job):
                if time.monotonic() >= until or others_wait():
                    return _leave(_own(job))
        _end(_own(job), JobStatus.DONE)
    except LostClaim:
        log.info("%s is no longer this worker's", what)
    except Hopeless as problem:
        _end(_own(job), JobStatus.FAILED, str(problem))
    except Exception as error:  # whatever it is, the next attempt may fare better, and the last one says so
        log.exception("%s stumbled", what)
        _stumbled(job, stumbled(error))
    return False


def stop(job: Job, actor: Actor) -> None:
    """The job over where it stands, and what it has found stays; a worker that is at it keeps nothing more. Forbidden
    below admin, Conflict where it is over already."""
    if not actor.at_least("admin"):
        raise Forbidden("Stopping this needs the role admin.")
    with transaction.atomic():
        if not _end(type(job)._default_manager.filter(pk=job.pk), JobStatus.CANCELLED):
            raise Conflict("This is over.")
        audit(job.workspace, actor, f"{job._meta.model_name}.cancel", job)


def take_back(kind: type[Job]) -> list[uuid.UUID]:
    """The jobs to send again, because their worker or their message was lost. One whose every worker is lost in the same
    place ends as failed."""
    now = timezone.now()
    late = kind._default_manager.filter(status=JobStatus.RUNNING, lease_until__lt=now)
    lost = late.exclude(claim=None)
    _end(lost.filter(attempts__gte=MAX_ATTEMPTS - 1), JobStatus.FAILED, LOST_AGAIN)
    lost.update(claim=None, attempts=F("attempts") + 1)
    ids = list(late.filter(claim=None).values_list("pk", flat=True))
    _leave(late.filter(claim=None, pk__in=ids))
    return ids


def drop_older(rows: "QuerySet[J]", kept: int) -> None:
    """Only the newest of these jobs left."""
    old = list(rows.order_by("-created_at", "-pk").values_list("pk", flat=True)[kept:])
    with transaction.atomic():
        list(rows.select_for_update().filter(pk__in=old).order_by("pk").values_list("pk"))  # in the order of everybody
        rows.filter(pk__in=old).delete()


def _own(job: Job) -> "QuerySet[Any]":
    return type(job)._default_manager.filter(pk=job.pk, claim=job.claim, status=JobStatus.RUNNING)


def _leave(jobs: "QuerySet[Any]") -> bool:
    """Whether the job is anybody's now, and its message on its way."""
    return bool(jobs.update(claim=None, lease_until=on_its_way()))


def _end(jobs: "QuerySet[Any]", status: JobStatus, error: str = "") -> bool:
    """Whether the job went on until now; it is over, and what slices left to each other is gone."""
    going = jobs.filter(status=JobStatus.RUNNING)
    return bool(going.update(status=status, claim=None, error=error, state={}, finished_at=timezone.now()))


def _stumbled(job: Job, error: str) -> None:
    """The job anybody's again after a pause, or failed once the step has had its attempts."""
    attempts = job.attempts + 1
    if attempts >= MAX_ATTEMPTS:
        _end(_own(job), JobStatus.FAILED, error)
        return
    pause = timezone.now() + timedelta(seconds=2**attempts)
    _own(job).update(claim=None, attempts=attempts, lease_until=pause, error=error)
