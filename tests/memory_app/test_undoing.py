"""Who undoes what: memory that is protected by now is another by two people's will, but for slips and what comes back."""

from datetime import timedelta

import pytest
from django.utils import timezone

from consolidation.actions import rule_on_many
from memory_app.actions.allowing import SLIP
from memory_app.actions.combining import merge_memories
from memory_app.actions.decisions import Ruling, approve, decline
from memory_app.actions.memories import (
    NewMemory,
    archive_memory,
    edit_memory,
    find_memory,
    pin_memory,
    remember,
    retract_memory,
)
from memory_app.actions.slots import SlotSettings, put_slot
from memory_app.actions.undo import undo
from memory_app.domain.actor import Actor
from memory_app.domain.errors import DependsOnLater, Forbidden, NeedsTwo, SlotOccupied
from memory_app.models import Decision, Memory, Session, Workspace
from tests import factories as make

from .conftest import ADMIN, CURATOR, KEY, OTHER_ADMIN
from .test_decisions import proposed

OTHER = Actor("operator", "10", "Li Curator", "curator")
CURATORS_KEY = Actor("key", "key-3", "desk", "curator")


def memory_of(workspace: Workspace, text: str = "Prefers the aisle seat") -> Memory:
    return make.make_memory(workspace, text)


def now(memory: Memory) -> Memory:
    return find_memory(memory.workspace, memory.pk)


def edited(memory: Memory, actor: Actor, **changes: object) -> Decision:
    return edit_memory(now(memory), actor, changes).decision


@pytest.mark.parametrize("who", [CURATOR, CURATORS_KEY])
def test_what_an_admin_protected_stays_so_below_admin(workspace: Workspace, who: Actor) -> None:
    memory = memory_of(workspace)
    pin = pin_memory(memory, ADMIN).decision
    with pytest.raises(Forbidden, match="protected"):
        undo(workspace, who, pin.pk)
    for dry_run in (True, False):
        [left] = rule_on_many(workspace, who, "undo", [pin.pk], dry_run=dry_run).left
        assert (left.decision, left.code) == (str(pin.pk), "needs_two")
    assert now(memory).pinned
    Workspace.objects.filter(pk=workspace.pk).update(solo=True)
    with pytest.raises(Forbidden, match="role admin"):
        undo(workspace, who, pin.pk)
    undo(workspace, ADMIN, pin.pk)
    assert not now(memory).pinned


def made_by_hand(workspace: Workspace, actor: Actor, **how: object) -> Decision:
    new = NewMemory(**({"scope": "user", "user": "u1", "kind": "semantic", "text": "Flies at noon"} | how))  # type: ignore[arg-type]
    return remember(workspace, actor, new).decision


@pytest.mark.parametrize("who", [ADMIN, OTHER_ADMIN])
@pytest.mark.parametrize("how", [{"pinned": True}, {"scope": "team", "team": "ops"}, {"kind": "procedural"}, {}])
def test_one_admin_alone_neither_lifts_protection_nor_takes_the_memory_away(
    workspace: Workspace, who: Actor, how: dict[str, object]
) -> None:
    made = made_by_hand(workspace, ADMIN, **how)
    assert made.memory is not None
    decisions = [made]
    if not how:  # it is protected by whose words it says; another one by an edit of its kind, its pin
        plain = memory_of(workspace)
        decisions += [
            pin_memory(plain, ADMIN).decision,
            edited(memory_of(workspace, "Takes trains"), ADMIN, pinned=True),
        ]
        decisions.append(edited(memory_of(workspace, "Takes a bus"), ADMIN, kind="procedural"))
    Decision.objects.update(decided_at=timezone.now() - SLIP - timedelta(minutes=1))
    for one in decisions:
        memory = one.memory
        assert memory is not None
        was = now(memory).state()
        with pytest.raises(NeedsTwo, match="propose to"):
            undo(workspace, who, one.pk)
        [left] = rule_on_many(workspace, who, "undo", [one.pk]).left
        assert (left.code, now(memory).state()) == ("needs_two", was)


