"""One question to a model: bounded in time and attempts, whatever the server does."""

import logging
import queue
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

log = logging.getLogger(__name__)

ATTEMPTS = 3
LONGEST_PAUSE = 10.0
_T = TypeVar("_T")


class Failed(Exception):
    """The model gave no answer that can be used; `reason` is one of the names in docs/llm.md. It holds no content."""

    def __init__(self, reason: str, attempts: int = 1, tokens: int = 0) -> None:
        super().__init__(reason)
        self.reason, self.attempts, self.tokens = reason, attempts, tokens


class Passing(Exception):
    """Worth another attempt; `after` is how long the server asks to wait."""

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.reason, self.after = reason, after


@dataclass(frozen=True, slots=True)
class Completion:
    """What came back, and what it cost as the server counts it (0: it does not say)."""

    content: str
    tokens: int
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Question:
    """Messages, the schema that the answer must have, and the tokens that it may take."""

    messages: Sequence[Mapping[str, str]]
    name: str
    schema: Mapping[str, Any]
    room: int


@dataclass(frozen=True, repr=False)
class Model:
    """A model on a server. ``repr`` is the plain object's: the key is a secret."""

    url: str
    name: str
    key: str | None
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
