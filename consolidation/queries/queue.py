"""The review queue: which decisions match, in which order, how many wait, and how far the day has come."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Count, F, IntegerField, Q, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.keyset import Order, Page, page_of
from memory_app.models import Action, Agent, Decision, DecisionStatus, Kind, Needs, Scope, Workspace
from memory_app.models.decision import OPEN, DecisionQuerySet
from memory_app.moments import days_of, first_day
from memory_app.queries.counting import MOST, UpTo, counted
from memory_app.queries.overview import Span
from memory_app.queries.sums import Days, added, hours_of
from memory_app.queries.tallies import FATES

PAGE_SIZE = 30
WAITING, SNOOZED, ALL = "waiting", "snoozed", "all"
EVER = datetime(1970, 1, 1, tzinfo=UTC)
SORTS: Mapping[str, Order] = {
    "-created": Order("created_at"),
    "created": Order("created_at", descending=False),
    "confidence": Order("confidence", descending=False),
    "-impact": Order("impact"),
}
#: What the sidebar of the queue shows of each decision.
SHOWN = ("user", "team", "note", "memory")


@dataclass(frozen=True)
class QueueFilters:
    """What the address says; a value that means nothing counts as not given."""

    status: str = WAITING
    action: str = ""
    scope: str = ""
    kind: str = ""
    agent: str = ""
    needs: str = ""
    rule: str = ""
    user: str = ""
    key: str = ""
    confidence_lt: float | None = None
    age_gt: int | None = None  # hours
    days: int | None = None
    sensitive: bool = False
    sort: str = "-created"

    @classmethod
    def read(cls, query: Mapping[str, Any]) -> "QueueFilters":
        def one_of(name: str, values: Any, default: str = "") -> str:
            given = query.get(name, "")
            return given if given in values else default

        def words(name: str, longest: int = 200) -> str:
            return str(query.get(name, ""))[:longest].replace("\x00", "")

        return cls(
            status=one_of("status", (WAITING, SNOOZED, ALL, *DecisionStatus.values), WAITING),
            action=one_of("action", Action.values),
            scope=one_of("scope", Scope.values),
            kind=one_of("kind", Kind.values),
            agent=words("agent"),
            needs=one_of("needs", (Needs.CURATOR, Needs.ADMIN)),
            rule=words("rule", 80),
            user=words("user"),
            key=words("key"),
            confidence_lt=_share(query.get("confidence__lt", "")),
            age_gt=_hours(query.get("age__gt", "")),
            days=days_of(query.get("days", "")),
            sensitive=query.get("sensitive") == "1",
            sort=one_of("sort", SORTS, "-created"),
        )

    @property
    def order(self) -> Order:
        return SORTS[self.sort]

    @property
    def summed(self) -> bool:
        """The sums by the hour know how many these are. What waits, an index counts, and as it is now."""
        plain = QueueFilters(status=self.status, action=self.action, agent=self.agent, days=self.days, sort=self.sort)
        return self == plain and self.status not in (WAITING, SNOOZED)

    def rows(self, workspace: Workspace) -> DecisionQuerySet:
        """The decisions that match, with what the order needs."""
        return self._annotated(self.in_status(workspace))

    def in_status(self, workspace: Workspace, without: str = "") -> DecisionQuerySet:
        """The decisions that match, but for the filter `without`."""
        return self._status(self.whatever_status(workspace, without, waiting=self.status in (WAITING, SNOOZED, *OPEN)))

    def lists(self, decision: Decision) -> bool:
        """The list has this decision."""
        return self.rows(decision.workspace).filter(pk=decision.pk).exists()

    def whatever_status(
        self, workspace: Workspace, without: str = "", *, as_proposed: bool = False, waiting: bool = False
    ) -> DecisionQuerySet:
        """The decisions that match but for their status, and but for the filter `without`. What a person made of one
        may be another action or scope; `as_proposed` goes by what they had before them. Of those of a slot, the ones that are
        `waiting` have an index."""
        found = Decision.objects.filter(workspace=workspace)
        for name in ("action", "scope", "kind", "needs", "rule"):
            value = getattr(self, name)
            if value and name != without:
                own = Q(**{name: value})
                if as_proposed and name in ("action", "scope"):
                    own = Q(**{f"params__proposal__{name}": value}) | own & ~Q(params__has_key="proposal")
                found = found.filter(own)
        if self.agent and without != "agent":
            found = found.filter(session__agent__external_id=self.agent)
        if self.user:
            found = found.filter(user__external_id=self.user)
        if self.key:
            found = found.waiting_for(self.key) if waiting else found.of_key(self.key)
        if self.confidence_lt is not None:
            found = found.filter(confidence__lt=self.confidence_lt)
        if self.age_gt is not None:
            found = found.older_than(timezone.now() - timedelta(hours=self.age_gt))
        if self.days is not None:
            found = found.filter(created_at__gte=first_day(self.days))
        if self.sensitive:
            found = found.exclude(sensitivity="")
        return found

    def _status(self, rows: DecisionQuerySet) -> DecisionQuerySet:
        if self.status == ALL:
            return rows
        if self.status in (WAITING, SNOOZED):
            return rows.in_queue() if self.status == WAITING else rows.snoozed()
        return rows.filter(status=self.status)

    def _annotated(self, rows: DecisionQuerySet) -> DecisionQuerySet:
        if self.order.field != "impact":
            return rows
        return rows.annotate(impact=Coalesce(F("memory__recall_count"), Value(0), output_field=IntegerField()))


@dataclass(frozen=True)
class Progress:
    """How many match and wait, and how many the person has settled since midnight in their zone."""

    waiting: int
    reviewed: int

    @property
    def total(self) -> int:
        return self.waiting + self.reviewed


def queue_page(workspace: Workspace, filters: QueueFilters, cursor: str = "") -> Page[Decision]:
    """A page of the queue, each decision with what its row shows."""
    rows = filters.rows(workspace)
    if filters.order.field != "impact":
        return page_of(rows.select_related(*SHOWN), filters.order, cursor, PAGE_SIZE)
    # No index has this order: all that match are sorted by their ids alone, and a page of them is read.
    page = page_of(rows.only("pk"), filters.order, cursor, PAGE_SIZE)
    whole = Decision.objects.select_related(*SHOWN).in_bulk([row.pk for row in page.rows])
    return Page([whole[row.pk] for row in page.rows if row.pk in whole], page.next, page.previous)


def progress_queries(workspace: Workspace, filters: QueueFilters, actor: Actor) -> dict[str, DecisionQuerySet]:
    """What `progress_of` counts: what matches and waits, and what the person has settled since midnight."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    settled = filters.whatever_status(workspace, as_proposed=True).filter(
        status__in=[DecisionStatus.APPROVED, DecisionStatus.DECLINED],
        decided_by_kind=actor.kind,
        decided_by_id=actor.id,
        decided_at__gte=midnight,
    )
    return {"waiting": filters.whatever_status(workspace, waiting=True).in_queue(), "reviewed": settled}


