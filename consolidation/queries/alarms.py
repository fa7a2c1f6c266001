"""What is wrong right now, in every workspace; a statement for each kind of alert."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Min, Q
from django.utils import timezone

from consolidation.domain import alerts as rules
from consolidation.models import ConsolidationRun, RunStatus
from memory_app.models import AlertKind, Block, Category, Decision
from memory_app.queries.metrics import BY_NAME

Alarm = tuple[Any, str, str, dict[str, Any]]
#: Of a workspace by its id: numbers by kind and subject.
Alarms = dict[Any, dict[tuple[str, str], dict[str, Any]]]


def limits() -> rules.Limits:
    told = settings.COMMONPLACE
    return rules.Limits(
        told.alert_queue_hours, told.alert_reversal_percent, told.alert_writes_times, told.alert_instruction_blocks,
        told.alert_failed_runs,
    )  # fmt: skip


def alarms() -> Alarms:
    """Everything that is wrong. That no worker lives cannot be among it: a worker asks."""
    found: Alarms = defaultdict(dict)
    told = limits()
    for look in (_queue, _reversals, _writes, _instructions, _runs):
        for workspace, kind, subject, detail in look(told):
            found[workspace][kind, subject] = detail
    return found


def _queue(limits: rules.Limits) -> Iterator[Alarm]:
    late = timezone.now() - timedelta(hours=limits.queue_hours)
    rows = Decision.objects.in_queue().older_than(late).order_by()
    for workspace, count, oldest in rows.values_list("workspace").annotate(n=Count("pk"), oldest=Min("waits_since")):
        hours = int((timezone.now() - oldest).total_seconds() // 3600)
        yield workspace, AlertKind.QUEUE, "", {"count": count, "hours": hours, "limit": limits.queue_hours}


def _reversals(limits: rules.Limits) -> Iterator[Alarm]:
    now = timezone.now()
    since = now - rules.REVERSALS_WITHIN
    metric = BY_NAME["reversals"]
    assert metric.of is not None
    reversed_, judged = metric.over.condition(None), metric.of.condition(None)
    late, early = Q(created_at__gte=since), Q(created_at__lt=since)
    rows = Decision.objects.filter(created_at__gte=since - rules.REVERSALS_BEFORE).order_by().values_list("workspace")
    for workspace, *numbers in rows.annotate(
        a=Count("pk", filter=reversed_ & late), b=Count("pk", filter=judged & late),
        c=Count("pk", filter=reversed_ & early), d=Count("pk", filter=judged & early),
    ):  # fmt: skip
        if rules.reversals_up(limits, *numbers):
            percent, before = (round(100 * part / whole) if whole else 0 for part, whole in (numbers[:2], numbers[2:]))
            yield workspace, AlertKind.REVERSALS, "", {"count": numbers[0], "percent": percent, "before": before}


def _writes(limits: rules.Limits) -> Iterator[Alarm]:
    since = timezone.now() - rules.WRITES_WITHIN
    rows = Decision.objects.filter(created_at__gte=since - rules.WRITES_BEFORE).exclude(session__agent=None).order_by()
    late = Q(created_at__gte=since)
    counted = rows.values_list("workspace", "session__agent__external_id").annotate(
        now=Count("pk", filter=late), before=Count("pk", filter=~late)
    )
    for workspace, agent, now, before in counted:
        if rules.writes_up(limits, now, before):
            usual = round(before / (rules.WRITES_BEFORE / rules.WRITES_WITHIN), 1)
            yield workspace, AlertKind.WRITES, agent, {"count": now, "usual": usual}


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
