"""What whoever runs the product sees: one line a step, and how long it took."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def tell(line: str) -> None:
    """The line is shown; a reader that has gone away stops nothing."""
    with suppress(ValueError, OSError):
        print(line, flush=True)


def complain(line: str) -> None:
    with suppress(ValueError, OSError):
        print(f"commonplace: {line}", file=sys.stderr, flush=True)


@contextmanager
def step(name: str) -> Iterator[None]:
    """The step's name is shown when it begins, its time when it is done."""
    tell(f"  {name} …")
    begun = time.monotonic()
    yield
    tell(f"  {name}: ready ({time.monotonic() - begun:.1f} s)")
