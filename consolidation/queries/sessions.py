"""Lists of sessions, with what each holds counted for a whole page at once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Count, Q, QuerySet

from memory_app.keyset import Order, Page, page_of
from memory_app.models import (
    Block,
    Decision,
    DecisionStatus,
    Note,
    Session,
    SessionStatus,
    Turn,
    Workspace,
)
from memory_app.models.decision import OPEN
from memory_app.moments import days_of, first_day
from memory_app.queries.counting import MOST, UpTo, counted
from memory_app.queries.sessions import holding, with_opening

PAGE_SIZE = 50
NEWEST = Order("started_at")


@dataclass(frozen=True)
class SessionFilters:
    """What the address says; a value that means nothing counts as not given."""

    status: str = ""
    agent: str = ""
    user: str = ""
    q: str = ""
    days: int | None = None

    @classmethod
    def read(cls, query: Mapping[str, Any]) -> "SessionFilters":
        status = query.get("status", "")
        return cls(
            status=status if status in SessionStatus.values else "",
            agent=str(query.get("agent", ""))[:200].replace("\x00", ""),
            user=str(query.get("user", ""))[:200].replace("\x00", ""),
            q=str(query.get("q", ""))[:200].replace("\x00", "").strip(),
            days=days_of(query.get("days", "")),
        )

    @property
    def narrowed(self) -> bool:
        return bool(self.status or self.agent or self.user or self.q or self.days)

    def rows(self, workspace: Workspace) -> QuerySet[Session]:
        found = self.whatever_status(workspace)
        return found.filter(status=self.status) if self.status else found

    def whatever_status(self, workspace: Workspace) -> QuerySet[Session]:
        found: QuerySet[Session] = Session.objects.filter(workspace=workspace)
        if self.agent:
            found = found.filter(agent__external_id=self.agent)
        if self.user:
            found = found.filter(user__external_id=self.user)
        if self.days is not None:
            found = found.filter(started_at__gte=first_day(self.days))
        if self.q:
            found = found.filter(_text(workspace, self.q))
        return found


@dataclass
class Held:
    """What a session holds."""

    turns: int = 0
    notes: int = 0
    blocks: int = 0
    waiting: int = 0
    actions: dict[str, int] = field(default_factory=dict)


def sessions_page(workspace: Workspace, filters: SessionFilters, cursor: str = "") -> Page[Session]:
    """A page of sessions, newest first, each with how its user's first words begin (`opening`)."""
    rows = filters.rows(workspace).select_related("user", "agent")
    return page_of(with_opening(rows), NEWEST, cursor, PAGE_SIZE)


def status_counts(workspace: Workspace, filters: SessionFilters) -> dict[str, UpTo]:
    """How many match in each status, and under "" in all of them; what is not here was not counted. What the filters
    narrow is read once for all of it, up to one above MOST; of all there are, an index counts each status."""
    found = filters.whatever_status(workspace)
    if not replace(filters, status="").narrowed:
        each = counted(workspace, {s: found.filter(status=s)[: MOST + 1] for s in SessionStatus.values})
        return {"": UpTo.told(sum(each.values()), MOST)} | {s: UpTo.told(count, MOST) for s, count in each.items()}
    one = {s: Count("pk", filter=Q(status=s)) for s in SessionStatus.values}
    once = found.order_by()[: MOST + 1].aggregate(total=Count("pk"), **one)
    total = UpTo.told(once.pop("total"), MOST)
    return {"": total} | ({} if total.more else {s: UpTo(count) for s, count in once.items()})


def held_by(sessions: Iterable[Session]) -> dict[Any, Held]:
    """What each of these sessions holds, by its id; four queries, however many they are."""
    ids = [session.pk for session in sessions]
    found: dict[Any, Held] = defaultdict(Held)
    for session_id, count in _count(Turn.objects.filter(session__in=ids)):
        found[session_id].turns = count
    for session_id, count in _count(Note.objects.filter(session__in=ids)):
        found[session_id].notes = count
    for session_id, count in _count(Block.objects.filter(session__in=ids)):
        found[session_id].blocks = count
    decided = Decision.objects.filter(session__in=ids).exclude(status=DecisionStatus.STALE).order_by()
    counted = decided.values("session", "action").annotate(all=Count("id"), open=Count("id", filter=Q(status__in=OPEN)))
    rows = counted.values_list("session", "action", "all", "open")
    for session_id, action, count, waiting in rows:
        found[session_id].actions[action] = count
        found[session_id].waiting += waiting
    return found


def _count(rows: QuerySet[Any]) -> list[tuple[Any, int]]:
    return list(rows.order_by().values_list("session").annotate(Count("id")))


def _text(workspace: Workspace, q: str) -> Q:
    """Sessions of whom, by which name, about what; `S-12` is a number."""
    digits = q.lower().removeprefix("s-")
    numbered = digits.isascii() and digits.isdigit() and len(digits) < 18
    return holding(workspace, q) | Q(number=int(digits)) if numbered else holding(workspace, q)
