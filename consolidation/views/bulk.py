"""Many decisions ruled on at once, and what a person ruled last taken back."""

import uuid
from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from consolidation.actions import rule_on_many
from consolidation.queries.item import find_item
from consolidation.queries.queue import QueueFilters
from consolidation.queries.sitting import last_rulings
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.addresses import list_url
from memory_app.models import Decision

from .answers import keep_list
from .decide import ruled, take_back
from .review import decision_context, queue_context


@require_http_methods(["GET", "POST"])
@workspace_page()
def review_bulk(request: WorkspaceRequest) -> HttpResponse:
    """Every selected decision approved or declined as it is proposed; those that cannot be stay, and are counted."""
    if request.method != "POST":
        return redirect("review", request.workspace.slug)
    if not request.actor.at_least("curator"):
        raise PermissionDenied
    action = request.POST.get("action", "")
    if action not in ("approve", "decline"):
        return HttpResponse(status=422)
    said = rule_on_each(request, action, request.POST.getlist("ids")[:200])
    if not request.htmx:
        messages.info(request, said)
        return redirect(list_url(request, "review", request.workspace.slug))
    keep_list(request)
    context = _list_anew(request) | {"said": said, "undo_url": reverse("review_undo", args=[request.workspace.slug])}
    return render(request, "consolidation/queue_changed.html", context)


@require_http_methods(["GET", "POST"])
@workspace_page()
def review_undo(request: WorkspaceRequest) -> HttpResponse:
    """What this person ruled last is open again, and with it all that they ruled in the same stroke; each further call
    goes further back through their sitting."""
    if request.method != "POST":
        return redirect("review", request.workspace.slug)
    if not request.actor.at_least("curator"):
        raise PermissionDenied
    last = last_rulings(request.workspace, request.actor, request.user)
    if not last:
        return _nothing_more(request)
    if len(last) == 1:
        decision = find_item(request.workspace, last[0].pk)
        assert decision is not None
        return ruled(request, decision, take_back)
    said = rule_on_each(request, "undo", [one.pk for one in last])
    if not request.htmx:
        messages.info(request, said)
        return redirect("review", request.workspace.slug)
    keep_list(request)
    context = _list_anew(request, shown=last[0]) | {"said": said}
    return render(request, "consolidation/queue_changed.html", context | {"into": "decision"})


def _nothing_more(request: WorkspaceRequest) -> HttpResponse:
    said = _("Nothing more to undo: you have ruled on nothing else since you signed in.")
    if not request.htmx:
        messages.info(request, said)
        return redirect("review", request.workspace.slug)
    response = render(request, "consolidation/nothing_to_undo.html", {"said": said})
    response["HX-Reswap"] = "none"
    return response


def _list_anew(request: WorkspaceRequest, shown: Decision | None = None) -> dict[str, Any]:
    """The list from its first page, with this decision open, else its first."""
    filters = QueueFilters.read(request.GET)
    context = queue_context(request, filters, cursor="")
    rows_left = context["page"].rows
    opened = shown or (rows_left[0] if rows_left else None)
    context |= decision_context(request, filters, find_item(request.workspace, opened.pk) if opened else None)
    return context | {"current": opened.pk if opened else None}


def rule_on_each(request: WorkspaceRequest, action: str, ids: Iterable[Any]) -> str:
    """What became of many decisions, in words. What is no id is left like any that cannot be decided."""
    wanted = {str(given) for given in ids}
    known = [given for given in wanted if _is_id(given)]
    made = rule_on_many(request.workspace, request.actor, action, known)
    return _settled(len(made.done), len(wanted) - len(made.done), action)


def _is_id(given: str) -> bool:
    try:
        return bool(uuid.UUID(given))
    except ValueError:
        return False


def _settled(done: int, left: int, action: str) -> str:
    """What became of many decisions, in words."""
    if action == "undo":
        said = ngettext("Undone: %(done)d decision is open again.", "Undone: %(done)d decisions are open again.", done)
    elif action == "approve":
        said = ngettext("%(done)d decision approved.", "%(done)d decisions approved.", done)
    else:
        said = ngettext("%(done)d decision declined.", "%(done)d decisions declined.", done)
    words = said % {"done": done}
    if left:
        words += " " + ngettext("%(left)d stays as it is.", "%(left)d stay as they are.", left) % {"left": left}
    return words
