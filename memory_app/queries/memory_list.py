"""The list of memories: which match, in which order, how many there are in each status, and what marks a row."""

import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.db.models.lookups import IsNull
from django.http import QueryDict
from django.utils import timezone

from memory_app.domain.words import words
from memory_app.keyset import Order, Page, page_of
from memory_app.models import (
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
from memory_app.models.memory import NEVER, PROTECTED
from memory_app.moments import days_of, first_day
from memory_app.queries.counting import MOST, UpTo

PAGE_SIZE = 50
#: A text that more memories hold is common. A contested memory is looked up by itself, so fewer of these are counted.
COMMON, MOST_CONTESTED = 2_000, 1_000
NUMBER, REF = re.compile(r"[0-9]{1,17}"), re.compile(r"[Mm]-[0-9]{1,17}")
EXPIRING = timedelta(days=7)
SORTS: dict[str, Order] = {
    "-updated": Order("updated_at"),
    "updated": Order("updated_at", descending=False),
    "-recalls": Order("recalls", id="use__memory"),
    "recalls": Order("recalls", descending=False, id="use__memory"),
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
    unused: bool = False  # no agent was ever shown it
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
            unused=query.get("unused") == "1",
            updated=days_of((query.get("updated") or "").removesuffix("d")),
            sort=sort if sort in SORTS else "-updated",
        )

    @property
    def narrowed(self) -> bool:
        return self != MemoryFilters(sort=self.sort)

    @property
    def named(self) -> list[str]:
        """The names of those that are set."""
        return [one.name for one in fields(self) if getattr(self, one.name) != one.default]

    @property
    def order(self) -> Order:
        return SORTS[self.sort]

    def rows(self, found: "QuerySet[Memory]", workspace: Workspace) -> "QuerySet[Memory]":
        """Those of `found` (what matches whatever its status) in the status, with what the order needs."""
        if self.status:
            found = found.filter(in_status(self.status, workspace, timezone.now()))
        if self.order.field == "recalls":
            found = found.filter(use__workspace=workspace).annotate(recalls=F("use__recall_count"))
        if self.order.field == "expires":
            found = found.annotate(expires=Coalesce("expires_at", Value(NEVER)))
        return found

    def whatever_status(self, workspace: Workspace, words: Q | None = None) -> "QuerySet[Memory]":
        """The memories that match but for their status; `words` is what q stands for, where that was looked up already."""
        memories = Memory.objects.filter(workspace=workspace)
        found: QuerySet[Memory] = memories if self.scope or _names_one(self.q) else memories.beyond_sessions()
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
        if self.unused:
            found = found.filter(recall_count=0)
        if self.updated is not None:
            found = found.filter(updated_at__gte=first_day(self.updated))
        return found.filter(matching(workspace, self.q).where if words is None else words)


#: By status, as far as it was counted.
Counts = Mapping[str, UpTo]


@dataclass(frozen=True)
class Listed:
    """A page of memories with their owners, and how many match: see `_counts`."""

    page: Page[Memory]
    counts: Counts


def memories_listed(workspace: Workspace, filters: MemoryFilters, cursor: str = "") -> Listed:
    """What the list shows; its words are looked up once."""
    words = matching(workspace, filters.q)
    found = filters.whatever_status(workspace, words.where)
    # Owners are fetched for the page alone: joined, a sort without an index would join them for every row.
    rows = filters.rows(found, workspace).prefetch_related("user", "team")
    page = page_of(rows, filters.order, cursor, PAGE_SIZE)
    return Listed(page, {} if words.many else _counts(workspace, filters, found))


def exported(
    workspace: Workspace, filters: MemoryFilters, chosen: Sequence[uuid.UUID] | None = None
) -> "QuerySet[Memory]":
    """What matches, or of these ids what the workspace has, for `keyset.everything` to read in the list's order."""
    if chosen is None:
        rows = filters.rows(filters.whatever_status(workspace), workspace)
    else:
        own = Memory.objects.filter(workspace=workspace, pk__in=chosen)
        rows = MemoryFilters(sort=filters.sort).rows(own, workspace)
    return rows.prefetch_related("user", "team")


def _counts(workspace: Workspace, filters: MemoryFilters, found: "QuerySet[Memory]") -> Counts:
    """How many match in each status, and under "" in all of them; whatever is not here was not counted. What the filters
    narrow is read once for all of it; where that is more than MOST, only so much is known. Of all there are, an index
    counts each status, and contested ones are looked up one by one."""
    now = timezone.now()
    if replace(filters, status="").narrowed:
        counts = {s: Count("pk", filter=in_status(s, workspace, now)) for s in STATUSES}
        once = found.order_by()[: MOST + 1].aggregate(total=Count("pk"), **counts)
        total = UpTo.told(once.pop("total"), MOST)
        return {"": total} | ({} if total.more else {name: UpTo(number) for name, number in once.items()})
    most = {"contested": MOST_CONTESTED}
    statuses = {s: UpTo.of(found.filter(in_status(s, workspace, now)), most.get(s, MOST)) for s in STATUSES}
    return {"": UpTo.of(found, MOST)} | statuses


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
        return Q(status=MemoryStatus.ACTIVE, pk__in=contested(workspace).values("memory"))
    return Q(status=status)


def contested(workspace: Workspace) -> "QuerySet[Decision]":
    """Open decisions that would change a memory."""
    waiting = Decision.objects.waiting().filter(workspace=workspace)
    return waiting.exclude(memory=None).exclude(action="dedupe")


def contested_among(workspace: Workspace, rows: Iterable[Memory]) -> set[Any]:
    """The ids of those of these memories that hold and that an open decision would change."""
    active = [row.pk for row in rows if row.status == MemoryStatus.ACTIVE]
    return set(contested(workspace).filter(memory__in=active).values_list("memory", flat=True))


@dataclass(frozen=True)
class Matching:
    """What a text stands for; of `many` memories, how many these are would take longer to count than to read a page."""

    where: Q = field(default_factory=Q)
    many: bool = False


def matching(workspace: Workspace, q: str) -> Matching:
    """Memories that hold the text, or all of its words in whatever order and form, or that it names: by key, number,
    id or owner. Each part has an index of its own, so their ids are fetched apart and united, words first: where these
    alone are many, no more is read. Then the list is walked in its order instead: a page of it is full soon."""
    if not q:
        return Matching()
    if REF.fullmatch(q):
        return Matching(Q(number=int(q[2:])))
    memories = Memory.objects.filter(workspace=workspace).order_by()
    entries = SearchEntry.objects.filter(workspace=workspace, number=F("memory__version"))
    holds, tokens = Q(text__icontains=q), words(q)
    parts: list[QuerySet[Any, Any]] = []
    if tokens:
        entries = entries.filter(tokens__contains=tokens)
        parts.append(entries.order_by().values("memory"))
    parts.append(memories.filter(holds).values("pk"))
    for named in _named(workspace, q):
        parts.append(memories.filter(named).values("pk"))
        holds |= named
    united = parts[0].union(*parts[1:], all=True) if len(parts) > 1 else parts[0]
    ids = {next(iter(row.values())) for row in united[: COMMON + 1]}
    if len(ids) <= COMMON:
        return Matching(Q(pk__in=ids))
    if tokens:  # compared as a value: asked whether it exists, the database would fetch all of them first
        own = Subquery(entries.filter(memory=OuterRef("pk")).values("number")[:1])
        holds |= Q(IsNull(own, False))
    return Matching(holds, many=True)


def owners_of(workspace: Workspace) -> tuple[list[str], list[str]]:
    """Names for a menu: the users who were last seen, and the teams."""
    users = User.objects.filter(workspace=workspace).order_by("-last_seen_at", "id")
    teams = Team.objects.filter(workspace=workspace).order_by("external_id")
    return (
        list(users.values_list("external_id", flat=True)[:MENU_USERS]),
        list(teams.values_list("external_id", flat=True)[:MENU_TEAMS]),
    )


def is_known(workspace: Workspace, scope: str, name: str) -> bool:
    """Whether the workspace has a user, or a team, of this name."""
    named = Team.objects if scope == Scope.TEAM else User.objects
    return named.filter(workspace=workspace, external_id=name).exists()


def _owned_by(workspace: Workspace, users: tuple[str, ...], teams: tuple[str, ...]) -> Q:
    found = Q(pk=None)
    if users:
        ids = User.objects.filter(workspace=workspace, external_id__in=users).values("pk")
        found |= Q(user__in=list(ids.values_list("pk", flat=True)))
    if teams:
        named = Team.objects.filter(workspace=workspace, external_id__in=teams)
        found |= Q(team__in=list(named.values_list("pk", flat=True)))
    return found


def _named(workspace: Workspace, q: str) -> list[Q]:
    """What the text may be instead of words: a part of a key, an owner, a number, an id."""
    found = []
    keys = list(Slot.objects.filter(workspace=workspace, key__icontains=q).values_list("key", flat=True)[:50])
    if keys:
        found.append(Q(key__in=keys))
    owners = list(User.objects.filter(workspace=workspace, external_id=q).values_list("pk", flat=True))
    if owners:
        found.append(Q(user__in=owners))
    if NUMBER.fullmatch(q):
        found.append(Q(number=int(q)))
    with suppress(ValueError):
        found.append(Q(pk=uuid.UUID(q)))
    return found


def _names_one(q: str) -> bool:
    """Whether the words are the number or the id of a memory, which is found wherever it belongs."""
    with suppress(ValueError):
        return bool(REF.fullmatch(q) or NUMBER.fullmatch(q) or uuid.UUID(q))
    return False


def _names(query: QueryDict, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(plain for given in query.getlist(name)[:20] if (plain := _plain(given))))


def _plain(given: str) -> str:
    return given[:200].replace("\x00", "").strip()
