"""What a person does with a decision: approve, decline, undo. Answers htmx with the next one, a form with a redirect."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from consolidation.actions import redecide
from consolidation.queries.item import find_item
from consolidation.queries.queue import SNOOZED, WAITING, QueueFilters, after_item
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.allowing import kept_from_undo, only_admin_undoes
from memory_app.actions.decisions import Ruling, approve, decline
from memory_app.actions.effects import PROFILE_FIELD
from memory_app.actions.keeping import can_keep
from memory_app.actions.rulings import OTHER
from memory_app.actions.undo import undo
from memory_app.domain.errors import (
    AlreadyDecided,
    Blocked,
    Conflict,
    DependsOnLater,
    Forbidden,
    Invalid,
    NeedsTwo,
    NotFound,
    Stale,
)
from memory_app.labels import ACTIONS, label_of
from memory_app.models import Action, Decision, DecisionStatus, MemoryStatus
from memory_app.reasons import DECLINED, refused_because
from memory_app.refusals import refused
from memory_app.views.remarks import SAID, remark, typed
from memory_app.wording import together, undone_by_two

from . import rows
from .answers import RowChange, keep_list, regions, review_url
from .doubt import doubt_of
from .editing import EditForm
from .review import PAGE, decision_context, notice_of, queue_context

#: What the second of two people is told beside what the first did.
NOT_APPLIED = gettext_lazy("What you chose was not applied.")


@dataclass(frozen=True)
class Outcome:
    """What came of a request: the decision as it is now, what to say, and whether it was taken back; else the name of
    the address that takes it back."""

    decision: Decision
    said: str
    undone: bool = False
    undo: str = "decision_undo"


Act = Callable[[WorkspaceRequest, Decision], Outcome]


def decides(act: Act) -> Callable[..., HttpResponseBase]:
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
        return ruled(request, decision, act, in_row)

    return view


def ruled(request: WorkspaceRequest, decision: Decision, act: Act, in_row: bool = False) -> HttpResponse:
    """The answer to what `act` does with the decision. Its links and lists are those of the list before the person."""
    keep_list(request)
    try:
        return _answer(request, act(request, decision), in_row)
    except NotFound as error:
        raise Http404 from error
    except (Conflict, NeedsTwo) as error:
        return _conflict(request, decision, error, in_row)
    except Forbidden as error:
        raise PermissionDenied(error.message) from error
    except (Invalid, Blocked) as error:
        return _refused(request, decision, error, in_row)


def _approve(request: WorkspaceRequest, decision: Decision) -> Outcome:
    ruling = _ruling(request, decision)
    approved = approve(request.workspace, request.actor, decision.pk, ruling)
    return Outcome(approved, said_of(approved))


def _decline(request: WorkspaceRequest, decision: Decision) -> Outcome:
    code = request.POST.get("reason_code", "")
    if code and code != OTHER and code not in DECLINED:
        raise Invalid.field("reason_code", _("is none that can be chosen."))
    ruling = Ruling(comment=remark(request), reason_code=code)
    declined = decline(request.workspace, request.actor, decision.pk, ruling)
    return Outcome(declined, _("Declined. Nothing was written."))


def take_back(request: WorkspaceRequest, decision: Decision) -> Outcome:
    undone = undo(
        request.workspace, request.actor, decision.pk,
        cascade=request.POST.get("cascade") == "1", keep=request.POST.get("keep") == "1",
    )  # fmt: skip
    said = _("Undone. %(ref)s is open again.") % {"ref": decision.ref}
    return Outcome(undone[-1], said, undone=True)


decision_approve, decision_decline, decision_undo = decides(_approve), decides(_decline), decides(take_back)


def said_of(decision: Decision) -> str:
    """What approving did."""
    memory, action = decision.memory, decision.action
    if decision.rule == PROFILE_FIELD:
        return _("Approved. %(key)s is a field of the profile.") % {"key": decision.params["key"]}
    if action == Action.SESSION_ONLY:
        return _("Kept for this session only.")
    if action == Action.REJECT and memory is not None and memory.status == MemoryStatus.ACTIVE:
        return _("%(ref)s stays as it is. Nothing was written.") % {"ref": memory.ref}
    if action == Action.REJECT or memory is None:
        return _("Rejected. Nothing was written.")
    words = {"ref": memory.ref, "version": decision.result_version or memory.version}
    if action == Action.PROMOTE:
        return _("Approved. %(ref)s is new.") % words
    if action == Action.DEDUPE:
        return _("Merged into %(ref)s: one more source, the wording stays.") % words
    return _("Approved. %(ref)s is now v%(version)s.") % words


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
        memory = _memory_id(request.POST["merge"])
        if request.POST.get("sure") != "1" and (doubt := doubt_of(decision, memory)) is not None:
            raise Doubtful(doubt)
        return Ruling(action=Action.DEDUPE, memory=memory)
    if action in (Action.SESSION_ONLY, Action.PROMOTE, Action.REJECT):
        base_version = None if action != decision.action else base_version
    return Ruling(base_version=base_version, action=action, comment=remark(request))


def _memory_id(given: str) -> str:
    try:
        return str(uuid.UUID(given))
    except ValueError as error:
        raise Invalid.field("memory", _("is none that this can be merged into.")) from error


class Doubtful(Invalid):
    """What is to be merged contradicts what it would be a source of; the person is asked once more."""

    def __init__(self, doubt: dict[str, Any]) -> None:
        super().__init__()
        self.doubt = doubt


class FormRefused(Invalid):
    """The edit form has errors; it is drawn again with them."""

    def __init__(self, form: EditForm) -> None:
        super().__init__()
        self.form = form


def _answer(request: WorkspaceRequest, outcome: Outcome, in_row: bool) -> HttpResponse:
    if in_row:
        return rows.answer(request, outcome.decision, outcome.said, undoable=not outcome.undone)
    filters = QueueFilters.read(request.GET)
    decided = outcome.decision
    shown = decided if outcome.undone else after_item(decided, request.workspace, filters)
    if not request.htmx:
        messages.info(request, outcome.said)
        return redirect(review_url(request, shown.pk if shown else None))
    if filters.status not in (WAITING, SNOOZED):
        change = RowChange(replaced=decided)
    elif outcome.undone and filters.lists(decided):
        change = RowChange(returned=decided)
    elif decided.is_open and filters.lists(decided):
        change = RowChange(replaced=decided)
    else:
        change = RowChange(removed=decided)
    undo_url = "" if outcome.undone else reverse(outcome.undo, args=[request.workspace.slug, decided.pk])
    return regions(request, filters, shown, change, said=outcome.said, undo_url=undo_url)


def _conflict(request: WorkspaceRequest, decision: Decision, error: Conflict | NeedsTwo, in_row: bool) -> HttpResponse:
    """Another was first, the memory moved, or it takes two: what happened, and the item to go on with. Nothing was overwritten."""
    now = find_item(request.workspace, decision.pk) or decision
    notice: dict[str, str] = notice_of(now)
    later: list[Decision] = []
    if isinstance(error, DependsOnLater):
        found = Decision.objects.filter(workspace=request.workspace, pk__in=error.extra["decisions"])
        later = list(found.select_related("memory"))
        notice = {"text": dependants(later)}
        if any(only_admin_undoes(one, request.actor) for one in later):
            notice, later = {"text": together(notice["text"], _("An admin has to undo them."))}, []
        elif (kept := next(filter(None, (kept_from_undo(one, request.actor) for one in later)), None)) is not None:
            notice, later = {"text": together(notice["text"], undone_by_two(kept.ref))}, []
    elif isinstance(error, NeedsTwo):
        notice = {"text": undone_by_two(error.ref)}
    elif isinstance(error, Stale):
        fresh = redecide(now) if now.status == DecisionStatus.STALE else None
        if fresh is not None:
            now = find_item(request.workspace, fresh.pk) or now
            notice = {"text": _("The memory changed before you approved. This is a fresh decision against it.")}
        elif now.is_open:
            notice = {
                "text": _("Somebody wrote to the same memory at this moment. Load the item again and decide anew.")
            }
    elif now.is_open and not isinstance(error, AlreadyDecided):
        notice = {"text": _("Somebody wrote to the same memory at this moment. Load the item again and decide anew.")}
    if not later:
        words = typed(request, "text") if request.POST.get("edit") else typed(request)
        notice = notice | {"text": together(notice["text"], NOT_APPLIED), "typed": words.strip()}
    if in_row:
        return rows.answer(request, now, "", notice=notice["text"], status=409)
    filters = QueueFilters.read(request.GET)
    if request.htmx:
        gone = decision if filters.status == WAITING and not later else None
        change = RowChange(removed=gone, returned=now if gone is not None and now.is_open else None)
        return regions(
            request, filters, now, change, status=409, notice=notice, later=later, keepable=can_keep(decision, later)
        )
    context = queue_context(request, filters) | decision_context(
        request, filters, now, notice=notice, later=later, keepable=can_keep(decision, later)
    )
    return render(request, PAGE, context | {"data_view": "detail"}, status=409)


def dependants(later: Sequence[Decision]) -> str:
    """The later decisions, each by its number, what it did and when, newest first."""
    named = [
        f"{one.ref} ({label_of(ACTIONS, one.action).text}, {timezone.localtime(one.decided_at):%Y-%m-%d %H:%M})"
        for one in sorted(later, key=lambda each: each.result_version or 0, reverse=True)
    ]
    return _("Later decisions build on this one: %(refs)s.") % {"refs": ", ".join(named)}


def _refused(request: WorkspaceRequest, decision: Decision, error: Invalid | Blocked, in_row: bool) -> HttpResponse:
    """422: the edit form with what is wrong, where it was; for a button, a notice above the item."""
    filters = QueueFilters.read(request.GET)
    form = error.form if isinstance(error, FormRefused) else None
    words = refusal_words(error)
    if form is None and request.POST.get("edit"):
        form = EditForm(request.POST, decision=decision)
        form.is_valid()
        field = getattr(getattr(error, "block", None), "field", "text")
        form.add_error(field if field in form.fields else "text", words)
    if in_row:
        return rows.answer(request, decision, "", notice=words, status=422)
    more: dict[str, Any] = {"notice": {"text": words, "tone": "danger"}, "typed": typed(request)}
    if form is not None:
        more = {"edit_form": form}
    if isinstance(error, Doubtful):
        more = {"doubt": error.doubt}
    context = decision_context(request, filters, decision, **more)
    if not request.htmx:
        return render(request, PAGE, queue_context(request, filters) | context | {"data_view": "detail"}, status=422)
    if form is None:
        return render(request, "consolidation/decision.html#decision", context, status=422)
    response = render(request, "consolidation/edit_form.html", context, status=422)
    response["HX-Retarget"], response["HX-Reswap"] = "#edit-form", "outerHTML"
    return response


def refusal_words(error: Invalid | Blocked) -> str:
    """What is wrong with what a person sent, and what to do about it, in the language of the page."""
    if isinstance(error, Blocked):
        return refused_because(error.category)
    told = {
        "comment": _("Say why: the proposer needs to know."),
        "until": _("Choose a day after today, within a year."),
    }
    return together(*(e.code != SAID and told.get(e.field) or refused(e, named=True) for e in error.errors))
