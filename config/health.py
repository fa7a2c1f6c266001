"""Whether the process is up, and whether everything that it needs answers."""

import logging
import time
from collections.abc import Callable

from django.db import connection
from django.db.models import Max
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.broker import on_database
from config.heartbeat import STALE_AFTER
from consolidation.models import WorkerHeartbeat
from memory_app.embedding import get_embedder

log = logging.getLogger(__name__)
#: An embedder that answered a moment ago is not asked again: one that is remote costs money.
EMBEDDER_SECONDS = 30.0
_answered_at = -EMBEDDER_SECONDS


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """The process is up."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when everything answers; else 503, and which does not."""
    found = {name: _tried(name, check) for name, check in CHECKS.items()}
    ready = all(answer == "ok" for answer in found.values())
    return JsonResponse({"status": "ok" if ready else "not ready", "checks": found}, status=200 if ready else 503)


def _tried(name: str, check: Callable[[], str]) -> str:
    try:
        return check()
    except Exception as error:  # whatever a driver raises, the answer is that this one does not answer
        log.warning("%s does not answer: %s", name, type(error).__name__)
        return f"does not answer ({type(error).__name__})"


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return "ok"


def _broker() -> str:
    from config.celery import app

    if on_database():
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM kombu_queue WHERE name = %s", [app.conf.task_default_queue])
            declared = cursor.fetchone()[0]
        return "ok" if declared else "knows no queue; run manage.py prepare"
    with app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=0, timeout=2)
    return "ok"


def _worker() -> str:
    """A worker that takes no task says nothing (config/pulse.py), so it is missed like one that is gone."""
    last = WorkerHeartbeat.objects.filter(kind="worker").aggregate(at=Max("beat_at"))["at"]
    if last is None:
        return "no sign of life"
    age = timezone.now() - last
    return "ok" if age < STALE_AFTER else f"no sign of life for {age.total_seconds():.0f} s"


def _embedder() -> str:
    global _answered_at
    if time.monotonic() - _answered_at >= EMBEDDER_SECONDS:
        get_embedder().queries(["ready?"])
        _answered_at = time.monotonic()
    return "ok"


CHECKS: dict[str, Callable[[], str]] = {
    "database": _database,
    "broker": _broker,
    "worker": _worker,
    "embedder": _embedder,
}
