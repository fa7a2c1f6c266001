"""The embedded database starts from whatever an earlier one left, and says in one line why it cannot."""

import errno
import os
import pwd
import signal
import stat
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from config.embedded_postgres import (
    AlreadyRunning,
    DatabaseStartError,
    EmbeddedPostgres,
    borrowed,
    connect,
    folders,
    programs,
)
from config.embedded_postgres.problems import folder_problem, full_disk
from config.environment import ROOT
from tests.conftest import FAST
from tests.waiting import until

pytestmark = pytest.mark.process


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def _count(home: Path) -> object:
    with connect(home, "commonplace") as connection:
        found = connection.execute("SELECT count(*) FROM kept").fetchone()
    assert found is not None
    return found[0]


def test_data_outlives_stop_and_kill(home: Path):
    with EmbeddedPostgres(home, FAST), connect(home, "commonplace") as connection:
        connection.execute("CREATE TABLE kept (word text)")
        connection.execute("INSERT INTO kept VALUES ('安静的座位')")
    server = EmbeddedPostgres(home).start()
    assert server.process is not None
    with connect(home, "commonplace") as connection:
        connection.execute("INSERT INTO kept VALUES ('aisle')")
    os.kill(server.process.pid, signal.SIGKILL)
    until(lambda: not server.running(), 10)
    server.restart()
    try:
        assert _count(home) == 2
    finally:
        server.stop()


def test_chinese_trigrams_and_vectors_work(home: Path):
    with EmbeddedPostgres(home, FAST), connect(home, "commonplace") as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("CREATE EXTENSION pg_trgm")
        found = connection.execute("SELECT similarity('高铁出行', '高铁优先') > 0").fetchone()
        assert found == (True,)


def test_a_stale_pid_file_of_a_living_stranger_does_not_stop_the_start(home: Path):
    with EmbeddedPostgres(home, FAST):
        pass
    (folders(home).data / "postmaster.pid").write_text(f"{os.getpid()}\n{folders(home).data}\n")
    (folders(home).socket / ".s.PGSQL.5432.lock").write_text(f"{os.getpid()}\n")
    with EmbeddedPostgres(home, FAST):
        connect(home).close()


def test_a_half_finished_first_start_is_cleared_away(home: Path):
    left = home / ".initdb-left"
    left.mkdir(parents=True)
    (left / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres(home, FAST):
        connect(home, "commonplace").close()
    assert not left.exists()


def test_an_interrupted_start_leaves_a_home_that_starts(home: Path):
    """Killed at any moment of its first start, the next one works."""
    code = f"from config.embedded_postgres import *; from pathlib import Path; EmbeddedPostgres(Path({str(home)!r})).start()"
    for seen in (".initdb-*", "postgres", "run/.s.PGSQL.5432"):
        starter = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
        until(lambda seen=seen, starter=starter: any(home.glob(seen)) or starter.poll() is not None, 30)
        starter.kill()
        starter.wait()
    with EmbeddedPostgres(home, FAST):
        connect(home, "commonplace").close()


@pytest.mark.parametrize("name", ["very-long-" * 12, "a,b"])
def test_a_path_that_no_socket_may_have_gets_it_elsewhere(tmp_path: Path, name: str):
    home = tmp_path / name
    with EmbeddedPostgres(home, FAST):
        socket = folders(home).socket
        connect(home, "commonplace").close()
        assert socket.parent == Path("/tmp")
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
    socket.rmdir()


def test_nothing_is_opened_to_others(home: Path):
    with EmbeddedPostgres(home, FAST):
        for path in (home, folders(home).data, folders(home).socket):
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
        assert stat.S_IMODE(folders(home).log.stat().st_mode) == 0o600


def test_a_second_server_is_refused_in_one_line(home: Path):
    with EmbeddedPostgres(home, FAST), pytest.raises(AlreadyRunning) as caught:
        EmbeddedPostgres(home, FAST).start()
    assert f"pid {os.getpid()}" in str(caught.value)
    assert "COMMONPLACE_HOME" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_that_is_no_folder(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseStartError, match="is not a folder: set COMMONPLACE_HOME"):
        EmbeddedPostgres(tmp_path / "file" / "home").start()


def test_something_else_in_the_data_folder_is_left_alone(home: Path):
    folders(home).data.mkdir(parents=True)
    mine = folders(home).data / "thesis.txt"
    mine.write_text("mine")
    with pytest.raises(DatabaseStartError, match="move it away"):
        EmbeddedPostgres(home).start()
    assert mine.read_text() == "mine"


def test_another_version_is_named(home: Path):
    folders(home).data.mkdir(parents=True)
    (folders(home).data / "PG_VERSION").write_text("9\n")
    with pytest.raises(DatabaseStartError, match="written by PostgreSQL 9, and 18 is installed"):
        EmbeddedPostgres(home).start()


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.ENAMETOOLONG, errno.ENOSPC, errno.EIO])
def test_every_folder_problem_is_one_line_with_the_remedy(number: int):
    message = str(folder_problem(Path("/data"), OSError(number, os.strerror(number))))
    assert "\n" not in message
    assert ": set " in message or ": free " in message


