"""Rulings that go further than what was proposed: another memory, another action, a memory that has moved on."""

import pytest

from consolidation.actions import redecide
from memory_app.actions.combining import merge_memories
from memory_app.actions.decisions import Ruling, approve
from memory_app.actions.memories import (
    NewMemory,
    edit_memory,
    pin_memory,
    remember,
    restore_memory,
    retract_memory,
)
from memory_app.actions.undo import undo
from memory_app.domain.errors import DependsOnLater, Forbidden, Invalid, Stale
from memory_app.models import Decision, Memory, Session, Workspace

from .conftest import ADMIN, CURATOR, KEY, OTHER_ADMIN
from .test_decisions import proposed


def tea(workspace: Workspace, text: str = "Drinks green tea") -> Memory:
    return remember(workspace, KEY, NewMemory("user", "semantic", text, user="zhang-san")).memory


def test_an_override_that_a_person_aims_at_another_memory_is_undone_to_what_that_one_said(
    workspace: Workspace, session: Session
) -> None:
    first, second = tea(workspace), tea(workspace, "Sits at the aisle")
    decision = proposed(session, "review", first, proposed_action="override")
    approve(workspace, CURATOR, decision.pk, Ruling(action="override", memory=str(second.pk)))
    second.refresh_from_db()
    assert second.text == "Prefers window seats"
    undo(workspace, CURATOR, decision.pk)
    second.refresh_from_db()
    assert (second.text, second.value, second.key, second.version) == ("Sits at the aisle", None, "", 3)
    first.refresh_from_db()
    assert (first.text, first.version) == ("Drinks green tea", 1)


def test_a_curator_cannot_aim_a_decision_at_protected_memory(workspace: Workspace, session: Session) -> None:
    pinned = tea(workspace)
    pin_memory(pinned, CURATOR)
    decision = proposed(session, "review")
    ruling = Ruling(action="override", memory=str(pinned.pk))
    with pytest.raises(Forbidden):
        approve(workspace, CURATOR, decision.pk, ruling)
    pinned.refresh_from_db()
    assert (pinned.text, pinned.version) == ("Drinks green tea", 2)
    approve(workspace, ADMIN, decision.pk, ruling)
    pinned.refresh_from_db()
    assert pinned.text == "Prefers window seats"


def test_a_procedure_that_was_let_go_becomes_memory_by_an_admin_only(workspace: Workspace, session: Session) -> None:
    decision = proposed(session, "session_only", hold=False)
    note = decision.note
    assert note is not None
    note.kind = "procedural"
    note.save(update_fields=["kind"])
    with pytest.raises(Forbidden):
        approve(workspace, CURATOR, decision.pk, Ruling(action="promote"))
    assert approve(workspace, ADMIN, decision.pk, Ruling(action="promote")).status == "approved"


def test_a_rejected_note_that_is_promoted_after_all_leaves_the_memory_it_was_compared_with(
    workspace: Workspace, session: Session
) -> None:
    deleted = tea(workspace)
    retract_memory(deleted, CURATOR)
    deleted.refresh_from_db()
    decision = proposed(session, "reject", deleted, hold=False)
    approve(workspace, CURATOR, decision.pk, Ruling(action="promote"))
    deleted.refresh_from_db()
    assert (deleted.status, deleted.text, deleted.version) == ("archived", "Drinks green tea", 2)
    decision.refresh_from_db()
    assert (decision.memory_id != deleted.pk, decision.before, decision.base_version) == (True, None, None)


def test_a_decision_whose_memory_was_merged_away_is_undone_after_the_merge(
    workspace: Workspace, session: Session
) -> None:
    kept, gone = tea(workspace), tea(workspace, "Drinks green tea daily")
    change = edit_memory(gone, KEY, {"text": "Drinks green tea every day"}).decision
    gone.refresh_from_db()
    merged = merge_memories(kept, KEY, [gone.pk]).decision
    with pytest.raises(DependsOnLater) as error:
        undo(workspace, CURATOR, change.pk)
    assert error.value.extra["decisions"] == [str(merged.pk)]
    undo(workspace, CURATOR, change.pk, cascade=True)
    gone.refresh_from_db()
    kept.refresh_from_db()
    assert (gone.status, gone.text, kept.status) == ("active", "Drinks green tea daily", "active")


