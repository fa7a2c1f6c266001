"""One server on one home: started, watched, stopped, or borrowed from the process that has it."""

import fcntl
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg

from config.embedded_postgres.cluster import admit_user, ensure_cluster
from config.embedded_postgres.folders import Folders, folders, named, prepare, take_lock
from config.embedded_postgres.problems import AlreadyRunning, DatabaseStartError, full_disk
from config.embedded_postgres.programs import (
    DATABASE,
    PORT,
    ROLE,
    SETTINGS,
    SOCKET_NAME,
    Launch,
    binaries,
    choose_launch,
    clean_environment,
)

START_SECONDS = 120.0
STOP_SECONDS = 30.0
MAX_LOG_BYTES = 10_000_000


def connect(home: Path, database: str = "postgres") -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(
        host=str(folders(home).socket),
        port=PORT,
        user=ROLE,
        dbname=database,
        connect_timeout=10,
        autocommit=True,
    )


@dataclass
class EmbeddedPostgres:
    """A server of this process. It dies with the thread that started it, so use the main thread."""

    home: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    _lock: int | None = None
    # Each process of the server inherits the other end: end of file here means that all of them are gone.
    _life: int | None = None

    @property
    def folders(self) -> Folders:
        return folders(self.home)

    def start(self) -> Self:
        """The server answers on its socket and has the product's database; the data folder is locked."""
        places = prepare(self.home)
        if self._lock is None:
            self._lock = take_lock(places)
        try:
            launch = choose_launch(places.data)
            admit_user(places, launch)
            ensure_cluster(places, launch)
            self._launch(places, launch)
            _create_database(places)
        except BaseException:
            self.stop()
            raise
        return self

    def restart(self) -> None:
        """A server that died runs again on the same socket; the lock was never let go."""
        self._end_process(5.0)
        self._launch(self.folders, choose_launch(self.folders.data))

    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def stop(self) -> None:
        """The server has shut down, cleanly where it could, and the data folder is free again."""
        try:
            self._end_process(STOP_SECONDS)
        finally:
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _launch(self, places: Folders, launch: Launch) -> None:
        assert self._lock is not None
        # The lock is ours and every process of an earlier server is gone: a killed one left these.
        (places.data / "postmaster.pid").unlink(missing_ok=True)
        for left in places.socket.glob(SOCKET_NAME + "*"):
            left.unlink(missing_ok=True)
        if places.log.exists() and places.log.stat().st_size > MAX_LOG_BYTES:
            places.log.replace(places.log.with_suffix(".log.1"))
        chosen = {**SETTINGS, **self.settings}
        options = [word for name, value in chosen.items() for word in ("-c", f"{name}={value}")]
        where = ("-D", places.data, "-k", places.socket, "-p", str(PORT))
        self._life, other_end = os.pipe()
        try:
            with open(places.log, "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as log:
                offset = log.seek(0, os.SEEK_END)
                self.process = subprocess.Popen(
                    launch.command(binaries() / "postgres", *where, *options, death_signal="INT"),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    env=clean_environment(),
                    cwd="/",
                    start_new_session=True,
                    pass_fds=(self._lock, other_end),
                )
        finally:
            os.close(other_end)
        _await_answer(places, self.process, offset)

    def _end_process(self, patience: float) -> None:
        process, self.process = self.process, None
        if process is not None and process.poll() is None:
            for number, seconds in ((signal.SIGINT, patience), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0)):
                process.send_signal(number)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(seconds)
                    break
        if self._life is not None:
            # Backends outlive a killed server for a moment, and two servers on one folder would ruin it.
            gone = select.poll()
            gone.register(self._life, select.POLLIN | select.POLLHUP)
            ended = gone.poll(30_000)
            os.close(self._life)
            self._life = None
            if not ended:
                raise DatabaseStartError(f"Processes of an earlier database still use {self.folders.data}: stop them.")


def _await_answer(places: Folders, process: subprocess.Popen[bytes], offset: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            connect(places.home).close()
            return
        except psycopg.OperationalError as error:
            if process.poll() is not None:
                said = _last_words(places, offset)
                raise full_disk(places.home, said) or DatabaseStartError(
                    f"PostgreSQL stopped at once: {said} (see {places.log})"
                ) from error
            if time.monotonic() > deadline:
                raise DatabaseStartError(
                    f"PostgreSQL did not answer within {START_SECONDS:.0f} s: see {places.log}."
                ) from error
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.02)


def _last_words(places: Folders, offset: int) -> str:
    with open(places.log, "rb") as log:
        log.seek(offset)
        lines = log.read().decode(errors="replace").splitlines()
    telling = [line for line in lines if "FATAL" in line or "PANIC" in line] or lines
    return telling[-1].strip() if telling else "it left no message"


def _create_database(places: Folders) -> None:
    with connect(places.home) as connection:
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (DATABASE,)).fetchone() is None:
            connection.execute(f'CREATE DATABASE "{DATABASE}"')


@contextmanager
def borrowed(home: Path) -> Iterator[None]:
    """The database of this home answers during the block: the one that is up, or one started for the block.

    ``postgres.users`` is held, shared, by every command that uses the server, so that the one that started it
    can wait for the others before it stops it.
    """
    places = prepare(home)
    users = os.open(places.users, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    server: EmbeddedPostgres | None = None
    try:
        fcntl.flock(users, fcntl.LOCK_SH)
        server = _own_or_other(places)
        yield
    finally:
        if server is not None:
            _await_users(users, places)
            server.stop()
        os.close(users)


def _own_or_other(places: Folders) -> EmbeddedPostgres | None:
    """A server of this process, or None once another process's server answers."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            return EmbeddedPostgres(places.home).start()
        except AlreadyRunning as error:
            try:
                connect(places.home, DATABASE).close()
                return None
            except psycopg.OperationalError:
                # It is still starting, or it is just stopping: then the lock comes free.
                if time.monotonic() > deadline:
                    raise DatabaseStartError(
                        f"Another process{named(places)} holds {places.home}, and its database"
                        " does not answer: stop it and try again."
                    ) from error
                threading.Event().wait(0.05)


def _await_users(users: int, places: Folders) -> None:
    """No other command uses the server any more; one line tells whoever waits for that."""
    fcntl.flock(users, fcntl.LOCK_UN)
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(
            f"Another command still uses the database in {places.home}; waiting for it to end.",
            file=sys.stderr,
        )
        fcntl.flock(users, fcntl.LOCK_EX)
