"""Memories and their versions as they are shown."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from memory_app.domain.errors import NotFound
from memory_app.keyset import Order
from memory_app.models import Decision, Memory, MemoryState, MemoryStatus, MemoryVersion, Workspace
from memory_app.queries.memory_list import matching
from memory_app.queries.teams import within
from memory_app.reasons import sentence

ORDER = Order("recorded_at")


def memories(workspace: Workspace, filters: Mapping[str, Any], teams: Iterable[str] | None = None) -> QuerySet[Memory]:
    """The workspace's memories that match every filter; with `teams`, none of another team or its sessions."""
    rows = Memory.objects.with_marks(timezone.now()).filter(workspace=workspace).select_related("user", "team")
    rows = within(rows, teams)
    for name, value in filters.items():
        if name != "q":
            rows = FILTERS[name](rows, value)
        elif value:
            rows = rows.filter(matching(workspace, value).where)
    return rows


def get_memory(workspace: Workspace, memory_id: Any) -> Memory:
    """The workspace's memory; NotFound when it is unknown or another's."""
    memory = memories(workspace, {}).select_related("workspace", "session", "user", "team").filter(pk=memory_id).first()
    if memory is None:
        raise NotFound("There is no such memory.")
    return memory


def versions(memory: Memory) -> QuerySet[MemoryVersion]:
    """Its versions, each with the decision that made it."""
    decisions = Decision.objects.select_related("memory")
    return memory.versions.prefetch_related(Prefetch("decision", queryset=decisions))


def _status(rows: QuerySet[Memory], value: str) -> QuerySet[Memory]:
    now = timezone.now()
    if value == "expired":
        return rows.filter(status=MemoryStatus.ACTIVE, expires_at__lte=now)
    if value == "active":
        return rows.filter(Q(expires_at=None) | Q(expires_at__gt=now), status=MemoryStatus.ACTIVE)
    return rows.filter(status=value)


FILTERS: dict[str, Any] = {
    "user": lambda rows, value: rows.filter(user__external_id=value),
    "session": lambda rows, value: rows.filter(session=value),
    "team": lambda rows, value: rows.filter(team__external_id=value),
    "kind": lambda rows, value: rows.filter(kind=value),
    "scope": lambda rows, value: rows.filter(scope=value),
    "status": _status,
    "key": lambda rows, value: rows.filter(key=value),
    "pinned": lambda rows, value: rows.filter(pinned=value),
    "updated_after": lambda rows, value: rows.filter(updated_at__gt=value),
    "updated_before": lambda rows, value: rows.filter(updated_at__lt=value),
}


def memory_shown(memory: Memory, now: datetime | None = None) -> dict[str, Any]:
    """The memory as the API shows it. `contested` and `drifting` come from `with_marks()`."""
    now = now or timezone.now()
    return _content(memory) | {
        "id": memory.pk,
        "ref": memory.ref,
        "version": memory.version,
        "user": memory.user.external_id if memory.user else None,
        "session": memory.session_id,
        "team": memory.team.external_id if memory.team else None,
        "scope": memory.scope,
        "status": memory.status_at(now),
        "protected": memory.protected,
        "contested": getattr(memory, "contested", False),
        "drifting": memory.drifting,
        "success_count": memory.success_count,
        "failure_count": memory.failure_count,
        "recall_count": memory.recall_count,
        "confirmed_at": memory.confirmed_at,
        "created_at": memory.created_at,
        "recorded_at": memory.recorded_at,
    }


def version_shown(version: MemoryVersion) -> dict[str, Any]:
    """The version with its author and the decision that made it."""
    return _content(version) | {
        "version": version.number,
        "confirmed_at": version.confirmed_at,
        "recorded_at": version.recorded_at,
        "author": {"kind": version.author, "name": version.author_label},
        "decision": _cause(version.decision) if version.decision else None,
    }


def _cause(decision: Decision) -> dict[str, Any]:
    return {
        "id": decision.pk,
        "ref": decision.ref,
        "origin": decision.origin,
        "action": decision.action,
        "status": decision.status,
        "rule": decision.rule,
        "reason": sentence(decision.rule, decision.params, done=decision.was_carried_out),
        "proposed_by": decision.proposed_by,
        "decided_by": decision.decided_by or None,
        "decided_at": decision.decided_at,
    }


def _content(row: MemoryState) -> dict[str, Any]:
    return {
        "kind": row.kind,
        "key": row.key or None,
        "value": row.value,
        "condition": row.condition or None,
        "subject": row.subject or None,
        "text": row.text,
        "keywords": row.keywords,
        "status": row.status,
        "superseded_by": row.superseded_by,
        "pinned": row.pinned,
        "sensitivity": row.sensitivity or None,
        "importance": row.importance,
        "priority": row.priority,
        "confidence": row.confidence,
        "source": row.source or None,
        "updated_at": row.updated_at,
        "occurred_at": row.occurred_at,
        "expires_at": row.expires_at,
    }
