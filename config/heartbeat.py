"""Background processes say every two seconds that they do their work; whoever wants to know reads the rows.

The broker on the database answers no ping, so a row is the only sign of life that works on every broker. It is
written without Django: beat needs none of the product's code, and should not carry it.
"""

import logging
import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any, Literal

import psycopg

from config.databases import connection_arguments
from config.environment import read_or_exit

EVERY_SECONDS = 2.0
STALE_AFTER = timedelta(seconds=10)
FORGOTTEN_AFTER = timedelta(hours=1)

ALIVE = """
    INSERT INTO consolidation_workerheartbeat (name, kind, pid, beat_at) VALUES (%s, %s, %s, now())
    ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, pid = excluded.pid, beat_at = excluded.beat_at
"""
FORGET = "DELETE FROM consolidation_workerheartbeat WHERE beat_at < now() - %s"

Kind = Literal["worker", "beat"]
logger = logging.getLogger(__name__)


class Heartbeat:
    """What one process says of itself, over a connection of its own, by itself or from a thread. From there nothing is
    said while `beats` says no: the thread lives on where the process hangs."""

    def __init__(
        self, kind: Kind, where: dict[str, Any] | None = None, beats: Callable[[], bool] = lambda: True
    ) -> None:
        self.kind, self.beats = kind, beats
        self.where = connection_arguments(read_or_exit()) if where is None else where
        self._connection: psycopg.Connection[Any] | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"heartbeat-{kind}", daemon=True)

    def say(self) -> bool:
        """This process's row says that it lives now; False while the database does not answer."""
        name = f"{self.kind}@{socket.gethostname()}:{os.getpid()}"
        try:
            if self._connection is None:
                self._connection = psycopg.connect(**self.where, autocommit=True)
            self._connection.execute(ALIVE, (name, self.kind, os.getpid()))
            self._connection.execute(FORGET, (FORGOTTEN_AFTER,))
        except psycopg.Error as error:
            self.close()
            logger.warning("The heartbeat of %s was not written: %s", self.kind, type(error).__name__)
            return False
        return True

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(psycopg.Error):
                connection.close()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()

    def _takes_tasks(self) -> bool:
        """What `beats` says; no where it fails, which ends nothing: the next time it may not."""
        try:
            return self.beats()
        except Exception:
            logger.exception("Whether the %s takes tasks could not be told; it says nothing meanwhile.", self.kind)
            return False

    def _run(self) -> None:
        while True:
            if self._takes_tasks():
                self.say()
            if self._ended.wait(EVERY_SECONDS):
                break
        self.close()
