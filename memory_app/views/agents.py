"""Agents with what they brought, and the keys they call with: made (shown once), and revoked."""

import re
import uuid
from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.keys import create_key, revoke_key
from memory_app.addresses import page_url
from memory_app.domain.errors import Conflict, Invalid
from memory_app.models import Agent, Role
from memory_app.queries import agents as read

from .settled import again, done, mark, shown_once

PAGE, FORM = "memory_app/agents.html", "memory_app/key_form.html"
MOST_TEAMS = 50
TABS = ("", "keys", "revoked")
NO_TEAM = re.compile(r"[/\x00-\x1f\x7f]")


class KeyForm(forms.Form):
    """What a new key is called, what it may do, and for which teams."""

    name = forms.CharField(
        label=pgettext_lazy("key", "Name"),
        max_length=120,
        help_text=gettext_lazy("What it is for, such as travel agent, production."),
        error_messages={"required": gettext_lazy("Give it a name to know it by.")},
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=Role.choices,
        help_text=gettext_lazy(
            "Agent: sessions, notes, recall. Viewer reads everything. Curator also decides. Admin may do all."
        ),
    )
    teams = forms.CharField(
        label=gettext_lazy("Teams"),
        required=False,
        max_length=4000,
        help_text=gettext_lazy("The only teams that it may touch, with commas between them. Empty: all."),
    )

    key_id = forms.UUIDField(widget=forms.HiddenInput, required=False, initial=uuid.uuid4)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "key-%s")
        super().__init__(*args, **kwargs)

    def clean_teams(self) -> list[str]:
        names = [name.strip() for name in re.split(r"[,，]", self.cleaned_data["teams"]) if name.strip()]
        if len(names) > MOST_TEAMS or any(len(name) > 200 or NO_TEAM.search(name) for name in names):
            raise forms.ValidationError(_("Enter at most 50 teams, each at most 200 characters and without a slash."))
        return list(dict.fromkeys(names))


@require_safe
@workspace_page()
def agents(request: WorkspaceRequest) -> HttpResponse:
    """The workspace's agents by name, or the keys (for admins)."""
    return render(request, _template(request), page_context(request))


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def key_create(request: WorkspaceRequest) -> HttpResponse:
    """A new key; the answer shows it, and nothing else ever does."""
    url = keys_url(request)
    if request.method != "POST":  # the address of a form that was answered with its errors
        return redirect(url)
    form = KeyForm(request.POST)
    if form.is_valid():
        try:
            key, secret = create_key(request.workspace, request.actor, **form.cleaned_data)
        except Conflict:
            form.add_error(None, _("This key is made already. Where it was not seen, revoke it and make another."))
            context = page_context(request, "keys") | {"form": form, "making": True}
            return again(request, PAGE, FORM, context, at="#key-form", status=409)
        except Invalid as error:
            teams = _("Leave secrets, payment details and personal identifiers out of it.")
            mark(form, error, teams, {"name": teams, "teams": teams})
        else:
            context = page_context(request, "keys") | {"made": key, "secret": secret}
            if not request.htmx:
                return shown_once(render(request, PAGE, context))
            said = _("The key is made. Copy it now: it is not shown again.")
            return shown_once(done(request, said, url, f"{PAGE}#page", context))
    context = page_context(request, "keys") | {"form": form, "making": True}
    return again(request, PAGE, FORM, context, at="#key-form")


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def key_revoke(request: WorkspaceRequest, key_id: uuid.UUID) -> HttpResponse:
    """The key revoked: its next call is refused. It cannot be put back."""
    found = read.find_key(request.workspace, key_id)
    if found is None:
        raise Http404
    if request.method != "POST":
        return redirect(keys_url(request))
    key = revoke_key(request.workspace, request.actor, found.pk)
    said = _("%(name)s is revoked. Its next call is refused.") % {"name": key.name}
    return done(request, said, keys_url(request), f"{PAGE}#page", page_context(request, "keys"))


def keys_url(request: WorkspaceRequest) -> str:
    return f"{reverse('agents', args=[request.workspace.slug])}?tab=keys"


def page_context(request: WorkspaceRequest, tab: str | None = None) -> dict[str, Any]:
    """A tab of the page; `tab` where the address is that of a form."""
    if tab is None:
        given = request.GET.get("tab", "")
        tab = given if given in TABS else ""
        cursor, q = request.GET.get("cursor", ""), request.GET.get("q", "")[:200].replace("\x00", "").strip()
    else:
        cursor = q = ""
    admin = request.actor.at_least("admin")
    context = {
        "tab": tab,
        "q": q,
        "can_change": admin,
        "form": KeyForm(initial={"role": "agent"}),
        "agents_url": reverse("agents", args=[request.workspace.slug]),
        "tabs": [
            {"value": "", "text": _("Agents")},
            {"value": "keys", "text": _("API keys")},
            {"value": "revoked", "text": _("Revoked keys")},
        ],
    }
    if not tab:
        page = read.agents_page(request.workspace, q, cursor)
        brought = read.brought_by(page.rows)
        rows = [_row(agent, brought[agent.pk], request.workspace.slug) for agent in page.rows]
        return context | {"page": page, "rows": rows, "total": read.agents_count(request.workspace, q)}
    if not admin:
        return context | {"rows": []}
    revoked = tab == "revoked"
    page_of_keys = read.keys_page(request.workspace, revoked=revoked, cursor=cursor)
    total = read.keys_count(request.workspace, revoked=revoked)
    rows_of_keys = [(key, [team.external_id for team in key.teams.all()]) for key in page_of_keys.rows]
    return context | {"page": page_of_keys, "rows": rows_of_keys, "total": total}


def _row(agent: Agent, brought: read.Brought, slug: str) -> dict[str, Any]:
    name = agent.external_id
    return {
        "agent": agent,
        "brought": brought,
        "sessions_url": page_url("sessions", slug, agent=name),
        "review_url": page_url("review", slug, agent=name, status="all"),
        "blocks_url": page_url("guardrails", slug, agent=name),
    }


def _template(request: WorkspaceRequest) -> str:
    return f"{PAGE}#table" if request.htmx and request.htmx.target == "agent-table" else PAGE
