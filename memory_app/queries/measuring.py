"""The numbers of the metrics and the rows behind them: both are counted with one and the same condition."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Now
from django.utils import timezone

from memory_app.keyset import Order, Page, page_of
from memory_app.models import Workspace
from memory_app.models.decision import OPEN, WAITING_SINCE
from memory_app.moments import days_of, first_day

from .metrics import BY_NAME, METRICS, QUEUE, Metric, Part, Source
from .queue_days import at_ends, moves_of
from .sums import Days, added, added_to_each, hours_of, hours_of_each
from .tallies import BY_SOURCE, SETTLED, SPLIT, WAITED, Tally, exact

SPANS = (7, 30, 90)
LANGUAGES = ("en", "zh")
#: For rows without a session, or whose session has no agent or nothing that was said: an address can ask for them.
NONE = "-"
PAGE_SIZE, MOST_SPLITS, MOST_AGENTS = 50, 12, 20
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Number = float
#: By day, agent and language; then by the name of a part.
Cell = tuple[date, str, str]
Cells = Mapping[Cell, Mapping[str, Number]]


@dataclass(frozen=True)
class Scope:
    """What is measured: the last days of a workspace (None: of all), whole or of an agent, a language, one day."""

    workspace: Workspace | None
    days: int = 30
    agent: str = ""
    language: str = ""
    day: date | None = None

    @classmethod
    def read(cls, workspace: Workspace, query: Mapping[str, Any]) -> "Scope":
        language = str(query.get("language", ""))
        days = days_of(query.get("days", "")) or 30
        agent = str(query.get("agent", ""))[:200].replace("\x00", "")
        scope = cls(workspace, min(days, SPANS[-1]), agent, language if language in (*LANGUAGES, NONE) else "")
        day = str(query.get("day", ""))
        return replace(scope, day=next((one for one in scope.dates if one.isoformat() == day), None))

    @property
    def start(self) -> datetime:
        return first_day(self.days)

    @property
    def last(self) -> datetime | None:
        return None if self.day is None else _end(self.day)

    @property
    def dates(self) -> list[date]:
        first = self.start.date()
        return [first + timedelta(days=day) for day in range(self.days)]

    @property
    def until(self) -> Any:
        """The moment up to which is counted: the end of a day that is over, or now."""
        over = self.day is not None and _end(self.day) <= timezone.now()
        return Value(_end(self.day)) if self.day is not None and over else Now()

    @property
    def span(self) -> Days:
        """The days, or the day, with the midnights at which they begin."""
        if self.day is not None:
            return Days(_end(self.day, 0), _end(self.day))
        return Days(self.start, None, tuple(_end(day, 0) for day in self.dates))

    def narrowed(self, rows: "QuerySet[Any]", session: str = "session__") -> "QuerySet[Any]":
        """Those of the workspace, the agent and the language; `session` is the way to these two."""
        agent, language = f"{session}agent__external_id", f"{session}language"
        rows = rows.order_by()
        if self.workspace is not None:
            rows = rows.filter(workspace=self.workspace)
        if self.agent:
            rows = rows.filter(**({f"{agent}__isnull": True} if self.agent == NONE else {agent: self.agent}))
        if self.language == NONE:
            return rows.filter(Q(session=None) | Q(**{language: ""}) if session else Q(**{language: ""}))
        return rows.filter(**{language: self.language}) if self.language else rows

    def rows(self, source: Source) -> "QuerySet[Any]":
        """Rows of the source in the days: of a standing one, what waits now, or did at the end of the day."""
        rows = self.narrowed(source.model._default_manager.all())
        if source.standing:
            return (
                rows
                if self.day is None
                else rows.alias(waits_since=WAITING_SINCE).filter(waits_since__lt=_end(self.day))
            )
        first, last = (self.start, None) if self.day is None else (_end(self.day, 0), _end(self.day))
        rows = rows.filter(**{f"{source.at}__gte": first})
        return rows.filter(**{f"{source.at}__lt": last}) if last is not None else rows

    def part(self, part: Part) -> "QuerySet[Any]":
        """The very rows that the part counts."""
        rows = self.rows(part.source)
        if part.source.standing and self.day is not None:
            return rows.filter(Q(status__in=OPEN) | Q(status__in=SETTLED, decided_at__gte=_end(self.day)))
        return rows.filter(part.condition(self))


def _end(day: date, after: int = 1) -> datetime:
    """Midnight after the day, in the operator's zone."""
    midnight = datetime(day.year, day.month, day.day) + timedelta(days=after)  # noqa: DTZ001
    return timezone.make_aware(midnight)


