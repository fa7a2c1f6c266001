"""The commands that run once before the processes start."""

import json
import os
import re
import select
import subprocess
import time
from pathlib import Path

from config.supervisor.children import last_line, spawn
from config.supervisor.console import tell
from config.supervisor.signals import Signals, Stopped

SHOW_EVERY_SECONDS = 1.0
# What a command says of its progress, on either stream: "Applying memory_app.0001…", "session 3 of 40".
PROGRESS = re.compile(r"^\s*(Applying \S+|.*\b\d+ of \d+\b.*)")


class StepFailed(Exception):
    """A command that must succeed did not; the message is one line."""


def run_step(arguments: list[str], log: Path, signals: Signals, shows: bool = True) -> str:
    """The command has succeeded; its progress was shown, a line a second, and what it printed is returned."""
    process = spawn(arguments, log, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    said = {process.stdout: b"", process.stderr: b""}
    streams = list(said)
    for stream in streams:
        os.set_blocking(stream.fileno(), False)
    shown_at = time.monotonic()
    try:
        while streams:
            if signals.stops:
                raise Stopped
            for stream in select.select(streams, [], [], 0.2)[0]:
                chunk = stream.read()
                said[stream] += chunk or b""
                if chunk == b"":
                    streams.remove(stream)
                elif shows and chunk and time.monotonic() - shown_at > SHOW_EVERY_SECONDS and _show(said[stream]):
                    shown_at = time.monotonic()
        code = process.wait()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(20)
        process.stdout.close()
        process.stderr.close()
        with open(log, "ab") as out:
            out.write(said[process.stderr])
    if code != 0:
        said_last = last_line(log).removeprefix("CommandError: ").rstrip(".")
        raise StepFailed(f"{' '.join(arguments)} failed: {said_last} (see {log})")
    return said[process.stdout].decode(errors="replace")


def _show(said: bytes) -> bool:
    """The last line is shown if it tells of progress."""
    lines = said[-2000:].decode(errors="replace").rstrip().splitlines()
    found = PROGRESS.match(lines[-1]) if lines else None
    if found:
        tell(f"    {found[1].strip(' .')[:100]}")
    return found is not None


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
