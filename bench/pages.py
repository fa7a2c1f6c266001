"""``make bench-pages``: what each page takes in a large workspace, and how often it asks the database; then the browser's
share (bench/keys.py) and what many open tabs cost (bench/tabs.py). docs/development.md has what was measured.
"""

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import keys, tabs
from bench.addresses import SLUG, asked_by_itself, calls, pages
from bench.product import database, measured_home, served, told

WARM, TIMES = 3, 20
MOST = 100.0  # milliseconds, of the slowest twentieth
Ask = Callable[[], Any]


def main() -> None:
    """Makes the data, or takes what a home has, and measures."""
    parser = argparse.ArgumentParser(prog="make bench-pages", description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--users", type=int, default=1_000)
    parser.add_argument("--big", type=int, default=15_000, help="Memories of one user besides.")
    parser.add_argument("--sessions", type=int, default=10_000)
    parser.add_argument("--open", type=int, default=20_000, help="Decisions that wait.")
    parser.add_argument("--times", type=int, default=TIMES)
    parser.add_argument("--home", type=Path, help="A folder to make the data in and keep, or to take it from.")
    parser.add_argument("--only", default="", help="Pages whose name has one of these, separated by |.")
    parser.add_argument("--make", action="store_true", help="Makes the data and stops, to be looked at with make run.")
    parser.add_argument("--no-server", action="store_true", help="Leaves out the browser and the tabs.")
    given = parser.parse_args()
    with measured_home(given.home) as home:
        _run(given, home)


def _run(given: argparse.Namespace, home: Path) -> None:
    with database(home, CURATOR_CALLS_PER_MINUTE="1000000"):
        _data(given)
        slow = [] if given.make else _pages(given)
    if given.make:
        return
    if not given.no_server:
        with served(home) as port:
            keys.measure(port)
            tabs.measure(port)
    if slow:
        told("slower than wanted", ", ".join(slow))


def _data(given: argparse.Namespace) -> None:
    from bench.large import make_large
    from memory_app.actions.summing import sum_hours
    from memory_app.models import Workspace

    if not Workspace.objects.filter(slug=SLUG).exists():
        start = time.perf_counter()
        make_large(given.memories, given.users, given.big, given.sessions, given.open)
        told("made in", f"{time.perf_counter() - start:.0f} s")
    start = time.perf_counter()
    sum_hours(seconds=float("inf"))  # as the worker does
    told("summed in", f"{time.perf_counter() - start:.0f} s")


def _pages(given: argparse.Namespace) -> list[str]:
    """Each page and call asked for over and over; the names of those that take too long."""
    from django.db import connection

    slow = []
    heads = ("busy p50", "busy p95", "p50 ms", "p95 ms", "queries")
    sys.stdout.write(f"{'page':30}{''.join(f'{head:>9}' for head in heads)}{'of it ms':>10}{'KB':>8}\n")
    for name, ask in _asked().items():
        if not any(one in name for one in given.only.split("|")):
            continue
        late = _measured(connection, name, ask, given.times)
        slow += [name] if late > MOST and not name.endswith(BY_ITSELF) else []
    return slow


#: Marks what nobody waits for.
BY_ITSELF = ", by itself"


def _asked() -> dict[str, Ask]:
    """What is measured, by name; an answer is the status and how many bytes came, of a file its first ones."""
    from django.conf import settings
    from django.test import Client

    from bench.data import MAKER
    from memory_app.actions.keys import create_key
    from memory_app.models import Operator, Workspace

    settings.ALLOWED_HOSTS = ["testserver"]
    person, program = Client(), Client()
    person.force_login(Operator.objects.get(username="bench"))
    workspace = Workspace.objects.get(slug=SLUG)
    _, key = create_key(workspace, MAKER, role="admin", name="bench", teams=[])
    program.defaults["HTTP_AUTHORIZATION"] = f"Bearer {key}"

    def got(client: Client, address: str) -> Ask:
        return lambda: _answered(client.get(address))

    found = {name: got(person, address) for name, address in pages().items()}
    found |= {name: got(program, address) for name, address in calls().items()}
    return found | {f"{name}{BY_ITSELF}": ask for name, ask in asked_by_itself().items()}


def _answered(response: Any) -> tuple[int, int]:
    """Of a file only its first rows are read: whoever saves it does not wait for the rest."""
    if not response.streaming:
        return response.status_code, len(response.content)
    first = next(iter(response.streaming_content), b"")
    response.close()
    return response.status_code, len(first)


def _measured(connection: Any, name: str, ask: Ask, times: int) -> float:
    """One line about it; the milliseconds that its slowest twentieth keeps processors busy."""
    from django.test.utils import CaptureQueriesContext

    for _ in range(WARM):
        ask()
    gc.freeze()  # as the server does: what stays is not looked through again
    busy, taken = [], []
    for _ in range(times):
        start, began = _busy(connection), time.perf_counter()
        ask()
        taken.append((time.perf_counter() - began) * 1000)
        busy.append(_busy(connection) - start)
    with CaptureQueriesContext(connection) as captured:
        answer = ask()
    status, size = answer if isinstance(answer, tuple) else (200, 0)
    within = sum(float(query["time"]) for query in captured) * 1000
    late = _late(busy)
    sys.stdout.write(
        f"{name:30}{statistics.median(busy):9.1f}{late:9.1f}{statistics.median(taken):9.1f}{_late(taken):9.1f}"
        f"{len(captured):9d}{within:10.1f}{size / 1024:8.1f}{'' if status == 200 else f'  {status}'}\n"
    )
    sys.stdout.flush()
    return late


def _late(found: list[float]) -> float:
    return statistics.quantiles(found, n=20)[-1]


def _busy(connection: Any) -> float:
    """Milliseconds that processors have spent on this process and its database session: whatever else the machine does,
    a page costs as many, and takes no fewer."""
    scheduled = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text()
    return time.process_time() * 1000 + int(scheduled.split()[0]) / 1e6


if __name__ == "__main__":
    main()
