"""How tasks travel: one way to the broker for those who send them, do them, and schedule them."""

import logging
import os
from typing import Any

from celery import Celery
from kombu.transport import sqlalchemy as database_transport
from kombu.transport.virtual import base as virtual

from config.databases import broker_url
from config.environment import Environment

log = logging.getLogger(__name__)
# No option reaches it, and a second's wait for each task is too long.
database_transport.Transport.polling_interval = 0.1


def _left_to_the_rows(state: Any, *_: Any, **__: Any) -> None:
    """Messages that could not be given back are sent again, for a message is only a hint that a row waits: nothing of
    them is written to a file that anybody on the machine may read."""
    log.warning("%d messages were not given back to the broker; their runs are sent again.", len(state))


virtual.emergency_dump_state = _left_to_the_rows  # type: ignore[attr-defined]  # a name that it imports


def _leave_to_the_parent() -> None:
    """The broker's connections stay the parent's. A worker replaces a process of its pool, one that was killed or has
    done its share, when it has long been connected, and two processes on one connection garble what both say."""
    for engine, _ in list(database_transport.Channel._engines.values()):
        engine.dispose(close=False)


os.register_at_fork(after_in_child=_leave_to_the_parent)


def messages_app(environment: Environment, **options: Any) -> Celery:
    """A Celery app that reaches the broker, and knows no task."""
    address = broker_url(environment)
    app = Celery("commonplace", **options)
    app.conf.update(
        broker_url=address,
        broker_transport_options={"pool_pre_ping": True} if address.startswith("sqla+") else {},
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_connection_timeout=4,
        # The request that sends a task has stored its run already; it must not wait for a broker that is down.
        task_publish_retry=False,
        task_ignore_result=True,
        task_default_queue="commonplace",
        task_create_missing_queues=True,
        accept_content=["json"],
        task_serializer="json",
        timezone="UTC",
        enable_utc=True,
    )
    return app
