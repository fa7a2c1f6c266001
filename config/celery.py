"""The Celery app of web and worker. A message is only a hint: the run's row is the truth, the sweep repeats lost ones."""

import gc
import logging
import os
import signal
from functools import partial
from typing import Any

from billiard.pool import RUN
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


log = logging.getLogger(__name__)
_heartbeats: list[Any] = []


@worker_init.connect
def load_before_parting(**_: Any) -> None:
    """The dictionary is loaded once, for all processes of the worker, which share it in memory."""
    from memory_app.domain import words

    words.load()
    gc.freeze()


@worker_ready.connect
def begin_heartbeat(sender: Any, **_: Any) -> None:
    """The worker takes tasks, and says so from now on for as long as it does."""
    from config.heartbeat import Heartbeat
    from config.pulse import Pulse

    heartbeat = Heartbeat("worker", beats=Pulse(sender).beats)
    heartbeat.start()
    _heartbeats.append(heartbeat)


@worker_ready.connect
def watch_the_pool(sender: Any, **_: Any) -> None:
    """A killed process of the pool ends the worker, which is then started again. On a broker without sockets, which
    the database is, the processes of a pool take their tasks under one lock; who is killed in there holds it for
    ever, and the worker would look alive and do nothing."""
    pool: Any = getattr(sender.pool, "_pool", None)
    if pool is not None and getattr(pool, "on_process_down", pool) is None:
        pool.on_process_down = partial(_end_if_killed, pool)


def _end_if_killed(pool: Any, process: Any) -> None:
    if process.exitcode >= 0 or pool._state != RUN:
        return
    log.critical("A process of this worker was killed (signal %d); all of it is started again.", -process.exitcode)
    for other in list(pool._pool):
        os.kill(other.pid, signal.SIGKILL)
    os._exit(1)


@worker_shutdown.connect
def end_heartbeat(**_: Any) -> None:
    for heartbeat in _heartbeats:
        heartbeat.stop()


@setup_logging.connect
def keep_logging(**_: Any) -> None:
    """Celery leaves logging as the settings made it."""
