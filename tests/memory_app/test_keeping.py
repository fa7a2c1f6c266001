"""One change undone while later ones stay: what they have not touched goes back, and so does each when it is undone."""

from typing import Any

import pytest

from consolidation.actions import redecide
from memory_app.actions.decisions import approve
from memory_app.actions.memories import edit_memory
from memory_app.actions.undo import undo
from memory_app.domain.errors import DependsOnLater, Stale
from memory_app.models import Decision, Memory, SearchEntry, Workspace
from tests import factories as make

pytestmark = pytest.mark.django_db


@pytest.fixture
def workspace() -> Workspace:
    return make.make_workspace()


@pytest.fixture
def memory(workspace: Workspace) -> Memory:
    return make.make_memory(workspace, "Prefers the aisle seat", key="seat", value="aisle")


def changed(memory: Memory, **changes: Any) -> Decision:
    memory.refresh_from_db()
    edit_memory(memory, make.BACK_OFFICE, changes)
    return Decision.objects.filter(memory=memory).latest("created_at")


def state(memory: Memory) -> tuple[str, bool, float]:
    memory.refresh_from_db()
    return memory.text, memory.pinned, memory.importance


def test_what_nobody_touched_goes_back_and_the_rest_stays(workspace: Workspace, memory: Memory) -> None:
    edit = changed(memory, text="Prefers the window seat", value="window")
    weigh = changed(memory, importance=0.9)
    with pytest.raises(DependsOnLater):
        undo(workspace, make.BACK_OFFICE, edit.pk)
    assert undo(workspace, make.BACK_OFFICE, edit.pk, keep=True) == [edit]
    assert state(memory) == ("Prefers the aisle seat", False, 0.9)
    assert memory.value == "aisle"
    assert SearchEntry.objects.filter(memory=memory, number=memory.version).exists()
    edit.refresh_from_db()
    weigh.refresh_from_db()
    assert (edit.status, weigh.status) == ("undone", "applied")
    undo(workspace, make.BACK_OFFICE, weigh.pk)  # brings back none of what was undone before
    assert state(memory) == ("Prefers the aisle seat", False, 0.5)


def test_words_that_were_replaced_since_stay_and_their_undo_skips_what_was_undone(
    workspace: Workspace, memory: Memory
) -> None:
    first = changed(memory, text="Prefers the window seat")
    second = changed(memory, text="Prefers a seat near the door")
    undo(workspace, make.BACK_OFFICE, first.pk, keep=True)
    assert state(memory)[0] == "Prefers a seat near the door"
    undo(workspace, make.BACK_OFFICE, second.pk)
    assert state(memory)[0] == "Prefers the aisle seat"


def test_approved_again_it_is_stale_and_not_written_over_what_came_later(workspace: Workspace, memory: Memory) -> None:
    edit = changed(memory, text="Prefers the window seat")
    changed(memory, text="Prefers a seat near the door")
    undo(workspace, make.BACK_OFFICE, edit.pk, keep=True)
    with pytest.raises(Stale):
        approve(workspace, make.BACK_OFFICE, edit.pk)
    assert state(memory)[0] == "Prefers a seat near the door"


def test_made_anew_its_undo_leaves_what_was_written_meanwhile(workspace: Workspace, memory: Memory) -> None:
    edit = changed(memory, text="Prefers the window seat", value="window")
    weigh = changed(memory, importance=0.9)
    undo(workspace, make.BACK_OFFICE, edit.pk, keep=True)
    undo(workspace, make.BACK_OFFICE, weigh.pk)
    changed(memory, text="Prefers a seat near the door", value="door")
    with pytest.raises(Stale):
        approve(workspace, make.BACK_OFFICE, weigh.pk)
    weigh.refresh_from_db()
    anew = redecide(weigh)
    assert anew is not None
    approve(workspace, make.BACK_OFFICE, anew.pk)
    undo(workspace, make.BACK_OFFICE, anew.pk)
    assert state(memory) == ("Prefers a seat near the door", False, 0.5)


def test_what_made_the_memory_takes_the_later_ones_with_it(workspace: Workspace, memory: Memory) -> None:
    made = Decision.objects.get(memory=memory)
    changed(memory, importance=0.9)
    with pytest.raises(DependsOnLater):
        undo(workspace, make.BACK_OFFICE, made.pk, keep=True)
    assert len(undo(workspace, make.BACK_OFFICE, made.pk, cascade=True)) == 2
