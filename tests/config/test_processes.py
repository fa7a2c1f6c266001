"""What the processes need of each other: signs of life, a clean broker, safe answers."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery.beat import SchedulingError
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from config import broker, clock, heartbeat
from config.beat import SteadyScheduler
from config.celery import app
from config.environment import ROOT
from config.static_files import VersionedStorage
from consolidation.models import WorkerHeartbeat
from tests.brokers import broker_at, own_database
from tests.product import command_line
from tests.waiting import until


def own_connection() -> dict[str, Any]:
    """How a process reaches the test's own database."""
    where = connection.settings_dict
    return {"dbname": where["NAME"], "user": where["USER"], "host": where["HOST"], "port": where["PORT"]}


@pytest.mark.django_db(transaction=True)
def test_a_heartbeat_is_one_row_a_process_and_old_ones_go():
    long_ago = timezone.now() - timedelta(days=1)
    WorkerHeartbeat.objects.create(name="worker@gone:1", kind="worker", pid=1, beat_at=long_ago)
    worker = heartbeat.Heartbeat("worker", own_connection())
    assert worker.say()
    assert worker.say()
    worker.close()
    row = WorkerHeartbeat.objects.get()
    assert row.kind == "worker"
    assert timezone.now() - row.beat_at < heartbeat.STALE_AFTER


@pytest.mark.django_db(transaction=True)
def test_a_heartbeat_that_cannot_be_written_ends_nothing_and_comes_back():
    beat = heartbeat.Heartbeat("beat", own_connection())
    right = beat.where
    beat.where = right | {"host": "/nowhere"}
    assert not beat.say()
    beat.where = right
    assert beat.say()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            " AND datname = current_database() AND query ILIKE %s",
            ["%heartbeat%"],
        )
    assert not beat.say()
    assert beat.say()
    beat.close()


def test_a_heartbeat_whose_worker_cannot_be_asked_goes_on_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[bool] = []

    def beats() -> bool:
        asked.append(True)
        if len(asked) == 2:
            beat.stop()
        raise ValueError("there is no loop")

    monkeypatch.setattr(heartbeat, "EVERY_SECONDS", 0)
    beat = heartbeat.Heartbeat("worker", own_connection(), beats)
    beat._run()
    assert len(asked) == 2
    assert [one.levelname for one in caplog.records if one.name == "config.heartbeat"] == ["ERROR"] * 2


def test_beat_makes_a_new_connection_after_a_failure(monkeypatch: pytest.MonkeyPatch):
    scheduler = SteadyScheduler(clock.app, lazy=True)
    scheduler.setup_schedule()
    released: list[bool] = []

    class Broken:
        def release(self) -> None:
            released.append(True)

    def fail(*args: Any, **kwargs: Any) -> None:
        raise OSError("the database went away")

    scheduler.__dict__.update(producer=object(), connection=Broken())
    entry = next(iter(scheduler.schedule.values()))
    monkeypatch.setattr(clock.app, "send_task", fail)
    with pytest.raises(SchedulingError):
        scheduler.apply_async(entry)
    assert released == [True]
    assert not {"producer", "connection"} & set(scheduler.__dict__)


WORKER_OF_TWO = """
import os, threading, types
from billiard.pool import Pool
from config.celery import watch_the_pool

pool = Pool(2)
watch_the_pool(types.SimpleNamespace(pool=types.SimpleNamespace(_pool=pool)))
pids = [process.pid for process in pool._pool]
os.kill(pids[0], 9)
print(*pids, flush=True)
threading.Event().wait(60)
"""


def test_a_worker_ends_with_a_killed_process_of_its_own(tmp_path: Path):
    """What that one has locked stays locked, and no task would ever be done again."""
    environment = os.environ | {"COMMONPLACE_HOME": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", WORKER_OF_TWO], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=50
    )
    assert ended.returncode == 1, ended.stderr
    until(lambda: not any(command_line(int(pid)).strip() for pid in ended.stdout.split()), 20)


def test_every_scheduled_task_exists():
    app.loader.import_default_modules()
    assert {entry["task"] for entry in clock.app.conf.beat_schedule.values()} <= set(app.tasks)


def test_beat_carries_none_of_the_products_code(tmp_path: Path):
    """What it would import costs a hundred megabytes and a second of every start."""
    told = (
        "import sys; from config.clock import app; app.loader.init_worker(); app.finalize()\n"
        "from config.beat import SteadyScheduler; SteadyScheduler(app, lazy=True).setup_schedule()\n"
        "print([name for name in sys.modules if name.partition('.')[0] in ('memory_app', 'consolidation')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", told],
        cwd=ROOT,
        env=os.environ | {"COMMONPLACE_HOME": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("process")
def test_delivered_messages_are_cleared_away_and_waiting_ones_stay():
    with broker_at(own_database()):
        broker.declare_queues()
        broker.declare_queues()
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM kombu_message")  # no table of Django's, so tests before may have left some
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
    assert clock.app.conf.beat_max_loop_interval <= heartbeat.EVERY_SECONDS
    assert heartbeat.STALE_AFTER.total_seconds() > 3 * heartbeat.EVERY_SECONDS