def test_what_two_agreed_on_is_not_undone_by_one_but_a_slip_is(workspace: Workspace) -> None:
    pinned = pin_memory(memory_of(workspace), ADMIN).memory
    edit = edited(pinned, ADMIN, text="Prefers the window seat")
    for _ in range(2):
        approve(workspace, OTHER_ADMIN, edit.pk)
        with pytest.raises(NeedsTwo, match="restore what it said before"):
            undo(workspace, ADMIN, edit.pk)  # who only proposed it
        assert now(pinned).text == "Prefers the window seat"
        undo(workspace, OTHER_ADMIN, edit.pk)  # who let it through a moment ago
        assert (now(pinned).text, now(pinned).pinned) == ("Prefers the aisle seat", True)
    approve(workspace, OTHER_ADMIN, edit.pk)
    Decision.objects.filter(pk=edit.pk).update(decided_at=timezone.now() - SLIP - timedelta(minutes=1))
    with pytest.raises(NeedsTwo):
        undo(workspace, OTHER_ADMIN, edit.pk)


def test_words_of_one_s_own_go_back_while_they_are_a_slip(workspace: Workspace) -> None:
    memory = memory_of(workspace)
    edit = edited(memory, CURATOR, text="Prefers the window seat")
    Decision.objects.filter(pk=edit.pk).update(decided_at=timezone.now() - SLIP - timedelta(minutes=1))
    with pytest.raises(NeedsTwo):
        undo(workspace, CURATOR, edit.pk)
    Decision.objects.filter(pk=edit.pk).update(decided_at=timezone.now())
    undo(workspace, CURATOR, edit.pk)
    assert (now(memory).text, now(memory).protected) == ("Prefers the aisle seat", False)


def test_what_one_made_or_pinned_a_moment_ago_is_a_slip_of_one_s_own(workspace: Workspace) -> None:
    made, pin = made_by_hand(workspace, ADMIN, pinned=True), pin_memory(memory_of(workspace), ADMIN).decision
    for one in (made, pin):
        with pytest.raises(NeedsTwo):
            undo(workspace, OTHER_ADMIN, one.pk)
        undo(workspace, ADMIN, one.pk)
        assert one.memory is not None
        assert now(one.memory).status == ("archived" if one is made else "active")
        assert not now(one.memory).pinned or one is made


def test_what_goes_back_to_protection_is_undone_by_one(workspace: Workspace) -> None:
    pinned = pin_memory(memory_of(workspace), ADMIN).memory
    unpin = pin_memory(pinned, ADMIN, False).decision
    approve(workspace, OTHER_ADMIN, unpin.pk)
    assert not now(pinned).protected
    undo(workspace, ADMIN, unpin.pk)
    assert now(pinned).protected
    team = made_by_hand(workspace, ADMIN, scope="team", team="ops", pinned=True).memory
    assert team is not None
    approve(workspace, OTHER_ADMIN, pin_memory(team, ADMIN, False).decision.pk)
    undo(workspace, ADMIN, team.decisions.latest("created_at").pk)
    assert now(team).pinned


def test_a_merge_that_two_agreed_on_is_not_taken_apart_by_one(workspace: Workspace) -> None:
    kept = memory_of(workspace)
    gone = pin_memory(memory_of(workspace, "Sits at the aisle"), ADMIN).memory
    merge = merge_memories(kept, ADMIN, [gone.pk]).decision
    approve(workspace, OTHER_ADMIN, merge.pk)
    with pytest.raises(NeedsTwo):
        undo(workspace, ADMIN, merge.pk)
    assert now(gone).status == "superseded"
    undo(workspace, OTHER_ADMIN, merge.pk)
    assert (now(gone).status, now(kept).pinned) == ("active", False)


def test_another_operator_s_words_are_protected_and_one_s_own_go_back(workspace: Workspace) -> None:
    memory = memory_of(workspace)
    edit = edited(memory, OTHER, text="Prefers the window seat")
    assert edit.needs == "none"
    with pytest.raises(Forbidden):
        undo(workspace, CURATOR, edit.pk)
    undo(workspace, OTHER, edit.pk)
    assert now(memory).text == "Prefers the aisle seat"


def test_who_ruled_on_it_is_who_did_it(workspace: Workspace, session: Session) -> None:
    memory = memory_of(workspace)
    decision = proposed(session, "override", memory)
    approve(workspace, CURATOR, decision.pk, Ruling(text="Window, always"))
    assert now(memory).protected
    with pytest.raises(Forbidden):
        undo(workspace, OTHER, decision.pk)
    undo(workspace, CURATOR, decision.pk)
    assert now(memory).text == "Prefers the aisle seat"


