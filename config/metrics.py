"""The metrics for Prometheus: numbers and names of workspaces, never what anybody said."""

from django.conf import settings
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from config.heartbeat import STALE_AFTER
from consolidation.models import WorkerHeartbeat
from memory_app.auth import identify
from memory_app.models import Alert, Workspace
from memory_app.queries.measuring import by_workspace
from memory_app.ratelimit import LimitReached

#: How many days each number is about, today included; days are those of UTC.
DAYS = 7


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Every metric of the caller's workspace, or of all for who knows METRICS_TOKEN."""
    token = settings.COMMONPLACE.metrics_token
    given = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    if token is not None and constant_time_compare(given, token):
        return _answer(None)
    try:
        caller = identify(request)
    except LimitReached as limit:
        return HttpResponse("Too many calls.\n", "text/plain", 429, headers={"Retry-After": str(limit.retry_after)})
    if caller is None:
        return HttpResponse("Needs METRICS_TOKEN or the key of an admin.\n", "text/plain", 401,
                            headers={"WWW-Authenticate": "Bearer"})  # fmt: skip
    if caller.key.role != "admin" or caller.teams is not None:
        return HttpResponse("Needs the key of an admin of the whole workspace.\n", "text/plain", 403)
    return _answer(caller.workspace)


def _answer(workspace: Workspace | None) -> HttpResponse:
    return HttpResponse(generate_latest(_measured(workspace)), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _measured(workspace: Workspace | None) -> CollectorRegistry:
    """A constant number of statements, however many workspaces there are."""
    registry = CollectorRegistry()
    labels = ("workspace", "metric")
    value = Gauge("commonplace_metric", "The metric over the last 7 days.", labels, registry=registry)
    over = Gauge("commonplace_metric_counted", "What was counted for it.", labels, registry=registry)
    of = Gauge("commonplace_metric_of", "What it was counted of.", labels, registry=registry)
    with timezone.override("UTC"):
        found = by_workspace(workspace, DAYS)
    for slug, readings in found.items():
        for name, reading in readings.items():
            if reading.value is not None:
                value.labels(slug, name).set(reading.value)
            over.labels(slug, name).set(reading.over)
            if reading.metric.of is not None:
                of.labels(slug, name).set(reading.of)
    alerts = Gauge("commonplace_alerts", "Open alerts.", ("workspace", "kind"), registry=registry)
    open_ones = Alert.objects.filter(cleared_at=None, **({"workspace": workspace} if workspace else {}))
    for slug, kind, count in open_ones.order_by().values_list("workspace__slug", "kind").annotate(n=Count("pk")):
        alerts.labels(slug, kind).set(count)
    alive = WorkerHeartbeat.objects.filter(kind="worker", beat_at__gt=timezone.now() - STALE_AFTER).count()
    Gauge("commonplace_workers", "Workers that have said that they live.", registry=registry).set(alive)
    return registry
