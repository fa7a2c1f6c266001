"""What is wrong and wants somebody's eyes: raised once a kind and subject, until it is over."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .base import WorkspaceRow, created_field
from .choices import one_of


class AlertKind(models.TextChoices):
    QUEUE = "queue", _("The queue is old")
    REVERSALS = "reversals", _("Many decisions are reversed")
    WRITES = "writes", _("An agent writes far more than usual")
    INSTRUCTIONS = "instructions", _("Instructions are being planted")
    RUNS = "runs", _("Consolidation fails")
    WORKER = "worker", _("The worker is silent")


class Alert(WorkspaceRow):
    """Open until `cleared_at`. `subject` is an agent's name where it is about one; `detail` holds numbers only."""

    kind = models.CharField(max_length=12, choices=AlertKind.choices)
    subject = models.CharField(max_length=200, blank=True, default="", db_default="")
    detail = models.JSONField(default=dict, db_default={})
    raised_at = created_field()
    cleared_at = models.DateTimeField(null=True, blank=True)
    acknowledged_at = models.DateTimeField(null=True, blank=True)
    acknowledged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            one_of("kind", AlertKind, "alert_kind"),
            models.UniqueConstraint(
                fields=["workspace", "kind", "subject"], condition=Q(cleared_at=None), name="alert_open_once"
            ),
        ]
        indexes = [models.Index(fields=["workspace", "-raised_at", "-id"], name="alert_newest")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}".strip()
