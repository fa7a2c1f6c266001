"""What is wrong right now, in every workspace; a few statements for each kind of alert, however many rows there are."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from django.conf import settings
from django.db.models import Count, Min
from django.utils import timezone

from consolidation.domain import alerts as rules
from consolidation.models import ConsolidationRun, RunStatus
from memory_app.models import AlertKind, Block, Category, Decision, Workspace
from memory_app.queries.metrics import BY_NAME, DECISIONS
from memory_app.queries.sums import Days, Hours, added_to_each, hours_of_each
from memory_app.queries.tallies import BY_SOURCE, FATES, Tally

Alarm = tuple[Any, str, str, dict[str, Any]]
#: Of a workspace by its id: numbers by kind and subject.
Alarms = dict[Any, dict[tuple[str, str], dict[str, Any]]]
Numbers = dict[tuple[Any, ...], Counter[str]]


def limits() -> rules.Limits:
    told = settings.COMMONPLACE
    return rules.Limits(
        told.alert_queue_hours, told.alert_reversal_percent, told.alert_writes_times, told.alert_instruction_blocks,
        told.alert_failed_runs,
    )  # fmt: skip


def alarms() -> Alarms:
    """Everything that is wrong. That no worker lives cannot be among it: a worker asks."""
    found: Alarms = defaultdict(dict)
    told, hours = limits(), hours_of_each(list(Workspace.objects.values_list("pk", flat=True)))
    looks: tuple[Iterator[Alarm], ...] = (
        _queue(told), _reversals(told, hours), _writes(told, hours), _instructions(told), _runs(told),
    )  # fmt: skip
    for workspace, kind, subject, detail in chain.from_iterable(looks):
        found[workspace][kind, subject] = detail
    return found


def _queue(limits: rules.Limits) -> Iterator[Alarm]:
    late = timezone.now() - timedelta(hours=limits.queue_hours)
    rows = Decision.objects.in_queue().older_than(late).order_by()
    for workspace, count, oldest in rows.values_list("workspace").annotate(n=Count("pk"), oldest=Min("waits_since")):
        hours = int((timezone.now() - oldest).total_seconds() // 3600)
        yield workspace, AlertKind.QUEUE, "", {"count": count, "hours": hours, "limit": limits.queue_hours}


def _reversals(limits: rules.Limits, hours: Mapping[Any, Hours]) -> Iterator[Alarm]:
    since, names = timezone.now() - rules.REVERSALS_WITHIN, tuple(BY_NAME["reversals"].parts())
    late, early = around(since, rules.REVERSALS_BEFORE, BY_SOURCE[DECISIONS], hours, ("workspace",), names)
    for key, now in late.items():
        numbers = [one[name] for one in (now, early[key]) for name in names]
        if rules.reversals_up(limits, *numbers):
            percent, before = (round(100 * part / whole) if whole else 0 for part, whole in (numbers[:2], numbers[2:]))
            yield key[0], AlertKind.REVERSALS, "", {"count": numbers[0], "percent": percent, "before": before}


def _writes(limits: rules.Limits, hours: Mapping[Any, Hours]) -> Iterator[Alarm]:
    since = timezone.now() - rules.WRITES_WITHIN
    late, early = around(since, rules.WRITES_BEFORE, FATES, hours, ("workspace", "agent"), ("count",))
    for (workspace, agent), numbers in late.items():
        now, before = numbers["count"], early[workspace, agent]["count"]
        if agent is not None and rules.writes_up(limits, now, before):
            usual = round(before / (rules.WRITES_BEFORE / rules.WRITES_WITHIN), 1)
            yield workspace, AlertKind.WRITES, agent, {"count": now, "usual": usual}


def around(
    since: datetime,
    before: timedelta,
    tally: Tally,
    hours: Mapping[Any, Hours],
    keys: Sequence[str],
    names: Sequence[str],
) -> tuple[Numbers, Numbers]:
    """What a tally counts by these keys since a moment, and so long before it; mostly from the sums by the hour."""
    found: list[Numbers] = []
    for days in (Days(since), Days(since - before, since)):
        numbers: Numbers = defaultdict(Counter)
        for key, counted in added_to_each(tally, hours, days, keys, names):
            numbers[key].update({name: int(number) for name, number in counted.items()})
        found.append(numbers)
    return found[0], found[1]


def _instructions(limits: rules.Limits) -> Iterator[Alarm]:
    since = timezone.now() - rules.INSTRUCTIONS_WITHIN
    rows = Block.objects.filter(created_at__gte=since, category=Category.INSTRUCTION).order_by()
    for workspace, count in rows.values_list("workspace").annotate(n=Count("pk")):
        if count >= limits.instruction_blocks:
            yield workspace, AlertKind.INSTRUCTIONS, "", {"count": count}


def _runs(limits: rules.Limits) -> Iterator[Alarm]:
    since = timezone.now() - rules.RUNS_WITHIN
    rows = ConsolidationRun.objects.filter(status=RunStatus.FAILED, finished_at__gte=since).order_by()
    for workspace, count in rows.values_list("workspace").annotate(n=Count("pk")):
        if count >= limits.failed_runs:
            yield workspace, AlertKind.RUNS, "", {"count": count}
