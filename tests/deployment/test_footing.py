"""What a wrong database or broker says: one line, with the remedy, and no password."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded_postgres import binaries
from config.environment import ROOT
from tests.deployment.postgres import ESCAPED, PASSWORD, Server, postgres
from tests.product import free_port

pytestmark = [pytest.mark.process, pytest.mark.xdist_group("process")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that knows trigrams and no vectors, as PostgreSQL is without the package of pgvector."""
    folder = tmp_path_factory.mktemp("server")
    known = folder / "extension"
    known.mkdir()
    for path in (binaries().parent / "share").rglob("pg_trgm*"):
        shutil.copy(path, known)
    for path in (folder, known):
        path.chmod(0o755)
    with postgres(folder / "database", extension_control_path=str(folder)) as found:
        yield found


def prepare(home: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    own = {"COMMONPLACE_HOME": str(home), "DJANGO_SETTINGS_MODULE": "config.settings"} | variables
    return subprocess.run(
        [sys.executable, "manage.py", "prepare"], cwd=ROOT, env=os.environ | own, capture_output=True, text=True
    )


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1, done
    assert done.stderr.count("\n") == 1, done.stderr
    for secret in (PASSWORD, ESCAPED, "hunter2"):
        assert secret not in done.stderr
    return done.stderr


def test_a_server_without_pgvector(server: Server, tmp_path: Path) -> None:
    said = one_line(prepare(tmp_path, DATABASE_URL=server.address()))
    assert (
        said == "CommandError: The database server has no extension vector: install pgvector there and start again.\n"
    )


def test_a_user_who_may_not_create_the_extension(tmp_path: Path) -> None:
    with postgres(tmp_path / "database") as server:
        said = one_line(prepare(tmp_path, DATABASE_URL=server.address()))
        assert "commonplace may not create the extension vector: as a superuser, run CREATE EXTENSION vector;" in said
        server.run("CREATE EXTENSION vector", database="commonplace")
        # Whoever owns the database may create the other one.
        assert prepare(tmp_path, DATABASE_URL=server.address()).returncode == 0
        broker = f"redis://:hunter2@127.0.0.1:{free_port()}/0"
        said = one_line(prepare(tmp_path, DATABASE_URL=server.address(), BROKER_URL=broker))
        assert said.startswith("CommandError: BROKER_URL cannot be reached (")
        broker = f"amqp://me:hunter2@127.0.0.1:{free_port()}//"
        said = one_line(prepare(tmp_path, DATABASE_URL=server.address(), BROKER_URL=broker))
        assert said.startswith("CommandError: BROKER_URL cannot be reached (")


def test_a_wrong_password_and_a_wrong_port(server: Server, tmp_path: Path) -> None:
    said = one_line(prepare(tmp_path, DATABASE_URL=server.address(password="hunter2")))
    assert said.startswith("CommandError: DATABASE_URL cannot be reached (")
    assert "password authentication failed" in said
    one_line(prepare(tmp_path, DATABASE_URL=Server(free_port()).address()))
