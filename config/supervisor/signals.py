"""Signals as something that a loop can wait for."""

import os
import select
import signal
from types import FrameType


class Stopped(BaseException):
    """Someone asked the product to stop while it was still starting."""


class Signals:
    """Counts the requests to stop, and wakes whoever waits when one comes or a child ends."""

    def __init__(self) -> None:
        self.stops = 0
        self.last = ""
        # While a long call is under way, a request breaks it off instead of waiting for its end.
        self.interrupts = False
        self._read, write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(write, False)
        signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._asked)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)

    def _asked(self, number: int, frame: FrameType | None) -> None:
        self.stops += 1
        self.last = signal.Signals(number).name
        if self.interrupts:
            raise Stopped

    def wait(self, seconds: float) -> None:
        """The time is over, or a signal came."""
        if select.select([self._read], [], [], max(seconds, 0))[0]:
            os.read(self._read, 4096)
