"""The numbers of the overview. Each is counted with the filters of the list that it links to."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Case, Count, IntegerField, Min, QuerySet, When
from django.utils import timezone

from memory_app.models import (
    Action,
    Agent,
    Decision,
    Memory,
    Session,
    SessionStatus,
    Workspace,
)
from memory_app.models.decision import CARRIED_OUT
from memory_app.moments import days_of, first_day

from .metrics import TURNS, WRITES
from .sums import Days, Hours, added, hours_of
from .tallies import BEGUN, BY_SOURCE, FATES, PLACES

SPANS = (7, 14, 30, 90)
LATE = timedelta(hours=24)
#: Upper bounds of the ages in which the queue is drawn; the last one has none.
AGES = (timedelta(hours=1), timedelta(hours=4), timedelta(hours=24), timedelta(days=3))
RECENT, FAILED, MOST_AGENTS = 8, 5, 20


@dataclass(frozen=True)
class Span:
    """What the overview is about: the last days, and one agent or all."""

    workspace: Workspace
    days: int = 14
    agent: str = ""

    @classmethod
    def read(cls, workspace: Workspace, query: Mapping[str, Any]) -> "Span":
        agent = str(query.get("agent", ""))[:200].replace("\x00", "")
        return cls(workspace, days_of(query.get("days", "")) or 14, agent)

    @property
    def start(self) -> datetime:
        return first_day(self.days)

    @property
    def dates(self) -> list[date]:
        first = self.start.date()
        return [first + timedelta(days=day) for day in range(self.days)]

    def of_agent(self, rows: "QuerySet[Any]", path: str = "session__agent__external_id") -> "QuerySet[Any]":
        own = rows.filter(workspace=self.workspace).order_by()
        return own.filter(**{path: self.agent}) if self.agent else own

    def narrowed(self, rows: "QuerySet[Any]", session: str = "session__") -> "QuerySet[Any]":
        return self.of_agent(rows, f"{session}agent__external_id")

    def over(self, spans: int = 1) -> Days:
        """The days, with as many before them as asked for."""
        first = self.start - timedelta(days=self.days * (spans - 1))
        return Days(first, None, tuple(first + timedelta(days=day) for day in range(self.days * spans)))


@dataclass(frozen=True)
class Waiting:
    """The open decisions, whenever they were made."""

    by_action: Mapping[str, int]
    by_age: tuple[int, ...]
    oldest: datetime | None
    late: int
    by_agent: Mapping[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(self.by_action.values())


@dataclass(frozen=True)
class Decided:
    """The decisions of the span by day, action and status, and the share of overrides in the span before."""

    dates: tuple[date, ...]
    counts: Mapping[tuple[date, str, str], int] = field(repr=False)
    override_rate_before: float | None = None

    def where(self, day: date | None = None, action: str = "", statuses: tuple[str, ...] = ()) -> int:
        return sum(
            count
            for (its_day, its_action, its_status), count in self.counts.items()
            if (day is None or its_day == day)
            and (not action or its_action == action)
            and (not statuses or its_status in statuses)
        )

    @property
    def by_action(self) -> dict[str, int]:
        totals: Counter[str] = Counter()
        for (_day, action, _status), count in self.counts.items():
            totals[action] += count
        return dict(totals)

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def share(self, part: int, of: int | None = None) -> float | None:
        whole = self.total if of is None else of
        return part / whole if whole else None


@dataclass
class AgentRow:
    name: str
    sessions: int = 0
    turns: int = 0
    writes: int = 0
    decisions: int = 0
    overrides: int = 0
    blocks: int = 0
    waiting: int = 0


def is_fresh(workspace: Workspace) -> bool:
    """Whether nothing has happened here yet."""
    return not any(model.objects.filter(workspace=workspace).exists() for model in (Session, Memory, Decision))


def agents_of(workspace: Workspace) -> list[str]:
    found = Agent.objects.filter(workspace=workspace).order_by("external_id")
    return list(found.values_list("external_id", flat=True)[:50])


def waiting_of(span: Span) -> Waiting:
    """One reading of what waits, told apart by action and agent."""
    rows, now = span.of_agent(Decision.objects.in_queue().waiting_since()), timezone.now()
    rows = rows.annotate(
        age=Case(
            *(When(waits_since__gt=now - age, then=at) for at, age in enumerate(AGES)),
            default=len(AGES),
            output_field=IntegerField(),
        )
    )
    by_action: Counter[str] = Counter()
    by_agent: Counter[str] = Counter()
    by_age, oldest_of = [0] * (len(AGES) + 1), []
    for action, agent, at, count, since in rows.values_list("action", "session__agent__external_id", "age").annotate(
        n=Count("pk"), oldest=Min("waits_since")
    ):
        by_action[action] += count
        by_agent[agent or ""] += count
        by_age[at] += count
        oldest_of.append(since)
    late = sum(by_age[AGES.index(LATE) + 1 :])
    return Waiting(by_action, tuple(by_age), min(oldest_of, default=None), late, by_agent)


@dataclass(frozen=True)
class Counted:
    """What happened in the span: decisions; blocks by category and stage; turns of the sessions that began; agents."""

    decided: Decided
    blocks: Mapping[tuple[str, str], int]
    turns: int
    agents: list[AgentRow]


def counted_of(span: Span, waiting: Waiting) -> Counted:
    """Read once for all that is shown of it; a statement or two for each kind of row, however many agents there are."""
    hours = hours_of(span.workspace)
    agents: dict[str, AgentRow] = {}

    def row(name: str | None) -> AgentRow:
        """The agent's; what has none is counted where nobody looks."""
        return agents.setdefault(name or "", AgentRow(name or ""))

    for (name,), found in added(BEGUN, span, span.over(), hours, ("agent",)):
        row(name).sessions += int(found["count"])
    for (name,), found in added(BY_SOURCE[TURNS], span, span.over(), hours, ("agent",), ("writes_of",)):
        row(name).turns += int(found["writes_of"])
    blocks: Counter[tuple[str, str]] = Counter()
    for (name, told), found in added(PLACES, span, span.over(), hours, ("agent", "told")):
        category, stage = told.split("/")
        blocks[category, stage] += int(found["count"])
        row(name).blocks += int(found["count"])
    decided = _decided_of(span, hours, row)
    for name, count in waiting.by_agent.items():
        row(name).waiting = count
    turns = sum(one.turns for one in agents.values())
    busiest = sorted((one for one in agents.values() if one.name), key=lambda one: (-one.sessions, one.name))
    return Counted(decided, blocks, turns, busiest[:MOST_AGENTS])


