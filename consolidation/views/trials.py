"""A policy tried before it bites: what the last sessions would have come to under it, and its adoption."""

import uuid
from dataclasses import fields
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from consolidation.actions.policies import put_policy
from consolidation.actions.trials import begin_trial
from consolidation.domain.policy import Policy
from consolidation.models import PolicyTrial
from consolidation.queries import rules as read
from consolidation.queries.trials import PAGE_SIZE, differing, find_trial, ways
from consolidation.tasks import send_job
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.addresses import page_url
from memory_app.domain.errors import Invalid, PreconditionFailed
from memory_app.models import JobStatus
from memory_app.views.remarks import SAID, remark, typed
from memory_app.views.settled import again, done

from .policy_form import HoldForms, PolicyForm, document_of, mark
from .policy_words import GUARDED, fields_between
from .rules import PAGE as RULES
from .rules import form_again, page_context, seen_version
from .trial_why import keep_why, kept_why

PAGE = "consolidation/policy_trial.html"


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def policy_try(request: WorkspaceRequest) -> HttpResponse:
    """The policy in the form, the version that is named, or the one in force as it is advised, tried on the last sessions; nothing is in force by that."""
    if request.method != "POST":  # the address of a form that was answered with its errors
        return redirect("policy_edit", request.workspace.slug)
    if "try_version" in request.POST:
        trial = begin_trial(request.workspace, request.actor, _version(request).to_json())
        return begun(request, trial, at="#adopt" if "restore" in request.POST else "")
    newest = read.newest_version(request.workspace)
    policy = read.policy_of(newest)
    if "try_certain" in request.POST:
        document = policy.to_json() | {"certain": _share(request.POST["try_certain"])}
        return begun(request, begin_trial(request.workspace, request.actor, document))
    form, holds = PolicyForm(request.POST), HoldForms(request.POST, prefix="hold")
    form.fields["why"].required = False
    status = 422
    if form.is_valid() and holds.is_valid():
        try:
            document = document_of(form, holds, policy)
            return begun(
                request, begin_trial(request.workspace, request.actor, document, if_match=seen_version(request))
            )
        except Invalid as error:
            mark(form, error)
        except PreconditionFailed:
            status = 412
    return form_again(request, form, holds, newest, status)


@require_safe
@workspace_page("admin")
def policy_trial(request: WorkspaceRequest, trial_id: uuid.UUID) -> HttpResponse:
    """What has been found so far; with htmx only that part, which asks again while it runs."""
    trial = _found(request, trial_id)
    return render(request, f"{PAGE}#found" if request.htmx else PAGE, _context(request, trial))


@require_POST
@workspace_page("admin")
def policy_adopt(request: WorkspaceRequest, trial_id: uuid.UUID) -> HttpResponse:
    """The policy that was tried, as a new version in force; not where another was saved since it was tried. With `edit`
    off to that form instead, where the reason as it is now waits too."""
    trial = _found(request, trial_id)
    if wanted := request.POST.get("edit"):
        if wanted not in [href for _words, href in _context(request, trial)["edits"]]:
            raise Http404
        keep_why(request, trial.pk)
        return _off_to(request, wanted)
    problem, status = "", 422
    try:
        why = remark(request, "why")
        made = put_policy(request.workspace, request.actor, trial.content, why, if_match=trial.base_number)
    except Invalid as error:
        first = error.errors[0]
        problem = first.message if first.code == SAID else _("Say why the policy changes.")
    except PreconditionFailed:
        problem, status = (
            _("Another version was saved since this was tried. Try it again on what is in force now."),
            412,
        )
    else:
        said = _("Policy version %(version)s is in force.") % {"version": made.number}
        tab = "guardrails" if _parts(*_compared(trial)) == {"guardrails"} else ""
        url = page_url("rules", request.workspace.slug, tab=tab)
        return done(request, said, url, f"{RULES}#page", page_context(request, tab=tab))
    context = _context(request, trial) | {"problem": problem, "why": typed(request, "why")}
    return again(request, PAGE, f"{PAGE}#adopt", context, at="#adopt", status=status)


def begun(request: WorkspaceRequest, trial: PolicyTrial, *, at: str = "") -> HttpResponse:
    """Off to the page of a trial that runs from now on, where the reason that was written already waits; to the part `at`."""
    send_job(PolicyTrial, trial.pk)
    keep_why(request, trial.pk)
    return _off_to(request, reverse("policy_trial", args=[request.workspace.slug, trial.pk]) + at)


def _off_to(request: WorkspaceRequest, url: str) -> HttpResponse:
    return HttpResponse(headers={"HX-Redirect": url}) if request.htmx else redirect(url)


def _version(request: WorkspaceRequest) -> Policy:
    named = request.POST.get("try_version", "")
    number = int(named) if named.isascii() and named.isdigit() and len(named) < 9 else 0
    found = read.find_version(request.workspace, number)
    if found is None and number != 1:
        raise Http404
    return read.policy_of(found)


def _share(given: str) -> float:
    """A confidence that an advice named."""
    try:
        share = float(given)
    except ValueError:
        raise Http404 from None
    if not 0 <= share <= 1:
        raise Http404
    return share


def _found(request: WorkspaceRequest, trial_id: uuid.UUID) -> PolicyTrial:
    trial = find_trial(request.workspace, trial_id)
    if trial is None:
        raise Http404
    return trial


def _context(request: WorkspaceRequest, trial: PolicyTrial) -> dict[str, Any]:
    base, tried = _compared(trial)
    given = request.GET.get("from", "")
    start = int(given) if given.isascii() and given.isdigit() and len(given) < 9 else 0
    total = len(trial.changes)
    number = read.number_of(trial.workspace, tried, before=trial.base_number)
    return {
        "trial": trial,
        "restores": number,
        "tried_name": _("Version %(version)s") % {"version": number} if number else _("What is tried"),
        "tried_inline": _("version %(version)s") % {"version": number} if number else _("the one that is tried"),
        "why": kept_why(request, str(trial.pk)),
        "running": trial.status == JobStatus.RUNNING,
        "sessions": len(trial.sessions),
        "total": total,
        "fields": fields_between(base, tried),
        "edits": _edits(request, trial, _parts(base, tried)),
        "ways": ways(trial),
        "rows": differing(trial, start),
        "next_from": start + PAGE_SIZE if start + PAGE_SIZE < total else None,
        "previous_from": max(0, start - PAGE_SIZE) if start else None,
    }


def _compared(trial: PolicyTrial) -> tuple[Policy, Policy]:
    """What was in force, and what was tried."""
    base = read.policy_of(read.find_version(trial.workspace, trial.base_number))
    return base, Policy.from_json(trial.content)


def _parts(base: Policy, tried: Policy) -> set[str]:
    """Which forms hold what differs: `guardrails` for what the guardrails go by, `policy` for all else, and for nothing."""
    names = {field.name for field in fields(Policy)} - {"version"}
    differs = {name for name in names if getattr(base, name) != getattr(tried, name)}
    guarded = differs & set(GUARDED)
    return ({"guardrails"} if guarded else set()) | ({"policy"} if differs - guarded or not differs else set())


def _edits(request: WorkspaceRequest, trial: PolicyTrial, parts: set[str]) -> list[tuple[str, str]]:
    """The forms in which what was tried goes on being changed, each with its words."""
    known = [
        ("policy", _("Change the policy"), "policy_edit"),
        ("guardrails", _("Change the guardrails"), "policy_guard"),
    ]
    return [
        (words, page_url(name, request.workspace.slug, trial=trial.pk)) for part, words, name in known if part in parts
    ]
