"""The Celery app of beat: when which task is sent. It knows tasks by name only, so beat carries none of their code."""

from datetime import timedelta
from logging.config import dictConfig
from typing import Any

from celery.schedules import crontab
from celery.signals import setup_logging

from config.environment import read_or_exit
from config.messages import messages_app

ENVIRONMENT = read_or_exit()

app = messages_app(ENVIRONMENT, fixups=(), set_as_current=False)
app.conf.update(
    beat_scheduler="config.beat.SteadyScheduler",
    beat_max_loop_interval=1,
    beat_schedule={
        "sweep runs": {
            "task": "consolidation.tasks.sweep_runs",
            "schedule": timedelta(seconds=ENVIRONMENT.sweep_seconds),
            "options": {"expires": ENVIRONMENT.sweep_seconds * 3},
        },
        "watch": {
            "task": "consolidation.tasks.watch_quality",
            "schedule": timedelta(minutes=1),
            "options": {"expires": 60},
        },
        "sum hours": {
            "task": "consolidation.tasks.sum_hours",
            "schedule": timedelta(minutes=1),
            "options": {"expires": 60},
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


@setup_logging.connect
def log_as_everywhere(**_: Any) -> None:
    """Beat writes its lines as the other processes do, without the rest of Django."""
    from config.settings import LOGGING

    dictConfig(LOGGING)
