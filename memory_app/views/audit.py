"""The audit log: who did what to which object, when and from where; as a page and as a file. For admins."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.audit import audit as record
from memory_app.addresses import page_url
from memory_app.audit_words import detail_words, object_words
from memory_app.models import ActorKind, AuditEvent
from memory_app.moments import last_days
from memory_app.queries import audit_log as read

from .files import TYPES, attachment, csv_lines, json_lines

PAGE = "memory_app/audit.html"
SPANS = (1, 7, 30, 90)
COLUMNS = ("at", "actor_kind", "actor_id", "actor", "address", "action", "object_type", "object", "ref", "detail")
#: Pages of objects, by the name of their table.
PAGES = {"memory": "memory", "session": "session", "user": "user", "slot": "slot"}


@require_safe
@workspace_page("admin")
def audit(request: WorkspaceRequest) -> HttpResponse:
    """The workspace's audit log, newest first."""
    filters = read.AuditFilters.read(request.GET)
    page = read.audit_page(request.workspace, filters, request.GET.get("cursor", ""))
    refs = read.refs_of(request.workspace, page.rows)
    context = {
        "filters": filters,
        "page": page,
        "rows": [_row(event, refs, request.workspace.slug) for event in page.rows],
        "kept": [(name, value) for name in ("kind", "days") if (value := getattr(filters, name))],
        "families": [f"{name}." for name in read.FAMILIES],
        "kinds": [{"value": value, "text": text} for value, text in ActorKind.choices],
        "spans": [{"value": str(n), "text": last_days(n)} for n in sorted({*SPANS, filters.days or SPANS[0]})],
        "days": str(filters.days or ""),
    }
    part = "#table" if request.htmx and request.htmx.target == "audit-table" else ""
    return render(request, PAGE + part, context)


@require_safe
@workspace_page("admin")
def audit_export(request: WorkspaceRequest) -> HttpResponseBase:
    """Every event that the filters match, as CSV or JSON, sent as it is read; that it was taken out is on record."""
    wanted = request.GET.get("format", "csv")
    if wanted not in TYPES:
        raise Http404
    filters = read.AuditFilters.read(request.GET)
    asked = sorted(name for name in ("action", "actor", "kind", "object", "days") if getattr(filters, name))
    record(request.workspace, request.actor, "audit.export", request.workspace, format=wanted, filters=asked)
    rows = (_fields(event, refs) for event, refs in read.named_events(request.workspace, filters))
    lines = csv_lines(COLUMNS, _cells(rows)) if wanted == "csv" else json_lines(rows)
    return attachment(request, "audit", wanted, lines)


def _row(event: AuditEvent, refs: dict[str, str], slug: str) -> dict[str, Any]:
    ref = refs.get(event.object_id, "")
    return {
        "event": event,
        "type": object_words(event.object_type),
        "ref": ref,
        "href": _href(event, ref, slug),
        "detail": detail_words(event.detail, refs),
    }


def _href(event: AuditEvent, ref: str, slug: str) -> str:
    """The page of the object, where it still exists and has one."""
    if event.object_type == "decision" and ref:
        return page_url("review", slug, status="all", item=event.object_id)
    if event.object_type == "block" and ref:
        return page_url("guardrails", slug, id=event.object_id)
    name = PAGES.get(event.object_type, "")
    return page_url(name, slug, event.object_id) if name and ref else ""


def _fields(event: AuditEvent, refs: dict[str, str]) -> dict[str, Any]:
    return {
        "at": event.at.isoformat(), "actor_kind": event.actor_kind, "actor_id": event.actor_id, "actor": event.actor,
        "address": event.address, "action": event.action, "object_type": event.object_type, "object": event.object_id,
        "ref": refs.get(event.object_id, ""), "detail": event.detail,
    }  # fmt: skip


def _cells(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield row | {"detail": json.dumps(row["detail"], ensure_ascii=False, sort_keys=True)}
