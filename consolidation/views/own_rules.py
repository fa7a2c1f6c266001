"""What a workspace's policy says to the guardrails: its form, tried on a text, on memory and on sessions, and saved."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from consolidation.actions.policies import put_policy
from consolidation.actions.trials import begin_trial
from consolidation.domain.policy import Policy
from consolidation.queries import rules as read
from memory_app import guardrails
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.addresses import page_url
from memory_app.domain.errors import Invalid, PreconditionFailed
from memory_app.guardrails import RuleSet
from memory_app.queries.own_rules import found_in_memory
from memory_app.rule_words import words_of

from .own_form import GuardForm, OwnRuleForms, are_valid, document_of, forms_of, mark, rules_in
from .own_words import switches
from .rules import policy_to_edit, seen_version
from .trial_why import kept_why
from .trials import begun

PAGE = "consolidation/own_rules.html"


@require_safe
@workspace_page("admin")
def policy_guard(request: WorkspaceRequest) -> HttpResponse:
    """The form, filled from the policy in force, or from a trial of one."""
    policy = policy_to_edit(request)
    form, rows = forms_of(policy)
    form.initial["why"] = kept_why(request, request.GET.get("trial", ""))
    return render(request, PAGE, _context(form, rows, list(policy.rules_off), policy.version))


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def policy_guard_save(request: WorkspaceRequest) -> HttpResponse:
    """What the form asks for by its button: tried on a text and on memory, tried on the last sessions, or saved as a new
    version. The form comes back with what is wrong, nothing typed lost."""
    if request.method != "POST":  # the address of a form that was answered with its errors
        return redirect("policy_guard", request.workspace.slug)
    newest = read.newest_version(request.workspace)
    policy, seen, wanted = read.policy_of(newest), seen_version(request), request.POST.get("do", "")
    form, rows = GuardForm(request.POST), OwnRuleForms(request.POST, prefix="own")
    form.fields["why"].required = wanted not in ("text", "sessions")
    context = _context(form, rows, request.POST.getlist("rules_off"), seen or policy.version)
    status = 422
    if are_valid(form, rows):
        try:
            if wanted != "text":
                return _done(request, document_of(form, rows, policy), wanted, form.cleaned_data["why"], seen)
            context |= _tried(request, form, rows, policy)
            status = 200
        except Invalid as error:
            mark(form, rows, error)
        except PreconditionFailed:
            context |= {"version": policy.version, "moved": True, "who": newest.author if newest else ""}
            status = 412
    return render(request, PAGE, context, status=status)


def _done(request: WorkspaceRequest, document: dict[str, Any], wanted: str, why: str, seen: int | None) -> HttpResponse:
    if wanted == "sessions":
        return begun(request, begin_trial(request.workspace, request.actor, document, if_match=seen))
    made = put_policy(request.workspace, request.actor, document, why, if_match=seen)
    messages.info(request, _("Policy version %(version)s is in force.") % {"version": made.number})
    return redirect(page_url("rules", request.workspace.slug, tab="guardrails"))


def _tried(request: WorkspaceRequest, form: GuardForm, rows: Any, policy: Policy) -> dict[str, Any]:
    """What the rules of the form find in its text and in the newest memories. Nothing is stored."""
    rules = RuleSet.of(rules_in(rows), form.cleaned_data["rules_off"], policy.version)
    found, text = found_in_memory(request.workspace, rules), form.cleaned_data["text"]
    tried: dict[str, Any] = {
        "memory": found,
        "counts": [(words_of(rule).title, count) for rule, count in found.counts.items()],
        "first": [(one, page_url("memory", request.workspace.slug, one.pk), words_of(rule).title)
                  for one, rule in found.first],
    }  # fmt: skip
    if text:
        verdict = guardrails.check(text, "capture", rules)
        spans = rules.spans(text)
        names = dict.fromkeys([*(finding.rule for finding in verdict.findings), *(rule for rule, _s, _e in spans)])
        tried |= {
            "verdict": verdict,
            "holds": rules.holds([text]) if verdict.allowed else None,
            "names": [words_of(name).title for name in names],
            "spans": [*((f.start, f.end) for f in verdict.findings), *((start, end) for _rule, start, end in spans)],
            "text": text,
        }
    return {"tried": tried}


def _context(form: GuardForm, rows: Any, off: list[str], version: int) -> dict[str, Any]:
    """What the page takes; `version` is the one that the form was filled from."""
    return {"form": form, "rows": rows, "switches": switches(set(off)), "version": version}