def progress_of(workspace: Workspace, filters: QueueFilters, actor: Actor, waiting: int | None = None) -> Progress:
    """Counted with the very filters of the list, whatever the status, and by what was proposed. How many wait may be
    known already."""
    asked = progress_queries(workspace, filters, actor)
    known = {} if waiting is None else {"waiting": waiting}
    return Progress(**known, **counted(workspace, {name: one for name, one in asked.items() if name not in known}))


def action_counts(workspace: Workspace, filters: QueueFilters) -> dict[str, int] | None:
    """How many would be listed for each action, the other filters as they are; None where that would be more than MOST
    whose sums nobody keeps. What waits is counted whole."""
    if filters.summed:
        return _summed(workspace, filters)
    rows = filters.in_status(workspace, without="action").order_by()
    if filters.status in (WAITING, SNOOZED):
        return dict(rows.values_list("action").annotate(Count("id")))
    each = {action: Count("pk", filter=Q(action=action)) for action in Action.values}
    found = rows[: MOST + 1].aggregate(total=Count("pk"), **each)
    return None if found.pop("total") > MOST else {action: count for action, count in found.items() if count}


def _summed(workspace: Workspace, filters: QueueFilters) -> dict[str, int]:
    found: Counter[str] = Counter()
    first = first_day(filters.days) if filters.days is not None else EVER
    for (told,), numbers in added(
        FATES, Span(workspace, agent=filters.agent), Days(first), hours_of(workspace), ("told",)
    ):
        action, status = told.split("/")
        if filters.status in (ALL, status):
            found[action] += int(numbers["count"])
    return dict(found)


def listed_of(workspace: Workspace, filters: QueueFilters, counts: Mapping[str, int] | None) -> UpTo:
    """How many are listed: known where it is of each action, else counted as far as is worth reading."""
    if counts is None:
        return UpTo.of(filters.rows(workspace)) if filters.action else UpTo(MOST, more=True)
    return UpTo(counts.get(filters.action, 0) if filters.action else sum(counts.values()))


def agents_of(workspace: Workspace) -> list[str]:
    """The names of the workspace's agents, for a filter."""
    found = Agent.objects.filter(workspace=workspace).order_by("external_id")
    return list(found.values_list("external_id", flat=True)[:50])


def position_of(decision: Decision, workspace: Workspace, filters: QueueFilters) -> int | None:
    """The item's place in the list, from 1; beyond MOST some place after it. None where the list does not have it."""
    rows = filters.rows(workspace)
    own = rows.filter(pk=decision.pk).first()
    if own is None:
        return None
    before = filters.order.beyond(getattr(own, filters.order.field), own.pk, reverse=True)
    return int(rows.filter(before).order_by()[:MOST].count()) + 1


def after_item(
    decision: Decision, workspace: Workspace, filters: QueueFilters, *, below_only: bool = False
) -> Decision | None:
    """What is next to it in the list: the one below, else (once it has been settled) the one above."""
    rows = filters.rows(workspace).exclude(pk=decision.pk)
    order = filters.order
    value = (decision.memory.recall_count if decision.memory else 0) if order.field == "impact" else None
    value = getattr(decision, order.field) if value is None else value
    below = order.sorted(rows.filter(order.beyond(value, decision.pk))).first()
    if below is not None or below_only:
        return below
    return order.sorted(rows.filter(order.beyond(value, decision.pk, reverse=True)), reverse=True).first()


def _share(given: Any) -> float | None:
    try:
        value = float(given)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) and 0 <= value <= 1 else None


def _hours(given: Any) -> int | None:
    """`24h`, `3d` or `24`, in hours."""
    text = str(given).strip().lower()
    factor = 24 if text.endswith("d") else 1
    digits = text.rstrip("hd")
    return int(digits) * factor if digits.isascii() and digits.isdigit() and len(digits) < 6 else None
