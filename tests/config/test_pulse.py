"""A worker that takes no task says so by saying nothing; one that is at a long task lives."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from celery.worker import state

from config.pulse import AWAY, HUNG, HUNG_AFTER, Pulse


class Worker:
    """What a worker's consumer shows of itself, with two processes and a clock that a test moves."""

    def __init__(self, hub: Any = None) -> None:
        self.hub, self.pool, self.now = hub, SimpleNamespace(limit=2), 0.0
        self.connection: Any = object()
        self.asked: list[Callable[[], None]] = []
        self.pulse = Pulse(self, clock=lambda: self.now)

    def call_soon(self, answer: Callable[[], None]) -> None:
        self.asked.append(answer)

    def turns(self) -> None:
        """The loop goes round once."""
        for answer in self.asked:
            answer()
        self.asked.clear()

    def lives(self, seconds: float, each: Callable[[], None] = lambda: None) -> bool:
        """Whether it says that it lives at the end of these seconds, in each two of which something is done."""
        for _ in range(int(seconds) // 2):
            self.now += 2
            each()
            lives = self.pulse.beats()
        return lives


class Task:
    """A request as the worker's state counts it."""

    name = "consolidation.tasks.consolidate"

    def __init__(self) -> None:
        self.id = str(id(self))


@pytest.fixture(autouse=True)
def _nothing_to_do() -> Iterator[None]:
    for kept in (state.requests, state.reserved_requests, state.active_requests, state.total_count):
        kept.clear()
    yield
    for kept in (state.requests, state.reserved_requests, state.active_requests, state.total_count):
        kept.clear()


def handed(count: int) -> list[Task]:
    tasks = [Task() for _ in range(count)]
    for task in tasks:
        state.task_reserved(task)
    return tasks


def test_it_lives_while_its_loop_turns() -> None:
    worker = Worker()
    assert worker.lives(60, worker.turns)


@pytest.mark.parametrize("hub", [None, object()], ids=["on the database", "on a broker with sockets"])
def test_a_loop_that_is_stuck_is_told_and_comes_back(hub: Any) -> None:
    worker = Worker(hub)
    assert worker.lives(60, worker.turns)
    assert worker.lives(HUNG_AFTER)
    assert not worker.lives(6)
    worker.turns()
    assert worker.pulse.beats()


def test_tasks_that_no_free_process_begins_are_told() -> None:
    worker = Worker()
    assert worker.lives(4, worker.turns)
    first, *_others = handed(3)
    assert not worker.lives(HUNG_AFTER + 4, worker.turns)
    state.task_accepted(first)  # one of the two goes on
    assert worker.lives(2, worker.turns)


def test_a_long_task_is_none() -> None:
    """Neither one beside a free process, nor as many as there are processes with others that wait."""
    worker = Worker()
    long, other, *_waiting = handed(1) + handed(3)
    for waits in _waiting:
        state.task_ready(waits)
    state.task_ready(other)
    state.task_accepted(long)
    assert worker.lives(600, worker.turns)
    also, *_more = handed(4)
    state.task_accepted(also)
    assert worker.lives(600)  # on the database the loop rests until a process is free
    worker.turns()
    sockets = Worker(hub=object())
    assert sockets.lives(600, sockets.turns)
    assert not sockets.lives(HUNG_AFTER + 4)  # there it goes on beside long tasks


def test_many_short_tasks_are_no_reason() -> None:
    """Whenever it is looked at some wait and a process is free, but always others."""
    worker = Worker()
    queue = handed(40)

    def one_more() -> None:
        task = queue.pop()
        state.task_accepted(task)
        state.task_ready(task)
        worker.turns()

    assert worker.lives(60, one_more)


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    found = [record.getMessage() for record in caplog.records if record.name == "config.pulse"]
    caplog.clear()
    return found


def test_what_hangs_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    worker = Worker()
    assert not worker.lives(60)
    assert told(caplog) == [HUNG]


def test_without_a_broker_nothing_hangs(caplog: pytest.LogCaptureFixture) -> None:
    worker = Worker(hub=object())
    assert worker.lives(6, worker.turns)
    worker.connection = None
    worker.asked.clear()  # what its loop was asked is lost
    assert not worker.lives(60)
    assert told(caplog) == [AWAY]
    worker.connection = object()
    assert worker.lives(HUNG_AFTER)
    assert worker.lives(60, worker.turns)
    assert told(caplog) == []
    assert not worker.lives(HUNG_AFTER + 4)
    assert told(caplog) == [HUNG]


def test_one_that_ends_is_not_said_to_hang(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes no more tasks, for as long as the last one takes, and its connection is closed."""
    worker = Worker()
    monkeypatch.setattr(state, "should_stop", 0)
    worker.connection = None
    assert not worker.lives(60)
    assert told(caplog) == []
