"""The audit row that every action writes in its own transaction."""

from typing import Any

from django.db.models import Model

from memory_app.domain.actor import Actor
from memory_app.models import AuditEvent, Workspace


def audit(workspace: Workspace, actor: Actor, action: str, subject: Model, /, **detail: Any) -> AuditEvent:
    """Records who did what to which object. `detail` holds ids, counts and names of fields, never content."""
    event = event_of(workspace, actor, action, subject, **detail)
    event.save(force_insert=True)
    return event


def event_of(workspace: Workspace, actor: Actor, action: str, subject: Model, /, **detail: Any) -> AuditEvent:
    """The same, not yet saved, for where many are written at once."""
    return AuditEvent(
        workspace=workspace,
        actor_kind=actor.kind,
        actor_id=actor.id,
        actor=actor.label,
        address=actor.address,
        action=action,
        object_type=subject._meta.model_name or "",
        object_id=str(subject.pk),
        detail=detail,
    )
