"""What the database refuses, whatever the code does."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.utils import timezone

from consolidation.models import ConsolidationRun
from memory_app.actions.memories import NewMemory, edit_memory, remember
from memory_app.actions.memories import archive_memory as archive
from memory_app.domain.errors import SlotOccupied
from memory_app.models import AuditEvent, Memory, MemoryVersion, Session, Workspace

from .conftest import KEY

AISLE = NewMemory("user", "semantic", "Prefers aisle seats", user="zhang-san", key="seat_preference", value="aisle")


def refused(sql: str, *params: object) -> bool:
    with pytest.raises((IntegrityError, ProgrammingError)), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, params)
    return True


def test_a_version_can_be_neither_changed_nor_deleted(workspace: Workspace) -> None:
    memory = remember(workspace, KEY, AISLE).memory
    assert refused("UPDATE memory_app_memoryversion SET text = 'other' WHERE memory_id = %s", memory.pk)
    assert refused("DELETE FROM memory_app_memoryversion WHERE memory_id = %s", memory.pk)
    assert MemoryVersion.objects.get(memory=memory).text == "Prefers aisle seats"


def test_an_audit_row_can_be_neither_changed_nor_deleted(workspace: Workspace) -> None:
    remember(workspace, KEY, AISLE)
    event = AuditEvent.objects.filter(workspace=workspace).first()
    assert event is not None
    assert refused("UPDATE memory_app_auditevent SET action = 'other' WHERE id = %s", event.pk)
    assert refused("DELETE FROM memory_app_auditevent WHERE id = %s", event.pk)


def test_a_one_slot_holds_one_active_memory(workspace: Workspace) -> None:
    memory = remember(workspace, KEY, AISLE).memory
    twin = Memory.objects.get(pk=memory.pk)
    twin.pk, twin.value, twin.value_key = None, "window", "window"
    with pytest.raises(IntegrityError, match="memory_one_slot"), transaction.atomic():
        twin.save(force_insert=True)
    with pytest.raises(SlotOccupied):
        remember(workspace, KEY, AISLE)


def test_another_condition_or_subject_is_another_slot(workspace: Workspace) -> None:
    remember(workspace, KEY, AISLE)
    for extra in ({"condition": "business_trip"}, {"subject": "wife"}):
        new = NewMemory("user", "semantic", "Window", user="zhang-san", key="seat_preference", value="window", **extra)
        assert remember(workspace, KEY, new).memory.status == "active"


@pytest.mark.parametrize("subject", ["user", "The User ", "me", "用户"])
def test_the_user_by_another_name_is_the_same_slot(workspace: Workspace, subject: str) -> None:
    remember(workspace, KEY, AISLE)
    with pytest.raises(SlotOccupied):
        remember(workspace, KEY, replace(AISLE, text="Prefers the window", value="window", subject=subject))
    plane = remember(workspace, KEY, replace(AISLE, condition="long flights", subject=subject)).memory
    assert plane.subject == ""
    with pytest.raises(SlotOccupied):
        edit_memory(plane, KEY, {"subject": subject, "condition": ""})


def test_a_many_slot_holds_each_value_once(workspace: Workspace) -> None:
    def like(value: str) -> NewMemory:
        return NewMemory("user", "semantic", f"Likes {value}", user="zhang-san", key="likes", value=value)

    remember(workspace, KEY, like("jazz"))
    remember(workspace, KEY, like("tea"))
    with pytest.raises(SlotOccupied):
        remember(workspace, KEY, like("Jazz"))


def test_an_expired_occupant_gives_way_and_is_archived(workspace: Workspace) -> None:
    now = timezone.now()
    gone = NewMemory(
        "user", "semantic", "On site", user="zhang-san", key="home_city", value="Lyon",
        updated_at=now - timedelta(days=2), expires_at=now - timedelta(seconds=1),
    )  # fmt: skip
    old = remember(workspace, KEY, gone).memory
    new = remember(
        workspace, KEY, NewMemory("user", "semantic", "Home", user="zhang-san", key="home_city", value="Bern")
    )
    old.refresh_from_db()
    assert (old.status, new.memory.status) == ("archived", "active")


def test_expired_is_the_very_moment_of_expires_at(workspace: Workspace) -> None:
    moment = timezone.now()
    memory = Memory(status="active", expires_at=moment)
    assert memory.status_at(moment) == "expired"
    assert memory.status_at(moment - timedelta(microseconds=1)) == "active"


def test_a_session_has_one_live_run(session: Session) -> None:
    fields = {"workspace": session.workspace, "session": session, "user": session.user, "cause": "end"}
    ConsolidationRun.objects.create(**fields)
    with pytest.raises(IntegrityError, match="run_one_live_a_session"), transaction.atomic():
        ConsolidationRun.objects.create(**fields)


@pytest.mark.parametrize(("column", "value"), [("kind", "opinion"), ("scope", "world"), ("status", "expired")])
def test_vocabularies_are_closed(workspace: Workspace, column: str, value: str) -> None:
    memory = remember(workspace, KEY, AISLE).memory
    assert refused(f"UPDATE memory_app_memory SET {column} = %s WHERE id = %s", value, memory.pk)


def test_the_owner_is_whom_the_scope_names(workspace: Workspace, session: Session) -> None:
    memory = remember(workspace, KEY, AISLE).memory
    assert refused("UPDATE memory_app_memory SET owner = %s WHERE id = %s", session.pk, memory.pk)
    assert refused("UPDATE memory_app_memory SET kind = 'working' WHERE id = %s", memory.pk)


def test_each_version_repeats_the_whole_state(workspace: Workspace) -> None:
    memory = edit_memory(remember(workspace, KEY, AISLE).memory, KEY, {"importance": 0.9}).memory
    memory = archive(memory, KEY).memory
    assert next(v.state() for v in memory.versions.all()) == memory.state()
    assert [(v.number, v.status, v.importance) for v in memory.versions.all()] == [
        (3, "archived", 0.9), (2, "active", 0.9), (1, "active", 0.5),
    ]  # fmt: skip
