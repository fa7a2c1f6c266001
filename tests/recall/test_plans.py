"""How the database answers: by the index of one owner, exactly, in one process, whatever its statistics say."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from memory_app.actions.indexing import fill_vectors
from memory_app.actions.sessions import NewTurn, add_turns, open_session
from memory_app.models import Memory, MemoryVersion, SearchEntry, TurnEntry, TurnRecall, Workspace
from memory_app.recall import recall
from memory_app.recall.asker import asker
from memory_app.recall.visible import Wanted, _statement

from .conftest import AGENT, NOW, Give

OTHERS = 400
QUERY = "which seat on the plane, and when did the parrot come"


@pytest.fixture
def crowded(workspace: Workspace, give: Give) -> Workspace:
    """A few memories and turns of u1 among many of others, some with an expiry, and statistics that know it."""
    Workspace.objects.filter(pk=workspace.pk).update(turn_recall=TurnRecall.ON)
    workspace.refresh_from_db()
    for user, count in (("u1", 5), ("u2", 5)):
        for n in range(count):
            give(f"Prefers seat {n} on the plane", user=user, expires_at=NOW + timedelta(days=n + 900))
        session, _ = open_session(workspace, AGENT, user=user)
        add_turns(
            session, AGENT, [NewTurn("user", f"The parrot came at {n}", NOW - timedelta(days=n)) for n in range(5)]
        )
    fill_vectors()
    _multiply(Memory.objects.filter(user__external_id="u2"))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return workspace


def _multiply(memories: Any) -> None:
    """Copies of each of these, with their version, their entry and the entries of their users' turns."""
    for memory in memories:
        version, entry = MemoryVersion.objects.get(memory=memory), SearchEntry.objects.get(memory=memory)
        made = [
            Memory(**_fields(memory, number=10_000 * memory.number + n, expires_at=NOW + timedelta(days=n + 1)))
            for n in range(OTHERS)
        ]
        Memory.objects.bulk_create(made)
        versions = [MemoryVersion(**_fields(version, memory_id=one.pk)) for one in made]
        MemoryVersion.objects.bulk_create(versions)
        SearchEntry.objects.bulk_create(
            SearchEntry(**_fields(entry, memory_id=one.memory_id, version_id=one.pk)) for one in versions
        )


def _fields(row: Any, **own: Any) -> dict[str, Any]:
    names = [field.attname for field in row._meta.concrete_fields if field.attname not in ("id", "recorded_at")]
    return {name: getattr(row, name) for name in names} | own


@pytest.fixture
def plans() -> Iterator[list[dict[str, Any]]]:
    """The plans of the statements that fetch, as they are run."""
    found: list[dict[str, Any]] = []

    def explain(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if "searchentry e" in sql or "turnentry e" in sql:
            with connection.connection.cursor() as cursor:
                cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + sql, params)
                plan = cursor.fetchone()[0]
                found.append((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(explain):
        yield found


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


@pytest.mark.parametrize("as_of", [False, True])
def test_only_the_rows_of_one_owner_are_read(crowded: Workspace, plans: list[dict[str, Any]], as_of: bool) -> None:
    assert TurnEntry.objects.count() == 10
    known = timezone.now() if as_of else None
    answer = recall(crowded, user="u1", query=QUERY, now=NOW, as_of=known, limit=20, recorded=False)  # room for turns
    assert answer.results
    assert len(plans) == 2
    for plan in plans:
        for node in nodes(plan):
            table = node.get("Relation Name", "")
            read = node.get("Actual Rows", 0) * node.get("Actual Loops", 1) + node.get("Rows Removed by Filter", 0)
            assert "Gather" not in node["Node Type"]
            # Each row of the user is read once to choose, and once as a whole; small tables may be read as one page.
            assert read <= 40, (node["Node Type"], table, read)
            for told in ("Index Cond", "Filter", "Order By"):
                assert "<#>" not in str(node.get(told, "")), "no index orders by nearness"
            if node["Node Type"] == "Bitmap Index Scan":
                # Of the owner or user, of the chosen turns, or of the decisions on one of their memories and its sources.
                assert node["Index Name"].startswith(
                    ("memory_of_owner", "search_of_owner", "memory_app_turn_pkey", "memory_of_user", "memory_app_memory_user_id", "memory_app_decision_memory_id",
                     "decision_of_memory", "memory_app_memorysource_memory_id", "source_of_memory")
                )  # fmt: skip


def test_the_gates_ask_nothing_that_their_index_does_not_have(workspace: Workspace) -> None:
    """So that PostgreSQL need not read a row for each memory of a user who has many."""
    wanted = Wanted(words=["seat"], vectors=[[1.0, 0.0]], model="a", kinds=["semantic"], scopes=["user"])
    visible, _, _ = _statement(asker(workspace, "u1"), wanted)[0].partition("chosen AS")
    index = next(one for one in Memory._meta.indexes if one.name == "memory_of_owner_gates")
    known = {Memory._meta.get_field(name).column for name in (*index.fields, *index.include)}
    assert set(re.findall(r"\bm\.(\w+)", visible)) <= known


def test_no_index_of_vectors_exists(workspace: Workspace) -> None:
    """An approximate index is picked as soon as it is there, and shortens what one user gets."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexdef ~* 'hnsw|ivfflat'")
        assert cursor.fetchall() == []


def test_no_query_is_answered_by_several_processes(workspace: Workspace) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW max_parallel_workers_per_gather")
        assert cursor.fetchone() == ("0",)
