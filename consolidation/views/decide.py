"""What a person does with a decision: approve, decline, undo. Answers htmx with the next one, a form with a redirect."""

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from consolidation.actions import redecide, rule_on_many
from consolidation.queries.item import find_item
from consolidation.queries.queue import WAITING, QueueFilters, after_item, progress_of
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.decisions import Ruling, approve, decline
from memory_app.actions.undo import undo
from memory_app.domain.errors import (
    AlreadyDecided,
    Blocked,
    Conflict,
    DependsOnLater,
    Forbidden,
    Invalid,
    NotFound,
    Stale,
)
from memory_app.keyset import Page
from memory_app.models import Action, Decision, DecisionStatus

from . import rows
from .editing import EditForm
from .queue import query_of, with_words
from .review import PAGE, decision_context, notice_of, queue_context


@dataclass(frozen=True)
class Outcome:
    """What came of a request: the decision as it is now, what to say, and whether it was taken back."""

    decision: Decision
    said: str
    undone: bool = False


def _decides(act: Callable[[WorkspaceRequest, Decision], Outcome]) -> Callable[..., HttpResponseBase]:
    """A view that lets `act` decide and turns its outcome, or what went wrong, into an answer."""

    @require_http_methods(["GET", "POST"])
    @workspace_page()
    def view(request: WorkspaceRequest, decision_id: uuid.UUID) -> HttpResponse:
        decision = find_item(request.workspace, decision_id)
        if decision is None:
            raise Http404
        if request.method != "POST":  # the address of a form that was answered with its errors
            return redirect(review_url(request, decision.pk))
        if not request.actor.at_least("curator"):
            raise PermissionDenied
        in_row = "row" in (request.POST.get("view"), request.GET.get("view"))
        # Links and lists of the answer are those of the list that the form was sent from.
        request.GET = QueryDict(request.POST.get("queue", "")[:2000])
        try:
            return _answer(request, act(request, decision), in_row)
        except NotFound as error:
            raise Http404 from error
        except Forbidden as error:
            raise PermissionDenied(error.message) from error
        except (Invalid, Blocked) as error:
            return _refused(request, decision, error, in_row)
        except Conflict as error:
            return _conflict(request, decision, error, in_row)

    return view


def _approve(request: WorkspaceRequest, decision: Decision) -> Outcome:
    ruling = _ruling(request, decision)
    approved = approve(request.workspace, request.actor, decision.pk, ruling)
    return Outcome(approved, said_of(approved))


def _decline(request: WorkspaceRequest, decision: Decision) -> Outcome:
    ruling = Ruling(comment=request.POST.get("comment", "").strip())
    declined = decline(request.workspace, request.actor, decision.pk, ruling)
    return Outcome(declined, _("Declined. Nothing was written."))


def _undo(request: WorkspaceRequest, decision: Decision) -> Outcome:
    undone = undo(request.workspace, request.actor, decision.pk, cascade=request.POST.get("cascade") == "1")
    said = _("Undone. %(ref)s is open again.") % {"ref": decision.ref}
    return Outcome(undone[-1], said, undone=True)


decision_approve, decision_decline, decision_undo = _decides(_approve), _decides(_decline), _decides(_undo)


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
        return redirect(request.META.get("HTTP_REFERER") or reverse("review", args=[request.workspace.slug]))
    address = QueryDict((request.htmx.current_url_abs_path or "").partition("?")[2])
    request.GET = address
    filters = QueueFilters.read(address)
    context = queue_context(request, filters, cursor="") | {"said": said}
    rows_left = context["page"].rows
    context |= decision_context(request, filters, find_item(request.workspace, rows_left[0].pk) if rows_left else None)
    context["current"] = rows_left[0].pk if rows_left else None
    return render(request, "consolidation/queue_changed.html", context)


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
    if action == "approve":
        said = ngettext("%(done)d decision approved.", "%(done)d decisions approved.", done)
    else:
        said = ngettext("%(done)d decision declined.", "%(done)d decisions declined.", done)
    words = said % {"done": done}
    if left:
        words += " " + ngettext("%(left)d stays as it is.", "%(left)d stay as they are.", left) % {"left": left}
    return words


