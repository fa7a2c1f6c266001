"""The scheduler of periodic tasks: a static schedule, no file, and it outlives a restart of the database."""

import time
from typing import Any

from celery.beat import Scheduler, SchedulingError
from django.db import connection

from config.heartbeat import EVERY_SECONDS, say


class SteadyScheduler(Scheduler):
    """Celery's scheduler keeps one connection for ever; this one makes a new one after each failure."""

    _said_at = -EVERY_SECONDS

    def tick(self, *args: Any, **kwargs: Any) -> float:
        if time.monotonic() - self._said_at >= EVERY_SECONDS:
            say("beat")
            self._said_at = time.monotonic()
        return float(super().tick(*args, **kwargs))

    def apply_async(self, entry: Any, producer: Any = None, advance: bool = True, **kwargs: Any) -> Any:
        try:
            return super().apply_async(entry, producer=producer, advance=advance, **kwargs)
        except SchedulingError:
            self._drop_connection()
            raise

    def close(self) -> None:
        super().close()
        connection.close()

    def _drop_connection(self) -> None:
        self.__dict__.pop("producer", None)
        broken = self.__dict__.pop("connection", None)
        if broken is not None:
            try:
                broken.release()
            except Exception as error:
                self.logger.warning("A broken broker connection did not close: %s", type(error).__name__)
