"""One memory: its page, and what a person does with it. Answers htmx with the page as it is now, a form with a redirect."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions import memories as actions
from memory_app.actions.allowing import kept_from_undo
from memory_app.actions.decisions import comment
from memory_app.actions.memories import Changed
from memory_app.actions.undo import undo
from memory_app.actor_words import actor_words
from memory_app.domain.errors import (
    Blocked,
    Conflict,
    DependsOnLater,
    Forbidden,
    Invalid,
    NeedsTwo,
    NotFound,
    PreconditionFailed,
    SlotOccupied,
)
from memory_app.models import Decision, Memory
from memory_app.queries.approvers import nobody_else_approves
from memory_app.queries.memory_page import find_memory, version_of
from memory_app.reasons import refused_because
from memory_app.refusals import refused
from memory_app.wording import together, undone_by_two

from .memory_context import PAGE, edit_context, number_of, page_context, stuck_words
from .memory_form import EditForm
from .memory_history import decision_url
from .remarks import remark, typed


@dataclass(frozen=True)
class Outcome:
    """What to say, the decision that can be taken back, and the one that waits for somebody else."""

    said: str
    undoable: Decision | None = None
    waits: Decision | None = None
    stuck: bool = False  # it waits for an admin, and nobody but its proposer is one


class EditRefused(Exception):
    """The edit form is drawn again with what is wrong, in place of an answer."""

    def __init__(self, form: EditForm, status: int = 422, notice: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.form, self.status, self.notice = form, status, notice


Act = Callable[..., Outcome]


@require_safe
@workspace_page()
def memory(request: WorkspaceRequest, memory_id: uuid.UUID) -> HttpResponse:
    """The memory as it is, with its whole history."""
    return render(request, PAGE, page_context(request, _find(request, memory_id)))


def _changes(act: Act) -> Callable[..., HttpResponseBase]:
    """A view that lets `act` change the memory and turns its outcome, or what went wrong, into an answer."""

    @require_http_methods(["GET", "POST"])
    @workspace_page()
    def view(request: WorkspaceRequest, memory_id: uuid.UUID, **kwargs: Any) -> HttpResponse:
        found = _find(request, memory_id)
        if request.method != "POST":  # the address of a form that was answered with its errors
            return redirect(page_url_of(request, found))
        if not request.actor.at_least("curator"):
            raise PermissionDenied
        try:
            outcome = act(request, found, **kwargs)
        except NotFound as error:
            raise Http404 from error
        except NeedsTwo as error:
            return _told(request, found, {"text": undone_by_two(error.ref), "tone": "warn"}, 409)
        except Forbidden as error:
            raise PermissionDenied(error.message) from error
        except EditRefused as refusal:
            return _edit_again(request, found, refusal)
        except (Invalid, Blocked) as error:
            return _told(request, found, {"text": refusal_words(error), "tone": "danger"}, 422)
        except (Conflict, PreconditionFailed) as error:
            status = 412 if isinstance(error, PreconditionFailed) else 409
            return _told(request, found, {"text": conflict_words(found, error)}, status)
        return _answer(request, found, outcome)

    return view


def _edit(request: WorkspaceRequest, found: Memory) -> Outcome:
    seen = version_of(found, _version(request) or found.version)
    form = EditForm(request.POST, seen=seen or found)
    if not form.is_valid():
        raise EditRefused(form)
    if not form.changes:
        return Outcome(_("Nothing was changed."))
    try:
        changed = actions.edit_memory(found, request.actor, form.changes, if_match=_version(request))
    except PreconditionFailed as error:
        now = _find(request, found.pk)
        raise EditRefused(form.on(now), 412, edit_notice(now)) from error
    except (Invalid, Blocked, SlotOccupied) as error:
        _mark(form, error)
        raise EditRefused(form, 409 if isinstance(error, SlotOccupied) else 422) from error
    return _done(request, changed, _("%(ref)s is now v%(version)s."), form.cleaned_data["reason"])


def _pin(request: WorkspaceRequest, found: Memory) -> Outcome:
    pinned = request.POST.get("pinned") == "1"
    if found.pinned == pinned:
        return Outcome(_("Nothing was changed."))
    if (version := _version(request)) is not None and version != found.version:
        raise PreconditionFailed("")
    changed = actions.pin_memory(found, request.actor, pinned)
    return _done(request, changed, _("%(ref)s is pinned.") if pinned else _("%(ref)s is no longer pinned."))


def _archive(request: WorkspaceRequest, found: Memory) -> Outcome:
    reason = remark(request, "reason")
    changed = actions.archive_memory(found, request.actor, if_match=_version(request))
    return _done(request, changed, _("%(ref)s is archived. Agents no longer see it."), reason)


def _restore(request: WorkspaceRequest, found: Memory) -> Outcome:
    number = number_of(request.POST.get("number", ""))
    if number is None or version_of(found, number) is None:
        raise Http404
    reason = remark(request, "reason")
    changed = actions.restore_memory(found, request.actor, number, if_match=_version(request))
    said = _("v%(number)s is restored: %(ref)s is now v%(version)s.")
    return _done(request, changed, said, reason, number=number)


def _undo(request: WorkspaceRequest, found: Memory, decision_id: uuid.UUID) -> Outcome:
    if not Decision.objects.filter(workspace=request.workspace, memory=found.pk, pk=decision_id).exists():
        raise Http404
    undone = undo(request.workspace, request.actor, decision_id)[-1]
    return Outcome(_("Undone. %(ref)s is open again.") % {"ref": undone.ref})


memory_edit, memory_pin, memory_archive = _changes(_edit), _changes(_pin), _changes(_archive)
memory_restore, memory_undo = _changes(_restore), _changes(_undo)


def page_url_of(request: WorkspaceRequest, found: Memory) -> str:
    return reverse("memory", args=[request.workspace.slug, found.pk])


def _done(request: WorkspaceRequest, changed: Changed, said: str, reason: str = "", **words: Any) -> Outcome:
    decision = changed.decision
    if reason and not changed.repeated:
        comment(request.workspace, request.actor, decision.pk, reason)
    if changed.pending:
        return Outcome(waiting_words(changed), waits=decision,
                       stuck=nobody_else_approves(request.workspace, request.actor))  # fmt: skip
    words |= {"ref": changed.memory.ref, "version": changed.memory.version}
    undoable = decision if kept_from_undo(decision, request.actor) is None else None
    return Outcome(said % words, undoable=undoable)


def waiting_words(changed: Changed) -> str:
    if changed.repeated:
        return _("The same change waits already: %(ref)s.") % {"ref": changed.decision.ref}
    return _("Sent for approval: %(ref)s waits for an admin.") % {"ref": changed.decision.ref}


def _answer(request: WorkspaceRequest, found: Memory, outcome: Outcome) -> HttpResponse:
    """The page as it is now; out of band the counts and what was done, with what takes it back."""
    if not request.htmx:
        messages.info(request, together(outcome.said, stuck_words()) if outcome.stuck else outcome.said)
        return redirect(page_url_of(request, found))
    slug = request.workspace.slug
    context = page_context(request, _find(request, found.pk)) | {"said": outcome.said}
    if outcome.undoable is not None:
        context["undo_url"] = reverse("memory_undo", args=[slug, found.pk, outcome.undoable.pk])
    if outcome.waits is not None:
        context["waits_url"] = decision_url(outcome.waits, slug)
    return render(request, "memory_app/memory_changed.html", context)


def _told(request: WorkspaceRequest, found: Memory, notice: dict[str, Any], status: int) -> HttpResponse:
    """The page as it is now, with why nothing was done above it."""
    context = page_context(request, _find(request, found.pk)) | {"notice": notice, "reason": typed(request, "reason")}
    return render(request, f"{PAGE}#page" if request.htmx else PAGE, context, status=status)


def _edit_again(request: WorkspaceRequest, found: Memory, refusal: EditRefused) -> HttpResponse:
    """The edit form where it was, with its errors or what came meanwhile; nothing typed is lost."""
    now = _find(request, found.pk)
    context = edit_context(now, refusal.form) | {"edit_notice": refusal.notice}
    if not request.htmx:
        context = page_context(request, now) | context | {"editing": True}
        return render(request, PAGE, context, status=refusal.status)
    context |= {"memory": now, "workspace": request.workspace}
    response = render(request, "memory_app/memory_edit_form.html", context, status=refusal.status)
    response["HX-Retarget"], response["HX-Reswap"] = "#edit-form", "outerHTML"
    return response


def edit_notice(now: Memory) -> dict[str, Any]:
    """Who was faster, for the form that came too late."""
    newest = version_of(now, now.version)
    return {
        "text": _(
            "%(who)s changed %(ref)s while you were editing: it is now v%(version)s. What you changed is kept below."
        )
        % {
            "who": (actor_words(newest.author, newest.author_label) if newest else "") or _("Somebody"),
            "ref": now.ref,
            "version": now.version,
        },
        "now": now.text,
    }


def conflict_words(found: Memory, error: Conflict | PreconditionFailed) -> str:
    """Why nothing was overwritten, in the language of the page."""
    if isinstance(error, DependsOnLater):
        refs = Decision.objects.filter(workspace=found.workspace_id, pk__in=error.extra["decisions"])
        listed = ", ".join(one.ref for one in refs)
        return _("Later decisions build on this one: %(refs)s.") % {"refs": listed}
    if isinstance(error, SlotOccupied):
        return _("Another memory fills the key %(key)s now. Archive it first, or change its key.") % {"key": found.key}
    return _("%(ref)s changed meanwhile. Nothing was done; this is how it is now.") % {"ref": found.ref}


def refusal_words(error: Invalid | Blocked) -> str:
    if isinstance(error, Blocked):
        return refused_because(error.category)
    return together(*map(refused, error.errors))


def _mark(form: EditForm, error: Invalid | Blocked | SlotOccupied) -> None:
    """Puts what is wrong at its field."""
    if isinstance(error, Blocked):
        field = getattr(error.block, "field", "text")
        form.add_error(field if field in form.fields else "text", refusal_words(error))
    elif isinstance(error, SlotOccupied):
        form.add_error("key", _("Another memory of the same owner fills this key."))
    else:
        for one in error.errors:
            secret = one.field == "key"
            words = (
                _("Leave secrets, payment details and personal identifiers out of the key.") if secret else refused(one)
            )
            form.add_error(one.field if one.field in form.fields else "text", words)


def _find(request: WorkspaceRequest, memory_id: uuid.UUID) -> Memory:
    found = find_memory(request.workspace, memory_id)
    if found is None:
        raise Http404
    return found


def _version(request: WorkspaceRequest) -> int | None:
    """The version that the person saw: of If-Match, else of the form."""
    given = request.headers.get("If-Match", "").strip().removeprefix("W/").strip('"')
    return number_of(given or request.POST.get("version", ""))
