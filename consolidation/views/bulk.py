"""Many decisions ruled on at once, tried before they are, and what a person ruled last taken back."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

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
from memory_app.domain.errors import Invalid
from memory_app.models import Decision

from .answers import keep_list
from .bulk_plan import CHOSEN, Plan, is_id, left_words, new_plan, next_part, plan_of, undoing
from .decide import ruled, take_back
from .queue import query_of
from .review import PAGE, decision_context, queue_context

RULINGS = ("approve", "decline")


@require_http_methods(["GET", "POST"])
@workspace_page()
def review_try(request: WorkspaceRequest) -> HttpResponse:
    """What would become of the selected decisions, or of all that match, and what is left out and why. Nothing is
    written; the answer's form does it."""
    if request.method != "POST":
        return redirect("review", request.workspace.slug)
    if not request.actor.at_least("curator"):
        raise PermissionDenied
    keep_list(request)
    try:
        plan = _asked(request)
    except Invalid:
        return HttpResponse(status=422)
    tried = next_part(request.workspace, request.actor, plan, dry_run=True)
    return _shown(request, tried, trying=True)


@require_http_methods(["GET", "POST"])
@workspace_page()
def review_bulk(request: WorkspaceRequest) -> HttpResponse:
    """The next part of a plan carried out, or every selected decision approved or declined as it is proposed; those
    that cannot be stay, and are counted."""
    if request.method != "POST":
        return redirect("review", request.workspace.slug)
    if not request.actor.at_least("curator"):
        raise PermissionDenied
    if request.POST.get("plan"):
        return _carried_out(request)
    action = request.POST.get("action", "")
    if action not in RULINGS:
        return HttpResponse(status=422)
    return _answer(request, rule_on_each(request, action, request.POST.getlist("ids")[:CHOSEN]))


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
    if len(last) > CHOSEN and last[0].batch is not None:
        keep_list(request)
        plan = next_part(request.workspace, request.actor, undoing(last[0].batch, len(last)), dry_run=False)
        return _shown(request, plan, trying=False)
    said = rule_on_each(request, "undo", [one.pk for one in last])
    if not request.htmx:
        messages.info(request, said)
        return redirect("review", request.workspace.slug)
    keep_list(request)
    context = _list_anew(request, shown=last[0]) | {"said": said}
    return render(request, "consolidation/queue_changed.html", context | {"into": "decision"})


def _asked(request: WorkspaceRequest) -> Plan:
    """The plan to go on with, else a new one for what the form has selected."""
    if request.POST.get("plan"):
        return plan_of(request.POST["plan"])
    action = request.POST.get("action", "")
    if action not in RULINGS:
        raise Invalid.field("action", "is approve or decline.")
    everything, ids = request.POST.get("all") == "1", request.POST.getlist("ids")
    return new_plan(request.workspace, action, query_of(request.GET), ids, everything=everything)


def _carried_out(request: WorkspaceRequest) -> HttpResponse:
    keep_list(request)
    try:
        plan = plan_of(request.POST["plan"])
    except Invalid:
        return HttpResponse(status=422)
    plan = next_part(request.workspace, request.actor, plan, dry_run=False)
    if not plan.over:
        return _shown(request, plan, trying=False)
    response = _answer(request, _settled(plan.done_count, plan.left_count, plan.action), undoable=plan.action != "undo")
    response["HX-Retarget"], response["HX-Reswap"] = "#queue", "outerHTML"
    return response


def _shown(request: WorkspaceRequest, plan: Plan, *, trying: bool) -> HttpResponse:
    """The dialog that says how far it is; once everything is tried, its button does it."""
    filters = QueueFilters.read(request.GET)
    refs = [pk for _count, pks in plan.left.values() for pk in pks]
    known = Decision.objects.filter(workspace=request.workspace).in_bulk(refs)
    context = {
        "plan": plan,
        "token": (plan.from_the_start() if trying and plan.over else plan).signed(),
        "trying": trying,
        "left": [
            {"text": left_words(code), "count": count,
             "named": [known[pk] for pk in map(UUID, pks) if pk in known], "more": count - len(pks)}
            for code, (count, pks) in plan.left.items()
        ],
        "queue_query": query_of(request.GET),
    }  # fmt: skip
    if not request.htmx:
        page = queue_context(request, filters) | decision_context(request, filters, None)
        return render(request, PAGE, page | context)
    if request.POST.get("plan"):  # in place of the dialog that asked; where that was closed, of nothing
        return render(request, "consolidation/bulk_plan.html#dialog", context)
    response = render(request, "consolidation/bulk_plan.html", context)
    response["HX-Retarget"], response["HX-Reswap"] = "#bulk-plan", "outerHTML"
    return response


def _answer(request: WorkspaceRequest, said: str, *, undoable: bool = True) -> HttpResponse:
    if not request.htmx:
        messages.info(request, said)
        return redirect(list_url(request, "review", request.workspace.slug))
    keep_list(request)
    undo_url = reverse("review_undo", args=[request.workspace.slug]) if undoable else ""
    return render(
        request, "consolidation/queue_changed.html", _list_anew(request) | {"said": said, "undo_url": undo_url}
    )


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
    item = find_item(request.workspace, opened.pk) if opened else None
    context |= decision_context(request, filters, item, queue=context)
    return context | {"current": opened.pk if opened else None}


def rule_on_each(request: WorkspaceRequest, action: str, ids: Iterable[Any]) -> str:
    """What became of many decisions, in words. What is no id is left like any that cannot be decided."""
    wanted = {str(given) for given in ids}
    known = [given for given in wanted if is_id(given)]
    made = rule_on_many(request.workspace, request.actor, action, known)
    return _settled(len(made.done), len(wanted) - len(made.done), action)


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
