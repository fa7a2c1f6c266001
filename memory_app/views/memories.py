"""The list of memories: found by words, narrowed by filters, changed many at a time."""

import uuid
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_http_methods, require_safe

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions import memories as actions
from memory_app.addresses import list_url, page_url
from memory_app.domain.errors import Blocked, Conflict, Forbidden, Invalid, NotFound, PreconditionFailed
from memory_app.models import Kind, Memory, Scope
from memory_app.moments import last_days
from memory_app.queries.approvers import nobody_else_approves
from memory_app.queries.counting import shown
from memory_app.queries.memory_list import (
    Counts,
    MemoryFilters,
    contested_among,
    memories_listed,
    owners_of,
)
from memory_app.queries.memory_page import find_memory
from memory_app.wording import together

from .memory_context import marks_of, owner_of
from .memory_form import ExpiryForm

PAGE, REGION = "memory_app/memories.html", "memory_app/memories_region.html"
AT_ONCE = 200
UPDATED = (7, 30, 90)
#: Filters that the search field sends along.
KEPT = ("kind", "scope", "user", "team", "key", "pinned", "protected", "unused", "updated", "status", "sort")
Act = Callable[[WorkspaceRequest, Memory], actions.Changed]
BULK: dict[str, Act] = {
    "archive": lambda request, memory: actions.archive_memory(memory, request.actor),
    "pin": lambda request, memory: actions.pin_memory(memory, request.actor),
    "unpin": lambda request, memory: actions.pin_memory(memory, request.actor, pinned=False),
}


@require_safe
@workspace_page()
def memories(request: WorkspaceRequest) -> HttpResponse:
    """The workspace's memories that match the address."""
    region = request.htmx and request.htmx.target == "memory-table"
    return render(request, REGION if region else PAGE, list_context(request, request.GET))


@require_http_methods(["GET", "POST"])
@workspace_page()
def memories_bulk(request: WorkspaceRequest) -> HttpResponse:
    """Every selected memory changed; what is protected waits for an admin, and what cannot be changed stays."""
    if request.method != "POST":
        return redirect("memories", request.workspace.slug)
    if not request.actor.at_least("curator"):
        raise PermissionDenied
    act = BULK.get(request.POST.get("action", ""))
    if request.POST.get("action") == "expire":
        expiry = ExpiryForm(request.POST)
        if not expiry.is_valid():
            return _expiry_again(request, expiry)
        act = partial(_expire, expiry.cleaned_data["expires_at"])
    if act is None:
        return HttpResponse(status=422)
    said = _change_each(request, request.POST.getlist("ids")[:AT_ONCE], act)
    if not request.htmx:
        messages.info(request, said)
        return redirect(list_url(request, "memories", request.workspace.slug))
    # Links and rows of the answer are those of the list that the form was sent from.
    request.GET = QueryDict((request.htmx.current_url_abs_path or "").partition("?")[2])
    context = list_context(request, request.GET) | {"said": said}
    return render(request, REGION, context)


def _expire(moment: datetime | None, request: WorkspaceRequest, memory: Memory) -> actions.Changed:
    if memory.expires_at == moment:
        raise Conflict(f"{memory.ref} ends then already.")
    return actions.edit_memory(memory, request.actor, {"expires_at": moment})


def _expiry_again(request: WorkspaceRequest, form: ExpiryForm) -> HttpResponse:
    """The field with what is wrong, where it was; the selection and what was typed stay."""
    if request.htmx:
        response = render(request, "memory_app/memories_expiry.html", {"form": form}, status=422)
        response["HX-Retarget"], response["HX-Reswap"] = "#bulk-expiry", "outerHTML"
        return response
    request.GET = QueryDict(urlsplit(list_url(request, "memories", request.workspace.slug)).query)
    context = list_context(request, request.GET) | {
        "expiry": form, "expiring": True, "selected": request.POST.getlist("ids")[:AT_ONCE],
    }  # fmt: skip
    return render(request, PAGE, context, status=422)


def list_context(request: WorkspaceRequest, query: QueryDict) -> dict[str, Any]:
    """A page of the list, and the filters above it."""
    filters = MemoryFilters.read(query)
    listed = memories_listed(request.workspace, filters, query.get("cursor", ""))
    page, counts = listed.page, listed.counts
    contested = contested_among(request.workspace, page.rows)
    slug = request.workspace.slug
    return _filters(request, filters, query) | {
        "filters": filters,
        "page": page,
        "rows": [(row, marks_of(row, contested=row.pk in contested), owner_of(row, slug)) for row in page.rows],
        **shown(counts.get(filters.status), "total"),
        "can_edit": request.actor.at_least("curator"),
        "bulk": _bulk(slug),
        "expiry": ExpiryForm(),
        "tabs": _tabs(counts),
    }


