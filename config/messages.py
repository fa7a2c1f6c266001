"""How tasks travel: one way to the broker for those who send them, do them, and schedule them."""

from typing import Any

from celery import Celery
from kombu.transport import sqlalchemy as database_transport

from config.databases import broker_url
from config.environment import Environment

# No option reaches it, and a second's wait for each task is too long.
database_transport.Transport.polling_interval = 0.1


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
