"""The product's worker and scheduler as real processes on a test's own database."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, urlencode

from django.db import connection

ROOT = Path(__file__).parents[1]
WORKER = ("-A", "config.celery", "worker", "--concurrency=2", "--loglevel=INFO")
BEAT = ("-A", "config.clock", "beat")


def database_url() -> str:
    """The test database as another process reaches it."""
    where = connection.settings_dict
    query = urlencode({"host": where["HOST"], "port": where["PORT"]})
    return f"postgresql://{quote(where['USER'])}@/{quote(where['NAME'])}?{query}"


class Worker:
    """A Celery process of the product, in a process group of its own."""

    def __init__(self, home: Path, broker: str | None = None, arguments: tuple[str, ...] = WORKER) -> None:
        self.environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": database_url(),
            "BROKER_URL": broker or "",
            "COMMONPLACE_HOME": str(home),
            "OMP_NUM_THREADS": "1",
            "SKIP_CHECKS": "1",
        }
        self.arguments = arguments
        self.log = home / f"{arguments[2]}-{id(self)}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "celery", *self.arguments],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self) -> None:
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
