"""The supervisor itself: start, watch, stop."""

import errno
import fcntl
import os
import socket
import time
from contextlib import suppress
from pathlib import Path

from config.embedded_postgres import DatabaseStartError, EmbeddedPostgres
from config.embedded_postgres.folders import prepare
from config.embedded_postgres.problems import folder_problem
from config.environment import ROOT, Environment, WrongValue
from config.supervisor.children import MAX_RESTARTS, Budget, Child
from config.supervisor.console import complain, step, tell
from config.supervisor.ready import beats, web_answers
from config.supervisor.signals import Signals, Stopped
from config.supervisor.steps import StepFailed, demo_access, has_command, run_step

READY_SECONDS = 120.0
WATCH_SECONDS = 1.0
TRIM_SECONDS = 60.0
# Workers need not know of each other: the run's row says whose it is.
ALONE = ("--without-gossip", "--without-mingle", "--without-heartbeat")
# The demo keeps its login here, so this file says that it was made.
DEMO_MADE = "demo.json"


class CannotStart(Exception):
    """The product does not start here; the message is one line with the remedy."""


class Supervisor:
    """Everything of one home, in order: database, tables, demo, processes."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.signals = Signals()
        self.logs = environment.home / "logs"
        self.database: EmbeddedPostgres | None = None
        self.database_budget = Budget()
        self.children = _children(environment, self.logs)
        self.trimmed_at = time.monotonic()
        self._lock: int | None = None

    def run(self) -> int:
        """The exit code, once everything is stopped again."""
        try:
            access = self._start()
            self._announce(access)
            return self._watch()
        except Stopped:
            return 0
        except (CannotStart, DatabaseStartError, StepFailed) as error:
            complain(str(error))
            return 1
        except OSError as error:  # a folder of the home, at whichever step, and however often it went well before
            complain(str(folder_problem(Path(error.filename or self.environment.home), error)))
            return 1
        finally:
            self._stop()

    def _start(self) -> dict[str, str]:
        tell("Commonplace starts")
        if not os.path.exists(self.environment.home):
            self._check_port()  # Before anything is written: a start that cannot be leaves no folder behind.
        self._lock_home()
        self._check_port()
        self._check_key()
        if self.environment.embedded_database:
            with step("database"):
                self._start_database()
        with step("tables and queues"):
            run_step(["manage.py", "prepare"], self.logs / "start.log", self.signals)
        # The first time, the demo's sessions are played before the worker could take them; later there is nothing
        # to play, and the processes start meanwhile.
        access = self._demo() if not (self.environment.home / DEMO_MADE).exists() else {}
        with step("web, worker and beat"):
            for child in self.children:
                child.start()
            access = access or self._demo()
            self._await_answers()
        return access

    def _demo(self) -> dict[str, str]:
        """How to get into the demo workspace, which is there; nothing where none is wanted."""
        if not self.environment.demo or not has_command("seed_demo", ROOT):
            return {}
        # Once made, its sessions are only looked through: their progress would read as if they were made again.
        made = (self.environment.home / DEMO_MADE).exists()
        with step("demo workspace"):
            command = ["manage.py", "seed_demo", "--skip-checks"]
            said = run_step(command, self.logs / "start.log", self.signals, shows=not made)
        return demo_access(said)

    def _lock_home(self) -> None:
        """No second supervisor runs on this home, and its folders can be written."""
        prepare(self.environment.home)
        self.logs.mkdir(mode=0o700, exist_ok=True)
        path = self.environment.home / "supervisor.lock"
        self._lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            other = path.read_text().strip()
            raise CannotStart(
                f"{self.environment.home} is already served by pid {other}:"
                " stop that one, or set another COMMONPLACE_HOME."
            ) from error
        os.ftruncate(self._lock, 0)
        os.pwrite(self._lock, f"{os.getpid()}\n".encode(), 0)

    def _check_key(self) -> None:
        try:
            _ = self.environment.secret_key
        except WrongValue as error:
            raise CannotStart(str(error)) from error

    def _check_port(self) -> None:
        host, port = self.environment.host, self.environment.port
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(
                host, port, socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM
            )[0]
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
        except (socket.gaierror, UnicodeError) as error:
            raise CannotStart(f"HOST {host} is no address of this machine: set HOST=127.0.0.1.") from error
        except PermissionError as error:
            raise CannotStart(f"PORT {port} is not open to ordinary users: set PORT=8000.") from error
        except OSError as error:
            if error.errno in (errno.EADDRNOTAVAIL, errno.EINVAL):
                raise CannotStart(f"HOST {host} is no address of this machine: set HOST=127.0.0.1.") from error
            raise CannotStart(
                f"Port {port} on {host} cannot be used ({error.strerror}):"
                " stop what listens there, or set another PORT."
            ) from error

    def _start_database(self) -> None:
        self.signals.interrupts = True
        try:
            self.database = EmbeddedPostgres(self.environment.home)
            self.database.start()
        finally:
            self.signals.interrupts = False

    def _await_answers(self) -> None:
        """Each process has answered; meanwhile those that die are started again."""
        waiting = {child.name: child for child in self.children}
        deadline = time.monotonic() + READY_SECONDS
        while waiting:
            if self.signals.stops:
                raise Stopped
            self._revive()
            for name in [name for name, child in waiting.items() if self._answers(child)]:
                del waiting[name]
            if waiting and time.monotonic() > deadline:
                child = next(iter(waiting.values()))
                raise CannotStart(
                    f"{child.name} does not answer after {READY_SECONDS:.0f} s: {child.last_words()} (see {child.log})"
                )
            if waiting:
                self.signals.wait(0.1)

    def _answers(self, child: Child) -> bool:
        if child.ended():
            return False
        if child.name == "web":
            return web_answers(self.environment)
        return beats(self.environment, child.name, child.pid)

    def _announce(self, access: dict[str, str]) -> None:
        host = self.environment.host
        shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
        tell(f"\nCommonplace runs at http://{shown}:{self.environment.port}/")
        if access:
            tell(f"  demo login  {access.get('login', '')}  password  {access.get('password', '')}")
            tell(f"  API key     {access.get('api_key', '')}  (workspace {access.get('workspace', '')})")
        else:
            tell("  an operator  .venv/bin/python manage.py create_operator NAME --workspace SLUG")
            tell("  an API key   .venv/bin/python manage.py create_api_key --workspace SLUG --role agent")
        tell(f"  data        {self.environment.home}")
        tell(f"  logs        {self.logs}")
        tell("Ctrl-C stops it.")

    def _watch(self) -> int:
        """Runs until someone asks to stop (0) or something has died too often (1)."""
        while not self.signals.stops:
            if not self._revive():
                return 1
            self.signals.wait(WATCH_SECONDS)
        return 0

    def _revive(self) -> bool:
        """What has died is started again, or will be after a pause; False once its restarts are used up."""
        if self.database is not None and not self.database.running():
            self._revive_database(self.database)
        now = time.monotonic()
        for child in self.children:
            how = child.died()
            if how is not None:
                pause = child.budget.spend()
                if pause is None:
                    raise CannotStart(
                        f"{child.name} has died {MAX_RESTARTS + 1} times ({how}):"
                        f" {child.last_words()} (see {child.log})"
                    )
                tell(f"{child.name} ended ({how}); starting it again ({child.budget.used} of {MAX_RESTARTS})")
                child.due = now + pause
            if child.due is not None and now >= child.due:
                child.start()
        if now - self.trimmed_at > TRIM_SECONDS:
            self.trimmed_at = now
            for child in self.children:
                child.trim_log()
        return True

    def _revive_database(self, database: EmbeddedPostgres) -> None:
        pause = self.database_budget.spend()
        if pause is None:
            raise CannotStart(f"The database has died {MAX_RESTARTS + 1} times: see {database.folders.log}.")
        tell(f"database ended; starting it again ({self.database_budget.used} of {MAX_RESTARTS})")
        try:
            database.restart()
        except DatabaseStartError as error:
            complain(str(error))
            self.signals.wait(pause)
        else:
            self.database_budget.begun = time.monotonic()

    def _stop(self) -> None:
        """Nothing that was started runs any more: first what takes requests and tasks, then the database."""
        asked = self.signals.stops
        running = self.database is not None or any(not child.ended() for child in self.children)
        if running:
            tell(f"Stopping ({self.signals.last}) …" if self.signals.last else "Stopping …")
        for child in self.children:
            child.terminate()
        deadlines = {child.name: time.monotonic() + child.grace for child in self.children}
        while any(not child.ended() for child in self.children):
            for child in self.children:
                forced = self.signals.stops > max(asked, 1)
                if not child.ended() and (forced or time.monotonic() > deadlines[child.name]):
                    child.kill()
            self.signals.wait(0.1)
        for child in self.children:
            child.kill()
        if self.database is not None:
            with suppress(DatabaseStartError):
                self.database.stop()
        if running:
            tell("Stopped.")
        if self._lock is not None:
            os.close(self._lock)


def _children(environment: Environment, logs: Path) -> list[Child]:
    """The processes in the order in which they are started and stopped."""
    # The start has run the checks; in here they would load every page for nothing.
    celery = ["-m", "celery", "-q", "--skip-checks", "-A"]
    level = environment.log_level.lower()
    return [
        Child(
            "web", ["-m", "gunicorn", "-c", "python:config.web_server", "config.wsgi:application"], logs / "web.log", 15
        ),
        Child("beat", [*celery, "config.clock", "beat", "--loglevel", level], logs / "beat.log", 10),
        Child(
            "worker",
            [*celery, "config.celery", "worker", "--loglevel", level, *ALONE],
            logs / "worker.log",
            25,
        ),
    ]