def said_of(decision: Decision) -> str:
    """What approving did."""
    memory, action = decision.memory, decision.action
    if action == Action.SESSION_ONLY:
        return _("Kept for this session only.")
    if action == Action.REJECT or memory is None:
        return _("Rejected. Nothing was written.")
    words = {"ref": memory.ref, "version": decision.result_version or memory.version}
    if action == Action.PROMOTE:
        return _("Approved. %(ref)s is new.") % words
    if action == Action.DEDUPE:
        return _("Merged into %(ref)s: one more source, the wording stays.") % words
    return _("Approved. %(ref)s is now v%(version)s.") % words


def review_url(request: WorkspaceRequest, item: Any = None) -> str:
    """The list that the request came from, with an item open."""
    query = query_of(request.GET)
    parts = [part for part in (query, f"item={item}" if item else "") if part]
    return reverse("review", args=[request.workspace.slug]) + ("?" + "&".join(parts) if parts else "")


def _ruling(request: WorkspaceRequest, decision: Decision) -> Ruling:
    base = request.POST.get("base_version", "")
    base_version = int(base) if base.isascii() and base.isdigit() and len(base) < 9 else None
    action = request.POST.get("action", "")
    if request.POST.get("edit"):
        form = EditForm(request.POST, decision=decision)
        if not form.is_valid():
            raise FormRefused(form)
        return form.ruling(base_version, action)
    if request.POST.get("merge"):
        # The person says that both say the same, so the memory gains a source and keeps its words.
        return Ruling(action=Action.DEDUPE, memory=_memory_id(request.POST["merge"]))
    if action in (Action.SESSION_ONLY, Action.PROMOTE, Action.REJECT):
        base_version = None if action != decision.action else base_version
    return Ruling(base_version=base_version, action=action, comment=request.POST.get("comment", "").strip())


def _memory_id(given: str) -> str:
    try:
        return str(uuid.UUID(given))
    except ValueError as error:
        raise Invalid.field("memory", _("is none that this can be merged into.")) from error


class FormRefused(Invalid):
    """The edit form has errors; it is drawn again with them."""

    def __init__(self, form: EditForm) -> None:
        super().__init__()
        self.form = form


def _answer(request: WorkspaceRequest, outcome: Outcome, in_row: bool) -> HttpResponse:
    if in_row:
        return rows.answer(request, outcome.decision, outcome.said, undoable=not outcome.undone)
    filters = QueueFilters.read(request.GET)
    shown = outcome.decision if outcome.undone else after_item(outcome.decision, request.workspace, filters)
    if not request.htmx:
        messages.info(request, outcome.said)
        return redirect(review_url(request, shown.pk if shown else None))
    decided = outcome.decision
    if filters.status != WAITING:
        change = RowChange(replaced=decided)
    elif outcome.undone:
        change = RowChange(returned=decided)
    else:
        change = RowChange(removed=decided)
    return _regions(request, filters, shown, change, said=outcome.said)


@dataclass(frozen=True)
class RowChange:
    """What happens to rows of the list: one goes, one comes back in its place, one stays and is drawn again."""

    removed: Decision | None = None
    returned: Decision | None = None
    replaced: Decision | None = None