@dataclass(frozen=True)
class Reading:
    """A metric's number, with what was counted and of how much."""

    metric: Metric
    over: Number = 0
    of: Number = 0

    @property
    def value(self) -> float | None:
        """None where there is nothing to count of."""
        if self.metric.of is None:
            return self.over
        if not self.of:
            return None
        return self.over / self.of * (100 if self.metric.unit in ("percent", "hundred") else 1)

    @property
    def listed(self) -> int:
        """How many rows stand behind it."""
        return int(self.over if self.metric.listed is self.metric.over else self.of)


@dataclass(frozen=True)
class Measured:
    """The readings of a scope, to be had whole, by day, by agent and by language."""

    scope: Scope
    cells: Cells = field(repr=False)

    def reading(self, metric: Metric) -> Reading:
        """The whole; of what is standing, how it stood last."""
        if metric.over.source.standing:
            return self._folded(metric, lambda cell: cell[0]).get(self._last, Reading(metric))
        return self._folded(metric, lambda cell: "").get("", Reading(metric))

    def by_day(self, metric: Metric) -> list[Reading]:
        found = self._folded(metric, lambda cell: cell[0])
        return [found.get(day, Reading(metric)) for day in self.scope.dates]

    def by_agent(self, metric: Metric) -> dict[str, Reading]:
        return self._apart(metric, 1)

    def by_language(self, metric: Metric) -> dict[str, Reading]:
        return self._apart(metric, 2)

    @property
    def _last(self) -> date:
        return self.scope.day or self.scope.dates[-1]

    def _apart(self, metric: Metric, place: int) -> dict[str, Reading]:
        """By the name that a cell has in this place, most rows first, without those of which there is nothing."""
        standing = metric.over.source.standing
        found = self._folded(metric, lambda cell: None if standing and cell[0] != self._last else cell[place])
        there = [(name, one) for name, one in found.items() if name is not None and (one.over or one.of)]
        return dict(sorted(there, key=lambda pair: (-pair[1].listed, pair[0])))

    def _folded(self, metric: Metric, name_of: Callable[[Cell], Any]) -> dict[Any, Reading]:
        """The cells added up by what they are called; each is looked at once."""
        over: dict[Any, Number] = defaultdict(float)
        of: dict[Any, Number] = defaultdict(float)
        for cell, numbers in self.cells.items():
            name = name_of(cell)
            over[name] += numbers.get(f"{metric.name}_over", 0)
            of[name] += numbers.get(f"{metric.name}_of", 0)
        return {name: Reading(metric, over[name], of[name]) for name in over}