def _decided_of(span: Span, hours: Hours, row: Callable[[str | None], AgentRow]) -> Decided:
    """The decisions by day, action and status, and of each agent; of the span before, the share of overrides."""
    counts: Counter[tuple[date, str, str]] = Counter()
    before: Counter[bool] = Counter()  # whether it was an override
    first = span.start.date()
    for (day, name, told), found in added(FATES, span, span.over(2), hours, ("day", "agent", "told")):
        (action, status), count = told.split("/"), int(found["count"])
        if day < first:
            before[action == Action.OVERRIDE] += count
            continue
        counts[day, action, status] += count
        one = row(name)
        one.decisions += count
        one.overrides += count if action == Action.OVERRIDE else 0
        one.writes += count if action in WRITES and status in CARRIED_OUT else 0
    rate = before[True] / before.total() if before.total() else None
    return Decided(tuple(span.dates), counts, rate)


def failed_sessions(span: Span) -> tuple[list[Session], int]:
    """Sessions whose consolidation has given up, newest first, each with its runs; and how many there are."""
    rows = span.of_agent(Session.objects.filter(status=SessionStatus.FAILED), "agent__external_id")
    shown = list(rows.select_related("user").prefetch_related("runs").order_by("-last_active_at")[:FAILED])
    return shown, rows.count() if len(shown) == FAILED else len(shown)


def recent_decisions(span: Span) -> list[Decision]:
    """The decisions that were last settled or taken back."""
    rows = span.of_agent(Decision.objects.filter(decided_at__gte=span.start))
    rows = rows.select_related("memory", "note", "user", "team", "session")
    return list(rows.order_by("-decided_at", "-number")[:RECENT])


def totals_by_day(decided: Decided) -> dict[str, list[int]]:
    """For each action the count of each day."""
    places = {day: at for at, day in enumerate(decided.dates)}
    found: dict[str, list[int]] = defaultdict(lambda: [0] * len(decided.dates))
    for (day, action, _status), count in decided.counts.items():
        if day in places:
            found[action][places[day]] += count
    return dict(found)
