"""Jobs as tests need them: gone through in this process, or lost by another."""

import uuid
from datetime import timedelta
from typing import TypeVar

from django.utils import timezone

from consolidation.actions.working import work_on
from memory_app.models import Job

J = TypeVar("J", bound=Job)


def finished(job: J, seconds: float = 60.0) -> J:
    """The job after its last slice, each so long."""
    while work_on(type(job), job.pk, seconds):
        pass
    job.refresh_from_db()
    return job


def taken(job: J) -> J:
    """The job in the hands of another worker."""
    type(job)._default_manager.filter(pk=job.pk).update(claim=uuid.uuid4())
    job.refresh_from_db()
    return job


def lost(job: J) -> J:
    """The job whose lease has run out."""
    type(job)._default_manager.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(minutes=5))
    job.refresh_from_db()
    return job
