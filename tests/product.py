"""The whole product as `make run` starts it, and what it has said."""

import os
import queue
import re
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from config.databases import connection_arguments
from config.environment import ROOT, read


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Product:
    """A running supervisor and what it has said."""

    home: Path
    port: int
    process: subprocess.Popen[str] | None = None
    said: list[str] = field(default_factory=list)
    _lines: "queue.Queue[str | None]" = field(default_factory=queue.Queue)

    @property
    def variables(self) -> dict[str, str]:
        own = {
            "COMMONPLACE_HOME": str(self.home),
            "PORT": str(self.port),
            "HOST": "127.0.0.1",
            "DEMO": "0",
            "SWEEP_SECONDS": "1",
            "WEB_WORKERS": "1",
            "WORKER_CONCURRENCY": "1",
        }
        inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
        return inherited | own

    def start(self, *command: str) -> None:
        self.said.clear()
        self._lines = queue.Queue()
        self.process = subprocess.Popen(
            command or [sys.executable, "-m", "config.supervisor"],
            cwd=ROOT,
            env=self.variables,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        threading.Thread(target=_listen, args=(self.process, self._lines), daemon=True).start()

    def hear(self, pattern: str, seconds: float = 120) -> str:
        """The next line that matches; what came before it is kept in ``said``."""
        while True:
            line = self._lines.get(timeout=seconds)
            if line is None:
                raise AssertionError(f"ended before saying {pattern!r}: {''.join(self.said)}")
            self.said.append(line)
            if re.search(pattern, line):
                return line

    def end(self, seconds: float = 60) -> int:
        assert self.process is not None
        return self.process.wait(seconds)

    def rows(self, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(**connection_arguments(read(self.variables)), autocommit=True) as connection:
            return connection.execute(statement.encode()).fetchall()

    def pid(self, name: str) -> int:
        """The main process of one child of the supervisor."""
        assert self.process is not None
        words = {"web": "gunicorn", "worker": " worker ", "beat": " beat ", "database": "/bin/postgres "}[name]
        for child in children(self.process.pid):
            if words in command_line(child):
                return child
        raise AssertionError(f"no {name} runs")


def _listen(process: "subprocess.Popen[str]", lines: "queue.Queue[str | None]") -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put(None)


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode() + " "
    except OSError:
        return ""
