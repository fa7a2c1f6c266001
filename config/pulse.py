"""Whether a worker takes tasks: its own loop answers, and what it hands to its processes is begun."""

import logging
import time
from collections.abc import Callable
from typing import Any

from celery.worker import state

#: A loop that answers nothing for so long, or tasks that no free process begins, and the worker hangs.
HUNG_AFTER = 10.0
HUNG = "This worker takes no task any more, and no longer says that it lives. Restart it."
AWAY = "The broker is away: this worker takes no task until it is back, and says nothing meanwhile."
log = logging.getLogger(__name__)


class Pulse:
    """The worker as a thread beside it sees it. That thread lives on when the loop is stuck, or when a stopped process
    of the pool holds the lock under which all of them take their tasks."""

    def __init__(self, consumer: Any, clock: Callable[[], float] = time.monotonic) -> None:
        self.consumer, self.clock = consumer, clock
        self._answered = self._moved = clock()
        self._asked = self._hangs = self._away = False
        self._begun = 0

    def beats(self) -> bool:
        """Whether the worker takes tasks, or is at as many as it can do, however long they take. The loop is asked anew,
        and answers until the next time."""
        ends = _is_set(state.should_stop) or _is_set(state.should_terminate)
        if not ends and self._is_away():
            return False
        now = self.clock()
        self._watch(now)
        hangs = now - min(self._answered, self._moved) > HUNG_AFTER
        if hangs and not self._hangs and not ends:  # one that ends takes no more tasks, while long ones are finished
            log.critical(HUNG)
        self._hangs = hangs
        return not hangs

    def _is_away(self) -> bool:
        """Whether there is no connection to the broker. What the loop was asked before is lost with it, so that it is
        asked anew and has its time once there is one again."""
        away = self.consumer.connection is None
        if away and not self._away:
            log.warning(AWAY)
        if away or self._away:
            self._answered = self._moved = self.clock()
            self._asked = False
        self._away = away
        return away

    def _watch(self, now: float) -> None:
        begun = sum(list(state.total_count.values()))
        at, waiting = len(state.active_requests), len(state.reserved_requests)
        busy = at >= self.consumer.pool.limit
        if busy or waiting <= at or begun != self._begun:
            self._moved, self._begun = now, begun
        if busy and not self.consumer.hub:
            self._answered = now  # without sockets, as on the database, the loop rests until a process is free
        if not self._asked:
            self._asked = True
            self.consumer.call_soon(self._answer)

    def _answer(self) -> None:
        self._answered, self._asked = self.clock(), False


def _is_set(code: int | bool | None) -> bool:
    """Whether it is the exit code of a worker that was told to end; that may be 0."""
    return code is not None and code is not False
