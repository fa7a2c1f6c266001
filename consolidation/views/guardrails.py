"""What the guardrails kept out: the list by stage and category, one block, what people make of it, a text tried."""

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

from consolidation.actions import release_block
from memory_app import guardrails as rules
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.blocks import keep_block, reopen_block
from memory_app.domain.errors import Conflict, Forbidden, Invalid, NotFound
from memory_app.models import Block, Decision
from memory_app.queries.block_page import find_block
from memory_app.refusals import refused
from memory_app.rule_words import words_of
from memory_app.views.remarks import remark
from memory_app.wording import together

from .guardrail_context import block_context, counts_context, list_context, passes, row_of
from .guardrail_form import ReasonForm, TryForm

PAGE, BLOCK = "consolidation/guardrails.html", "consolidation/block.html"


@require_safe
@workspace_page()
def guardrails(request: WorkspaceRequest) -> HttpResponse:
    """The workspace's blocks that match the address; `id` leads to one of them."""
    if given := request.GET.get("id"):
        return redirect("block", request.workspace.slug, _block(request, _uuid(given)).pk)
    part = "#region" if request.htmx and request.htmx.target == "block-region" else ""
    return render(request, PAGE + part, list_context(request) | {"form": TryForm()})


@require_safe
@workspace_page()
def block(request: WorkspaceRequest, block_id: uuid.UUID) -> HttpResponse:
    """One block: where it was found, by which rule, and what became of it."""
    return render(request, BLOCK, block_context(request, _block(request, block_id)))


@require_http_methods(["GET", "POST"])
@workspace_page()
def guardrails_try(request: WorkspaceRequest) -> HttpResponse:
    """What the guardrails say of a text. Nothing is stored, and the text stands in no address."""
    if request.method != "POST":
        return redirect("guardrails", request.workspace.slug)
    if not request.actor.at_least("curator"):
        raise PermissionDenied
    form = TryForm(request.POST)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        verdict = rules.check(form.cleaned_data["text"], form.cleaned_data["stage"], request.workspace.rules)
        context |= {"verdict": verdict, "words": words_of(verdict.rule or "")}
    status = 200 if form.is_valid() else 422
    if request.htmx:
        return render(request, "consolidation/guardrail_try.html", context, status=status)
    return render(request, PAGE, list_context(request) | context, status=status)


@dataclass(frozen=True)
class Outcome:
    """What to say, whether it can be taken back, and the decision that it made."""

    said: str
    undoable: bool = True
    decision: Decision | None = None


class ReasonMissing(Exception):
    """The form is drawn again with what is wrong."""

    def __init__(self, form: ReasonForm) -> None:
        super().__init__()
        self.form = form


def _judges(act: Callable[[WorkspaceRequest, Block], Outcome]) -> Callable[..., HttpResponseBase]:
    """A view that lets `act` judge a block and turns its outcome, or what went wrong, into an answer."""

    @require_http_methods(["GET", "POST"])
    @workspace_page()
    def view(request: WorkspaceRequest, block_id: uuid.UUID) -> HttpResponse:
        found = _block(request, block_id)
        if request.method != "POST":  # the address of a form that was answered with its errors
            return redirect("block", request.workspace.slug, found.pk)
        if not request.actor.at_least("curator"):
            raise PermissionDenied
        try:
            outcome = act(request, found)
        except NotFound as error:
            raise Http404 from error
        except Forbidden as error:
            raise PermissionDenied(error.message) from error
        except ReasonMissing as refusal:
            return _again(request, found, refusal.form)
        except Invalid as error:
            return _answer(request, found, notice=together(*map(refused, error.errors)), status=422)
        except Conflict as error:
            return _answer(request, found, notice=_conflict_words(request, found, error), status=409)
        return _answer(request, found, outcome)

    return view


def _release(request: WorkspaceRequest, found: Block) -> Outcome:
    form = ReasonForm(request.POST, number=found.number)
    if not form.is_valid():
        raise ReasonMissing(form)
    released, decision = release_block(request.workspace, request.actor, found.pk, form.cleaned_data["reason"])
    if decision is None:
        return Outcome(together(_("Released."), passes(found)))
    words = {"ref": released.ref, "decision": decision.ref}
    return Outcome(_("Released. %(decision)s waits for review.") % words, decision=decision)


