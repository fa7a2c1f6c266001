"""The whole product as processes: it starts, outlives the death of any of them, and stops without a trace."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from config.environment import ROOT, read
from config.supervisor.children import MAX_RESTARTS, Budget, Child
from config.supervisor.run import Supervisor
from config.supervisor.steps import demo_access
from tests.product import Product, command_line, free_port
from tests.waiting import until

pytestmark = [pytest.mark.process, pytest.mark.xdist_group("supervisor")]


def processes_of(home: Path) -> list[str]:
    """The commands of all living processes that were told of this home."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                told = (folder / "environ").read_bytes()
            except OSError:
                continue
            if f"COMMONPLACE_HOME={home}\0".encode() in told:
                found.append(command_line(int(folder.name)))
    return [line for line in found if line.strip()]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    running = Product(tmp_path_factory.mktemp("product") / "home", free_port())
    running.start()
    try:
        running.hear("Ctrl-C stops it")
        yield running
    finally:
        if running.process is not None and running.process.poll() is None:
            running.process.terminate()
            running.end()


def answers(product: Product) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", product.port)) == 0


def test_it_says_where_it_runs(product: Product):
    assert f"Commonplace runs at http://127.0.0.1:{product.port}/\n" in product.said
    assert answers(product)


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_a_killed_process_is_started_again(product: Product, name: str):
    before = product.pid(name)
    os.kill(before, signal.SIGKILL)
    product.hear(rf"^{name} ended \(signal 9\); starting it again \(1 of 5\)")
    after = until(lambda: _other_pid(product, name, before), 30, f"a new {name}")
    if name == "web":
        until(lambda: answers(product), 30)
    else:
        fresh = f"SELECT 1 FROM consolidation_workerheartbeat WHERE kind = '{name}' AND pid = {after}"
        until(lambda: product.rows(fresh), 60, f"a heartbeat of the new {name}")


def _other_pid(product: Product, name: str, before: int) -> int | None:
    try:
        found = product.pid(name)
    except AssertionError:
        return None
    return found if found != before else None


def test_a_killed_database_is_started_again_and_tasks_flow_on(product: Product):
    tables = product.rows("SELECT count(*) FROM django_migrations")
    os.kill(product.pid("database"), signal.SIGKILL)
    product.hear(r"^database ended; starting it again")
    until(lambda: _rows_or_none(product, "SELECT 1"), 30, "the database")
    assert product.rows("SELECT count(*) FROM django_migrations") == tables
    sent = _last_message(product)
    until(lambda: _last_message(product) > sent + 2, 60, "new messages of beat")
    waiting = "SELECT 1 FROM kombu_message WHERE visible"
    until(lambda: not product.rows(waiting), 60, "an empty queue")


def _rows_or_none(product: Product, statement: str) -> list[tuple[object, ...]] | None:
    try:
        return product.rows(statement)
    except psycopg.OperationalError:
        return None


def _last_message(product: Product) -> int:
    last = product.rows("SELECT last_value FROM message_id_sequence")[0][0]
    assert isinstance(last, int)
    return last


def test_a_command_uses_the_running_database(product: Product):
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--check"], cwd=ROOT, env=product.variables, capture_output=True
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert answers(product)


def test_a_second_one_on_the_same_home_is_refused_in_one_line(product: Product):
    other = Product(product.home, free_port())
    other.start()
    assert product.process is not None
    other.hear(rf"commonplace: {product.home} is already served by pid {product.process.pid}: stop that one")
    assert other.end() == 1


def test_a_taken_port_is_named_in_one_line(product: Product, tmp_path: Path):
    other = Product(tmp_path / "home", product.port)
    other.start()
    other.hear(rf"commonplace: Port {product.port} on 127.0.0.1 cannot be used .*: .*set another PORT")
    assert other.end() == 1
    assert not (tmp_path / "home").exists()


def test_terminating_make_stops_everything_and_the_next_start_finds_the_data(product: Product):
    assert product.process is not None
    product.process.terminate()
    assert product.end() == 0
    assert processes_of(product.home) == []
    assert not (product.home / "postgres" / "postmaster.pid").exists()

    product.start("make", "--no-print-directory", "run")
    product.hear("Ctrl-C stops it")
    assert not any("Applying" in line for line in product.said)
    assert product.rows("SELECT count(*) > 10 FROM django_migrations") == [(True,)]
    product.process.terminate()
    product.hear("^Stopped")
    assert product.end() != 0
    until(lambda: not processes_of(product.home), 30, "the end of every process")


def test_killing_the_supervisor_leaves_nothing_behind(product: Product):
    if product.process is None or product.process.poll() is not None:
        product.start()
        product.hear("Ctrl-C stops it")
    assert product.process is not None
    product.process.kill()
    product.end()
    until(lambda: not processes_of(product.home), 60, "the end of every process")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("COMMONPLACE_HOME", "d" * 300, "is too long"),
        ("HOST", "a..b", "HOST a..b is no address of this machine: set HOST=127.0.0.1."),
        ("HOST", "192.0.2.1", "HOST 192.0.2.1 is no address of this machine: set HOST=127.0.0.1."),
    ],
)
def test_what_no_start_can_use_is_told_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, value: str, said: str
) -> None:
    given = {"COMMONPLACE_HOME": str(tmp_path / "home"), "PORT": str(free_port())} | {name: value}
    with at_signals_of_before():
        assert Supervisor(read(given)).run() == 1
    complaint = capfd.readouterr().err
    assert said in complaint
    assert complaint.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_folder_of_the_home_that_cannot_be_used_is_told_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "logs").write_text("")
    with at_signals_of_before():
        assert Supervisor(read({"COMMONPLACE_HOME": str(tmp_path), "PORT": str(free_port())})).run() == 1
    assert capfd.readouterr().err == (
        f"commonplace: {tmp_path}/logs is not a folder: set COMMONPLACE_HOME to a folder that you may write to.\n"
    )


@contextmanager
def at_signals_of_before() -> Iterator[None]:
    """After the block, signals reach whoever they reached before."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        yield
    finally:
        signal.set_wakeup_fd(-1)
        for number, reached in before.items():
            signal.signal(number, reached)


def test_restarts_are_counted_and_slow_down():
    budget = Budget()
    pauses = [budget.spend() for _ in range(MAX_RESTARTS + 1)]
    assert pauses[-1] is None
    shown = [pause for pause in pauses if pause is not None]
    assert shown == sorted(shown)
    assert len(shown) == 5
    budget.begun -= 601
    assert budget.spend() is not None


def test_what_a_child_says_last_is_not_what_an_earlier_one_said(tmp_path: Path):
    log = tmp_path / "beat.log"
    log.write_text("a trouble of yesterday\n")
    child = Child("beat", ["-c", "pass"], log, 10)
    child.start()
    until(child.ended, 20)
    assert child.last_words() == "it left no message"
    child.arguments = ["-c", "print('a trouble of today')"]
    child.start()
    until(child.ended, 20)
    assert child.last_words() == "a trouble of today"


def test_the_demo_says_how_to_get_in():
    said = 'Making sessions 3 of 9\n{"login": "demo", "password": "p", "api_key": "k", "workspace": "w"}\n'
    assert demo_access(said)["login"] == "demo"
    assert demo_access("nothing\n{broken") == {}
