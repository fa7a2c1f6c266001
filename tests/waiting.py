"""Waits for a condition instead of for a time."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")


def until(condition: Callable[[], Value], seconds: float = 30.0, what: str = "the condition") -> Value:
    """The condition's first true value; fails where there is none in time."""
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not come true within {seconds:.0f} s")
        threading.Event().wait(0.05)
