"""What an agent saw: each answer of recall and context as it was recorded, in its very bytes or from its versions."""

import uuid
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.addresses import page_url, turn_url
from memory_app.domain.errors import NotFound
from memory_app.models import Injection
from memory_app.queries.seen import Seen, SeenFilters, seen_page

from .considered import entry
from .user_context import lines_of

PAGE = "memory_app/seen.html"


@require_safe
@workspace_page()
def seen(request: WorkspaceRequest) -> HttpResponse:
    """The answers of a session, of a user or of the workspace, and one of them whole."""
    session, user, chosen = (_id(request.GET.get(name, "")) for name in ("session", "user", "id"))
    cursor, filters = request.GET.get("cursor", ""), SeenFilters.read(request.GET)
    try:
        found = seen_page(request.workspace, session=session, user=user, chosen=chosen, filters=filters, cursor=cursor)
    except NotFound as error:
        raise Http404 from error
    return render(request, PAGE, _context(request, found, filters))


def _id(given: str) -> uuid.UUID | None:
    """The id that the address gives, None where it gives none."""
    try:
        return uuid.UUID(given) if given else None
    except ValueError as error:
        raise Http404 from error


def _context(request: WorkspaceRequest, found: Seen, filters: SeenFilters) -> dict[str, Any]:
    slug, one = request.workspace.slug, found.chosen
    about = {"session": found.session.pk} if found.session else {"user": found.user.pk} if found.user else {}
    narrowing = {"who": filters.who, "day": filters.day.isoformat() if filters.day else ""}
    kept = about | {name: value for name, value in narrowing.items() if value}
    return {
        "filters": filters,
        "cut": filters.cut(request.workspace),
        "kept": about,
        "page": found.page,
        "session": found.session,
        "person": found.user,
        "rows": [(row, _purpose(row), page_url("seen", slug, **kept, id=row.pk)) for row in found.page.rows],
        "chosen": one,
        "purpose": _purpose(one) if one else "",
        "lines": lines_of(one.text) if one else [],
        "lost": _lost(one) if one else "",
        "included": [_entry(slug, given, found, True) for given in one.included] if one else [],
        "excluded": [_entry(slug, given, found, False) for given in one.excluded] if one else [],
        "again": _again(slug, one) if one else "",
    }


def _purpose(row: Injection) -> str:
    return _("Recall") if row.purpose == Injection.Purpose.RECALL else _("Context")


def _lost(one: Injection) -> str:
    """Why there is no text to show of a context."""
    if one.text or one.purpose == Injection.Purpose.RECALL:
        return ""
    if one.tokens:
        return _("The text is not kept any more: something in it was erased, or it is older than this record.")
    return _("Nothing was handed out: nothing is known, or the prompt held this very block already.")


def _entry(slug: str, given: dict[str, Any], found: Seen, included: bool) -> dict[str, Any]:
    """A memory in the version that was shown, or a turn; of what was erased only that there was something."""
    memory = str(given.get("memory", ""))
    row, turn = found.contents.get(memory), found.turns.get(str(given.get("turn", "")))
    text = row.text if row else turn.content if turn else _("It has been erased.")
    return entry(
        slug, memory, text, str(given.get("reason") or ""),
        ref=row.memory.ref if row else "", version=row.number if row else None, included=included,
        place=given.get("rank"), score=given.get("score"), why=given.get("why"), because=given.get("because") or "",
        href=turn_url(slug, turn.session_id, turn.index) if turn else "", rule=str(given.get("rule") or ""),
    )  # fmt: skip


def _again(slug: str, one: Injection) -> str:
    """The same question put to what the store knew at that moment."""
    if one.purpose != Injection.Purpose.RECALL:
        return page_url("user", slug, one.user_id, q=one.query, as_of=one.at.isoformat())
    session = one.session.ref if one.session else ""
    return page_url("recall", slug, user=one.user.external_id, q=one.query, session=session, as_of=one.at.isoformat())
