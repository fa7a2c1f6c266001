"""The list of memories: which match, in which order, how many there are in each status, and what marks a row."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.http import QueryDict
from django.utils import timezone

from memory_app.domain.words import words
from memory_app.keyset import Order, Page, page_of
from memory_app.models import (
    ActorKind,
    Decision,
    Kind,
    Memory,
    MemoryStatus,
    Scope,
    SearchEntry,
    Slot,
    Team,
    User,
    Workspace,
)
from memory_app.moments import days_of, first_day

PAGE_SIZE = 50
EXPIRING = timedelta(days=7)
NEVER = datetime(9999, 1, 1, tzinfo=UTC)
SORTS: dict[str, Order] = {
    "-updated": Order("updated_at"),
    "updated": Order("updated_at", descending=False),
    "-recalls": Order("recall_count"),
    "recalls": Order("recall_count", descending=False),
    "expires": Order("expires", descending=False),
    "-expires": Order("expires"),
}
#: What a tab divides the list by; contested is crosswise to the others.
STATUSES = ("active", "expiring", "contested", "expired", "superseded", "archived")
MENU_USERS, MENU_TEAMS = 12, 30


@dataclass(frozen=True)
class MemoryFilters:
    """What the address says. Kind, scope, owner and key may be given several times; nonsense counts as not given."""

    q: str = ""
    status: str = ""
    kind: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    user: tuple[str, ...] = ()
    team: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    pinned: bool = False
    protected: bool = False
    updated: int | None = None  # days
    sort: str = "-updated"

    @classmethod
    def read(cls, query: QueryDict) -> "MemoryFilters":
        status, sort = query.get("status", ""), query.get("sort", "")
        return cls(
            q=_plain(query.get("q", "")),
            status=status if status in STATUSES else "",
            kind=tuple(v for v in Kind.values if v in query.getlist("kind")),
            scope=tuple(v for v in Scope.values if v in query.getlist("scope")),
            user=_names(query, "user"),
            team=_names(query, "team"),
            key=_names(query, "key"),
            pinned=query.get("pinned") == "1",
            protected=query.get("protected") == "1",
            updated=days_of((query.get("updated") or "").removesuffix("d")),
            sort=sort if sort in SORTS else "-updated",
        )

    @property
    def narrowed(self) -> bool:
        return self != MemoryFilters(sort=self.sort)

    @property
    def order(self) -> Order:
        return SORTS[self.sort]

    def rows(self, workspace: Workspace) -> "QuerySet[Memory]":
        """The memories that match, with what the order needs."""
        found = self.whatever_status(workspace)
        if self.status:
            found = found.filter(in_status(self.status, workspace, timezone.now()))
        if self.order.field == "expires":
            found = found.annotate(expires=Coalesce("expires_at", Value(NEVER)))
        return found

    def whatever_status(self, workspace: Workspace) -> "QuerySet[Memory]":
        """The memories that match but for their status."""
        found: QuerySet[Memory] = Memory.objects.filter(workspace=workspace)
        if self.kind:
            found = found.filter(kind__in=self.kind)
        if self.scope:
            found = found.filter(scope__in=self.scope)
        if self.user or self.team:
            found = found.filter(_owned_by(workspace, self.user, self.team))
        if self.key:
            found = found.filter(key__in=self.key)
        if self.pinned:
            found = found.filter(pinned=True)
        if self.protected:
            found = found.filter(PROTECTED)
        if self.updated is not None:
            found = found.filter(updated_at__gte=first_day(self.updated))
        return found.filter(pk__in=matching(workspace, self.q)) if self.q else found


#: The same as Memory.protected, for the database.
PROTECTED = Q(pinned=True) | Q(scope=Scope.TEAM) | Q(kind=Kind.PROCEDURAL) | Q(author=ActorKind.OPERATOR)


def memories_page(workspace: Workspace, filters: MemoryFilters, cursor: str = "") -> Page[Memory]:
    """A page of memories with their owners."""
    return page_of(filters.rows(workspace).select_related("user", "team"), filters.order, cursor, PAGE_SIZE)


def status_counts(workspace: Workspace, filters: MemoryFilters) -> dict[str, int]:
    """How many match in each status, and under "" in all of them; one statement."""
    now = timezone.now()
    counts = {s: Count("pk", filter=in_status(s, workspace, now)) for s in STATUSES}
    found: dict[str, int] = filters.whatever_status(workspace).aggregate(total=Count("pk"), **counts)
    return {"": found.pop("total")} | found


def in_status(status: str, workspace: Workspace, now: datetime) -> Q:
    """The condition of a tab; expired is derived from `expires_at` and never stored."""
    live = Q(status=MemoryStatus.ACTIVE) & (Q(expires_at=None) | Q(expires_at__gt=now))
    if status == "active":
        return live
    if status == "expiring":
        return Q(status=MemoryStatus.ACTIVE, expires_at__gt=now, expires_at__lte=now + EXPIRING)
    if status == "expired":
        return Q(status=MemoryStatus.ACTIVE, expires_at__lte=now)
    if status == "contested":
        return Q(pk__in=contested(workspace).values("memory"))
    return Q(status=status)


def contested(workspace: Workspace) -> "QuerySet[Decision]":
    """Open decisions that would change a memory."""
    waiting = Decision.objects.waiting().filter(workspace=workspace)
    return waiting.exclude(memory=None).exclude(action="dedupe")


def contested_among(workspace: Workspace, rows: Iterable[Memory]) -> set[Any]:
    """The ids of those of these memories that an open decision would change."""
    return set(contested(workspace).filter(memory__in=[row.pk for row in rows]).values_list("memory", flat=True))


def matching(workspace: Workspace, q: str) -> Any:
    """Ids of memories that hold the text, or all of its words in whatever order and form, or that it names: by key,
    number, id or owner. Each part has an index of its own, so they are fetched apart and united."""
    memories = Memory.objects.filter(workspace=workspace).order_by()
    parts: list[QuerySet[Any, Any]] = [memories.filter(text__icontains=q).values("pk")]
    keys = list(Slot.objects.filter(workspace=workspace, key__icontains=q).values_list("key", flat=True)[:50])
    if keys:
        parts.append(memories.filter(key__in=keys).values("pk"))
    tokens = words(q)
    if tokens:
        entries = SearchEntry.objects.filter(workspace=workspace, tokens__contains=tokens)
        parts.append(entries.filter(version__number=F("memory__version")).order_by().values("memory"))
    owners = list(User.objects.filter(workspace=workspace, external_id=q).values_list("pk", flat=True))
    if owners:
        parts.append(memories.filter(user__in=owners).values("pk"))
    named = _named(q)
    if named is not None:
        parts.append(memories.filter(named).values("pk"))
    return parts[0].union(*parts[1:], all=True) if len(parts) > 1 else parts[0]


def owners_of(workspace: Workspace) -> tuple[list[str], list[str]]:
    """Names for a menu: the users who were last seen, and the teams."""
    users = User.objects.filter(workspace=workspace).order_by("-last_seen_at", "id")
    teams = Team.objects.filter(workspace=workspace).order_by("external_id")
    return (
        list(users.values_list("external_id", flat=True)[:MENU_USERS]),
        list(teams.values_list("external_id", flat=True)[:MENU_TEAMS]),
    )


def _owned_by(workspace: Workspace, users: tuple[str, ...], teams: tuple[str, ...]) -> Q:
    found = Q(pk=None)
    if users:
        ids = User.objects.filter(workspace=workspace, external_id__in=users).values("pk")
        found |= Q(user__in=list(ids.values_list("pk", flat=True)))
    if teams:
        named = Team.objects.filter(workspace=workspace, external_id__in=teams)
        found |= Q(team__in=list(named.values_list("pk", flat=True)))
    return found


def _named(q: str) -> Q | None:
    digits = q.upper().removeprefix("M-")
    if digits.isascii() and digits.isdigit() and len(digits) < 18:
        return Q(number=int(digits))
    try:
        return Q(pk=uuid.UUID(q))
    except ValueError:
        return None


def _names(query: QueryDict, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(plain for given in query.getlist(name)[:20] if (plain := _plain(given))))


def _plain(given: str) -> str:
    return given[:200].replace("\x00", "").strip()
