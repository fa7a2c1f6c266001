"""The Celery app of web and worker. A message is only a hint: the run's row is the truth, the sweep repeats lost ones."""

import gc
import os
from typing import Any

from celery.signals import setup_logging, worker_init, worker_ready, worker_shutdown

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.environment import read_or_exit
from config.messages import messages_app

ENVIRONMENT = read_or_exit()

app = messages_app(ENVIRONMENT)
app.conf.update(
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=4,
    worker_concurrency=ENVIRONMENT.worker_concurrency,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_max_tasks_per_child=2000,
)
app.autodiscover_tasks(["config", "consolidation"])


_heartbeats: list[Any] = []


@worker_init.connect
def load_before_parting(**_: Any) -> None:
    """The dictionary is loaded once, for all processes of the worker, which share it in memory."""
    from memory_app.domain import words

    words.load()
    gc.freeze()


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