def measured(scope: Scope, metrics: Sequence[Metric] = METRICS) -> Measured:
    """The metrics of the scope; a statement or two for each source, however many days, agents and rows there are."""
    cells: dict[Cell, dict[str, Number]] = defaultdict(lambda: defaultdict(float))
    waited: dict[Cell, dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    hours, keys = hours_of(scope.workspace), ("day", "agent", "language")
    for (tally, days), names in _wanted(scope, metrics).items():
        of_queue = WAITED.get(tally.source, {})
        for (day, agent, language), numbers in added(tally, scope, days, hours, keys, names):
            cell = day, agent or NONE, language or NONE
            for name, number in numbers.items():
                if name in of_queue:
                    waited[cell][name] += number
                else:
                    cells[cell][name] += float(number)
    for metric in metrics_of(QUEUE, metrics):
        _fold_queue(scope, metric, waited, cells)
    return Measured(scope, cells)


def _wanted(scope: Scope, metrics: Iterable[Metric]) -> dict[tuple[Tally, Days], list[str]]:
    """What is to be added up over which days. What waited at the end of a day, all days tell of."""
    found: dict[tuple[Tally, Days], list[str]] = defaultdict(list)
    for source, parts in _by_source(metrics).items():
        if not source.standing:
            found[BY_SOURCE[source], scope.span] += parts
            continue
        for other, waited in WAITED.items():
            found[BY_SOURCE[other], replace(scope, day=None).span] += waited
    return found


def metrics_of(source: Source, metrics: Iterable[Metric]) -> Iterable[Metric]:
    return (metric for metric in metrics if metric.over.source is source)


def by_workspace(
    workspace: Workspace | None, days: int, metrics: Sequence[Metric] = METRICS
) -> dict[str, dict[str, Reading]]:
    """Every metric of the workspace, or of all of them, by its slug: at most two statements for each source."""
    scope, each = Scope(workspace, days), Workspace.objects.all()
    slugs = dict((each if workspace is None else each.filter(pk=workspace.pk)).values_list("pk", "slug"))
    hours = hours_of_each(slugs)
    found: dict[str, dict[str, Number]] = defaultdict(lambda: defaultdict(float))
    for source, parts in _by_source(metrics).items():
        read = _standing(scope, source, parts) if source.standing else added_to_each(
            BY_SOURCE[source], hours, scope.span, ("workspace",), list(parts)
        )  # fmt: skip
        for (one,), numbers in read:
            if one not in slugs:
                continue  # made since they were read; next time it is told
            for name, number in numbers.items():
                found[slugs[one]][name] += float(number)
    return {
        slug: {m.name: Reading(m, numbers[f"{m.name}_over"], numbers[f"{m.name}_of"]) for m in metrics}
        for slug, numbers in found.items()
    }


def _standing(scope: Scope, source: Source, parts: Mapping[str, Part]) -> Iterable[tuple[tuple[Any], dict[str, Any]]]:
    """What waits now, by workspace."""
    rows = scope.rows(source).filter(status__in=OPEN)
    counted = Tally(source.name, source, parts).counted(rows, parts, {"its_workspace": F("workspace")}, scope)
    for workspace, *numbers in counted:
        yield (workspace,), {name: exact(number) for name, number in zip(parts, numbers, strict=True)}


def split_of(scope: Scope, metric: Metric) -> dict[str, Reading]:
    """The metric told apart by its split, most rows first; nothing where it is not."""
    if metric.split is None:
        return {}
    found: dict[str, dict[str, Number]] = defaultdict(lambda: defaultdict(float))
    for (told,), numbers in added(SPLIT[metric.name], scope, scope.span, hours_of(scope.workspace), ("told",)):
        for name, number in numbers.items():
            found[told][name] += float(number)
    readings = {
        told: Reading(metric, numbers[f"{metric.name}_over"], numbers[f"{metric.name}_of"])
        for told, numbers in found.items()
        if any(numbers.values())
    }
    ordered = sorted(readings.items(), key=lambda one: (-one[1].over, -one[1].of, one[0]))
    return dict(ordered[:MOST_SPLITS])


def listed(scope: Scope, metric: Metric, *, whole: bool = False, told: str = "") -> "QuerySet[Any]":
    """The rows behind the number (with `whole`, those it is of), with `counts_at` and, of a mean, `amount`."""
    rows = _plain(scope, metric, whole=whole, told=told)
    return rows if metric.over.value is None else rows.annotate(amount=metric.over.value(scope))


def _plain(scope: Scope, metric: Metric, *, whole: bool, told: str) -> "QuerySet[Any]":
    part = metric.of if whole and metric.of is not None else metric.listed
    rows = scope.part(part)
    if told and metric.split is not None:
        rows = rows.annotate(told=metric.split).filter(told=told)
    table = part.source.at.rpartition("__")[0]
    if table and scope.workspace is not None:  # an index of that table has the order, within a workspace
        rows = rows.filter(**{f"{table}__workspace": scope.workspace})
    found: QuerySet[Any] = rows.annotate(counts_at=F(part.source.at))
    return found


def rows_page(
    scope: Scope,
    metric: Metric,
    related: Mapping[type[Any], Sequence[str]],
    cursor: str,
    *,
    whole: bool = False,
    told: str = "",
) -> Page[Any]:
    """A page of them with the `related` rows of their table. Which these are is asked first, and once: what each holds and its
    amount is read and worked out for a page alone."""
    plain = _plain(scope, metric, whole=whole, told=told).only("pk")
    page = page_of(plain, Order("counts_at"), cursor, PAGE_SIZE)
    rows = plain.model._default_manager.filter(pk__in=[one.pk for one in page.rows])
    rows = rows.select_related(*related[plain.model]).annotate(counts_at=F(metric.listed.source.at))
    rows = rows if metric.over.value is None else rows.annotate(amount=metric.over.value(scope))
    found = {row.pk: row for row in rows}
    return replace(page, rows=[found[one.pk] for one in page.rows if one.pk in found])


def _by_source(metrics: Iterable[Metric]) -> dict[Source, dict[str, Part]]:
    found: dict[Source, dict[str, Part]] = defaultdict(dict)
    for metric in metrics:
        for name, part in metric.parts().items():
            found[part.source][name] = part
    return found


def _fold_queue(scope: Scope, metric: Metric, waited: Any, cells: Any) -> None:
    """The age of what waited at the end of each day, and now."""
    now = timezone.now()
    for (agent, language), moves in moves_of(scope, waited, NONE).items():
        for day, count, since in at_ends(scope.dates, moves):
            age = exact(min(_end(day), now) - EPOCH) * count - since
            cell = cells[day, agent, language]
            cell[f"{metric.name}_over"] += float(max(Decimal(0), age))
            cell[f"{metric.name}_of"] += count


__all__ = ["BY_NAME", "METRICS", "Measured", "Reading", "Scope", "by_workspace", "listed", "measured", "rows_page"]