def test_what_made_memory_that_a_person_pinned_since(workspace: Workspace, session: Session) -> None:
    made = proposed(session, "promote", hold=False)
    pin = pin_memory(made.memory, ADMIN).decision
    with pytest.raises(DependsOnLater):
        undo(workspace, CURATOR, made.pk)
    with pytest.raises(Forbidden):
        undo(workspace, CURATOR, made.pk, cascade=True)
    assert (now(made.memory).status, Decision.objects.get(pk=pin.pk).status) == ("active", "applied")


@pytest.mark.parametrize("options", [{"cascade": True}, {"keep": True}])
def test_one_s_own_under_what_an_admin_pinned(workspace: Workspace, options: dict[str, bool]) -> None:
    memory = memory_of(workspace)
    weigh = edited(memory, CURATOR, importance=0.9)
    pin_memory(now(memory), ADMIN)
    Decision.objects.update(decided_at=timezone.now() - SLIP - timedelta(minutes=1))
    for who in (CURATOR, ADMIN):
        with pytest.raises(NeedsTwo):
            undo(workspace, who, weigh.pk, **options)
    assert (now(memory).importance, now(memory).pinned) == (0.9, True)
    Workspace.objects.filter(pk=workspace.pk).update(solo=True)
    undo(workspace, ADMIN, weigh.pk, **options)
    assert (now(memory).importance, now(memory).pinned) == (0.5, "keep" in options)


def test_what_changed_no_protected_memory_is_undone_as_ever(workspace: Workspace, session: Session) -> None:
    pinned = memory_of(workspace)
    pin_memory(pinned, ADMIN)
    confirmed = proposed(session, "dedupe", now(pinned), hold=False)
    declined = edited(pinned, KEY, importance=0.9)
    decline(workspace, ADMIN, declined.pk, Ruling(comment="No"))
    undo(workspace, CURATOR, confirmed.pk)
    Decision.objects.filter(pk=declined.pk).update(needs="curator")
    assert undo(workspace, CURATOR, declined.pk)[0].status == "undone"
    assert now(pinned).version == 2


def test_a_refusal_undone_leaves_the_memory_that_it_was_compared_with(workspace: Workspace, session: Session) -> None:
    deleted = memory_of(workspace)
    retract_memory(deleted, KEY)
    refusal = proposed(session, "reject", now(deleted), hold=False)
    assert Memory.objects.get(session=session).status == "archived"
    undo(workspace, CURATOR, refusal.pk)
    assert Memory.objects.get(session=session).status == "active"
    assert now(deleted).version == 2


def likes(workspace: Workspace, what: str) -> Memory:
    return make.make_memory(workspace, f"Likes {what}", key="likes", value=what)


def test_what_comes_back_fits_the_slot_as_it_is_now(workspace: Workspace) -> None:
    tea = likes(workspace, "tea")
    likes(workspace, "jazz")
    archived = archive_memory(tea, KEY).decision
    put_slot(workspace, ADMIN, "likes", SlotSettings("one"))
    with pytest.raises(SlotOccupied):
        undo(workspace, ADMIN, archived.pk)
    assert Memory.objects.get(status="active", key="likes").value == "jazz"
    put_slot(workspace, ADMIN, "likes", SlotSettings("many"))
    undo(workspace, ADMIN, archived.pk)
    assert set(Memory.objects.filter(status="active").values_list("value", "single")) == {
        ("tea", False),
        ("jazz", False),
    }


def test_words_go_back_though_the_slot_was_set_up_otherwise_since(workspace: Workspace) -> None:
    tea = likes(workspace, "tea")
    edit = edited(tea, KEY, text="Likes rain", value="rain")
    put_slot(workspace, ADMIN, "likes", SlotSettings("one"))
    edited(tea, KEY, importance=0.9)
    undo(workspace, ADMIN, edit.pk, keep=True)
    back = now(tea)
    assert (back.text, back.importance, back.single, back.value_key) == ("Likes tea", 0.9, True, "tea")
    assert back.versions.first().single
