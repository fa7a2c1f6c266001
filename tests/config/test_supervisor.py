"""The whole product as processes: it starts, outlives the death of any of them, and stops without a trace."""

import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from config.databases import connection_arguments
from config.environment import ROOT, read
from config.supervisor.children import MAX_RESTARTS, Budget
from config.supervisor.steps import demo_access
from tests.waiting import until

pytestmark = [pytest.mark.process, pytest.mark.xdist_group("supervisor")]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Product:
    """A running supervisor and what it has said."""

    home: Path
    port: int
    process: subprocess.Popen[str] | None = None
    said: list[str] = field(default_factory=list)
    _lines: "queue.Queue[str | None]" = field(default_factory=queue.Queue)

    @property
    def variables(self) -> dict[str, str]:
        own = {
            "COMMONPLACE_HOME": str(self.home),
            "PORT": str(self.port),
            "HOST": "127.0.0.1",
            "DEMO": "0",
            "SWEEP_SECONDS": "1",
            "WEB_WORKERS": "1",
            "WORKER_CONCURRENCY": "1",
        }
        inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
        return inherited | own

    def start(self, *command: str) -> None:
        self.said.clear()
        self._lines = queue.Queue()
        self.process = subprocess.Popen(
            command or [sys.executable, "-m", "config.supervisor"],
            cwd=ROOT,
            env=self.variables,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        threading.Thread(target=_listen, args=(self.process, self._lines), daemon=True).start()

    def hear(self, pattern: str, seconds: float = 120) -> str:
        """The next line that matches; what came before it is kept in ``said``."""
        while True:
            line = self._lines.get(timeout=seconds)
            if line is None:
                raise AssertionError(f"ended before saying {pattern!r}: {''.join(self.said)}")
            self.said.append(line)
            if re.search(pattern, line):
                return line

    def end(self, seconds: float = 60) -> int:
        assert self.process is not None
        return self.process.wait(seconds)

    def rows(self, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(**connection_arguments(read(self.variables)), autocommit=True) as connection:
            return connection.execute(statement.encode()).fetchall()

    def pid(self, name: str) -> int:
        """The main process of one child of the supervisor."""
        assert self.process is not None
        words = {"web": "gunicorn", "worker": " worker ", "beat": " beat ", "database": "/bin/postgres "}[name]
        for child in children(self.process.pid):
            if words in command_line(child):
                return child
        raise AssertionError(f"no {name} runs")


def _listen(process: "subprocess.Popen[str]", lines: "queue.Queue[str | None]") -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put(None)


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode() + " "
    except OSError:
        return ""


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
    assert not (tmp_path / "home" / "postgres").exists()


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
    product.start()
    product.hear("Ctrl-C stops it")
    assert product.process is not None
    product.process.kill()
    product.end()
    until(lambda: not processes_of(product.home), 60, "the end of every process")


def test_restarts_are_counted_and_slow_down():
    budget = Budget()
    pauses = [budget.spend() for _ in range(MAX_RESTARTS + 1)]
    assert pauses[-1] is None
    shown = [pause for pause in pauses if pause is not None]
    assert shown == sorted(shown)
    assert len(shown) == 5
    budget.begun -= 601
    assert budget.spend() is not None


def test_the_demo_says_how_to_get_in():
    said = 'Making sessions 3 of 9\n{"login": "demo", "password": "p", "api_key": "k", "workspace": "w"}\n'
    assert demo_access(said)["login"] == "demo"
    assert demo_access("nothing\n{broken") == {}
