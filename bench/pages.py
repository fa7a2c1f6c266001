"""``make bench-pages``: what each page takes in a large workspace, and how often it asks the database; then the browser's
share (bench/keys.py) and what many open tabs cost (bench/tabs.py). docs/development.md has what was measured.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from bench import keys, tabs
from bench.product import database, measured_home, served, told

WARM, TIMES = 3, 20
MOST = 100.0  # milliseconds, of the slowest twentieth
SLUG = "bench"


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
    parser.add_argument("--only", default="", help="Pages whose name has this.")
    parser.add_argument("--make", action="store_true", help="Makes the data and stops, to be looked at with make run.")
    parser.add_argument("--no-server", action="store_true", help="Leaves out the browser and the tabs.")
    given = parser.parse_args()
    with measured_home(given.home) as home:
        _run(given, home)


def _run(given: argparse.Namespace, home: Path) -> None:
    with database(home):
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


def addresses() -> dict[str, str]:
    """The pages by name, each as somebody opens it."""
    from memory_app.models import Block, Decision, Memory, Session, User

    w = f"/w/{SLUG}/"
    user = User.objects.filter(workspace__slug=SLUG, external_id="user-7").get()
    big = User.objects.filter(workspace__slug=SLUG, external_id="user-big").get()
    memory = Memory.objects.filter(user=user, status="active").order_by("number")[0]
    session = Session.objects.filter(user=user).order_by("number")[0]
    decision = Decision.objects.filter(workspace__slug=SLUG, status="pending").order_by("number")[50]
    block = Block.objects.filter(workspace__slug=SLUG).order_by("number")[0]
    words = " ".join(memory.text.split()[:2])
    return {
        "overview": f"{w}overview/", "overview, 90 days": f"{w}overview/?days=90",
        "review": f"{w}review/", "review, an item": f"{w}review/?item={decision.pk}",
        "review, least certain first": f"{w}review/?sort=confidence", "review, by impact": f"{w}review/?sort=-impact",
        "review, of an action": f"{w}review/?action=override", "review, all": f"{w}review/?status=all",
        "sessions": f"{w}sessions/", "sessions, searched": f"{w}sessions/?q=train", "session": f"{w}sessions/{session.pk}/",
        "memories": f"{w}memories/", "memories, searched": f"{w}memories/?q={words.split()[0]}",
        "memories, of a user": f"{w}memories/?user={user.external_id}", "memory": f"{w}memories/{memory.pk}/",
        "users": f"{w}users/", "users, searched": f"{w}users/?q=user-7", "user": f"{w}users/{user.pk}/",
        "user with many": f"{w}users/{big.pk}/", "recall": f"{w}recall/?user=user-7&q={words}",
        "guardrails": f"{w}guardrails/", "block": f"{w}guardrails/{block.pk}/", "approvals": f"{w}approvals/",
        "quality": f"{w}quality/", "quality, 90 days": f"{w}quality/?days=90",
        "a metric, 90 days": f"{w}quality/metric/?metric=overrides&days=90",
        "rules": f"{w}rules/", "agents": f"{w}agents/", "slots": f"{w}slots/", "members": f"{w}members/",
        "audit": f"{w}audit/", "search": f"{w}search/?q={words}", "seen": f"{w}seen/",
        "live": f"{w}live/?list=review&since=2030-01-01T00:00:00Z",
    }  # fmt: skip


def _pages(given: argparse.Namespace) -> list[str]:
    """Each page asked for over and over; the names of those that take too long."""
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from memory_app.models import Operator

    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client()
    client.force_login(Operator.objects.get(username="bench"))
    slow = []
    sys.stdout.write(f"{'page':30}{'busy ms':>9}{'p50 ms':>9}{'p95 ms':>9}{'queries':>9}{'of it ms':>10}{'KB':>8}\n")
    for name, address in addresses().items():
        if given.only not in name:
            continue
        for _ in range(WARM):
            client.get(address)
        start = _busy(connection)
        taken = [_once(client, address) for _ in range(given.times)]
        busy = (_busy(connection) - start) / given.times
        with CaptureQueriesContext(connection) as captured:
            page = client.get(address)
        asked = sum(float(query["time"]) for query in captured) * 1000
        middle, late = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
        slow += [name] if late > MOST else []
        sys.stdout.write(
            f"{name:30}{busy:9.1f}{middle:9.1f}{late:9.1f}{len(captured):9d}{asked:10.1f}{len(page.content) / 1024:8.1f}"
            f"{'' if page.status_code == 200 else f'  {page.status_code}'}\n"
        )
        sys.stdout.flush()
    return slow


def _busy(connection: Any) -> float:
    """Milliseconds that processors have spent on this process and its database session: whatever else the machine does,
    a page costs as many, and takes no fewer."""
    scheduled = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text()
    return time.process_time() * 1000 + int(scheduled.split()[0]) / 1e6


def _once(client: Any, address: str) -> float:
    start = time.perf_counter()
    client.get(address)
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
