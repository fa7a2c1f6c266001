"""``make bench``: recall measured against a bare exact scan of the same rows, and over HTTP. docs/recall.md says more."""

import argparse
import http.client
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.product import database, measured_home, served, told

WARM = 10


def main() -> None:
    """Makes the data, measures, prints one line for each measure."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--users", type=int, default=1_000)
    parser.add_argument("--big", type=int, default=15_000, help="Memories of one user besides.")
    parser.add_argument("--questions", type=int, default=200)
    given = parser.parse_args()
    with measured_home() as home:
        _run(given, home)


def _run(given: argparse.Namespace, home: Path) -> None:
    with database(home, CURATOR_CALLS_PER_MINUTE="1000000", WEB_WORKERS="1"):
        from bench.data import MAKER, make
        from memory_app.actions.keys import create_key

        start = time.perf_counter()
        data = make(given.memories, given.users, given.big)
        told("made in", f"{time.perf_counter() - start:.0f} s")
        _, key = create_key(data.workspace, MAKER, role="admin", name="bench", teams=[])
        asked = [(str(data.users[n % len(data.users)]), data.question()) for n in range(given.questions)]
        large = [(str(data.big), question) for _, question in asked]
        _within(data, asked, "of one user")
        _within(data, large, f"of {given.big:,}")
    with served(home) as port:
        _over_http(port, key, asked, "of one user")
        _over_http(port, key, large, f"of {given.big:,}")


def _within(data: Any, asked: list[tuple[str, str]], what: str) -> None:
    """recall() with its vectors at hand, beside the bare scan of the same rows with the same filter."""
    from django.db import connection
    from django.utils import timezone

    from memory_app.embedding import get_embedder
    from memory_app.models import User
    from memory_app.recall import recall
    from memory_app.recall.asking import ask

    vectors = {question: ask(question, timezone.now()).vectors[0] for _, question in asked}
    owners = {str(user): user.pk for user in User.objects.filter(external_id__in={name for name, _ in asked})}

    def scan(user: str, question: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(BARE, [
                owners[user], data.workspace.pk, owners[user], get_embedder().name, "[" + ",".join(map(repr, vectors[question])) + "]"
            ])  # fmt: skip
            cursor.fetchall()

    bare = _measured(scan, asked)
    whole = _measured(lambda user, question: recall(data.workspace, user=user, query=question), asked)
    told(f"bare scan {what}", _shown(bare))
    told(f"recall() {what}", _shown(whole), f"{statistics.median(whole) / statistics.median(bare):.1f} × the bare scan")


BARE = """
    SELECT m.id FROM memory_app_memory m
      JOIN memory_app_searchentry e ON e.memory_id = m.id AND e.number = m.version
       AND e.workspace_id = m.workspace_id AND e.owner = %s
     WHERE m.workspace_id = %s AND m.scope = 'user' AND m.owner = %s AND m.status = 'active'
       AND (m.expires_at IS NULL OR m.expires_at > now()) AND m.updated_at <= now() AND e.model = %s
     ORDER BY e.vector <#> %s::vector LIMIT 5
"""


def _over_http(port: int, key: str, asked: list[tuple[str, str]], what: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)

    def ask(user: str, question: str) -> None:
        body = json.dumps({"user": user, "query": question})
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        connection.request("POST", "/api/v1/recall", body, headers)
        answer = connection.getresponse()
        said = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status}: {said[:300]!r}")

    for user, question in asked:  # their embeddings are kept from now on
        ask(user, question)
    told(f"POST /recall {what}", _shown(_measured(ask, asked)))


def _measured(act: Callable[[str, str], Any], asked: list[tuple[str, str]]) -> list[float]:
    """Milliseconds of each."""
    for user, question in asked[:WARM]:
        act(user, question)
    taken = []
    for user, question in asked:
        start = time.perf_counter()
        act(user, question)
        taken.append((time.perf_counter() - start) * 1000)
    return taken


def _shown(taken: list[float]) -> str:
    cuts = statistics.quantiles(taken, n=100)
    return f"p50 {statistics.median(taken):.1f} ms, p95 {cuts[94]:.1f} ms"


if __name__ == "__main__":
    main()
