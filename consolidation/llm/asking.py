"""One question to a model: bounded in time and attempts, whatever the server does."""

import logging
import queue
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from .exchange import Completion, Failed, Passing, Question, Server

log = logging.getLogger(__name__)

ATTEMPTS = 3
LONGEST_PAUSE = 10.0
_T = TypeVar("_T")


@dataclass(frozen=True, repr=False)
class Model(Server):
    """A model, and how long one question to it may take, all attempts included."""

    seconds: float
    pause: float = 0.5

    def ask(self, question: Question) -> Completion:
        """The model's answer within `seconds`, all attempts included; Failed where there is none."""
        from .wire import post  # the client takes a while to load, and most processes never ask

        stop = time.monotonic() + self.seconds
        for attempt in range(1, ATTEMPTS + 1):
            left = stop - time.monotonic()
            try:
                found = _within(left, partial(post, self, question, left))
            except Passing as passing:
                backoff = self.pause * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)  # noqa: S311
                wait = min(LONGEST_PAUSE, max(passing.after, backoff))
                if attempt == ATTEMPTS or time.monotonic() + wait >= stop:
                    raise Failed(passing.reason, attempt) from None
                time.sleep(wait)
            except Failed as failed:
                raise Failed(failed.reason, attempt, failed.tokens) from None
            except Exception as error:  # whatever else a client or a strange answer raises
                log.warning("the language model could not be asked: %s", type(error).__name__)
                raise Failed("unreachable", attempt) from None
            else:
                return replace(found, attempts=attempt)
        raise AssertionError("the last attempt returns or raises")


def _within(seconds: float, call: Callable[[], _T]) -> _T:
    """What the call answers, waited for no longer than this however slowly its bytes drip in."""
    came: queue.SimpleQueue[tuple[_T | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            came.put((call(), None))
        except BaseException as error:
            came.put((None, error))

    threading.Thread(target=run, name="llm", daemon=True).start()
    try:
        answer, error = came.get(timeout=seconds)
    except queue.Empty:
        raise Failed("timeout") from None
    if error is not None:
        raise error
    return answer  # type: ignore[return-value]
