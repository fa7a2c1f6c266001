"""A PostgreSQL server as others run one: on a network port, with a password, on data of its own."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from config.embedded_postgres import binaries
from config.embedded_postgres.cluster import LOCALE
from config.embedded_postgres.programs import choose_launch, clean_environment
from tests.conftest import FAST
from tests.deployment.programs import running
from tests.product import free_port
from tests.waiting import until

PASSWORD = "p@ss:w/rd?"  # every character that an address must escape
ESCAPED = "p%40ss%3Aw%2Frd%3F"


@dataclass(frozen=True)
class Server:
    """Its superuser is `postgres`; both users have the same password."""

    port: int

    def run(self, *statements: str, database: str = "postgres") -> None:
        with psycopg.connect(
            host="127.0.0.1", port=self.port, user="postgres", password=PASSWORD, dbname=database, autocommit=True
        ) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def answers(self) -> bool:
        try:
            self.run("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def address(self, user: str = "commonplace", password: str = ESCAPED) -> str:
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/commonplace"


@contextmanager
def postgres(folder: Path, **settings: str) -> Iterator[Server]:
    """A server that runs during the block, with the database and user that docs/deploy.md has the operator make."""
    folder.mkdir(parents=True, exist_ok=True)
    data, secret = folder / "postgres", folder / "password"
    secret.write_text(PASSWORD)
    launch = choose_launch(data)
    make = [binaries() / "initdb", "-D", data, "-U", "postgres", "--auth=scram-sha-256", f"--pwfile={secret}", *LOCALE]
    subprocess.run(launch.command(*make), check=True, capture_output=True, env=clean_environment(), cwd="/")
    server = Server(free_port())
    chosen: Mapping[str, str] = FAST | {"listen_addresses": "127.0.0.1", "unix_socket_directories": ""} | settings
    options = [word for name, value in chosen.items() for word in ("-c", f"{name}={value}")]
    start = (binaries() / "postgres", "-D", data, "-p", str(server.port), *options)
    command = launch.command(*start, death_signal="INT")
    with running(command, folder / "postgres.log", clean_environment()):
        until(server.answers, 60, "the database server")
        server.run(
            f"CREATE ROLE commonplace LOGIN PASSWORD '{PASSWORD}'", "CREATE DATABASE commonplace OWNER commonplace"
        )
        yield server
