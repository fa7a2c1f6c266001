"""Records of what happened: audit events, what agents were shown, and answers kept for repeated requests."""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models.functions import Upper

from .base import WorkspaceRow, created_field
from .choices import ActorKind, one_of
from .session import Session
from .sums import marking
from .workspace import ApiKey, User


class AuditEvent(WorkspaceRow):
    """Who did what to which object, when and from where. Ids and counts only, never content; append-only."""

    at = created_field()
    actor_kind = models.CharField(max_length=10, choices=ActorKind.choices)
    actor_id = models.CharField(max_length=64, blank=True)
    actor = models.CharField(max_length=200, blank=True)
    address = models.GenericIPAddressField(null=True, blank=True)
    action = models.CharField(max_length=60)
    object_type = models.CharField(max_length=40)
    object_id = models.CharField(max_length=64)
    detail = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [one_of("actor_kind", ActorKind, "audit_actor_kind")]
        indexes = [
            models.Index(fields=["workspace", "-at", "-id"], name="audit_newest"),
            models.Index(fields=["object_id", "at"], name="audit_of_object"),
            models.Index(fields=["workspace", "action", "-at", "-id"], name="audit_by_action"),
            GinIndex(OpClass(Upper("actor"), name="gin_trgm_ops"), name="audit_actor"),
            models.Index(fields=["workspace", "actor_id", "-at"], name="audit_by_actor"),
        ]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]


class Injection(WorkspaceRow):
    """What one recall or context answer showed an agent, with versions and reasons: a record and not a guess."""

    class Purpose(models.TextChoices):
        RECALL = "recall"
        CONTEXT = "context"

    at = created_field()
    purpose = models.CharField(max_length=8, choices=Purpose.choices)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="injections")
    session = models.ForeignKey(Session, null=True, blank=True, on_delete=models.CASCADE, related_name="injections")
    query = models.TextField(blank=True)
    moment = models.DateTimeField()
    as_of = models.DateTimeField(null=True, blank=True)
    memory_ids = ArrayField(models.UUIDField(), default=list)
    asked_about = ArrayField(
        models.UUIDField(), default=list, db_default=[], help_text="Decisions and memories behind its open questions."
    )
    included = models.JSONField(default=list, help_text="[{memory, version, reason}]")
    excluded = models.JSONField(default=list, help_text="[{memory, version, reason}]")
    tokens = models.PositiveIntegerField(null=True, blank=True)
    text = models.TextField(blank=True, help_text="The block as it was handed out, byte for byte.")
    after_turn = models.PositiveIntegerField(null=True, blank=True, help_text="Index of the session's last turn then.")

    class Meta:
        indexes = [
            models.Index(fields=["session", "at"], name="injection_of_session"),
            models.Index(fields=["user", "-at"], name="injection_of_user"),
            models.Index(fields=["workspace", "at"], name="injection_by_age"),
            GinIndex(fields=["memory_ids"], name="injection_of_memory"),
            GinIndex(fields=["asked_about"], name="injection_asked_about"),
        ]
        triggers = [marking("injection", "at", "as_of", "memory_ids", "tokens", "session_id")]


class IdempotencyRecord(models.Model):
    """The first answer to a request with an Idempotency-Key, written with what the request did."""

    api_key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    method = models.CharField(max_length=8)
    path = models.CharField(max_length=500)
    key = models.CharField(max_length=200)
    body_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.JSONField(null=True)
    created_at = created_field()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["api_key", "method", "path", "key"], name="idempotency_once")]
        indexes = [models.Index(fields=["created_at"], name="idempotency_age")]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"
