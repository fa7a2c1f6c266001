"""Work in the background that takes longer than a worker may be held."""

from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone

from .base import WorkspaceRow, created_field
from .choices import one_of

#: For so long a job's message is waited for.
ON_ITS_WAY = timedelta(seconds=30)


class JobStatus(models.TextChoices):
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


def on_its_way() -> datetime:
    """Until when a message that is sent now is waited for."""
    return timezone.now() + ON_ITS_WAY


class Job(WorkspaceRow):
    """What is gone through slice by slice, each by any worker. It runs until it is over: with a `claim` a worker is at
    it, without one a message is on its way, and either is trusted until `lease_until`. `claim` fences a worker that lost
    its lease. `attempts` counts the workers that one step has cost, `state` is what a slice leaves to the next."""

    status = models.CharField(max_length=9, choices=JobStatus.choices, default=JobStatus.RUNNING)
    claim = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(default=on_its_way)
    attempts = models.PositiveSmallIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    state = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)
    author_id = models.CharField(max_length=64, blank=True)
    author = models.CharField(max_length=200, blank=True)
    created_at = created_field()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [one_of("status", JobStatus, "%(class)s_status")]
        indexes = [
            models.Index(fields=["workspace", "-created_at", "-id"], name="%(class)s_newest"),
            models.Index(fields=["lease_until"], condition=models.Q(status="running"), name="%(class)s_running"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.model_name} {self.status}"
