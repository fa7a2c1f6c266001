"""The rules in force: the policy with its versions, the guardrails, and the rules that decide."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from consolidation.actions.policies import put_policy
from consolidation.domain.advice import advise
from consolidation.domain.policy import Policy
from consolidation.models import PolicyVersion
from consolidation.queries import rules as read
from consolidation.queries.trials import find_trial
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.addresses import page_url
from memory_app.domain.errors import Invalid, PreconditionFailed
from memory_app.models import Scan, Stage
from memory_app.moments import days_of, last_days
from memory_app.queries.scans import is_due, newest_scan
from memory_app.reasons import CONSOLIDATION, REASONS, sentence
from memory_app.rule_words import rules_by_category, words_of
from memory_app.views.settled import again, done

from .forgetting import forgetting_context
from .own_words import own_rows
from .policy_form import HoldForms, PolicyForm, document_of, forms_of, mark
from .policy_words import facts_of, hold_of
from .trial_why import kept_why

PAGE, EDIT = "consolidation/rules.html", "consolidation/policy_edit.html"
FORGETTING = "consolidation/rules_forgetting.html"
TABS, SPANS, LAST = ("", "guardrails", "decisions", "forgetting"), (7, 30, 90), 30


@require_safe
@workspace_page()
def rules(request: WorkspaceRequest) -> HttpResponse:
    """What is kept, what waits and what is kept out, and how often each rule said so."""
    part = "#due" if request.htmx and request.htmx.target == "due" else ""
    return render(request, FORGETTING + part if part else PAGE, page_context(request))


@require_safe
@workspace_page("admin")
def policy_edit(request: WorkspaceRequest) -> HttpResponse:
    """The form, filled from the policy in force, or from a trial of one."""
    policy = policy_to_edit(request)
    form, holds = forms_of(policy)
    form.initial["why"] = kept_why(request, request.GET.get("trial", ""))
    return render(request, EDIT, edit_context(form, holds, policy.version))


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def policy_save(request: WorkspaceRequest) -> HttpResponse:
    """A new version of the policy, in force from now on; the form comes back with what is wrong, nothing typed lost."""
    if request.method != "POST":  # the address of a form that was answered with its errors
        return redirect("policy_edit", request.workspace.slug)
    newest = read.newest_version(request.workspace)
    policy = read.policy_of(newest)
    form, holds = PolicyForm(request.POST), HoldForms(request.POST, prefix="hold")
    if_match, status = seen_version(request), 422
    if form.is_valid() and holds.is_valid():
        try:
            document = document_of(form, holds, policy)
            made = put_policy(request.workspace, request.actor, document, form.cleaned_data["why"], if_match=if_match)
        except Invalid as error:
            mark(form, error)
        except PreconditionFailed:
            status = 412
        else:
            url = reverse("rules", args=[request.workspace.slug])
            said = _("Policy version %(version)s is in force.") % {"version": made.number}
            return done(request, said, url, f"{PAGE}#page", page_context(request, tab=""))
    return form_again(request, form, holds, newest, status)


def policy_to_edit(request: WorkspaceRequest) -> Policy:
    """What was tried where the address names its trial, by the version that it was tried against; else what is in force."""
    named = request.GET.get("trial")
    if named is None:
        return read.policy_of(read.newest_version(request.workspace))
    try:
        trial = find_trial(request.workspace, uuid.UUID(named))
    except ValueError:
        trial = None
    if trial is None:
        raise Http404
    return Policy.from_json(trial.content | {"version": trial.base_number})


def seen_version(request: WorkspaceRequest) -> int | None:
    """The version that the form was filled from, where it says so."""
    seen = request.POST.get("version", "")
    return int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 9 else None


def form_again(
    request: WorkspaceRequest, form: PolicyForm, holds: Any, newest: PolicyVersion | None, status: int
) -> HttpResponse:
    """The form with what is wrong; 412 where `newest` was saved since it was filled."""
    number, moved = read.policy_of(newest).version, status == 412
    context = edit_context(form, holds, number if moved else seen_version(request) or number)
    context |= {"moved": moved, "who": newest.author if newest and moved else ""}
    return again(request, EDIT, f"{EDIT}#form", context, at="#policy-form", status=status)


def page_context(request: WorkspaceRequest, *, tab: str | None = None) -> dict[str, Any]:
    """A tab of the page: `tab` where it is given, whatever the address says."""
    query = request.GET if tab is None else {"tab": tab}
    tab = query.get("tab", "") if query.get("tab", "") in TABS else ""
    days = days_of(query.get("days", "")) or LAST
    context = {
        "tab": tab,
        "days": days,
        "days_text": last_days(days),
        "spans": [{"value": n, "text": last_days(n)} for n in sorted({*SPANS, days})],
        "can_change": request.actor.at_least("admin"),
        "rules_url": reverse("rules", args=[request.workspace.slug]),
        "tabs": [
            {"value": "", "text": _("Policy")},
            {"value": "guardrails", "text": _("Guardrails")},
            {"value": "decisions", "text": _("Rules of deciding")},
            {"value": "forgetting", "text": _("Forgetting")},
        ],
    }
    if tab == "guardrails":
        return context | _guardrails(request, days)
    if tab == "decisions":
        return context | _decisions(request, days)
    if tab == "forgetting":
        return context | forgetting_context(request.workspace, counted=query.get("count") == "1")
    return context | _policy(request, str(query.get("version", "")), str(query.get("cursor", "")))


def _policy(request: WorkspaceRequest, version: str, cursor: str) -> dict[str, Any]:
    newest = read.newest_version(request.workspace)
    shown = newest
    if version:
        number = int(version) if version.isascii() and version.isdigit() and len(version) < 9 else 0
        shown = read.find_version(request.workspace, number)
        if shown is None and number != 1:
            raise Http404
    page = read.versions_page(request.workspace, cursor)
    changed = read.changed_in(request.workspace, page.rows)
    policy = read.policy_of(shown)
    return {
        "shown": shown,
        "policy": policy,
        "in_force": newest.number if newest else 1,
        "is_old": policy.version != (newest.number if newest else 1),
        "facts": facts_of(policy),
        "own": _own(request, policy, LAST),
        "off": [words_of(name).title for name in policy.rules_off],
        "holds": [hold_of(hold) for hold in policy.to_json()["holds"]],
        "page": page,
        "versions": [_version(row, changed[row.number]) for row in page.rows],
    }


def _version(row: PolicyVersion, changed: list[str]) -> dict[str, Any]:
    fields = PolicyForm.base_fields
    others = {"holds": _("Holds"), "own_rules": _("Own rules"), "rules_off": _("Switched off")}
    words = [str(fields[name].label) if name in fields else others.get(name, name.replace("_", " "))
             for name in changed]  # fmt: skip
    return {"row": row, "changed": words}


def _guardrails(request: WorkspaceRequest, days: int) -> dict[str, Any]:
    counts, slug = read.blocks_by_rule(request.workspace, days), request.workspace.slug
    policy = read.policy_of(read.newest_version(request.workspace))
    groups = []
    for category, known in rules_by_category():
        rows = [
            {"rule": rule.rule, "title": words.title, "why": words.why, "count": counts.get(rule.rule, 0),
             "off": rule.rule in policy.rules_off, "stages": [Stage(stage).label for stage in rule.stages],
             "url": page_url("guardrails", slug, category=category, q=rule.rule, days=days)}
            for rule, words in known
        ]  # fmt: skip
        groups.append(
            {"category": category, "rows": rows, "count": sum(counts.get(rule.rule, 0) for rule, _words in known)}
        )
    return {"own": _own(request, policy, days, counts), "groups": groups, "scan": (scan := _scan(request)), "scan_due": is_due(request.workspace, scan),
            "can_start": request.actor.at_least("admin"), "can_decide": request.actor.at_least("curator"), "rule_set": request.workspace.rules.version}  # fmt: skip


def _own(
    request: WorkspaceRequest, policy: Policy, days: int, counts: Mapping[str, int] | None = None
) -> list[dict[str, Any]]:
    """The own rules of a policy, each with the version that last changed it and its blocks."""
    if not policy.own_rules:
        return []
    changed = read.versions_of(request.workspace, {rule.since for rule in policy.own_rules})
    counts = read.blocks_by_rule(request.workspace, days) if counts is None else counts
    return own_rows(policy, changed, counts, request.workspace.slug, days, request.actor.at_least("admin"))


def _scan(request: WorkspaceRequest) -> Scan | None:
    return newest_scan(request.workspace) if request.actor.at_least("curator") else None


def _decisions(request: WorkspaceRequest, days: int) -> dict[str, Any]:
    """The rules of consolidation, and what else made decisions in these days."""
    found, slug = read.by_rule(request.workspace, days), request.workspace.slug
    counts, rulings = found.counts, found.rulings
    names = [*CONSOLIDATION, *(name for name in REASONS if name not in CONSOLIDATION and counts.get(name))]
    names += sorted(name for name in counts if name not in REASONS)
    rows = [
        {"rule": name, "action": name.partition(".")[0], "sentence": sentence(name), "count": counts.get(name, 0),
         "rulings": rulings.get(name), "url": page_url("review", slug, status="all", rule=name, days=days)}
        for name in names
    ]  # fmt: skip
    certain = read.policy_of(read.newest_version(request.workspace)).certain
    advice = advise(read.changes_ruled_on(request.workspace, days), certain)
    return {"rows": rows, "decided": sum(counts.values()), "advice": advice, "certain": certain}


def edit_context(form: PolicyForm, holds: Any, version: int) -> dict[str, Any]:
    """What the page of the form takes; `version` is the one that the form was filled from."""
    return {"form": form, "hold_forms": holds, "version": version}
