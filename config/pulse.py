"""Whether a worker takes tasks: its own loop answers, and what it hands to its processes is begun."""

import logging
import time
from collections.abc import Callable
from typing import Any

from celery.worker import state

#: A loop that answers nothing for so long, or tasks that no free process begins, and the worker hangs.
HUNG_AFTER = 10.0
log = logging.getLogger(__name__)


class Pulse:
    """The worker as a thread beside it sees it. That thread lives on when the loop is stuck, or when a stopped process
    of the pool holds the lock under which all of them take their tasks."""

    def __init__(self, consumer: Any, clock: Callable[[], float] = time.monotonic) -> None:
        self.consumer, self.clock = consumer, clock
        self._answered = self._moved = clock()
        self._asked = self._hangs = False
        self._begun = 0

    def beats(self) -> bool:
        """Whether the worker takes tasks, or is at as many as it can do, however long they take. The loop is asked anew,
        and answers until the next time."""
        now, begun = self.clock(), sum(list(state.total_count.values()))
        at, waiting = len(state.active_requests), len(state.reserved_requests)
        busy = at >= self.consumer.pool.limit
        if busy or waiting <= at or begun != self._begun:
            self._moved, self._begun = now, begun
        if busy and not self.consumer.hub:
            self._answered = now  # without sockets, as on the database, the loop rests until a process is free
        if not self._asked:
            self._asked = True
            self.consumer.call_soon(self._answer)
        hangs = now - min(self._answered, self._moved) > HUNG_AFTER
        if hangs and not self._hangs:
            log.critical("This worker takes no task any more, and no longer says that it lives. Restart it.")
        self._hangs = hangs
        return not hangs

    def _answer(self) -> None:
        self._answered, self._asked = self.clock(), False
