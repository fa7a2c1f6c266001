"""Memories are imported once each, through the guardrails, searchable at once, and bad lines lose no other."""

import json
import os
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.management import CommandError, call_command

from memory_app.actions.decisions import decline
from memory_app.actions.importing import check_line
from memory_app.actions.memories import archive_memory
from memory_app.management.commands import import_memories
from memory_app.models import AuditEvent, Block, Decision, Memory, MemorySource, MemoryVersion, SearchEntry, Workspace
from memory_app.queries.memories import get_memory, memory_shown
from memory_app.reasons import sentence
from memory_app.recall import recall
from tests import factories as make

pytestmark = pytest.mark.django_db
SEAT = {"id": "old-1", "user": "u-1", "text": "Prefers aisle seats", "key": "seat_preference", "value": "aisle",
        "updated_at": "2025-01-01T00:00:00Z", "importance": 0.8, "keywords": ["flight"]}  # fmt: skip
TEA = {"user": "u-1", "text": "喜欢喝绿茶", "kind": "semantic", "updated_at": "2025-02-01T00:00:00Z"}


@pytest.fixture
def workspace(db: None) -> Workspace:
    return make.make_workspace()


def run(folder: Path, *lines: Any) -> tuple[str, str]:
    path = folder / "memories.jsonl"
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines), "utf-8")
    out, err = StringIO(), StringIO()
    try:
        call_command("import_memories", str(path), workspace="travel", stdout=out, stderr=err)
    except CommandError as error:
        err.write(f"error: {error}")
    return out.getvalue(), err.getvalue()


def test_each_memory_has_its_decision_version_vector_and_audit(workspace: Workspace, tmp_path: Path) -> None:
    out, err = run(tmp_path, SEAT, TEA)
    assert out.startswith("2 new, 0 overridden, 0 pending, 0 known, 0 blocked, 0 refused")
    assert "2 of 2 memories (100%)" in err
    seat = Memory.objects.get(key="seat_preference")
    assert (seat.value, seat.version, seat.importance, seat.keywords) == ("aisle", 1, 0.8, ["flight"])
    assert seat.updated_at == seat.confirmed_at == seat.created_at
    assert seat.updated_at.isoformat() == "2025-01-01T00:00:00+00:00"
    assert not seat.protected
    assert seat.single
    decision = Decision.objects.get(memory=seat)
    assert (decision.action, decision.status, decision.origin) == ("promote", "applied", "agent")
    assert sentence(decision.rule) == "Imported from a file."
    assert MemoryVersion.objects.get(memory=seat).decision == decision
    assert MemorySource.objects.get(memory=seat).said_at == seat.confirmed_at
    entry = SearchEntry.objects.get(memory=seat)
    assert entry.vector is not None
    assert "seat" in entry.tokens
    assert AuditEvent.objects.filter(action="decision.applied", object_id=str(decision.pk)).count() == 1
    assert [r.memory.text for r in recall(workspace, user="u-1", query="喝什么茶？").results][:1] == ["喜欢喝绿茶"]


def test_again_is_the_same_as_once(workspace: Workspace, tmp_path: Path) -> None:
    run(tmp_path, SEAT, TEA)
    before = Memory.objects.count(), MemoryVersion.objects.count(), Decision.objects.count()
    out, _ = run(tmp_path, SEAT, TEA, TEA, SEAT | {"id": "renamed"})
    assert out.startswith("0 new, 0 overridden, 0 pending, 4 known")
    assert (Memory.objects.count(), MemoryVersion.objects.count(), Decision.objects.count()) == before


def test_a_filled_slot_is_named_or_overridden(workspace: Workspace, tmp_path: Path) -> None:
    window = SEAT | {"id": "old-2", "text": "Prefers window seats", "value": "window"}
    out, err = run(tmp_path, SEAT, window, TEA)
    assert "memories.jsonl, line 2: The slot seat_preference is filled by M-" in err
    assert out.startswith("2 new")
    out, _ = run(tmp_path, window | {"on_conflict": "override"})
    assert out.startswith("0 new, 1 overridden")
    seat = Memory.objects.get(key="seat_preference")
    assert (seat.value, seat.version) == ("window", 2)


def test_overriding_twice_is_the_same_as_once_and_old_does_not_beat_new(workspace: Workspace, tmp_path: Path) -> None:
    other = {"updated_at": "2025-02-01T00:00:00Z", "on_conflict": "override"}
    lines = [
        SEAT,
        SEAT | other | {"id": "old-2", "text": "Prefers window seats", "value": "window"},
        SEAT | other | {"id": "old-3", "text": "Prefers middle seats", "value": "middle"},
    ]
    assert run(tmp_path, *lines)[0].startswith("1 new, 2 overridden")
    assert run(tmp_path, *lines)[0].startswith("0 new, 0 overridden, 0 pending, 3 known")
    seat = Memory.objects.get()
    assert (seat.value, seat.version, Decision.objects.count()) == ("middle", 3, 3)
    late = lines[1] | {"id": "old-4", "updated_at": "2025-01-15T00:00:00Z"}
    out, err = run(tmp_path, late)
    assert out.startswith("0 new, 0 overridden, 0 pending, 0 known, 0 blocked, 1 refused")
    assert f"line 1: The line is older than {seat.ref}" in err
    archive_memory(seat, make.BACK_OFFICE)
    assert run(tmp_path, *lines)[0].startswith("0 new, 0 overridden, 0 pending, 3 known")
    assert not Memory.objects.filter(status="active").exists()


