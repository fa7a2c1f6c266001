"""A real worker, killed in the middle of runs: nothing is lost, and nothing is decided twice."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.utils import timezone

from config.broker import declare_queues
from consolidation import tasks
from consolidation.actions import end_session
from consolidation.actions.case_sets import save_case_set
from consolidation.actions.evaluating import begin_evaluation
from consolidation.actions.working import lost_jobs
from consolidation.models import ConsolidationRun, Evaluation, RunStatus
from memory_app.models import Decision, Memory, MemorySource, Note, Session, Workspace
from tests.brokers import broker_at, own_database
from tests.jobs import finished
from tests.waiting import until
from tests.workers import ROOT, Worker

from .conftest import AGENT, KEY, Say

pytestmark = [pytest.mark.process, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("process")]

KILLS = 8


@pytest.fixture
def worker(tmp_path: Path, transactional_db: None) -> Iterator[Worker]:
    with broker_at(own_database()):
        declare_queues()
        process = Worker(tmp_path)
        yield process
        process.kill()


def all_done() -> bool:
    tasks.sweep_runs()
    return not ConsolidationRun.objects.exclude(status=RunStatus.DONE).exists()


def lasting(number: int) -> tuple[str, dict[str, object]]:
    quote = f"From now on, keep in mind that I like band {number}."
    return quote, {"text": f"Likes band {number}", "key": "likes", "value": f"band {number}"}


@pytest.fixture
def workspace(transactional_db: None) -> Workspace:
    return Workspace.objects.create(slug="travel", name="Travel assistant")


def test_a_killed_worker_loses_nothing_and_decides_nothing_twice(worker: Worker, say: Say) -> None:
    worker.environment["RUN_LEASE_SECONDS"] = "2"  # so that a killed run is found in two seconds
    worker.start()
    for number in range(KILLS):
        session = say(*[lasting(number * 3 + i) for i in range(3)], user=f"user-{number % 2}")
        run = end_session(session, AGENT)
        tasks.send(run.pk)

        def taken(run: ConsolidationRun = run) -> bool:
            tasks.sweep_runs()
            run.refresh_from_db()
            return run.status in (RunStatus.RUNNING, RunStatus.DONE)

        until(taken, 60, "the run is claimed")
        # Each kill comes a little later than the one before, so that they hit every part of a run.
        threading.Event().wait(number * 0.02)
        worker.kill()
        worker.start()
        until(all_done, 90, "the run is done after the kill")
    notes = Note.objects.all()
    assert {n.status for n in notes} == {"decided"}
    assert Decision.objects.filter(origin="consolidation").count() == notes.count() == KILLS * 3
    assert Memory.objects.filter(scope="user", status="active").count() == KILLS * 3
    assert MemorySource.objects.filter(memory__scope="user").count() == KILLS * 3
    assert {s.status for s in Session.objects.all()} == {"consolidated"}
    assert ConsolidationRun.objects.filter(attempts__gt=1).exists(), "no kill hit a run: the test proves nothing"


def test_a_lost_message_is_found_by_the_sweep_in_seconds(worker: Worker, say: Say) -> None:
    run = end_session(say(lasting(1)), AGENT)  # never sent, as when the broker is down
    worker.start()
    until(all_done, 60, "the run is done")
    run.refresh_from_db()
    assert run.attempts == 1


def test_the_same_run_sent_many_times_is_done_once(worker: Worker, say: Say) -> None:
    sessions = [say(lasting(n), user="one") for n in range(6)]
    runs = [end_session(s, AGENT) for s in sessions]
    for _ in range(5):
        for run in runs:
            tasks.send(run.pk)
    worker.start()
    until(all_done, 60, "every run is done")
    assert Decision.objects.filter(origin="consolidation").count() == 6
    assert [r.attempts for r in ConsolidationRun.objects.all()] == [1] * 6
    order = [s.pk for s in Session.objects.order_by("consolidated_at")]
    assert order == [s.pk for s in Session.objects.order_by("started_at", "number")]


def test_a_broker_that_is_down_costs_the_caller_nothing(say: Say) -> None:
    run = end_session(say(lasting(1)), AGENT)
    started = timezone.now()
    with broker_at("redis://127.0.0.1:1/0"):
        tasks.send(run.pk)
    assert (timezone.now() - started).total_seconds() < 10
    run.refresh_from_db()
    assert (run.status, run.sent_at) == (RunStatus.PENDING, None)


def test_a_claim_is_renewed_for_as_long_as_the_work_takes(say: Say) -> None:
    from consolidation.actions import running, sweep_runs

    run = end_session(say(lasting(1)), AGENT)
    real, seen = running.distill_session, []

    def slow(claimed: ConsolidationRun, *given: Any) -> None:
        first = claimed.lease_until

        def renewed() -> bool:
            seen.extend(sweep_runs())
            return ConsolidationRun.objects.get(pk=claimed.pk).lease_until > first + timedelta(seconds=1)

        until(renewed, 20, "the lease is renewed")
        real(claimed, *given)

    with (
        mock.patch.object(running, "distill_session", slow),
        mock.patch("consolidation.actions.leases.lease", return_value=timedelta(seconds=1)),
        mock.patch("memory_app.actions.jobs.lease", return_value=timedelta(seconds=1)),
    ):
        running.run_consolidation(run.pk)
    run.refresh_from_db()
    assert (run.status, run.attempts, seen) == (RunStatus.DONE, 1, [])


#: A worker that dies with its second step written and not yet committed.
DYING = """
import os, signal, sys, uuid, django
django.setup()
from consolidation.actions import evaluating
from consolidation.actions.working import work_on
from consolidation.models import Evaluation
real, calls = evaluating.count_again, []
def dies(*given, **counts):
    real(*given, **counts)
    calls.append(given)
    if len(calls) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
evaluating.count_again = dies
work_on(Evaluation, uuid.UUID(sys.argv[1]))
"""


def test_a_worker_killed_in_the_middle_of_a_job_loses_a_step(worker: Worker, workspace: Workspace) -> None:
    rows = [{"id": f"g-{n}", "lang": "en", "input": {"text": f"Likes tea {n}"},
             "expect": {"verdict": "allow" if n % 3 else "block", "category": None}} for n in range(35)]  # fmt: skip
    content = "\n".join(json.dumps(row) for row in rows).encode()
    run = begin_evaluation(workspace, KEY, save_case_set(workspace, KEY, "own", [("guardrail_own.jsonl", content)]))
    environment = worker.environment | {"RUN_LEASE_SECONDS": "2"}
    died = subprocess.run([sys.executable, "-c", DYING, str(run.pk)], cwd=ROOT, env=environment, check=False)
    assert died.returncode == -signal.SIGKILL
    run.refresh_from_db()
    assert (run.status, run.done, run.cases.exclude(outcome="").count()) == ("running", 10, 10)
    assert run.claim is not None
    assert until(lost_jobs, 20, "it is found") == [(Evaluation, run.pk)]
    finished(run)
    assert (run.status, run.done, run.counts) == ("done", 35, {"right": 23, "harmful": 12})
