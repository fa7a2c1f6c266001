"""One process of the product: its command, its log, and how often it may die."""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from config.environment import ROOT

MAX_RESTARTS = 5
# Whoever has run this long has earned its restarts anew.
STEADY_SECONDS = 600.0
MAX_LOG_BYTES = 20_000_000


@dataclass
class Budget:
    """How often something may be started again, and how long to wait before."""

    used: int = 0
    begun: float = field(default_factory=time.monotonic)

    def spend(self) -> float | None:
        """The seconds to wait before the next start, or None where the restarts are used up."""
        if time.monotonic() - self.begun > STEADY_SECONDS:
            self.used = 0
        if self.used >= MAX_RESTARTS:
            return None
        self.used += 1
        return float(min(0.2 * 2 ** (self.used - 1), 5.0))


@dataclass
class Child:
    """A process in a session of its own, which the kernel ends when the supervisor dies."""

    name: str
    arguments: list[str]
    log: Path
    grace: float
    process: subprocess.Popen[bytes] | None = None
    budget: Budget = field(default_factory=Budget)
    due: float | None = None
    # How long the log was when the process was started.
    _logged: int = 0

    def start(self) -> None:
        self.due = None
        with suppress(OSError):
            self._logged = self.log.stat().st_size
        self.budget.begun = time.monotonic()
        self.process = spawn(self.arguments, self.log)

    @property
    def pid(self) -> int | None:
        return self.process.pid if self.process is not None else None

    def died(self) -> str | None:
        """How the process ended, once, if it has; what it left behind in its session is gone then."""
        if self.process is None or self.process.poll() is None:
            return None
        code = self.process.returncode
        self.kill()
        self.process = None
        return f"signal {-code}" if code < 0 else f"code {code}"

    def terminate(self) -> None:
        # Only the main process: a pool that loses its children to the same signal waits for them.
        if self.process is not None and self.process.poll() is None:
            with suppress(ProcessLookupError):
                self.process.terminate()

    def ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def kill(self) -> None:
        """No process of this child's session is left."""
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(5)

    def last_words(self) -> str:
        """What the process that was started last has said last."""
        return last_line(self.log, self._logged)

    def trim_log(self) -> None:
        """The log is kept within bounds: its content moves to a second file, the process goes on writing."""
        with suppress(OSError):
            if self.log.stat().st_size > MAX_LOG_BYTES:
                shutil.copyfile(self.log, self.log.with_suffix(".log.1"))
                os.truncate(self.log, 0)
                self._logged = 0


def spawn(
    arguments: list[str], log: Path, stdout: int | None = None, stderr: int | None = None
) -> subprocess.Popen[bytes]:
    """Python runs with these arguments in its own session; what it says goes to the log, or where it is told."""
    before = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []
    with open(log, "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as out:
        return subprocess.Popen(
            [*before, sys.executable, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=out if stdout is None else stdout,
            stderr=out if stderr is None else stderr,
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,
        )


def last_line(log: Path, offset: int = 0) -> str:
    """What the log says last, after this many bytes, for a message that names it."""
    with suppress(OSError), open(log, "rb") as said:
        said.seek(offset)
        lines = [line for line in said.read().decode(errors="replace").splitlines() if line.strip()]
        if lines:
            return lines[-1].strip()[:300]
    return "it left no message"
