"""Approvals: decisions that need an admin are read by all, discussed by curators, decided by another admin."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from consolidation.actions import redecide
from consolidation.queries.approvals import PENDING, ApprovalFilters, approvals_page, next_waiting
from consolidation.queries.item import find_item
from consolidation.queries.sitting import last_rulings
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.allowing import kept_from_undo
from memory_app.actions.decisions import Ruling, approve, comment, decline
from memory_app.actions.keeping import can_keep
from memory_app.actions.undo import undo
from memory_app.domain.errors import Blocked, Conflict, DependsOnLater, Forbidden, Invalid, NeedsTwo, NotFound, Stale
from memory_app.models import Decision, DecisionStatus
from memory_app.queries.approvers import proposed
from memory_app.views.remarks import remark, typed
from memory_app.wording import together, undone_by_two

from .approval_context import PAGE, approval_context, list_context, open_item, query_of
from .decide import NOT_APPLIED, dependants, refusal_words, said_of
from .review import notice_of


@dataclass(frozen=True)
class Outcome:
    """What came of it: what to say, whether it can be taken back, and whether the same proposal stays open."""

    decision: Decision
    said: str
    undoable: bool = False
    stays: bool = False


@require_safe
@workspace_page()
def approvals(request: WorkspaceRequest) -> HttpResponse:
    """The proposals of a tab with one open: the one that the address names, else the first."""
    given = request.GET.get("id", "")
    decision = open_item(request, given) if given else None
    if given and decision is None:
        raise Http404
    if decision is None:
        filters = ApprovalFilters.read(request.GET)
        rows = approvals_page(request.workspace, request.actor, filters, request.GET.get("cursor", "")).rows
        decision = find_item(request.workspace, rows[0].pk) if rows else None
    return render(request, PAGE, list_context(request, decision) | approval_context(request, decision))


Act = Callable[[WorkspaceRequest, Decision], Outcome]


def _decides(act: Act, role: str) -> Callable[..., HttpResponseBase]:
    """A view that lets `act` decide and turns its outcome, or what went wrong, into an answer."""

    @require_http_methods(["GET", "POST"])
    @workspace_page()
    def view(request: WorkspaceRequest, decision_id: uuid.UUID) -> HttpResponse:
        decision = _item(request, decision_id)
        if request.method != "POST":  # the address of a form that was answered with its errors
            return redirect(_address(request, decision))
        if not request.actor.at_least(role):
            raise PermissionDenied
        return _ruled(request, decision, act)

    return view


def _ruled(request: WorkspaceRequest, decision: Decision, act: Act) -> HttpResponse:
    """The answer to what `act` does. Its list is that which the form was sent from."""
    request.GET = QueryDict(request.POST.get("list", "")[:500])
    try:
        return _answer(request, act(request, decision))
    except NotFound as error:
        raise Http404 from error
    except (Conflict, NeedsTwo) as error:
        return _conflict(request, decision, error)
    except Forbidden as error:
        raise PermissionDenied(error.message) from error
    except (Invalid, Blocked) as error:
        words = refusal_words(error)
        if isinstance(error, Invalid) and any(one.field == "comment" for one in error.errors):
            return _show(request, decision, 422, note_error=words, note=typed(request))
        return _show(request, decision, 422, notice={"text": words, "tone": "danger"}, note=typed(request))


def _approve(request: WorkspaceRequest, decision: Decision) -> Outcome:
    base = request.POST.get("base_version", "")
    ruling = Ruling(
        comment=remark(request),
        base_version=int(base) if base.isascii() and base.isdigit() and len(base) < 9 else None,
        action=request.POST.get("action", "") if request.POST.get("action") in ("promote", "override") else "",
    )
    approved = approve(request.workspace, request.actor, decision.pk, ruling)
    return Outcome(approved, said_of(approved), undoable=True)


def _decline(request: WorkspaceRequest, decision: Decision) -> Outcome:
    declined = decline(request.workspace, request.actor, decision.pk, Ruling(comment=remark(request)))
    said = (
        _("Withdrawn. Nothing was written.")
        if proposed(declined, request.actor)
        else _("Declined. Nothing was written.")
    )
    return Outcome(declined, said, undoable=request.actor.at_least("admin"))


def _ask(request: WorkspaceRequest, decision: Decision) -> Outcome:
    comment(request.workspace, request.actor, decision.pk, remark(request))
    said = _("Comment added. %(ref)s stays pending.") if decision.is_open else _("Comment added to %(ref)s.")
    return Outcome(decision, said % {"ref": decision.ref}, stays=True)


def _undo(request: WorkspaceRequest, decision: Decision) -> Outcome:
    undone = undo(
        request.workspace, request.actor, decision.pk,
        cascade=request.POST.get("cascade") == "1", keep=request.POST.get("keep") == "1",
    )  # fmt: skip
    return Outcome(undone[-1], _("Undone. %(ref)s is open again.") % {"ref": decision.ref}, stays=True)


approval_approve, approval_decline = _decides(_approve, "admin"), _decides(_decline, "curator")
approval_ask, approval_undo = _decides(_ask, "curator"), _decides(_undo, "admin")


@require_http_methods(["GET", "POST"])
@workspace_page()
def approvals_undo(request: WorkspaceRequest) -> HttpResponse:
    """What this admin ruled last here is open again; each further call goes further back through their sitting."""
    if request.method != "POST":
        return redirect("approvals", request.workspace.slug)
    if not request.actor.at_least("admin"):
        raise PermissionDenied
    last = last_rulings(request.workspace, request.actor, request.user, weighty=True)
    if not last:
        said = _("Nothing more to undo: you have ruled on nothing else since you signed in.")
        if not request.htmx:
            messages.info(request, said)
            return redirect("approvals", request.workspace.slug)
        response = render(request, "components/snackbar.html", {"text": said, "oob": True})
        response["HX-Reswap"] = "none"
        return response
    return _ruled(request, _item(request, last[0].pk), _undo)


def _answer(request: WorkspaceRequest, outcome: Outcome) -> HttpResponse:
    """The proposal to go on with, and out of band the list, the counts and what was done."""
    decided = outcome.decision
    waiting = ApprovalFilters.read(request.GET).status == PENDING
    shown = decided if outcome.stays or not waiting else next_waiting(request.workspace, decided)
    if not request.htmx:
        messages.info(request, outcome.said)
        return redirect(_address(request, shown))
    more: dict[str, Any] = {"said": outcome.said}
    if outcome.undoable:
        more["undo_url"] = reverse("approval_undo", args=[request.workspace.slug, decided.pk])
    return _show(request, shown, **more)


def _show(request: WorkspaceRequest, shown: Decision | None, status: int = 200, **more: Any) -> HttpResponse:
    """The proposal as it is now: a region with its list out of band, or the whole page."""
    item = find_item(request.workspace, shown.pk) if shown is not None else None
    context = list_context(request, item) | approval_context(request, item, **more)
    if not request.htmx:
        return render(request, PAGE, context, status=status)
    response = render(request, "consolidation/approval_changed.html", context, status=status)
    response["HX-Push-Url"] = _address(request, item)
    return response


def _conflict(request: WorkspaceRequest, decision: Decision, error: Conflict | NeedsTwo) -> HttpResponse:
    """Another was first, the memory moved, or it takes two: what happened, and the proposal to go on with. Nothing was overwritten."""
    now = _item(request, decision.pk)
    more: dict[str, Any] = {"note": typed(request)}
    if isinstance(error, DependsOnLater):
        later = list(Decision.objects.filter(workspace=request.workspace, pk__in=error.extra["decisions"]))
        text = dependants(later)
        if (kept := next(filter(None, (kept_from_undo(one, request.actor) for one in later)), None)) is not None:
            text = together(text, undone_by_two(kept.ref))
        else:
            more |= {"cascade": True, "keepable": can_keep(decision, later)}
    elif isinstance(error, Stale):
        fresh = redecide(now) if now.status == DecisionStatus.STALE else None
        text = notice_of(now)["text"]
        if fresh is not None:
            now = find_item(request.workspace, fresh.pk) or now
            text = _("The memory changed before you approved. This is a fresh decision against it.")
    elif isinstance(error, NeedsTwo):
        text = undone_by_two(error.ref)
    else:
        text = notice_of(now)["text"]
    if not more.get("cascade"):
        text = together(text, NOT_APPLIED)
    return _show(request, now, 409, notice={"text": text, "tone": "warn"}, **more)


def _address(request: WorkspaceRequest, decision: Decision | None) -> str:
    parts = [part for part in (query_of(request), f"id={decision.pk}" if decision is not None else "") if part]
    return reverse("approvals", args=[request.workspace.slug]) + ("?" + "&".join(parts) if parts else "")


def _item(request: WorkspaceRequest, decision_id: Any) -> Decision:
    decision = open_item(request, str(decision_id))
    if decision is None:
        raise Http404
    return decision
