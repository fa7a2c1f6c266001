"""How PostgreSQL's own programs reach the product's database, embedded or given."""

import os
import subprocess
from typing import Any

from django.core.management.base import CommandError
from psycopg.conninfo import make_conninfo

from config.databases import connection_arguments
from config.embedded_postgres import binaries
from config.environment import read_or_exit


def run_program(name: str, *options: str) -> None:
    """The program has done its work on the database; otherwise CommandError has its last word."""
    where: dict[str, Any] = connection_arguments(read_or_exit())
    password = where.pop("password", None)
    # A command line can be read by every user of the machine, the environment cannot.
    secret = {"PGPASSWORD": str(password)} if password else {}
    done = subprocess.run(
        [binaries() / name, "--no-password", f"--dbname={make_conninfo(**where)}", *options],
        env=os.environ | secret,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if "error:" in line] or done.stderr.splitlines()
        raise CommandError(f"{name} failed: {said[0].strip() if said else f'code {done.returncode}'}")
