"""The scheduler of periodic tasks: a static schedule, no file, and it outlives a restart of the database."""

import time
from typing import Any

from celery.beat import Scheduler, SchedulingError

from config.heartbeat import EVERY_SECONDS, Heartbeat


class SteadyScheduler(Scheduler):
    """Celery's scheduler keeps one connection for ever; this one makes a new one after each failure."""

    _heartbeat: Heartbeat | None = None
    _said_at = -EVERY_SECONDS

    def tick(self, *args: Any, **kwargs: Any) -> float:
        if time.monotonic() - self._said_at >= EVERY_SECONDS:
            self._heartbeat = self._heartbeat or Heartbeat("beat")
            self._heartbeat.say()
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
        if self._heartbeat is not None:
            self._heartbeat.close()

    def _drop_connection(self) -> None:
        self.__dict__.pop("producer", None)
        broken = self.__dict__.pop("connection", None)
        if broken is not None:
            try:
                broken.release()
            except Exception as error:
                self.logger.warning("A broken broker connection did not close: %s", type(error).__name__)