def _regions(
    request: WorkspaceRequest,
    filters: QueueFilters,
    shown: Decision | None,
    change: RowChange,
    *,
    said: str = "",
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """The item to go on with, and out of band the rows that change, the counts and what happened."""
    item = find_item(request.workspace, shown.pk) if shown is not None else None
    progress = progress_of(request.workspace, filters)
    undoable = change.removed or change.replaced if said and not _is_open(change.replaced) else None
    context = decision_context(request, filters, item, **more) | {
        "removed": change.removed,
        "returned": _rows(request, change.returned),
        "before": after_item(change.returned, request.workspace, filters, below_only=True) if change.returned else None,
        "replaced": _rows(request, change.replaced),
        "progress": progress,
        "said": _with_count(said, progress.waiting) if said else "",
        "undo_url": reverse("decision_undo", args=[request.workspace.slug, undoable.pk]) if undoable else "",
        "can_decide": True,
        "current": shown.pk if shown else None,
    }
    response = render(request, f"{PAGE}#decided", context, status=status)
    response["HX-Push-Url"] = review_url(request, shown.pk if shown else None)
    return response


def _rows(request: WorkspaceRequest, decision: Decision | None) -> Page[Decision] | None:
    found = find_item(request.workspace, decision.pk) if decision is not None else None
    return Page(with_words([found])) if found is not None else None


def _is_open(decision: Decision | None) -> bool:
    return decision is not None and decision.is_open


def _with_count(said: str, waiting: int) -> str:
    return said + " " + ngettext("%(count)s waiting.", "%(count)s waiting.", waiting) % {"count": f"{waiting:,}"}


def _conflict(request: WorkspaceRequest, decision: Decision, error: Conflict, in_row: bool) -> HttpResponse:
    """Another was first, or the memory moved: what happened, and the item to go on with. Nothing was overwritten."""
    now = find_item(request.workspace, decision.pk) or decision
    notice: dict[str, str] = notice_of(now)
    later: list[Decision] = []
    if isinstance(error, DependsOnLater):
        later = list(Decision.objects.filter(workspace=request.workspace, pk__in=error.extra["decisions"]))
        notice = {"text": _("Later decisions build on this one. Undo them first: %(refs)s.")
                  % {"refs": ", ".join(one.ref for one in later)}}  # fmt: skip
    elif isinstance(error, Stale):
        fresh = redecide(now) if now.status == DecisionStatus.STALE else None
        if fresh is not None:
            now = find_item(request.workspace, fresh.pk) or now
            notice = {"text": _("The memory changed before you approved. This is a fresh decision against it.")}
        else:
            notice = {"text": error.message}
    elif not isinstance(error, AlreadyDecided):
        notice = {"text": error.message}
    if in_row:
        return rows.answer(request, now, "", notice=notice["text"], status=409)
    filters = QueueFilters.read(request.GET)
    if request.htmx:
        gone = decision if filters.status == WAITING and not later else None
        change = RowChange(removed=gone, returned=now if gone is not None and now.is_open else None)
        return _regions(request, filters, now, change, status=409, notice=notice, later=later)
    context = queue_context(request, filters) | decision_context(request, filters, now, notice=notice, later=later)
    return render(request, PAGE, context | {"data_view": "detail"}, status=409)


def _refused(request: WorkspaceRequest, decision: Decision, error: Invalid | Blocked, in_row: bool) -> HttpResponse:
    """422: the edit form with what is wrong, where it was; for a button, a notice above the item."""
    filters = QueueFilters.read(request.GET)
    form = error.form if isinstance(error, FormRefused) else None
    words = _words(error)
    if form is None and request.POST.get("edit"):
        form = EditForm(request.POST, decision=decision)
        form.is_valid()
        form.add_error("text", words)
    if in_row:
        return rows.answer(request, decision, "", notice=words, status=422)
    notice = None if form is not None else {"text": words, "tone": "danger"}
    more: dict[str, Any] = {"notice": notice} | ({"edit_form": form} if form is not None else {})
    context = decision_context(request, filters, decision, **more)
    if not request.htmx:
        return render(request, PAGE, queue_context(request, filters) | context | {"data_view": "detail"}, status=422)
    if form is None:
        return render(request, "consolidation/decision.html#decision", context, status=422)
    response = render(request, "consolidation/edit_form.html", context, status=422)
    response["HX-Retarget"], response["HX-Reswap"] = "#edit-form", "outerHTML"
    return response


def _words(error: Invalid | Blocked) -> str:
    if isinstance(error, Blocked):
        return _("The guardrails refuse this text. It is recorded as blocked.")
    return " ".join(f"{e.field} {e.message}" for e in error.errors)
