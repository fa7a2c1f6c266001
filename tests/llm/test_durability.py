"""A real worker, killed while it waits for a model: what was spent stays spent, and each note is decided once."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from config.broker import declare_queues
from consolidation import tasks
from consolidation.actions import end_session, run_consolidation
from consolidation.actions.leases import claim
from consolidation.models import ConsolidationRun, RunStatus
from memory_app.models import Decision, Memory, Note, Workspace
from tests.brokers import broker_at, own_database
from tests.factories import AGENT
from tests.waiting import until
from tests.workers import Worker

from .conftest import KEY, Says, opt_in
from .server import Reply, Server, note, said, serving

pytestmark = [pytest.mark.process, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("process")]

HIVES = "The hives behind our house wintered well."


@pytest.fixture
def worker(tmp_path: Path, transactional_db: None) -> Iterator[tuple[Worker, Server]]:
    """The product's worker, told of a model that plays its part in this process."""
    with serving() as server, broker_at(own_database()):
        declare_queues()
        process = Worker(tmp_path)
        process.environment |= {"LLM_URL": server.url, "LLM_MODEL": "small-model", "LLM_KEY": KEY}
        process.environment["RUN_LEASE_SECONDS"] = "2"  # so that a killed run is found in two seconds
        yield process, server
        process.kill()


def test_a_worker_killed_in_the_middle_of_a_call(
    worker: tuple[Worker, Server], workspace: Workspace, says: Says
) -> None:
    process, server = worker
    opt_in(workspace, llm_proposals_wait=False)
    never = threading.Event()
    server.says(lambda asked: Reply(b"{}", wait=never))
    server.otherwise = lambda asked: said({"notes": [note(2, "The hives behind our house", "Has hives")]})
    session = says("I am vegetarian.", HIVES)
    run = end_session(session, AGENT)
    process.start()
    tasks.send(run.pk)
    until(lambda: server.asked, 60, "the model is asked")
    process.kill()
    never.set()
    run.refresh_from_db()
    assert (run.status, run.model_calls[0]["outcome"]) == (RunStatus.RUNNING, "asked")
    assert not Note.objects.exists()

    process.start()

    def done() -> bool:
        tasks.sweep_runs()
        return not ConsolidationRun.objects.exclude(status=RunStatus.DONE).exists()

    until(done, 90, "the run is done")
    run.refresh_from_db()
    assert [one["outcome"] for one in run.model_calls] == ["asked", "answered"]
    assert run.model_calls[0]["tokens"] > 2_000  # what it may have cost
    decided = Decision.objects.values_list("note__text", "action", "status")
    assert sorted(decided) == [
        ("Has hives", "promote", "applied"),
        ("Vegetarian", "promote", "applied"),
    ], run.model_calls
    assert Memory.objects.filter(scope="user").count() == 2
    assert KEY not in process.log.read_text()
    assert HIVES not in process.log.read_text()


def test_a_run_that_was_taken_over_while_the_model_thought_writes_nothing(
    server: Server, workspace: Workspace, says: Says
) -> None:
    opt_in(workspace)
    session = says(HIVES)
    run = end_session(session, AGENT)

    def stolen(asked: dict[str, object]) -> Reply:
        ConsolidationRun.objects.filter(pk=run.pk).update(
            status=RunStatus.PENDING, claim=None, lease_until=timezone.now() - timedelta(seconds=1)
        )
        assert claim(run.pk) is not None
        connection.close()
        return said({"notes": [note(1, "The hives behind our house", "Has hives")]})

    server.says(stolen)
    run_consolidation(run.pk)
    assert not Note.objects.exists()
    assert ConsolidationRun.objects.get().status == RunStatus.RUNNING