def test_what_is_protected_waits(workspace: Workspace, tmp_path: Path) -> None:
    run(tmp_path, SEAT | {"pinned": True})
    window = SEAT | {"id": "old-2", "text": "Prefers window seats", "value": "window", "on_conflict": "override"}
    out, _ = run(tmp_path, window)
    assert out.startswith("0 new, 0 overridden, 1 pending")
    decline(workspace, make.BACK_OFFICE, Decision.objects.get(status="pending").pk)
    assert run(tmp_path, window)[0].startswith("0 new, 0 overridden, 0 pending, 1 known")
    assert Memory.objects.get(key="seat_preference").value == "aisle"


def test_bad_lines_are_named_and_lose_no_other(workspace: Workspace, tmp_path: Path) -> None:
    card = "4111 1111 1111 1111"
    lines = [
        "{", TEA | {"text": ""}, {"text": "Nobody's"}, TEA | {"scope": "team"}, TEA | {"updated_at": "2025-01-01"},
        TEA | {"text": f"Pays with {card}"}, TEA | {"id": f"card {card}"}, TEA | {"session": "none", "scope": "session"},
        SEAT | {"shoe_size": 43},
    ]  # fmt: skip
    out, err = run(tmp_path, *lines)
    assert out.startswith("1 new, 0 overridden, 0 pending, 0 known, 1 blocked, 7 refused")
    for number, problem in ((1, "is not JSON"), (2, "text"), (3, "user: is needed"), (4, "team: is needed"),
                            (5, "updated_at"), (6, "blocked by the guardrails (payment)"), (7, "id: holds a secret"),
                            (8, "session: is not"), (9, "the field shoe_size")):  # fmt: skip
        assert any(f"line {number}: " in one and problem in one for one in err.splitlines()), (number, err)
    assert card not in out + err
    run(tmp_path, *lines)
    block = Block.objects.get()
    assert card not in block.masked


class Panic(BaseException):
    """What a panic of a compiled library is: no Exception."""


@pytest.mark.parametrize("failure", [Panic, RuntimeError])
def test_a_line_on_which_the_product_fails_loses_no_other(
    workspace: Workspace, tmp_path: Path, failure: type[BaseException]
) -> None:
    def fails(workspace: Workspace, given: Any) -> Any:
        if given.key:
            raise failure("of what the line holds")
        return check_line(workspace, given)

    with mock.patch.object(import_memories, "check_line", fails):
        out, err = run(tmp_path, SEAT, TEA)
    assert out.startswith("1 new, 0 overridden, 0 pending, 0 known, 0 blocked, 1 refused")
    assert f"line 1: could not be imported ({failure.__name__})" in err
    assert "of what the line holds" not in err


def test_scopes_and_statuses(workspace: Workspace, tmp_path: Path) -> None:
    session = make.make_session(workspace, user="u-1", external_id="c-1")
    out, err = run(
        tmp_path,
        {"user": "u-1", "session": "c-1", "scope": "session", "kind": "working", "text": "Is comparing hotels"},
        {"user": "u-1", "team": "sales", "scope": "team", "text": "Uses the blue template"},
        {"user": "u-1", "text": "Liked tennis", "status": "archived"},
        {"user": "u-1", "text": "Was in Lyon", "status": "expired", "expires_at": "2025-01-01T00:00:00Z"},
    )
    assert out.startswith("4 new"), err
    assert Memory.objects.get(scope="session").session == session
    assert Memory.objects.get(scope="team").team.external_id == "sales"
    assert set(Memory.objects.filter(scope="user").values_list("text", "status")) == {
        ("Liked tennis", "archived"), ("Was in Lyon", "active"),
    }  # fmt: skip


def test_memories_as_the_api_shows_them_can_be_imported(workspace: Workspace, tmp_path: Path) -> None:
    old = make.make_workspace("old", "Old")
    memory = make.make_memory(old, "Likes tea", key="likes", value="tea")
    shown = json.loads(json.dumps(memory_shown(get_memory(old, memory.pk)), default=str))
    out, err = run(tmp_path, shown)
    assert out.startswith("1 new"), err
    copy = Memory.objects.get(workspace=workspace)
    assert (copy.text, copy.key, copy.value, copy.updated_at) == ("Likes tea", "likes", "tea", memory.updated_at)
    assert copy.pk != memory.pk


def test_a_chunk_that_fails_is_stored_line_by_line(workspace: Workspace, tmp_path: Path) -> None:
    from memory_app.actions import importing

    write, calls = importing.create_memories, []

    def fails(rows: Any, actor: Any) -> None:
        calls.append(len(rows))
        write(rows, actor)
        if any("tea" in memory.text for memory, _, _ in rows):
            raise importing.DatabaseError("no")

    with mock.patch.object(importing, "create_memories", fails):
        out, err = run(tmp_path, SEAT, TEA | {"text": "Likes tea"}, TEA)
    assert out.startswith("2 new, 0 overridden, 0 pending, 0 known, 0 blocked, 1 refused")
    assert "line 2: DatabaseError" in err
    assert calls == [3, 1, 1, 1]


def test_it_starts_where_a_system_tells_no_process_its_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    assert import_memories.processors() == os.cpu_count()
