"""What an agent was shown, as it was recorded: by session or by user, and one time of it with its memories."""

import uuid
from dataclasses import dataclass
from typing import Any

from memory_app.domain.errors import NotFound
from memory_app.keyset import Order, Page, page_of
from memory_app.models import Injection, MemoryVersion, Session, Turn, User, Workspace

from .user_page import contents_of

PAGE_SIZE = 30
NEWEST = Order("at")


@dataclass(frozen=True)
class Seen:
    """The times that an agent asked, newest first, and the one that is looked at."""

    page: Page[Injection]
    chosen: Injection | None
    contents: dict[str, MemoryVersion]
    turns: dict[str, Turn]
    session: Session | None
    user: User | None


def seen_page(
    workspace: Workspace,
    *,
    session: uuid.UUID | None,
    user: uuid.UUID | None,
    chosen: uuid.UUID | None,
    cursor: str = "",
) -> Seen:
    """What was shown in a session, or else to agents of a user; without either, around the one that is chosen, or to
    anybody. NotFound where one of them is not there."""
    rows = Injection.objects.filter(workspace=workspace).select_related("session", "user")
    one = rows.filter(pk=chosen).first() if chosen else None
    if one is not None and session is None and user is None:
        session, user = one.session_id, one.user_id
    held = (
        Session.objects.select_related("user", "agent").filter(workspace=workspace, pk=session).first()
        if session
        else None
    )
    about = held.user if held else User.objects.filter(workspace=workspace, pk=user).first() if user else None
    if (session and held is None) or (user and about is None) or (chosen and one is None):
        raise NotFound("There is no such answer.")
    found = rows.filter(session=held) if held else rows.filter(user=about) if about else rows
    page = page_of(found, NEWEST, cursor, PAGE_SIZE)
    if one is None and page.rows:
        one = page.rows[0]
    contents = contents_of(workspace, _versions(one)) if one else {}
    return Seen(page, one, contents, _turns(workspace, one) if one else {}, held, about)


def _turns(workspace: Workspace, one: Injection) -> dict[str, Turn]:
    """The turns that recall found, where it reached any."""
    ids = [entry["turn"] for entry in one.included if entry.get("turn")]
    return {str(turn.pk): turn for turn in Turn.objects.filter(workspace=workspace, pk__in=ids)} if ids else {}


def _versions(one: Injection) -> dict[str, int]:
    entries: list[dict[str, Any]] = [*one.excluded, *one.included]
    return {entry["memory"]: entry["version"] for entry in entries if entry.get("version")}
