"""What the processes need of each other: signs of life, a clean broker, safe answers."""

from datetime import timedelta
from typing import Any

import pytest
from celery.beat import SchedulingError
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.test import Client
from django.utils import timezone

from config import broker, heartbeat
from config.beat import SteadyScheduler
from config.celery import app
from config.static_files import VersionedStorage
from consolidation.models import WorkerHeartbeat
from tests.brokers import broker_at, own_database


@pytest.mark.django_db
def test_a_heartbeat_is_one_row_a_process_and_old_ones_go():
    long_ago = timezone.now() - timedelta(days=1)
    WorkerHeartbeat.objects.create(name="worker@gone:1", kind="worker", pid=1, beat_at=long_ago)
    assert heartbeat.say("worker")
    assert heartbeat.say("worker")
    row = WorkerHeartbeat.objects.get()
    assert row.kind == "worker"
    assert timezone.now() - row.beat_at < heartbeat.STALE_AFTER


@pytest.mark.django_db
def test_a_heartbeat_that_cannot_be_written_ends_nothing(monkeypatch: pytest.MonkeyPatch):
    def refuse(*args: object, **kwargs: object) -> None:
        raise DatabaseError

    monkeypatch.setattr(WorkerHeartbeat.objects, "bulk_create", refuse)
    monkeypatch.setattr(connection, "close", lambda: None)
    assert not heartbeat.say("beat")


def test_beat_makes_a_new_connection_after_a_failure(monkeypatch: pytest.MonkeyPatch):
    app.loader.import_default_modules()
    scheduler = SteadyScheduler(app, lazy=True)
    scheduler.setup_schedule()
    released: list[bool] = []

    class Broken:
        def release(self) -> None:
            released.append(True)

    def fail(*args: Any, **kwargs: Any) -> None:
        raise OSError("the database went away")

    scheduler.__dict__.update(producer=object(), connection=Broken())
    entry = next(iter(scheduler.schedule.values()))
    monkeypatch.setattr(app.tasks[entry.task], "apply_async", fail)
    with pytest.raises(SchedulingError):
        scheduler.apply_async(entry)
    assert released == [True]
    assert not {"producer", "connection"} & set(scheduler.__dict__)


def test_every_scheduled_task_exists():
    app.loader.import_default_modules()
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("process")
def test_delivered_messages_are_cleared_away_and_waiting_ones_stay():
    with broker_at(own_database()):
        broker.declare_queues()
        broker.declare_queues()
        for _ in range(3):
            app.send_task("nobody.does.this")
        with connection.cursor() as cursor:
            cursor.execute("UPDATE kombu_message SET visible = false WHERE id IN (SELECT min(id) FROM kombu_message)")
            assert broker.purge_delivered() == 1
            cursor.execute("SELECT count(*) FROM kombu_message WHERE visible")
            assert cursor.fetchone() == (2,)
            cursor.execute("DELETE FROM kombu_message")


def test_another_broker_has_nothing_to_clear(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(app.conf, "broker_url", "redis://127.0.0.1:1/0")
    assert broker.purge_delivered() == 0


@pytest.mark.django_db
def test_a_page_may_load_nothing_from_elsewhere(client: Client):
    answer = client.get("/accounts/login/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"


def test_a_static_file_carries_the_digest_of_its_content():
    address = VersionedStorage().url("admin/css/base.css")
    assert address.startswith("/static/admin/css/base.css?v=")
    assert VersionedStorage().url("no/such/file.css") == "/static/no/such/file.css"


@pytest.mark.django_db
def test_no_model_lacks_its_migration():
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


def test_the_clock_of_beat_is_no_slower_than_its_heartbeat():
    assert app.conf.beat_max_loop_interval <= heartbeat.EVERY_SECONDS
    assert heartbeat.STALE_AFTER.total_seconds() > 3 * heartbeat.EVERY_SECONDS
