"""What an agent was shown, as it was recorded: by session or by user, and one time of it with its memories."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_date

from memory_app.domain.errors import NotFound
from memory_app.keyset import Order, Page, page_of
from memory_app.models import Injection, MemoryVersion, Session, Turn, User, Workspace

from .named import cut_at, named
from .user_page import contents_of

PAGE_SIZE = 30
NEWEST = Order("at")


@dataclass(frozen=True)
class SeenFilters:
    """Whose answers, by a part of the name that the agent uses, and up to the end of which day in the operator's zone."""

    who: str = ""
    day: date | None = None

    @classmethod
    def read(cls, query: Mapping[str, Any]) -> "SeenFilters":
        """The filters of an address; what it does not say rightly is not narrowed."""
        try:
            day = parse_date(str(query.get("day", "")))
        except ValueError:
            day = None
        return cls(str(query.get("who", ""))[:200].replace("\x00", "").strip(), day if day and day < date.max else None)

    @property
    def narrowed(self) -> bool:
        return bool(self.who or self.day)

    def cut(self, workspace: Workspace) -> int | None:
        """How many names are looked for, where so many have the part that the answers of some are left out."""
        return cut_at(self._called(workspace)) if self.who else None

    def _called(self, workspace: Workspace) -> QuerySet[User]:
        found = User.objects.filter(workspace=workspace, external_id__icontains=self.who)
        return found.order_by("-last_seen_at", "pk")

    def apply(self, rows: QuerySet[Injection], workspace: Workspace) -> QuerySet[Injection]:
        """Those of `rows` that fit; names are looked up first, those seen last."""
        found = rows.filter(user__in=named(self._called(workspace))) if self.who else rows
        return found.filter(at__lt=_after(self.day)) if self.day else found


EVERYTHING = SeenFilters()


def _after(day: date) -> datetime:
    """The first moment after `day` in the operator's zone."""
    return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))


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
    filters: SeenFilters = EVERYTHING,
    cursor: str = "",
) -> Seen:
    """What was shown in a session, or else to agents of a user; without either, around the one that is chosen, or to
    anybody whom the filters name. NotFound where one of them is not there."""
    rows = Injection.objects.filter(workspace=workspace).select_related("session", "user")
    one = rows.filter(pk=chosen).first() if chosen else None
    if one is not None and session is None and user is None and not filters.narrowed:
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
    page = page_of(filters.apply(found, workspace), NEWEST, cursor, PAGE_SIZE)
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
