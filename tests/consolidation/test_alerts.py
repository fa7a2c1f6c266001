"""Alerts: each is raised once, stays one while it lasts, is cleared when it is over, and a person acknowledges it."""

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.silence import raise_silence
from consolidation.domain.alerts import Limits, reversals_up, writes_up
from consolidation.models import ConsolidationRun, RunCause, RunStatus, WorkerHeartbeat
from consolidation.tasks import watch_quality
from memory_app.models import Alert, AuditEvent, Block, Decision, Workspace
from tests import factories as make

pytestmark = pytest.mark.django_db
QUALITY, OVERVIEW = "/w/travel/quality/", "/w/travel/overview/"


@pytest.fixture
def workspace() -> Workspace:
    make.make_workspace("other", "Other")
    return make.make_workspace()


def decisions(workspace: Workspace, count: int, days: float = 0, **fields: Any) -> None:
    """So many decisions of the same session, made so many days ago."""
    session = make.make_session(workspace)
    Decision.objects.bulk_create(
        Decision(workspace=workspace, session=session, user=session.user, kind="semantic", scope="user", rule="r",
                 **({"action": "promote", "status": "applied", "origin": "consolidation"} | fields))
        for _ in range(count)
    )  # fmt: skip
    Decision.objects.filter(session=session).update(created_at=timezone.now() - timedelta(days=days))


def queue(workspace: Workspace) -> None:
    decisions(workspace, 2, days=4, status="pending")


def reversals(workspace: Workspace) -> None:
    decisions(workspace, 50, days=20)
    decisions(workspace, 10)
    decisions(workspace, 5, status="undone")


def writes(workspace: Workspace) -> None:
    decisions(workspace, 14, days=3)
    decisions(workspace, 100)


def instructions(workspace: Workspace) -> None:
    for _ in range(5):
        Block.objects.create(workspace=workspace, stage="capture", category="instruction", rule="r", rule_set="1")


def runs(workspace: Workspace) -> None:
    for _ in range(3):
        session = make.make_session(workspace)
        ConsolidationRun.objects.create(workspace=workspace, session=session, user=session.user, cause=RunCause.END,
                                        status=RunStatus.FAILED, finished_at=timezone.now())  # fmt: skip
        type(session).objects.filter(pk=session.pk).update(status="failed")


def over(workspace: Workspace) -> None:
    """Whatever was wrong is so no more."""
    ConsolidationRun.objects.all().delete()
    Decision.objects.all().delete()
    Block.objects.all().delete()


EACH = pytest.mark.parametrize(
    ("kind", "wrong", "number"),
    [("queue", queue, 2), ("reversals", reversals, 33), ("writes", writes, 100), ("instructions", instructions, 5),
     ("runs", runs, 3)],
)  # fmt: skip


@EACH
def test_raised_once_and_cleared(workspace: Workspace, kind: str, wrong: Any, number: int) -> None:
    watch_quality()
    assert not Alert.objects.exists()
    wrong(workspace)
    for _ in range(3):
        watch_quality()
    found = [one for one in Alert.objects.all() if one.kind == kind]
    assert len(found) == 1
    assert found[0].workspace == workspace
    assert found[0].detail["percent" if kind == "reversals" else "count"] == number
    assert AuditEvent.objects.filter(action="alert.raised", object_id=str(found[0].pk)).count() == 1
    over(workspace)
    for _ in range(2):
        watch_quality()
    assert not Alert.objects.filter(cleared_at=None).exists()
    assert AuditEvent.objects.filter(action="alert.cleared", object_id=str(found[0].pk)).count() == 1
    wrong(workspace)
    watch_quality()
    assert Alert.objects.filter(kind=kind).count() == 2  # it came back: that is another one


@EACH
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_seen_with_its_rows(
    client: Client, workspace: Workspace, kind: str, wrong: Any, number: int, language: str
) -> None:
    client.force_login(make.make_operator(workspace, "viewer"))
    client.cookies["commonplace_language"] = language
    make.make_session(workspace)
    wrong(workspace)
    watch_quality()
    page = client.get(QUALITY)
    words = next(one for one in page.context["alerts"] if one.alert.kind == kind)
    assert str(number) in words.text
    assert client.get(words.href).status_code == 200
    assert 'id="nav-alerts"' in page.content.decode()
    assert words.text.replace("'", "&#x27;") in client.get(OVERVIEW).content.decode()
    assert "act-acknowledge" not in page.content.decode()


