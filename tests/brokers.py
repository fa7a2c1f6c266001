"""Lets one test send its tasks through a broker of its own, and leaves no connection behind."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

from django.db import connection
from kombu import pools
from kombu.transport.sqlalchemy import Channel
from sqlalchemy.orm import close_all_sessions

from config.celery import app


def own_database() -> str:
    """The broker on the test's own database."""
    where = connection.settings_dict
    name, host = quote(where["NAME"], safe=""), quote(where["HOST"], safe="")
    return f"sqla+postgresql+psycopg://{where['USER']}@/{name}?host={host}&port={where['PORT']}"


@contextmanager
def broker_at(address: str) -> Iterator[None]:
    """During the block this process sends its tasks there."""
    before = app.conf.broker_url
    app.conf.broker_url = address
    _forget_connections()
    try:
        yield
    finally:
        app.conf.broker_url = before
        _forget_connections()


def _forget_connections() -> None:
    # A closed pool stays closed and is kept by its address; so is the app's own reference, as in the child of a fork.
    pools.reset()
    app._after_fork()
    close_all_sessions()
    for engine, _ in Channel._engines.values():
        engine.dispose()
    Channel._engines.clear()
