"""What pages of a large workspace read has an index that fits: without reading tables whole, the database takes it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q

from memory_app.actions.erasing import erase_memory
from memory_app.models import Decision, Learnt, Memory, MemoryUse, MemoryVersion, Note, Session, Workspace
from memory_app.queries.memory_list import contested
from tests import factories as make

pytestmark = pytest.mark.django_db

READ: dict[str, Callable[[Any], Any]] = {
    "note_text": lambda _own: Note.objects.filter(Q(text__icontains="early train") | Q(key__icontains="early train")),
    "memory_owner_newest": lambda own: Memory.objects.filter(
        workspace=own, owner=own, status="active"
    ).order_by("-pinned", "-updated_at", "-id")[:30],
    "session_of_agent": lambda own: Session.objects.filter(agent=own).order_by("-last_active_at")[:1],
    "decision_settled_last": lambda own: Decision.objects.filter(
        workspace=own, decided_at__gte="2026-01-01T00:00Z"
    ).values("created_at", "status", "session"),
    "decision_newest": lambda own: Decision.objects.filter(
        workspace=own, created_at__gte="2026-01-01T00:00Z"
    ).values("action", "proposed_action", "status", "origin", "session"),
    "memory_by_recalls": lambda own: MemoryUse.objects.filter(workspace=own).order_by("-recall_count", "-memory")[:50],
    "memory_episodes": lambda own: Memory.objects.filter(
        workspace=own, kind="episodic", scope="user", status="active", confirmed_at__lt="2026-01-01T00:00Z"
    ).exclude(author="operator"),
    "memory_put_away": lambda own: Memory.objects.filter(
        workspace=own, status__in=["archived", "superseded"], recorded_at__lt="2026-01-01T00:00Z"
    ),
    "session_with_working_state": lambda own: Session.objects.filter(workspace=own, working__isnull=False),
    "decision_waiting_keys": lambda _own: Decision.objects.waiting_for("seat"),
    "decision_waiting_of_action": lambda own: Decision.objects.waiting()
    .filter(workspace=own, action="override")
    .order_by("-created_at", "-id")[:31],
    "learnt_once": lambda own: Learnt.objects.filter(owner=own).order_by("-at")[:2],
    "decision_contesting": lambda own: contested(Workspace(pk=own)).values("memory"),
}  # fmt: skip


# What an empty table is read by is chosen by chance among its indexes: the others are gone for the time of the test.
OTHERS = """
    SELECT CASE WHEN c.conname IS NULL THEN format('DROP INDEX %%I', i.relname)
                ELSE format('ALTER TABLE %%s DROP CONSTRAINT %%I', x.indrelid::regclass, c.conname) END
      FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
      LEFT JOIN pg_constraint c ON c.conindid = x.indexrelid AND c.conrelid = x.indrelid
     WHERE x.indrelid = (SELECT indrelid FROM pg_index WHERE indexrelid = %s::regclass)
       AND i.relname <> %s AND NOT x.indisprimary
"""


@pytest.mark.parametrize("index", READ)
def test_it_is_read_from_its_index(workspace: Workspace, index: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(OTHERS, [index, index])
        for (drop,) in cursor.fetchall():
            cursor.execute(drop)
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
    assert index in READ[index](workspace.pk).explain()


def test_a_memory_and_its_use_tell_the_same(workspace: Workspace) -> None:
    memory, gone = make.make_memory(workspace, "Takes the train"), make.make_memory(workspace, "Takes the bus")
    Memory.objects.filter(pk=memory.pk).update(recall_count=3, priority=7)
    Memory.objects.filter(pk=memory.pk).update(priority=5)
    erase_memory(gone, make.BACK_OFFICE)
    assert list(MemoryUse.objects.values_list("memory", "workspace", "recall_count")) == [(memory.pk, workspace.pk, 3)]


def test_what_waits_for_a_slot_is_known_by_its_note_and_its_memory(workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Takes the aisle seat", key="seat", value="aisle")
    note = make.make_note(make.make_session(workspace), "Takes a window seat", key="place", value="window")
    decision = make.make_decision(note, "override", memory=memory)

    def waiting(*keys: str) -> list[bool]:
        found = [list(Decision.objects.waiting_for(key)) for key in keys]
        assert found == [list(Decision.objects.waiting().of_key(key)) for key in keys]
        return [decision in one for one in found]

    assert waiting("seat", "place", "table", "") == [True, True, False, False]
    Memory.objects.filter(pk=memory.pk).update(key="table")
    assert waiting("seat", "place", "table") == [False, True, True]
    Decision.objects.filter(pk=decision.pk).update(status="declined")
    assert waiting("place", "table") == [False, False]
    decision.refresh_from_db()
    decision.status = "undone"
    decision.save()
    assert waiting("place", "table") == [True, True]


def test_moments_come_and_go_with_versions(workspace: Workspace) -> None:
    kept, gone = make.make_memory(workspace, "Takes the train"), make.make_memory(workspace, "Takes the bus")
    make.make_memory(workspace, "Bills in euros", scope="team", team="crew")

    def told() -> bool:
        written = MemoryVersion.objects.filter(memory__scope="user").values_list("memory__owner", "recorded_at")
        return set(written) == set(Learnt.objects.values_list("owner", "at"))

    assert told()
    assert Learnt.objects.count() == 2
    erase_memory(gone, make.BACK_OFFICE)
    assert told()
    erase_memory(kept, make.BACK_OFFICE)
    assert not Learnt.objects.exists()
