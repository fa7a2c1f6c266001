"""How PostgreSQL's own programs reach the product's database, embedded or given."""

import os
import shutil
import subprocess
import tempfile
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from psycopg.conninfo import make_conninfo

from config.databases import connection_arguments
from config.embedded_postgres import binaries
from config.environment import read_or_exit

#: What our programs say at the beginning of a script, and servers before PostgreSQL 17 do not know.
UNKNOWN_BEFORE_17 = b"SET transaction_timeout = 0;\n"
PREAMBLE_LINES = 60


def dump(target: Path, *options: str) -> None:
    """The whole database is in the file, as it was at one moment."""
    where, secret = _address()
    command = [str(binaries() / "pg_dump"), "--no-password", where, "--format=custom", f"--file={target}", *options]
    done = subprocess.run(command, env=secret, capture_output=True, text=True)
    _check("pg_dump", done.returncode, done.stderr)


def load(source: Path) -> None:
    """The database holds what the file holds, or nothing where that cannot be."""
    # Whoever restores owns everything, whatever the owner was called; comments are those of extensions, which only
    # a superuser may write.
    options = ("--no-owner", "--no-privileges", "--no-comments", "--file=-")
    where, secret = _address()
    into = ["--no-password", "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", where]
    with tempfile.TemporaryFile() as unread, tempfile.TemporaryFile() as unwritten:
        reading = subprocess.Popen([binaries() / "pg_restore", *options, source], stdout=subprocess.PIPE, stderr=unread)
        writing = subprocess.Popen(
            [binaries() / "psql", *into],
            env=secret,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=unwritten,
        )
        assert reading.stdout is not None
        assert writing.stdin is not None
        try:
            for line in islice(reading.stdout, PREAMBLE_LINES):
                writing.stdin.write(b"" if line == UNKNOWN_BEFORE_17 else line)
            shutil.copyfileobj(reading.stdout, writing.stdin)
            if reading.wait() != 0:
                writing.kill()  # Its end of input would be taken for the end of the script, and kept.
            writing.stdin.close()
        except BrokenPipeError:
            reading.kill()
        finally:
            reading.stdout.close()
            codes = reading.wait(), writing.wait()
        _check("psql", codes[1] if codes[1] > 0 else 0, _text(unwritten))
        _check("pg_restore", codes[0], _text(unread))
        _check("psql", codes[1], _text(unwritten))


def _address() -> tuple[str, dict[str, str]]:
    """The database for a command line, which every user of the machine can read, and the password beside it."""
    where: dict[str, Any] = connection_arguments(read_or_exit())
    password = where.pop("password", None)
    return f"--dbname={make_conninfo(**where)}", os.environ | ({"PGPASSWORD": str(password)} if password else {})


def _text(file: Any) -> str:
    file.seek(0)
    return bytes(file.read()).decode(errors="replace")


def _check(name: str, code: int, said: str) -> None:
    if code != 0:
        lines = [line for line in said.splitlines() if "error:" in line.lower()] or said.splitlines()
        raise CommandError(f"{name} failed: {lines[0].strip() if lines else f'code {code}'}")
