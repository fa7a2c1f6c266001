"""Memories as a file: all that the filters match, or those that were selected."""

import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from django.http import HttpResponseBase
from django.views.decorators.http import require_http_methods

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.audit import audit as record
from memory_app.keyset import everything
from memory_app.models import Memory
from memory_app.queries.memory_list import MemoryFilters, exported

from .files import TYPES, attachment, csv_lines, json_lines

COLUMNS = ("ref", "id", "text", "kind", "scope", "user", "team", "key", "value", "condition", "subject", "status", "pinned",
           "importance", "version", "recalls", "updated_at", "confirmed_at", "expires_at", "source")  # fmt: skip
AT_ONCE = 200


@require_http_methods(["GET", "HEAD", "POST"])
@workspace_page()
def memories_export(request: WorkspaceRequest) -> HttpResponseBase:
    """Every memory that the address matches, or the selected ones, as CSV or JSON; that it was taken out is on record."""
    filters = MemoryFilters.read(request.GET)
    chosen = [pk for given in request.POST.getlist("ids")[:AT_ONCE] if (pk := _uuid(given)) is not None]
    given = request.POST.get("format") or request.GET.get("format", "")
    kind = given if given in TYPES else "csv"
    rows = exported(request.workspace, filters, chosen if request.method == "POST" else None)
    asked = ["selected"] if request.method == "POST" else filters.named
    record(request.workspace, request.actor, "memory.export", request.workspace, format=kind, filters=asked)
    found = _rows(everything(rows, filters.order))
    return attachment(request, "memories", kind, csv_lines(COLUMNS, found) if kind == "csv" else json_lines(found))


def _rows(memories: Iterable[Memory]) -> Iterator[dict[str, Any]]:
    for one in memories:
        yield {
            "ref": one.ref, "id": str(one.pk), "text": one.text, "kind": one.kind, "scope": one.scope,
            "user": one.user.external_id if one.user else None, "team": one.team.external_id if one.team else None,
            "key": one.key or None, "value": one.value, "condition": one.condition or None,
            "subject": one.subject or None, "status": one.status, "pinned": one.pinned, "importance": one.importance,
            "version": one.version, "recalls": one.recall_count, "updated_at": one.updated_at.isoformat(),
            "confirmed_at": one.confirmed_at.isoformat() if one.confirmed_at else None,
            "expires_at": one.expires_at.isoformat() if one.expires_at else None, "source": one.source or None,
        }  # fmt: skip


def _uuid(given: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(given)
    except ValueError:
        return None
