"""The review queue and the decision that is open in it."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from consolidation.queries.item import find_item, item_of
from consolidation.queries.live import present_in, uuid_in
from consolidation.queries.queue import (
    WAITING,
    QueueFilters,
    action_counts,
    listed_of,
    position_of,
    progress_of,
    queue_page,
)
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actor_words import decider_words, proposer_words
from memory_app.keyset import Page
from memory_app.models import Decision
from memory_app.moments import ago
from memory_app.queries.counting import UpTo

from .editing import EditForm
from .item import item_context
from .queue import filter_context, query_of, views_context, with_words

PAGE = "consolidation/review.html"


@require_safe
@workspace_page()
def review(request: WorkspaceRequest) -> HttpResponse:
    """The queue with one decision open: the one of the address, else the first. htmx gets the region it asks for."""
    filters = QueueFilters.read(request.GET)
    given = request.GET.get("item", "")
    target = request.htmx.target if request.htmx else None
    if target == "decision":
        return render(
            request, "consolidation/decision.html#decision", decision_context(request, filters, _find(request, given))
        )
    context = queue_context(request, filters)
    if target == "queue":
        return render(request, f"{PAGE}#queue", context)
    if request.htmx and "cursor" in request.GET:
        return render(request, "consolidation/queue_rows.html", context)
    rows = context["page"].rows
    decision = _find(request, given) if given else find_item(request.workspace, rows[0].pk) if rows else None
    return render(request, PAGE, context | decision_context(request, filters, decision, queue=context))


def queue_context(request: WorkspaceRequest, filters: QueueFilters, cursor: str | None = None) -> dict[str, Any]:
    """The list at the page of the address, with its filters and the day's progress."""
    page = queue_page(request.workspace, filters, request.GET.get("cursor", "") if cursor is None else cursor)
    with_words(page.rows)
    counts = action_counts(request.workspace, filters)
    listed = listed_of(request.workspace, filters, counts)
    waiting = listed.number if filters.status == WAITING else None
    return (
        filter_context(request.workspace, filters, counts)
        | views_context(request)
        | {
            "page": page,
            "listed": listed,
            "progress": progress_of(request.workspace, filters, request.actor, waiting),
            "list_name": _("Decisions"),
            "current": uuid_in(request.GET.get("item", "")) or (page.rows[0].pk if page.rows else None),
            "since": timezone.now().isoformat(),
            "present": present_in(request.workspace, request.user),
            "data_view": "detail" if request.GET.get("item") else "list",
        }
    )


def decision_context(
    request: WorkspaceRequest,
    filters: QueueFilters,
    decision: Decision | None,
    *,
    queue: Mapping[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """The open decision with its place in the list (in `queue`, where that is drawn as well); nothing open where the
    list is empty."""
    if decision is None:
        narrowed = filters != QueueFilters(sort=filters.sort)
        return {"decision": None, "queue_query": query_of(request.GET), "narrowed": narrowed} | more
    position = _place_on(queue["page"], decision) if queue is not None else None
    position = position or position_of(decision, request.workspace, filters)
    if position is None:
        listed = UpTo(0)
    elif queue is not None:
        listed = queue["listed"]
    else:
        listed = listed_of(request.workspace, filters, action_counts(request.workspace, filters))
    return (
        item_context(request, item_of(decision), choice=request.GET.get("choice", ""))
        | {
            "position": position,
            "listed": listed,
            "queue_query": query_of(request.GET),
            "state_token": state_token(decision),
            "choose_url": _choose_url(request, decision),
            "edit_form": EditForm.of(decision),
        }
        | more
    )


def _place_on(page: Page[Decision], decision: Decision) -> int | None:
    """Its place in the list where this is the first page and has it."""
    places = {row.pk: at for at, row in enumerate(page.rows, 1)} if not page.previous else {}
    return places.get(decision.pk)


def _choose_url(request: WorkspaceRequest, decision: Decision) -> str:
    """Where the decision is drawn with another result chosen; the action is added to it."""
    parts = [part for part in (query_of(request.GET), f"item={decision.pk}", "choice=") if part]
    return reverse("review", args=[request.workspace.slug]) + "?" + "&".join(parts)


def state_token(decision: Decision) -> str:
    """Changes when somebody decides it, puts it off or hands it on, or its memory moves."""
    version = decision.memory.version if decision.memory is not None else 0
    return f"{decision.status}.{version}.{decision.needs}.{'later' if decision.is_snoozed else 'now'}"


def notice_of(decision: Decision) -> dict[str, str]:
    """What another person did with it, in words."""
    if decision.is_open:
        memory = decision.memory
        if memory is None:
            return {"text": _("This decision is open again.")}
        return {
            "text": _("%(ref)s is now v%(version)s: it changed while this was open. Load the item again.")
            % {"ref": memory.ref, "version": memory.version}
        }
    told = {
        "approved": _("%(who)s approved this %(ago)s."),
        "declined": _("%(who)s declined this %(ago)s."),
        "stale": _("The memory changed before %(who)s could approve this, %(ago)s."),
    }
    sentence = told.get(decision.status, _("This is settled already: %(status)s."))
    when = ago(decision.decided_at) if decision.decided_at else ""
    who = decider_words(decision) or proposer_words(decision)
    return {"text": sentence % {"who": who, "ago": when, "status": decision.get_status_display()}}


def _find(request: WorkspaceRequest, given: str) -> Decision:
    decision_id = uuid_in(given)
    decision = find_item(request.workspace, decision_id) if decision_id else None
    if decision is None:
        raise Http404
    return decision
