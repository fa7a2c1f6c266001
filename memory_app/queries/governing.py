"""Slots, keys and the audit log as they are shown."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils.duration import duration_iso_string

from memory_app.domain.errors import NotFound
from memory_app.keyset import Order
from memory_app.models import ApiKey, AuditEvent, Slot, Workspace

ORDER = Order("created_at")
AUDIT_ORDER = Order("at")


def workspace_shown(workspace: Workspace) -> dict[str, Any]:
    return {
        "slug": workspace.slug, "name": workspace.name, "solo": workspace.solo, "created_at": workspace.created_at,
    }  # fmt: skip


def slots(workspace: Workspace, filters: Mapping[str, Any]) -> QuerySet[Slot]:
    return Slot.objects.filter(workspace=workspace, **filters)


def get_slot(workspace: Workspace, key: str) -> Slot:
    """The workspace's slot of this key; NotFound when there is none."""
    slot = slots(workspace, {"key": key}).first()
    if slot is None:
        raise NotFound("There is no such slot.")
    return slot


def slot_shown(slot: Slot) -> dict[str, Any]:
    return {
        "key": slot.key,
        "cardinality": slot.cardinality,
        "values": slot.values,
        "writers": slot.writers,
        "expires_after": duration_iso_string(slot.expires_after) if slot.expires_after else None,
        "exposure": slot.exposure,
        "created_at": slot.created_at,
    }


def keys(workspace: Workspace, filters: Mapping[str, Any]) -> QuerySet[ApiKey]:
    """The workspace's keys that match every filter."""
    wanted = dict(filters)
    rows = ApiKey.objects.filter(workspace=workspace).prefetch_related("teams")
    if "revoked" in wanted:
        rows = rows.filter(revoked_at__isnull=not wanted.pop("revoked"))
    return rows.filter(**wanted)


def key_shown(key: ApiKey) -> dict[str, Any]:
    return {
        "id": key.pk,
        "name": key.name,
        "prefix": key.prefix,
        "role": key.role,
        "teams": sorted(team.external_id for team in key.teams.all()),
        "created_at": key.created_at,
        "last_used_at": key.last_used_at,
        "revoked_at": key.revoked_at,
    }


def audit_events(workspace: Workspace, filters: Mapping[str, Any]) -> QuerySet[AuditEvent]:
    """The workspace's audit events that match every filter; an action that ends in a dot stands for all below it."""
    rows = AuditEvent.objects.filter(workspace=workspace)
    for name, value in filters.items():
        rows = rows.filter(**{_lookup(name, value): value})
    return rows


def event_shown(event: AuditEvent) -> dict[str, Any]:
    return {
        "id": event.pk,
        "at": event.at,
        "actor": {"kind": event.actor_kind, "id": event.actor_id, "name": event.actor},
        "address": event.address,
        "action": event.action,
        "object_type": event.object_type,
        "object": event.object_id,
        "detail": event.detail,
    }


def _lookup(name: str, value: Any) -> str:
    if name == "action" and str(value).endswith("."):
        return "action__startswith"
    return {"action": "action", "actor": "actor_id", "object": "object_id", "object_type": "object_type",
            "after": "at__gt", "before": "at__lt"}[name]  # fmt: skip
