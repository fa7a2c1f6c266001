"""The same loop on Redis and on RabbitMQ: two real workers, one killed, nothing lost and nothing done twice."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from config.broker import declare_queues
from consolidation import tasks
from consolidation.actions import end_session
from consolidation.models import ConsolidationRun, RunStatus
from memory_app.models import Decision, Memory, MemorySource, Note, Session, Workspace
from tests.api.calls import caller
from tests.brokers import broker_at
from tests.consolidation.conftest import AGENT, Say
from tests.deployment.programs import BROKERS
from tests.product import free_port
from tests.waiting import until
from tests.workers import BEAT, Worker

pytestmark = [pytest.mark.process, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("process")]

SESSIONS, USERS, NOTES = 24, 4, 3


class Broker:
    """One server of a kind, started when the test wants it."""

    def __init__(self, kind: str, folder: Path, stack: ExitStack) -> None:
        self.kind, self.folder, self.stack, self.port = kind, folder, stack, free_port()
        self.address = {"redis": f"redis://127.0.0.1:{self.port}/0", "rabbitmq": f"amqp://127.0.0.1:{self.port}//"}[
            kind
        ]

    def start(self) -> None:
        self.address = self.stack.enter_context(BROKERS[self.kind](self.folder, self.port))


@pytest.fixture(params=sorted(BROKERS))
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Broker]:
    with ExitStack() as stack:
        yield Broker(request.param, tmp_path, stack)


def started(stack: ExitStack, *processes: Worker) -> None:
    for process in processes:
        stack.callback(process.kill)
        process.environment |= {"RUN_LEASE_SECONDS": "2", "SWEEP_SECONDS": "1"}
        process.start()


def lasting(session: int, number: int) -> tuple[str, dict[str, object]]:
    quote = f"From now on, keep in mind that I like band {session}-{number}."
    return quote, {"text": f"Likes band {session}-{number}", "key": "likes", "value": f"band {session}-{number}"}


def undone() -> int:
    return ConsolidationRun.objects.exclude(status=RunStatus.DONE).count()


def test_two_workers_and_one_killed(broker: Broker, say: Say, tmp_path: Path) -> None:
    broker.start()
    workers = [Worker(tmp_path, broker.address) for _ in range(2)]
    with broker_at(broker.address):
        declare_queues()
        started(broker.stack, *workers, Worker(tmp_path, broker.address, BEAT))
        for number in range(SESSIONS):
            session = say(*[lasting(number, i) for i in range(NOTES)], user=f"user-{number % USERS}")
            tasks.send(end_session(session, AGENT).pk)
        until(lambda: ConsolidationRun.objects.filter(status=RunStatus.RUNNING).exists(), 90, "a run is under way")
        before = undone()
        workers[0].kill()
        assert before > 0, "the kill came too late: the test proves nothing"
        until(lambda: undone() == 0, 120, "every run is done after the kill")
    notes = Note.objects.all()
    assert {note.status for note in notes} == {"decided"}
    assert Decision.objects.filter(origin="consolidation").count() == notes.count() == SESSIONS * NOTES
    assert Memory.objects.filter(scope="user", status="active").count() == SESSIONS * NOTES
    assert MemorySource.objects.filter(memory__scope="user").count() == SESSIONS * NOTES
    assert {session.status for session in Session.objects.all()} == {"consolidated"}


def test_a_broker_that_comes_back_gets_what_it_missed(broker: Broker, workspace: Workspace, tmp_path: Path) -> None:
    agent = caller(workspace, "agent")
    with broker_at(broker.address):
        session = agent.ok("POST", "/sessions", {"user": "zhang-san"})["id"]
        quote, note = lasting(0, 0)
        agent.ok("POST", f"/sessions/{session}/notes", note | {"evidence": {"role": "user", "quote": quote}})
        ended = agent.post(f"/sessions/{session}/end", {})
    assert ended.status_code == 202, ended.content
    run = ConsolidationRun.objects.get()
    assert (run.status, run.sent_at) == (RunStatus.PENDING, None)
    beat, worker = Worker(tmp_path, broker.address, BEAT), Worker(tmp_path, broker.address)
    started(broker.stack, beat, worker)
    for process in (beat, worker):
        until(lambda log=process.log: "rror" in log.read_text(), 60, f"{process.log} tells of the broker")
    broker.start()
    until(lambda: undone() == 0, 90, "the run is done once the broker is back")
    assert Note.objects.get().status == "decided"
