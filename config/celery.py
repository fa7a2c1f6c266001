"""The Celery app. A message is only a hint: the run's row is the truth, and the sweep repeats lost ones."""

import os
from datetime import timedelta
from typing import Any

from celery import Celery
from celery.schedules import crontab
from celery.signals import setup_logging, worker_ready, worker_shutdown
from kombu.transport import sqlalchemy as database_transport

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.databases import broker_url
from config.environment import read_or_exit

ENVIRONMENT = read_or_exit()

# No option reaches it, and a second's wait for each task is too long.
database_transport.Transport.polling_interval = 0.1

app = Celery("commonplace")
app.conf.update(
    broker_url=broker_url(ENVIRONMENT),
    broker_transport_options={"pool_pre_ping": True} if broker_url(ENVIRONMENT).startswith("sqla+") else {},
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_connection_timeout=4,
    # The request that sends a task has stored its run already; it must not wait for a broker that is down.
    task_publish_retry=False,
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_default_queue="commonplace",
    task_create_missing_queues=True,
    worker_prefetch_multiplier=4,
    worker_concurrency=ENVIRONMENT.worker_concurrency,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_max_tasks_per_child=2000,
    accept_content=["json"],
    task_serializer="json",
    timezone="UTC",
    enable_utc=True,
    beat_scheduler="config.beat.SteadyScheduler",
    beat_max_loop_interval=1,
    beat_schedule={
        "sweep runs": {
            "task": "consolidation.tasks.sweep_runs",
            "schedule": timedelta(seconds=ENVIRONMENT.sweep_seconds),
            "options": {"expires": ENVIRONMENT.sweep_seconds * 3},
        },
        "purge delivered messages": {
            "task": "config.tasks.purge_delivered",
            "schedule": timedelta(minutes=1),
            "options": {"expires": 60},
        },
        "forget": {
            "task": "consolidation.tasks.forget",
            "schedule": crontab(hour="3", minute="17"),
            "options": {"expires": 6 * 3600},
        },
        "clear sessions": {"task": "config.tasks.clear_sessions", "schedule": timedelta(hours=6)},
    },
)
app.autodiscover_tasks(["config", "consolidation"])


_heartbeats: list[Any] = []


@worker_ready.connect
def begin_heartbeat(**_: Any) -> None:
    """The worker takes tasks, and says so from now on."""
    from config.heartbeat import Heartbeat

    heartbeat = Heartbeat("worker")
    heartbeat.start()
    _heartbeats.append(heartbeat)


@worker_shutdown.connect
def end_heartbeat(**_: Any) -> None:
    for heartbeat in _heartbeats:
        heartbeat.stop()


@setup_logging.connect
def keep_logging(**_: Any) -> None:
    """Celery leaves logging as the settings made it."""
