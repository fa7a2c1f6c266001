"""What an open page asks for by itself: one answer for all of it, and none (304) while nothing is new."""

import hashlib
import json
from datetime import datetime
from typing import Any

from django.http import HttpResponseBase, QueryDict
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from consolidation.actions.opening import keep_open
from consolidation.queries.item import find_item
from consolidation.queries.live import Watched, present_in, watched_by
from consolidation.queries.queue import Progress, QueueFilters, progress_queries
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.models import Decision
from memory_app.navigation import shell_numbers

from . import approval_context
from .moved import changes_since
from .queue import query_of
from .review import notice_of, state_token


@require_safe
@workspace_page()
def live(request: WorkspaceRequest) -> HttpResponseBase:
    """Numbers, news of the list, what became of the open item and who else is where; 304 where all is as it was told."""
    query = QueryDict(request.GET.get("query", "")[:2000])
    watched = watched_by(request, query)
    if watched.item is not None:
        keep_open(request.workspace, request.user, watched.item)
    context = _facts(request, watched, query) | _item(request, watched)
    tag = _tag(request, context)
    unchanged = get_conditional_response(request, etag=tag)
    if unchanged is not None:
        return unchanged
    lists = {"queue_query": query_of(query), "list_query": query.urlencode(), "news_query": query.urlencode()}
    response = render(request, "consolidation/live.html", context | lists | {"oob": True})
    response["ETag"] = tag
    response["Cache-Control"] = "no-store"  # the page keeps what it was told, and no cache beside it
    return response


def _facts(request: WorkspaceRequest, watched: Watched, query: QueryDict) -> dict[str, Any]:
    """Every number of the page, in one statement; who is where in another."""
    asked: dict[str, Any] = {}
    new = watched.new_rows(request.workspace)
    if new is not None:
        asked["news"] = new
    if watched.listed == "review":
        filters = QueueFilters.read(query)
        asked |= progress_queries(request.workspace, filters, request.actor)
        if filters == QueueFilters(status=filters.status, sort=filters.sort):
            del asked["waiting"]  # counted beside the link already
    numbers = shell_numbers(request.workspace, asked)
    waiting = numbers.get("waiting", numbers["review"])
    present = present_in(request.workspace, request.user) if watched.listed == "review" or watched.item else []
    return {
        "nav_counts": numbers,
        "nav_oldest": numbers["oldest"],
        "nav_alerts": numbers["alerts"],
        "list": watched.listed,
        "news": numbers.get("news", 0),
        "since": watched.since.isoformat() if watched.since else "",
        "progress": Progress(waiting, numbers["reviewed"]) if "reviewed" in numbers else None,
        "states": watched.states(request.workspace),
        "present": present,
    }  # fmt: skip


def _item(request: WorkspaceRequest, watched: Watched) -> dict[str, Any]:
    """What became of the open item since it was drawn; nothing while it is as it was."""
    if watched.item is None:
        return {}
    decision = find_item(request.workspace, watched.item)
    approval = request.GET.get("page") == "approval"
    if decision is None:
        return {"moved": "gone", "approval": approval, "notice": {"text": _("This no longer exists. Reload the page.")}}
    if watched.was == (approval_context.state_token if approval else state_token)(decision):
        return {}
    notice = notice_of(decision)
    if approval and decision.is_open:
        notice = {"text": _("Something was said about this, or it moved.")}
    elif (
        decision.is_open
        and watched.was.rpartition(".")[0].rpartition(".")[0] == f"{decision.status}.{_version(decision)}"
    ):
        notice = {"text": _("It was put off or handed on meanwhile.")}
    moved = "approval" if approval else "decision"
    return {
        "moved": moved,
        "item": decision.pk,
        "decision": decision,
        "notice": notice,
        "changes": _changed(decision, watched.was),
    }


def _version(decision: Decision) -> int:
    return decision.memory.version if decision.memory is not None else 0


def _changed(decision: Decision, was: str) -> list[dict[str, Any]]:
    parts = was.split(".")
    version = parts[1] if len(parts) > 1 else ""
    return changes_since(decision, int(version)) if version.isascii() and version.isdigit() and len(version) < 9 else []


def _tag(request: WorkspaceRequest, context: dict[str, Any]) -> str:
    told = {name: value for name, value in context.items() if name not in ("decision", "changes")}
    said = json.dumps([request.LANGUAGE_CODE, request.role, told], default=_plain, sort_keys=True)
    return quote_etag(hashlib.sha256(said.encode()).hexdigest()[:32])


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
