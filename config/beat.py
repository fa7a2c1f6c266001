"""The scheduler of periodic tasks: a static schedule, no file, and it outlives a restart of the database."""

import time
from typing import Any

from celery.beat import Scheduler, SchedulingError

from config.heartbeat import EVERY_SECONDS, Heartbeat
from config.silence import EVERY_SECONDS as ASKED_EVERY
from config.silence import SILENT_AFTER, raise_silence


class SteadyScheduler(Scheduler):
    """Celery's scheduler keeps one connection for ever; this one makes a new one after each failure."""

    _heartbeat: Heartbeat | None = None
    _said_at = -EVERY_SECONDS
    _asked_at: float | None = None

    def tick(self, *args: Any, **kwargs: Any) -> float:
        if time.monotonic() - self._said_at >= EVERY_SECONDS:
            self._heartbeat = self._heartbeat or Heartbeat("beat")
            self._heartbeat.say()
            self._said_at = time.monotonic()
        self._listen()
        return float(super().tick(*args, **kwargs))

    def _listen(self) -> None:
        """An alert is raised where no worker lives. A worker that starts together with beat has its time to."""
        now = time.monotonic()
        if self._asked_at is None:
            self._asked_at = now + SILENT_AFTER.total_seconds()
        elif now - self._asked_at >= ASKED_EVERY:
            raise_silence()
            self._asked_at = now

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
