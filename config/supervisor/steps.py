"""The commands that run once before the processes start."""

import json
import os
import select
import subprocess
import time
from pathlib import Path

from config.supervisor.children import last_line, spawn
from config.supervisor.console import tell
from config.supervisor.signals import Signals, Stopped

SHOW_EVERY_SECONDS = 1.0


class StepFailed(Exception):
    """A command that must succeed did not; the message is one line."""


def run_step(arguments: list[str], log: Path, signals: Signals) -> str:
    """The command has succeeded; what it printed is shown while it works, a line a second, and returned."""
    process = spawn(arguments, log, stdout=subprocess.PIPE)
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    said, shown_at = b"", time.monotonic()
    try:
        while True:
            if signals.stops:
                raise Stopped
            ready = select.select([process.stdout], [], [], 0.2)[0]
            chunk = process.stdout.read() if ready else None
            if chunk == b"":
                break
            said += chunk or b""
            if chunk and time.monotonic() - shown_at > SHOW_EVERY_SECONDS:
                shown_at = time.monotonic()
                _show(said)
        code = process.wait()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(20)
        process.stdout.close()
    if code != 0:
        raise StepFailed(f"{' '.join(arguments)} failed: {last_line(log)} (see {log})")
    return said.decode(errors="replace")


def _show(said: bytes) -> None:
    lines = said.decode(errors="replace").rstrip().splitlines()
    if lines and not lines[-1].lstrip().startswith("{"):
        tell(f"    {lines[-1].strip()[:100]}")


def has_command(name: str, root: Path) -> bool:
    """One of the apps brings this management command."""
    return any(root.glob(f"*/management/commands/{name}.py"))


def demo_access(said: str) -> dict[str, str]:
    """The demo's login, password and API key: the last line of its command that is a JSON object."""
    for line in reversed(said.splitlines()):
        if line.lstrip().startswith("{"):
            try:
                found = json.loads(line)
            except ValueError:
                continue
            return {str(name): str(value) for name, value in found.items()}
    return {}
