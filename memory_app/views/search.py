"""The search of the top bar: a ref leads to its page, anything else to what it finds."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.addresses import page_url
from memory_app.models import Block, Decision, Memory, Session
from memory_app.queries.audit_log import REF, row_by_ref
from memory_app.queries.search import SHOWN, Found
from memory_app.queries.search import search as find
from memory_app.titles import session_title

from .memory_context import owner_of
from .user_context import name_of

PAGE, SHORT = "memory_app/search.html", "memory_app/search_short.html"


@require_safe
@workspace_page()
def search(request: WorkspaceRequest) -> HttpResponse:
    """What the words find, by kind; M-412, S-12, D-7 and G-3 lead to their pages at once. `short` is for the palette."""
    q = request.GET.get("q", "")[:200].replace("\x00", "").strip()
    slug = request.workspace.slug
    if REF.fullmatch(q):
        row = row_by_ref(request.workspace, q)
        address = _page_of(row, slug) if row is not None else ""
        if address and "short" in request.GET:
            known = {"href": address, "text": row.ref, "ref": ""}
            return render(request, SHORT, {"groups": [_group("search", _("By its number"), [known], "", ("", "", ""))]})
        if address:
            return redirect(address)
    found = find(request.workspace, q)
    context = {"q": q, "found": found, "groups": _groups(found, slug, q), "unknown_ref": bool(REF.fullmatch(q))}
    return render(request, SHORT if "short" in request.GET else PAGE, context)


def _page_of(row: Any, slug: str) -> str:
    if isinstance(row, Memory):
        return page_url("memory", slug, row.pk)
    if isinstance(row, Session):
        return page_url("session", slug, row.pk)
    if isinstance(row, Decision):
        return page_url("review", slug, status="all", item=row.pk)
    return page_url("guardrails", slug, id=row.pk) if isinstance(row, Block) else ""


def _groups(found: Found, slug: str, q: str) -> list[dict[str, Any]]:
    """The groups that found something, each with its rows and where all of them are; first those with one of that name."""
    user = pgettext("speaker", "User")
    groups = [
        _group("memory", _("Memories"), [_memory(row, slug) for row in found.memories], page_url("memories", slug, q=q),
               (_("Owner"), _("Status"), _("Updated"))),
        _group("user", _("Users"), [_user(row, slug) for row in found.users], page_url("users", slug, q=q),
               ("", "", _("Last seen"))),
        _group("session", _("Sessions"), [_session(row, slug) for row in found.sessions],
               page_url("sessions", slug, q=q), (user, _("Status"), _("Started"))),
        _group("queue", _("Decisions that wait"), [_decision(row, slug) for row in found.decisions], "",
               (user, _("Action"), _("Created"))),
    ]  # fmt: skip
    named = [group for group in groups if any(_is_named(row, q) for row in group["rows"])]
    return [*named, *(group for group in groups if group["rows"] and group not in named)]


def _is_named(row: dict[str, Any], q: str) -> bool:
    """Whether the words are its whole name, text or key."""
    return q.casefold() in (row["text"].casefold(), row.get("key", "").casefold())


def _group(
    icon: str, title: str, rows: list[dict[str, Any]], all_url: str, heads: tuple[str, str, str]
) -> dict[str, Any]:
    """A table; of its columns beside the first, those that have a head."""
    more = len(rows) > SHOWN
    return {"icon": icon, "title": title, "rows": rows[:SHOWN], "more": more, "all_url": all_url, "id": f"found-{icon}",
            "about": heads[0], "status": heads[1], "at": heads[2]}  # fmt: skip


def _memory(row: Memory, slug: str) -> dict[str, Any]:
    owner = owner_of(row, slug)
    return {"href": page_url("memory", slug, row.pk), "text": row.text, "ref": row.ref, "key": row.key,
            "about": owner["name"] if owner else "", "at": row.updated_at, "status": row.status}  # fmt: skip


def _user(row: Any, slug: str) -> dict[str, Any]:
    name = name_of(row)
    return {"href": page_url("user", slug, row.pk), "text": name or row.external_id,
            "ref": "", "key": row.external_id if name else "", "at": row.last_seen_at}  # fmt: skip


def _session(row: Any, slug: str) -> dict[str, Any]:
    return {"href": page_url("session", slug, row.pk), "text": session_title(row),
            "ref": row.ref, "about": row.user.external_id, "at": row.started_at, "status": row.status}  # fmt: skip


def _decision(row: Decision, slug: str) -> dict[str, Any]:
    return {"href": page_url("review", slug, status="all", item=row.pk), "text": row.note.text if row.note else "",
            "ref": row.ref, "about": row.user.external_id if row.user else "", "at": row.created_at,
            "status": row.action}  # fmt: skip
