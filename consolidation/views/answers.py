"""What the review desk answers: the item to go on with, and the parts of the list that change with it."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import ngettext

from consolidation.queries.item import find_item
from consolidation.queries.queue import QueueFilters, after_item, progress_of
from memory_app.access import WorkspaceRequest
from memory_app.keyset import Page
from memory_app.models import Decision

from .queue import query_of, with_words
from .review import PAGE, decision_context


def keep_list(request: WorkspaceRequest) -> None:
    """The answer's links and lists are those that the person has before them: of the page's address, else those that
    the form was sent with."""
    path, _, query = (request.htmx.current_url_abs_path or "").partition("?") if request.htmx else ("", "", "")
    if path != reverse("review", args=[request.workspace.slug]):
        query = request.POST.get("queue", "")
    request.GET = QueryDict(query[:2000])


def review_url(request: WorkspaceRequest, item: Any = None) -> str:
    """The list that the request came from, with an item open."""
    query = query_of(request.GET)
    parts = [part for part in (query, f"item={item}" if item else "") if part]
    return reverse("review", args=[request.workspace.slug]) + ("?" + "&".join(parts) if parts else "")


@dataclass(frozen=True)
class RowChange:
    """What happens to rows of the list: one goes, one comes back in its place, one stays and is drawn again."""

    removed: Decision | None = None
    returned: Decision | None = None
    replaced: Decision | None = None


def regions(
    request: WorkspaceRequest,
    filters: QueueFilters,
    shown: Decision | None,
    change: RowChange,
    *,
    said: str = "",
    undo_url: str = "",
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """The item to go on with, and out of band the rows that change, the counts and what happened."""
    item = find_item(request.workspace, shown.pk) if shown is not None else None
    progress = progress_of(request.workspace, filters, request.actor)
    returned = change.returned if change.returned and filters.lists(change.returned) else None
    context = decision_context(request, filters, item, **more) | {
        "removed": change.removed,
        "returned": _rows(request, returned),
        "before": after_item(returned, request.workspace, filters, below_only=True) if returned else None,
        "replaced": _rows(request, change.replaced),
        "progress": progress,
        "said": with_count(said, progress.waiting) if said else "",
        "undo_url": undo_url,
        "can_decide": True,
        "current": shown.pk if shown else None,
    }
    response = render(request, f"{PAGE}#decided", context, status=status)
    response["HX-Push-Url"] = review_url(request, shown.pk if shown else None)
    return response


def _rows(request: WorkspaceRequest, decision: Decision | None) -> Page[Decision] | None:
    found = find_item(request.workspace, decision.pk) if decision is not None else None
    return Page(with_words([found])) if found is not None else None


def with_count(said: str, waiting: int) -> str:
    return said + " " + ngettext("%(count)s waiting.", "%(count)s waiting.", waiting) % {"count": f"{waiting:,}"}