@pytest.mark.parametrize(
    "said",
    [
        'initdb: error: could not write file "/data/PG_VERSION": No space left on device',
        'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes\nHINT:  Check free disk space.',
    ],
)
def test_a_full_disk_is_told_with_its_remedy(said: str):
    assert str(full_disk(Path("/data"), said)).startswith("No space is left for /data: free some")
    assert full_disk(Path("/data"), "FATAL:  lock file is empty") is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_a_read_only_folder_says_so(tmp_path: Path):
    """A file system that is mounted read-only, as a container's may be, in a mount namespace of its own."""
    code = f"from config.embedded_postgres import *; from pathlib import Path; EmbeddedPostgres(Path('{tmp_path}/home')).start()"
    script = f'mount -t tmpfs -o ro tmpfs {tmp_path} && exec "$0" -c "$1"'
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, sys.executable, code], cwd=ROOT, capture_output=True, text=True
    )
    if "DatabaseStartError" not in done.stderr and "mount" in done.stderr:
        pytest.skip("mounting is not allowed here")
    assert "is on a read-only file system: set COMMONPLACE_HOME" in done.stderr.splitlines()[-1]


def test_a_command_borrows_the_server_that_is_up(home: Path):
    with EmbeddedPostgres(home, FAST) as server:
        with borrowed(home):
            connect(home, "commonplace").close()
        assert server.running()


def test_a_command_starts_the_server_and_stops_it(home: Path):
    with borrowed(home):
        connect(home, "commonplace").close()
    with pytest.raises(psycopg.OperationalError):
        connect(home)


def test_the_server_waits_for_the_last_command_that_uses_it(home: Path):
    code = f"""
import sys
from pathlib import Path
from config.embedded_postgres import borrowed, connect
with borrowed(Path({str(home)!r})):
    print("in", flush=True)
    sys.stdin.readline()
    connect(Path({str(home)!r}), "commonplace").close()
    print("fine", flush=True)
"""

    def command() -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", code], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    first = command()
    assert first.stdout is not None
    assert first.stdout.readline() == "in\n"
    second = command()
    assert second.stdout is not None
    assert second.stdout.readline() == "in\n"
    assert first.stdin is not None
    first.stdin.write("\n")
    first.stdin.flush()
    assert first.stdout.readline() == "fine\n"
    assert first.poll() is None
    assert second.communicate("\n", timeout=30)[0] == "fine\n"
    assert second.returncode == 0
    assert first.wait(30) == 0


def test_the_server_dies_with_its_starter(home: Path):
    code = f"""
from pathlib import Path
from config.embedded_postgres import EmbeddedPostgres
import sys
EmbeddedPostgres(Path({str(home)!r})).start()
print("up", flush=True)
sys.stdin.readline()
"""
    starter = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert starter.stdout is not None
    assert starter.stdout.readline() == "up\n"
    starter.kill()
    starter.wait()
    with EmbeddedPostgres(home, FAST):
        connect(home, "commonplace").close()


def test_root_without_namespaces_falls_back_to_a_system_user(monkeypatch: pytest.MonkeyPatch):
    if os.geteuid() != 0:
        pytest.skip("only root needs another user")
    real = programs.succeeds
    monkeypatch.setattr(programs, "succeeds", lambda command: command[0] != "unshare" and real(command))
    launch = programs.choose_launch(Path("/nowhere"))
    assert launch.ids is not None
    assert pwd.getpwuid(launch.ids[0]).pw_name in programs.SYSTEM_USERS
    assert launch.command("postgres", death_signal="INT")[:2] == ["setpriv", launch.prefix[1]]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_root_runs_the_data_of_another_user_as_that_user(home: Path):
    with EmbeddedPostgres(home, FAST):
        pass
    nobody = pwd.getpwnam("nobody")
    for folder, _, names in os.walk(folders(home).data):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            os.chown(path, nobody.pw_uid, nobody.pw_gid, follow_symlinks=False)
    for parent in home.parents:
        if parent.stat().st_mode & 0o001 == 0:
            parent.chmod(parent.stat().st_mode | 0o001)
    with EmbeddedPostgres(home, FAST) as server:
        assert server.process is not None
        assert os.stat(f"/proc/{server.process.pid}").st_uid == nobody.pw_uid
        connect(home, "commonplace").close()
