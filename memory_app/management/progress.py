"""How far a command is: a bar where somebody watches, plain lines where the output goes to a file."""

import time
from typing import Any, TextIO

from django.core.management.base import OutputWrapper

WIDTH = 30
#: Between two plain lines.
SECONDS = 5.0


class Progress:
    """Steps of a known number of things, told on one stream; what is said between them stays readable."""

    def __init__(self, stream: TextIO | OutputWrapper, what: str, total: int) -> None:
        # What a command writes to ends every line and colours it; a bar needs the stream itself.
        given: Any = stream
        self._stream: TextIO = getattr(given, "_out", given)
        self._what, self._total = what, total
        self._watched = self._stream.isatty()
        self._began = time.monotonic()
        self._told = 0.0
        self._told_done = -1
        self.done = 0

    def step(self, count: int = 1) -> None:
        """So many things more are done."""
        self.done += count
        now = time.monotonic()
        every = 0.1 if self._watched else SECONDS
        if self.done >= self._total or now - self._told >= every:
            self._told = now
            self._tell()

    def say(self, line: str) -> None:
        """The line, above the bar."""
        if self._watched:
            self._stream.write("\r\033[K")
        self._stream.write(f"{line}\n")
        if self._watched:
            self._told_done = -1
            self._tell()
        self._stream.flush()

    def close(self) -> None:
        """The last state is on the stream, and the line is ended."""
        self._tell()
        if self._watched:
            self._stream.write("\n")
            self._stream.flush()

    def _tell(self) -> None:
        if self._told_done == self.done:
            return
        self._told_done = self.done
        share = self.done / self._total if self._total else 1.0
        text = f"{self.done} of {self._total} {self._what}"
        if self._watched:
            bar = "█" * round(WIDTH * share) + "░" * (WIDTH - round(WIDTH * share))
            self._stream.write(f"\r\033[K{bar} {share:4.0%} {text}{self._left(share)}")
        else:
            self._stream.write(f"{text} ({share:.0%})\n")
        self._stream.flush()

    def _left(self, share: float) -> str:
        if not 0 < share < 1:
            return ""
        left = int((time.monotonic() - self._began) * (1 - share) / share)
        return f", {left // 60}:{left % 60:02d} left"