def test_a_stale_change_made_anew_leaves_what_others_have_changed(workspace: Workspace) -> None:
    memory = tea(workspace)
    pin_memory(memory, KEY)
    memory.refresh_from_db()
    waiting = edit_memory(memory, KEY, {"importance": 0.9}).decision
    other = edit_memory(memory, KEY, {"text": "Drinks black tea"}).decision
    approve(workspace, OTHER_ADMIN, other.pk)
    with pytest.raises(Stale):
        approve(workspace, OTHER_ADMIN, waiting.pk)
    # Whoever was told died before the decision was made anew: the next one is told the same, and makes it.
    with pytest.raises(Stale):
        approve(workspace, OTHER_ADMIN, waiting.pk)
    fresh = redecide(Decision.objects.get(pk=waiting.pk))
    assert fresh is not None
    approve(workspace, OTHER_ADMIN, fresh.pk)
    memory.refresh_from_db()
    assert (memory.text, memory.importance, memory.pinned) == ("Drinks black tea", 0.9, True)


def test_a_promotion_over_a_neighbour_that_is_undone_and_made_again_is_one_memory(
    workspace: Workspace, session: Session
) -> None:
    neighbour = tea(workspace)
    decision = proposed(session, "override", neighbour)
    first = approve(workspace, CURATOR, decision.pk, Ruling(action="promote")).memory
    undo(workspace, CURATOR, decision.pk)
    decision.refresh_from_db()
    assert (decision.action, decision.memory) == ("override", neighbour)
    again = approve(workspace, CURATOR, decision.pk, Ruling(action="promote")).memory
    assert again == first
    assert Memory.objects.filter(workspace=workspace, scope="user").count() == 2


def test_a_promotion_whose_memory_somebody_put_back_is_not_made_twice(workspace: Workspace, session: Session) -> None:
    decision = proposed(session, "promote")
    made = approve(workspace, CURATOR, decision.pk).memory
    assert made is not None
    undo(workspace, CURATOR, decision.pk)
    made.refresh_from_db()
    restore_memory(made, CURATOR, 1)
    with pytest.raises(Stale):
        approve(workspace, CURATOR, decision.pk)
    assert Memory.objects.filter(workspace=workspace, scope="user").count() == 1


def test_only_a_note_can_become_something_else_than_was_proposed(workspace: Workspace, session: Session) -> None:
    pinned = tea(workspace)
    pinned = pin_memory(pinned, ADMIN).memory
    change = edit_memory(pinned, CURATOR, {"text": "Drinks black tea"}).decision
    with pytest.raises(Invalid) as refused:
        approve(workspace, OTHER_ADMIN, change.pk, Ruling(action="unpin"))
    assert refused.value.errors[0].field == "action"
    assert approve(workspace, OTHER_ADMIN, change.pk).status == "approved"
    note = proposed(session, "review")
    with pytest.raises(Invalid):
        approve(workspace, CURATOR, note.pk, Ruling(action="pin"))


@pytest.mark.parametrize("hold", [True, False])
def test_a_confirmation_that_waited_while_its_memory_was_corrected_confirms_nothing(
    workspace: Workspace, session: Session, hold: bool
) -> None:
    memory = tea(workspace)
    confirmed = proposed(session, "dedupe", memory, text="Drinks green tea", hold=hold)
    edit_memory(memory, KEY, {"importance": 0.9})  # it says what it said, and so does the confirmation
    if hold:
        approve(workspace, CURATOR, confirmed.pk)
    memory.refresh_from_db()
    edit_memory(memory, KEY, {"text": "Drinks black tea"})
    undo(workspace, CURATOR, confirmed.pk)
    with pytest.raises(Stale):
        approve(workspace, CURATOR, confirmed.pk)
    assert not memory.sources.filter(note=confirmed.note, withdrawn_at=None).exists()
