"""The product in a home of its own, as the measurements need it: its database at hand, then served."""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
READY_SECONDS = 120


def told(what: str, *said: str) -> None:
    """One line of what was measured."""
    print(f"{what:28}", *said, flush=True)  # noqa: T201


@contextmanager
def measured_home(given: Path | None = None) -> Iterator[Path]:
    """The folder, made where it is missing and kept; without one, a folder that is gone afterwards. The load of the
    machine is told at both ends: numbers mean little without it."""
    home = given or Path(tempfile.mkdtemp(prefix="commonplace-bench-"))
    home.mkdir(parents=True, exist_ok=True)
    _told_load("at the start")
    try:
        yield home
        _told_load("at the end")
    finally:
        if given is None:
            shutil.rmtree(home, ignore_errors=True)


def _told_load(when: str) -> None:
    told(f"load average {when}", *(f"{load:.1f}" for load in os.getloadavg()))


@contextmanager
def database(home: Path, **environment: str) -> Iterator[None]:
    """This process has the product's settings, and its migrated database on this home."""
    os.environ |= {
        "COMMONPLACE_HOME": str(home), "DJANGO_SETTINGS_MODULE": "config.settings", "DEMO": "0", "LOG_LEVEL": "WARNING",
        "PORT": str(_free_port()), "HOST": "127.0.0.1",
    } | environment  # fmt: skip
    for name in ("DATABASE_URL", "BROKER_URL", "CACHE_URL", "EMBEDDINGS_URL", "LLM_URL"):
        os.environ.pop(name, None)
    from config.embedded_postgres import EmbeddedPostgres

    with EmbeddedPostgres(home):
        import django
        from django.core.management import call_command
        from django.db import connections

        django.setup()
        with open(os.devnull, "w") as nowhere:
            call_command("prepare", stdout=nowhere)
        yield
        connections.close_all()


@contextmanager
def served(home: Path) -> Iterator[int]:
    """The product runs on this home, at this port."""
    port = int(os.environ["PORT"])
    with (home / "served.log").open("w") as log:
        running = subprocess.Popen([sys.executable, "-m", "config.supervisor"], cwd=ROOT, stdout=log, stderr=log)
    try:
        until = time.monotonic() + READY_SECONDS
        while not _ready(port):
            if running.poll() is not None or time.monotonic() > until:
                raise RuntimeError("The product did not start:\n" + (home / "served.log").read_text()[-2000:])
            time.sleep(0.2)
        yield port
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait()


def _ready(port: int) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