def _keep(request: WorkspaceRequest, found: Block) -> Outcome:
    keep_block(request.workspace, request.actor, found.pk, remark(request, "reason"))
    return Outcome(_("Kept. %(ref)s stands.") % {"ref": found.ref})


def _undo(request: WorkspaceRequest, found: Block) -> Outcome:
    reopen_block(request.workspace, request.actor, found.pk)
    return Outcome(_("Undone. %(ref)s is blocked, and nobody has judged it.") % {"ref": found.ref}, undoable=False)


block_release, block_keep, block_undo = _judges(_release), _judges(_keep), _judges(_undo)


def _answer(
    request: WorkspaceRequest, found: Block, outcome: Outcome | None = None, *, notice: str = "", status: int = 200
) -> HttpResponse:
    """The row that the form was in, or the page, as it is now; out of band the counts and what was done."""
    slug, now = request.workspace.slug, _block(request, found.pk)
    if not request.htmx and outcome is not None:
        messages.info(request, outcome.said)
        return redirect(_back(request) or reverse("block", args=[slug, now.pk]))
    context: dict[str, Any] = {"notice": notice, "said": outcome.said if outcome else ""}
    if outcome is not None and outcome.undoable:
        context["undo_url"] = reverse("block_undo", args=[slug, now.pk])
    if request.htmx and _in_row(request):
        _keep_list(request)
        context |= counts_context(request) | {"row": row_of(now, request.actor), "undo_target": f"#b-{now.number}"}
        response = render(request, "consolidation/block_row_changed.html", context, status=status)
    else:
        context |= block_context(request, now) | {"undo_target": "#block-page"}
        template = "consolidation/block_changed.html" if request.htmx else BLOCK
        response = render(request, template, context, status=status)
    return response


def _again(request: WorkspaceRequest, found: Block, form: ReasonForm) -> HttpResponse:
    """The release form where it was, with what is wrong."""
    context = {"row": row_of(found, request.actor), "reason_form": form, "in_row": _in_row(request)}
    if not request.htmx:
        return render(request, BLOCK, block_context(request, found) | context | {"releasing": True}, status=422)
    response = render(request, "consolidation/block_release_form.html", context, status=422)
    response["HX-Retarget"], response["HX-Reswap"] = f"#release-form-{found.number}", "outerHTML"
    return response


def _conflict_words(request: WorkspaceRequest, found: Block, error: Conflict) -> str:
    if "decision" in error.extra:
        decision = Decision.objects.filter(workspace=request.workspace, pk=error.extra["decision"]).first()
        ref = decision.ref if decision is not None else ""
        return _("The note was stored since. Undo %(ref)s first.") % {"ref": ref}
    return _("Somebody else has judged %(ref)s meanwhile. Nothing was done; this is how it is now.") % {
        "ref": found.ref
    }


def _in_row(request: WorkspaceRequest) -> bool:
    return request.POST.get("view") == "row" or bool(request.htmx and (request.htmx.target or "").startswith("b-"))


def _keep_list(request: WorkspaceRequest) -> None:
    """The numbers in the answer are those of the list that the person has before them."""
    path, _, query = (request.htmx.current_url_abs_path or "").partition("?")
    if path != reverse("guardrails", args=[request.workspace.slug]):
        query = request.POST.get("query", "")
    request.GET = QueryDict(query[:2000])


def _back(request: WorkspaceRequest) -> str:
    """The list that the form was sent from, where it was."""
    if request.POST.get("view") != "row":
        return ""
    query = request.POST.get("query", "")[:2000]
    return reverse("guardrails", args=[request.workspace.slug]) + (f"?{query}" if query else "")


def _block(request: WorkspaceRequest, block_id: uuid.UUID) -> Block:
    found = find_block(request.workspace, block_id)
    if found is None:
        raise Http404
    return found


def _uuid(given: str) -> uuid.UUID:
    try:
        return uuid.UUID(given)
    except ValueError as error:
        raise Http404 from error