def _change_each(request: WorkspaceRequest, ids: list[str], act: Act) -> str:
    """What became of each, in words: one that cannot be changed keeps no other from it."""
    done = sent = waiting = left = 0
    for given in ids:
        try:
            memory = find_memory(request.workspace, uuid.UUID(given))
            changed = act(request, memory) if memory is not None else None
        except (Conflict, Forbidden, Invalid, Blocked, NotFound, PreconditionFailed, ValueError):
            changed = None
        if changed is None:
            left += 1
        elif changed.repeated:
            waiting += 1
        elif changed.pending:
            sent += 1
        else:
            done += 1
    words = [ngettext("%(count)d memory changed.", "%(count)d memories changed.", done) % {"count": done}]
    if sent:
        words.append(ngettext("%(count)d sent for approval.", "%(count)d sent for approval.", sent) % {"count": sent})
    if waiting:
        told = ngettext("%(count)d waits already.", "%(count)d wait already.", waiting)
        words.append(told % {"count": waiting})
    if left:
        words.append(ngettext("%(count)d stays as it is.", "%(count)d stay as they are.", left) % {"count": left})
    if (sent or waiting) and nobody_else_approves(request.workspace, request.actor):
        words.append(_("No other admin can approve it: add one on the members page, or switch solo on there."))
    return together(*words)


def _filters(request: WorkspaceRequest, filters: MemoryFilters, query: QueryDict) -> dict[str, Any]:
    users, teams = owners_of(request.workspace)
    return {
        "kept": [(name, value) for name in KEPT for value in query.getlist(name) if value],
        "groups": [
            _group("kind", _("Kind"), Kind.choices, filters.kind),
            _group("scope", _("Scope"), Scope.choices, filters.scope),
            _group("user", pgettext("speaker", "User"), _names(users, filters.user), filters.user),
            _group("team", pgettext("scope", "Team"), _names(teams, filters.team), filters.team),
        ],
        "keys": filters.key,
        "switches": _switches(filters),
    }


def _group(name: str, title: str, choices: Any, chosen: tuple[str, ...]) -> dict[str, Any]:
    """A menu whose choices add up: each switches one value on or off."""
    options = [{"value": value, "text": text, "on": value in chosen} for value, text in choices]
    named = [str(option["text"]) for option in options if option["on"]]
    return {"name": name, "title": title, "options": options, "chosen": ", ".join(named)}


def _names(known: list[str], chosen: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(name, name) for name in [*chosen, *(one for one in known if one not in chosen)]]


def _switches(filters: MemoryFilters) -> list[dict[str, Any]]:
    """Filters with one fixed value, on or off."""
    found: list[dict[str, Any]] = [
        {"name": "pinned", "value": "1", "text": _("Pinned"), "on": filters.pinned},
        {"name": "protected", "value": "1", "text": _("Protected"), "on": filters.protected},
        {"name": "unused", "value": "1", "text": _("Never recalled"), "on": filters.unused},
    ]
    spans = sorted({*UPDATED, *([filters.updated] if filters.updated else [])})
    for days in spans:
        text = _("Updated: %(span)s") % {"span": last_days(days)}
        found.append({"name": "updated", "value": f"{days}d", "text": text, "on": filters.updated == days})
    return found


def _tabs(counts: Counts) -> list[dict[str, Any]]:
    words = {
        "active": _("Active"),
        "expiring": _("Expiring in 7 days"),
        "contested": _("Contested"),
        "expired": _("Expired"),
        "superseded": _("Superseded"),
        "archived": _("Archived"),
    }
    return [
        {"value": status, "text": text, **shown(counts.get(status))}
        for status, text in ({"": _("All")} | words).items()
    ]


def _bulk(slug: str) -> list[dict[str, Any]]:
    """What many memories can be told at once, each with the dialog that confirms it."""
    protected = _("Protected memories wait for an admin first. Each change can be undone on its own.")
    return [
        {"text": _("Pin…"), "dialog": "bulk-pin", "title": _("Pin the selected memories?"),
         "explained": _("Protected memories wait for an admin first. What is pinned is unpinned with an admin's approval."),
         "confirm": pgettext("button", "Pin"), "action": "pin"},
        {"text": _("Unpin…"), "dialog": "bulk-unpin", "title": _("Unpin the selected memories?"),
         "explained": protected, "confirm": pgettext("button", "Unpin"), "action": "unpin"},
        {"text": _("Set expiry…"), "dialog": "bulk-expire", "title": _("When do the selected memories expire?"),
         "explained": protected, "confirm": pgettext("button", "Set expiry"), "action": "expire", "expiry": True},
        {"text": _("Archive…"), "dialog": "bulk-archive", "title": _("Archive the selected memories?"),
         "explained": _("Agents no longer see archived memories. Protected ones wait for an admin first. Any version can be restored later."),
         "confirm": pgettext("button", "Archive"), "destructive": True, "action": "archive"},
        *([{"text": _("Merge…"), "address": merge}] if (merge := page_url("memory_merge", slug)) else []),
        {"text": _("Export"), "address": page_url("memories_export", slug), "name": "format", "value": "csv"},
    ]  # fmt: skip
