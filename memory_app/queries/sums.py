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
    state = SummedUntil.objects.filter(workspace=workspace).first() if workspace is not None else None
    if state is None or state.definition != definition():
        return Hours()
    rows = ChangedHour.objects.filter(workspace=workspace, hour__lt=state.until).order_by()
    changed: dict[str, set[datetime]] = {}
    for source, hour in rows.values_list("source", "hour").distinct():
        changed.setdefault(source, set()).add(hour)
    return Hours(state.until, {source: frozenset(hours) for source, hours in changed.items()})


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
    names = names or tuple(tally.parts)
    ranges = hours.from_rows(tally.source, days.first, days.last, days.midnights)
    found: list[Any] = []
    if hours.until is not None and hours.until > days.first:
        found += _of_sums(tally, scope, days, hours.until, ranges, keys, names)
    if ranges:
        found += _of_rows(tally, scope, days, ranges, keys, names)
    for row in found:
        yield tuple(row[: len(keys)]), {name: exact(one) for name, one in zip(names, row[len(keys) :], strict=True)}


def _of_rows(
    tally: Tally, scope: Narrows, days: Days, ranges: list[Range], keys: Sequence[str], names: Sequence[str]
) -> "QuerySet[Any]":
    source, start = tally.source, max(days.first, ranges[0][0])
    rows = scope.narrowed(source.model._default_manager.all(), source.session)
    rows = rows.filter(_within(source.at, [(max(first, start), last) for first, last in ranges]))
    if days.last is not None:
        rows = rows.filter(**{f"{source.at}__lt": days.last})
    columns = {
        "day": TruncDate(source.at),
        "agent_name": F(f"{source.session}agent__external_id"),
        "its_language": Coalesce(F(f"{source.session}language"), Value("")),
        "told_by": tally.told,
    }
    return tally.counted(
        rows, names, {COLUMNS[key]: columns[COLUMNS[key]] for key in keys}, Reach(scope.workspace, start, days.last)
    )


def _of_sums(
    tally: Tally,
    scope: Narrows,
    days: Days,
    until: datetime,
    ranges: list[Range],
    keys: Sequence[str],
    names: Sequence[str],
) -> "QuerySet[Any]":
    rows = scope.narrowed(HourlySum.objects.filter(tally=tally.name), "")
    rows = rows.filter(hour__gte=floor(days.first), hour__lt=until if days.last is None else min(until, days.last))
    if ranges:
        rows = rows.exclude(_within("hour", ranges))
    columns = {
        "day": TruncDate("hour"), "agent_name": F("agent__external_id"), "its_language": F("language"), "told_by": F("told"),
    }  # fmt: skip
    places = {name: at for at, name in enumerate(tally.parts)}
    sums = {f"sum_of_{name}": Sum(f"numbers__{places[name]}") for name in names}
    kept = {COLUMNS[key]: columns[COLUMNS[key]] for key in keys}
    found: QuerySet[Any] = rows.annotate(**kept).values(*kept).annotate(**sums).order_by().values_list(*kept, *sums)
    return found


#: Keys as their statements call them, apart from the fields of the tables.
COLUMNS = {"day": "day", "agent": "agent_name", "language": "its_language", "told": "told_by"}


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
