"""One embedded PostgreSQL for the whole test run: under xdist the controller starts it for all workers."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from django.utils import timezone, translation

from config.embedded_postgres import EmbeddedPostgres

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # The browser's driver runs a loop in the test's thread.

# The data is thrown away, so nothing need reach the disk.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}
SERVER = pytest.StashKey[EmbeddedPostgres]()


@pytest.fixture(autouse=True, scope="session")
def _no_broker() -> None:
    """Sent tasks go nowhere, unless a test starts a worker and says where."""
    from config.celery import app

    app.conf.broker_url = "memory://"


@pytest.fixture(autouse=True, scope="session")
def _flush_again() -> Iterator[None]:
    """What a closed page had asked for may still be read while its test's rows are thrown away: then once more."""
    from django.db import OperationalError
    from django.db.backends.postgresql.operations import DatabaseOperations

    from memory_app.actions.locks import is_deadlock

    flush = DatabaseOperations.execute_sql_flush

    def patient(operations: DatabaseOperations, statements: list[str]) -> None:
        for _ in range(9):
            try:
                return flush(operations, statements)
            except OperationalError as error:
                if not is_deadlock(error):
                    raise
        return flush(operations, statements)

    with mock.patch.object(DatabaseOperations, "execute_sql_flush", patient):
        yield


@pytest.fixture(autouse=True)
def _default_locale() -> None:
    """What an earlier test's request switched to, in this thread, is not taken over."""
    translation.deactivate()
    timezone.deactivate()


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if not _is_worker(config) and not config.option.collectonly:
        config.stash[SERVER] = EmbeddedPostgres(Path(os.environ["COMMONPLACE_TEST_HOME"]), FAST).start()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    if _is_worker(config):
        return
    server = config.stash.get(SERVER, None)
    if server is not None:
        server.stop()
    shutil.rmtree(os.environ["COMMONPLACE_TEST_HOME"], ignore_errors=True)
