"""Numbers added up over days: from the sums of the hours that hold, and from the rows of all others.

Which is which changes no number. An hour is read from its rows while it runs, where a row of it has changed since it was
summed, and where a midnight of the operator's zone goes through it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Protocol

from django.db.models import F, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce, TruncDate

from memory_app.models import ChangedHour, HourlySum, SummedUntil, Workspace

from .metrics import Source
from .tallies import Reach, Tally, definition, exact

HOUR = timedelta(hours=1)
MOST_RANGES = 40
Range = tuple[datetime, datetime | None]


class Narrows(Protocol):
    """A workspace, and perhaps an agent and a language of it."""

    @property
    def workspace(self) -> Workspace | None: ...

    def narrowed(self, rows: "QuerySet[Any]", session: str = "session__") -> "QuerySet[Any]": ...


@dataclass(frozen=True)
class Hours:
    """The hours of a workspace whose sums hold: those before `until` but the changed ones of each source."""

    until: datetime | None = None
    changed: Mapping[str, frozenset[datetime]] = field(default_factory=dict)

    def from_rows(
        self, source: Source, first: datetime, last: datetime | None, midnights: Iterable[datetime]
    ) -> list[Range]:
        """What of the time between is to be read from rows, in whole hours."""
        if self.until is None or self.until <= first:
            return [(first, last)]
        cut = self.until if last is None else min(self.until, last)
        found = {hour for hour in self.changed.get(source.name, ()) if floor(first) <= hour < cut}
        found |= {floor(moment) for moment in (first, *midnights, cut) if moment != floor(moment) and moment <= cut}
        ranges = _joined(sorted(found))
        return ranges if cut == last else _joined_with(ranges, cut, last)


def hours_of(workspace: Workspace | None) -> Hours:
    """One statement where nothing is summed yet, else two."""
    if workspace is None:
        return Hours()
    state = SummedUntil.objects.filter(workspace=workspace, definition=definition()).first()
    return Hours() if state is None else Hours(state.until, _changed([state])[workspace.pk])


def hours_of_each(workspaces: Iterable[Any]) -> dict[Any, Hours]:
    """The hours of many workspaces by their ids, in two statements."""
    states = list(SummedUntil.objects.filter(workspace__in=list(workspaces), definition=definition()))
    changed = _changed(states) if states else {}
    found = {state.workspace_id: Hours(state.until, changed[state.workspace_id]) for state in states}
    return {workspace: found.get(workspace, Hours()) for workspace in workspaces}


def _changed(states: Sequence[SummedUntil]) -> dict[Any, dict[str, frozenset[datetime]]]:
    """Of each workspace the changed hours of each source, before it is summed until."""
    until = {state.workspace_id: state.until for state in states}
    rows = ChangedHour.objects.filter(workspace__in=list(until), hour__lt=max(until.values())).order_by()
    found: dict[Any, dict[str, set[datetime]]] = {workspace: {} for workspace in until}
    for workspace, source, hour in rows.values_list("workspace", "source", "hour").distinct():
        if hour < until[workspace]:
            found[workspace].setdefault(source, set()).add(hour)
    return {one: {source: frozenset(hours) for source, hours in of.items()} for one, of in found.items()}


@dataclass(frozen=True)
class Days:
    """A time to add up over: from a moment until another (none: without end), and the midnights within it."""

    first: datetime
    last: datetime | None = None
    midnights: tuple[datetime, ...] = ()


def added(
    tally: Tally, scope: Narrows, days: Days, hours: Hours, keys: Sequence[str], names: Sequence[str] = ()
) -> Iterator[tuple[tuple[Any, ...], dict[str, Decimal]]]:
    """Each group by its `keys` (day, agent, language, told) with its numbers; a group may come twice, to be added up."""
    source, names = tally.source, names or tuple(tally.parts)
    ranges = hours.from_rows(source, days.first, days.last, days.midnights)
    found: list[Any] = []
    if (summed := _summed(days, hours.until, ranges)) is not None:
        found += _of_sums(tally, scope.narrowed(HourlySum.objects.filter(summed), ""), keys, names)
    if ranges:
        rows = scope.narrowed(source.model._default_manager.all(), source.session)
        rows = rows.filter(_unsummed(source, days, ranges))
        reach = Reach(scope.workspace, max(days.first, ranges[0][0]), days.last)
        found += _of_rows(tally, rows, keys, names, reach)
    yield from _told(found, keys, names)


def added_to_each(
    tally: Tally, each: Mapping[Any, Hours], days: Days, keys: Sequence[str], names: Sequence[str] = ()
) -> Iterator[tuple[tuple[Any, ...], dict[str, Decimal]]]:
    """The same of many workspaces, known by their ids: at most two statements, however many they are."""
    source, names = tally.source, names or tuple(tally.parts)
    alike: dict[tuple[Any, tuple[Range, ...]], list[Any]] = {}
    for workspace, hours in each.items():
        read = hours.from_rows(source, days.first, days.last, days.midnights)
        alike.setdefault((hours.until, tuple(read)), []).append(workspace)
    summed, unsummed, start = Q(), Q(), days.last
    for (until, ranges), workspaces in alike.items():
        of_these = Q(workspace__in=workspaces)
        if (of_sums := _summed(days, until, ranges)) is not None:
            summed |= of_these & of_sums
        if ranges:
            unsummed |= of_these & _unsummed(source, days, ranges)
            begun = max(days.first, ranges[0][0])
            start = begun if start is None else min(start, begun)
    found: list[Any] = []
    if summed:
        found += _of_sums(tally, HourlySum.objects.filter(summed), keys, names)
    if unsummed and start is not None:
        rows = source.model._default_manager.filter(unsummed)
        found += _of_rows(tally, rows, keys, names, Reach(None, start, days.last))
    yield from _told(found, keys, names)


def _told(
    found: Iterable[Any], keys: Sequence[str], names: Sequence[str]
) -> Iterator[tuple[tuple[Any, ...], dict[str, Decimal]]]:
    for row in found:
        yield tuple(row[: len(keys)]), {name: exact(one) for name, one in zip(names, row[len(keys) :], strict=True)}


def _unsummed(source: Source, days: Days, ranges: Sequence[Range]) -> Q:
    """The rows of the days that are in these hours."""
    within = _within(source.at, [(max(days.first, first), last) for first, last in ranges])
    return within if days.last is None else within & Q(**{f"{source.at}__lt": days.last})


def _summed(days: Days, until: datetime | None, ranges: Sequence[Range]) -> Q | None:
    """The sums of the days that hold; None where there are none."""
    if until is None or until <= days.first:
        return None
    hours = Q(hour__gte=floor(days.first), hour__lt=until if days.last is None else min(until, days.last))
    return hours & ~_within("hour", ranges) if ranges else hours


def _of_rows(
    tally: Tally, rows: "QuerySet[Any]", keys: Sequence[str], names: Sequence[str], reach: Reach
) -> "QuerySet[Any]":
    source = tally.source
    columns = {
        "its_workspace": F("workspace"),
        "day": TruncDate(source.at),
        "agent_name": F(f"{source.session}agent__external_id"),
        "its_language": Coalesce(F(f"{source.session}language"), Value("")),
        "told_by": tally.told,
    }
    return tally.counted(rows, names, {COLUMNS[key]: columns[COLUMNS[key]] for key in keys}, reach)


def _of_sums(tally: Tally, rows: "QuerySet[Any]", keys: Sequence[str], names: Sequence[str]) -> "QuerySet[Any]":
    columns = {
        "its_workspace": F("workspace"), "day": TruncDate("hour"), "agent_name": F("agent__external_id"),
        "its_language": F("language"), "told_by": F("told"),
    }  # fmt: skip
    places = {name: at for at, name in enumerate(tally.parts)}
    sums = {f"sum_of_{name}": Sum(f"numbers__{places[name]}") for name in names}
    kept = {COLUMNS[key]: columns[COLUMNS[key]] for key in keys}
    rows = rows.filter(tally=tally.name)
    found: QuerySet[Any] = rows.annotate(**kept).values(*kept).annotate(**sums).order_by().values_list(*kept, *sums)
    return found


#: Keys as their statements call them, apart from the fields of the tables.
COLUMNS = {
    "workspace": "its_workspace",
    "day": "day",
    "agent": "agent_name",
    "language": "its_language",
    "told": "told_by",
}


def floor(moment: datetime) -> datetime:
    """The hour that a moment is in, as UTC has it."""
    return moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def _within(column: str, ranges: Iterable[Range]) -> Q:
    found = Q()
    for first, last in ranges:
        one = Q(**{f"{column}__gte": first})
        found |= one & Q(**{f"{column}__lt": last}) if last is not None else one
    return found


def _joined(hours: Sequence[datetime]) -> list[Range]:
    """Hours that follow each other as one range; very many ranges as a single one, since rows are never wrong."""
    ranges: list[tuple[datetime, datetime]] = []
    for hour in hours:
        if ranges and ranges[-1][1] == hour:
            ranges[-1] = (ranges[-1][0], hour + HOUR)
        else:
            ranges.append((hour, hour + HOUR))
    if len(ranges) > MOST_RANGES:
        ranges = [(ranges[0][0], ranges[-1][1])]
    return [*ranges]


def _joined_with(ranges: list[Range], first: datetime, last: datetime | None) -> list[Range]:
    if ranges and ranges[-1][1] == first:
        return [*ranges[:-1], (ranges[-1][0], last)]
    return [*ranges, (first, last)]