def test_no_worker_lives(workspace: Workspace) -> None:
    settings = connection.get_connection_params()
    assert {"dbname"} <= set(settings)
    with connection.cursor() as cursor:
        from config import silence

        for _ in range(2):
            cursor.execute(silence.RAISE, {"after": silence.SILENT_AFTER})
    assert Alert.objects.filter(kind="worker", cleared_at=None).count() == 2  # one in each workspace
    assert AuditEvent.objects.filter(action="alert.raised", detail__kind="worker").count() == 2
    watch_quality()  # a worker lives that does this
    assert not Alert.objects.filter(cleared_at=None).exists()
    WorkerHeartbeat.objects.create(name="w", kind="worker", pid=1, beat_at=timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(silence.RAISE, {"after": silence.SILENT_AFTER})
    assert not Alert.objects.filter(cleared_at=None).exists()


def test_a_database_that_is_away_raises_nothing() -> None:
    assert raise_silence({"host": "127.0.0.1", "port": 1, "connect_timeout": 1}) == 0


def test_a_person_acknowledges(client: Client, workspace: Workspace) -> None:
    curator = make.make_operator(workspace, "curator", "lin.qiao")
    client.force_login(curator)
    make.make_session(workspace)
    alert = Alert.objects.create(workspace=workspace, kind="writes", subject="bot", detail={"count": 100, "usual": 1.0})
    assert "bot" in client.get(OVERVIEW).content.decode()
    path = f"{QUALITY}alerts/{alert.pk}/"
    assert re.search(f'action="{path}"', client.get(QUALITY).content.decode())
    for _ in range(2):
        assert client.post(path).status_code == 302
    alert.refresh_from_db()
    assert (alert.acknowledged_by, alert.cleared_at) == (curator, None)
    assert AuditEvent.objects.filter(action="alert.acknowledged").count() == 1
    page = client.get(QUALITY).content.decode()
    assert "open alert" not in page
    assert "lin.qiao" in page
    assert client.post(f"{QUALITY}alerts/{uuid.uuid4()}/").status_code == 404
    assert client.get(path).status_code == 405
    client.force_login(make.make_operator(workspace, "viewer"))
    assert client.post(path).status_code == 403


def test_one_is_open_a_kind_and_subject(workspace: Workspace) -> None:
    Alert.objects.create(workspace=workspace, kind="writes", subject="bot")
    Alert.objects.create(workspace=workspace, kind="writes", subject="other bot")
    with pytest.raises(IntegrityError), transaction.atomic():
        Alert.objects.create(workspace=workspace, kind="writes", subject="bot")


def test_the_limits() -> None:
    limits = Limits()
    assert reversals_up(limits, 5, 25, 1, 100)
    assert not reversals_up(limits, 5, 26, 1, 100)  # less than a fifth
    assert not reversals_up(limits, 5, 20, 20, 100)  # not twice what it was
    assert not reversals_up(limits, 4, 4, 0, 100)  # too few to say
    assert reversals_up(limits, 5, 5, 0, 0)
    assert writes_up(limits, 140, 196)
    assert not writes_up(limits, 139, 196)
    assert not writes_up(limits, 99, 1)
    assert not writes_up(limits, 1000, 0)  # a new agent has no usual


def test_statements_do_not_grow_with_workspaces(workspace: Workspace, django_assert_num_queries: Any) -> None:
    """Each alert that stands costs one write; what is read is read for all workspaces at once."""
    queue(workspace)
    watch_quality()
    with CaptureQueriesContext(connection) as one:
        watch_quality()
    for number in range(3):
        decisions(make.make_workspace(f"desk-{number}", f"Desk {number}"), 2)
    with django_assert_num_queries(len(one)):
        watch_quality()
    assert len(one) <= 15


@pytest.mark.parametrize(
    ("index", "column"),
    [("decision_made", "created_at"), ("block_instruction_made", "created_at"), ("run_failed_last", "finished_at")],
)
def test_the_last_days_of_all_workspaces_have_an_index(index: str, column: str) -> None:
    """Which one an empty table is read by depends on what other tests have left in its statistics."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_indexdef(%s::regclass)", [index])
        assert f"btree ({column}" in cursor.fetchone()[0]
