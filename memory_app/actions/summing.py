"""The sums by the hour kept up to date: hours that are over are summed once, those that changed once more."""

import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Min, Q
from django.utils import timezone

from memory_app.models import ChangedHour, HourlySum, SummedUntil, Workspace
from memory_app.queries.metrics import Source
from memory_app.queries.sums import HOUR, floor
from memory_app.queries.tallies import TALLIES, Reach, Tally, definition, exact

STEP = timedelta(days=3)  # summed in one transaction
MOST_CHANGED = 72  # hours summed anew in one transaction
SOURCES: tuple[Source, ...] = tuple(dict.fromkeys(tally.source for tally in TALLIES))
SECONDS = 20.0  # of a worker, before it does something else


def sum_hours(workspaces: Iterable[Workspace] | None = None, seconds: float = SECONDS) -> bool:
    """The sums brought up to date, as far as the time reaches; whether they are."""
    until = time.monotonic() + seconds
    for workspace in Workspace.objects.order_by("pk") if workspaces is None else workspaces:
        while sum_some(workspace):
            if time.monotonic() > until:
                return False
    return True


def sum_anew(workspace: Workspace) -> None:
    """Nothing is taken as summed any more; what is there stays until it is replaced."""
    SummedUntil.objects.filter(workspace=workspace).update(definition="")


def sum_some(workspace: Workspace) -> bool:
    """Some hours that had changed summed anew, or else the next ones summed; whether there may be more."""
    with transaction.atomic():
        state = _held(workspace)
        if state is None:  # another worker does it
            return False
        changed = _changed(state)
        for source, hours in changed.items():
            _sum(workspace, source, hours[0], hours[-1] + HOUR, hours)
        if changed:
            return True
        until = min(state.until + STEP, _settled_until())
        if until <= state.until:
            return False
        for source in SOURCES:
            _sum(workspace, source, state.until, until)
        state.until = until
        state.save()
    return True


def _held(workspace: Workspace) -> SummedUntil | None:
    """Where the workspace stands, held for this transaction; from its first row on where it is not summed as now defined."""
    SummedUntil.objects.get_or_create(workspace=workspace, defaults={"until": floor(timezone.now()), "definition": ""})
    state = SummedUntil.objects.select_for_update(skip_locked=True).filter(workspace=workspace).first()
    if state is not None and state.definition != definition():
        state.until, state.definition = _first(workspace), definition()
        state.save()
    return state


def _first(workspace: Workspace) -> datetime:
    """The hour of the workspace's first row."""
    found = [_settled_until()]
    for source in SOURCES:
        rows = source.model._default_manager.filter(workspace=workspace)
        if source.at.startswith("session__"):
            continue  # sessions are a source themselves
        first = rows.aggregate(first=Min(source.at))["first"]
        found += [floor(first)] if first is not None else []
    return min(found)


def _settled_until() -> datetime:
    """Until when no row is written any more without a mark. A row of the hour that runs gets none, so an hour is summed
    when another has passed, and no transaction is left that began before that one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT min(xact_start) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend' AND backend_xid IS NOT NULL"  # it has written
        )
        oldest = cursor.fetchone()[0]
    now = timezone.now()
    return floor(min(oldest or now, now)).astimezone(UTC) - HOUR


def _changed(state: SummedUntil) -> dict[Source, list[datetime]]:
    """Some of the changed hours by source, in order."""
    rows = ChangedHour.objects.filter(workspace=state.workspace_id, hour__lt=state.until).order_by("source", "hour")
    by_name = {source.name: source for source in SOURCES}
    found: dict[Source, list[datetime]] = {}
    for name, hour in rows.values_list("source", "hour").distinct()[:MOST_CHANGED]:
        found.setdefault(by_name[name], []).append(hour)
    return found


def _sum(
    workspace: Workspace, source: Source, first: datetime, last: datetime, hours: Sequence[datetime] | None = None
) -> None:
    """The hours of the source from `first` until `last`, all or these, counted and no longer changed."""
    which = Q(hour__gte=first, hour__lt=last) & (Q() if hours is None else Q(hour__in=hours))
    # The marks go first: whatever is committed later has one of its own, and is summed anew.
    ChangedHour.objects.filter(which, workspace=workspace, source=source.name).delete()
    for tally in (one for one in TALLIES if one.source is source):
        HourlySum.objects.filter(which, workspace=workspace, tally=tally.name).delete()
        HourlySum.objects.bulk_create(_counted(workspace, tally, first, last, hours), batch_size=2_000)


def _counted(
    workspace: Workspace, tally: Tally, first: datetime, last: datetime, hours: Sequence[datetime] | None
) -> list[HourlySum]:
    at = tally.source.at
    rows: Any = tally.source.model._default_manager.filter(workspace=workspace)
    rows = rows.filter(**{f"{at}__gte": first, f"{at}__lt": last})
    if hours is not None:
        within = Q()
        for hour in hours:
            within |= Q(**{f"{at}__gte": hour, f"{at}__lt": hour + HOUR})
        rows = rows.filter(within)
    found = []
    for hour, agent, language, told, *numbers in tally.by_hour(rows, Reach(workspace, first, last)):
        if any(numbers):
            found.append(
                HourlySum(
                    workspace=workspace, tally=tally.name, hour=hour, agent_id=agent, language=language, told=told,
                    numbers=[exact(number) for number in numbers],
                )
            )  # fmt: skip
    return found


__all__ = ["SECONDS", "sum_anew", "sum_hours", "sum_some"]
