"""Where one home keeps its database, and the lock that says whose it is.

``postgres.lock`` is held by whoever started the server *and by the server itself* (it inherits the descriptor), so
a free lock proves that no server runs on the data: a ``postmaster.pid`` found then is stale.
"""

import fcntl
import hashlib
import os
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from config.embedded_postgres.problems import AlreadyRunning, DatabaseStartError, folder_problem
from config.embedded_postgres.programs import SOCKET_NAME

MAX_SOCKET_PATH = 107
# A server whose starter was killed needs a moment to shut down; it holds the lock until then.
LEFT_BEHIND_SECONDS = 15.0


@dataclass(frozen=True)
class Folders:
    """The paths of one home; asking for them creates nothing."""

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
        """The socket's folder: inside the home, or a short one elsewhere where that is too long, or holds a comma,
        which divides several folders for PostgreSQL and its clients."""
        inside = self.home / "run"
        if len(os.fsencode(inside / SOCKET_NAME)) <= MAX_SOCKET_PATH and "," not in str(inside):
            return inside
        digest = hashlib.sha256(os.fsencode(self.home)).hexdigest()[:12]
        return Path("/tmp") / f"commonplace-{os.geteuid()}-{digest}"


def folders(home: Path) -> Folders:
    return Folders(Path(os.path.abspath(home)))


def prepare(home: Path) -> Folders:
    """The folders exist, are ours alone and can be written; otherwise one line says why not."""
    places = folders(home)
    try:
        places.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_private(places)
        with tempfile.NamedTemporaryFile(dir=places.home, prefix=".writable-"):
            pass
    except OSError as error:
        raise folder_problem(places.home, error) from error
    return places


def _make_private(places: Folders) -> None:
    """The socket's folder is closed to others: the server lets in whoever reaches its socket."""
    folder = places.socket
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or not folder.is_dir():
        raise DatabaseStartError(f"{folder} is not a folder: remove it and start again.")
    found = folder.stat()
    # Where root lets another user run the server, that user owns it. In /tmp anybody could have made it before.
    trusted = {os.geteuid()} | ({places.data.stat().st_uid} if os.geteuid() == 0 and places.data.exists() else set())
    if found.st_uid not in trusted and (os.geteuid() != 0 or folder.parent != places.home):
        raise DatabaseStartError(f"{folder} belongs to someone else: remove it, or set another COMMONPLACE_HOME.")
    if found.st_mode & 0o077:
        folder.chmod(0o700)


def take_lock(places: Folders) -> int:
    """The descriptor that holds the lock; the file names this process."""
    try:
        descriptor = os.open(places.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise folder_problem(places.lock, error) from error
    deadline = time.monotonic() + LEFT_BEHIND_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if starter_lives(places) or time.monotonic() > deadline:
                os.close(descriptor)
                raise AlreadyRunning(
                    f"{places.home} is in use by another process{named(places)}:"
                    " stop that one, or set another COMMONPLACE_HOME."
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


def starter_lives(places: Folders) -> bool:
    """The process that took the lock still runs; a zombie does not count, and an unknown one does."""
    starter = _starter(places)
    if starter is None:
        return True
    try:
        state = Path(f"/proc/{starter}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")


def named(places: Folders) -> str:
    starter = _starter(places)
    return f" (pid {starter})" if starter is not None else ""
