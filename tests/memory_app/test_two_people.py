"""Protected memory never says what one person alone wants, by whatever way a decision comes to it."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from consolidation.actions.policies import put_policy
from memory_app.actions.decisions import Ruling, approve
from memory_app.actions.keys import create_key
from memory_app.actions.memories import NewMemory, edit_memory, remember
from memory_app.actions.notes import NewNote, retain_note
from memory_app.actions.outcomes import record_outcome
from memory_app.actions.sessions import NewTurn, add_turns
from memory_app.actions.undo import undo
from memory_app.actions.versions import add_source
from memory_app.domain.actor import SYSTEM, Actor
from memory_app.domain.errors import CommonplaceError, Forbidden, Invalid, Stale
from memory_app.models import AuditEvent, Decision, Memory, Note, Workspace
from memory_app.queries.approvers import Parties, is_own
from tests import factories as make

pytestmark = pytest.mark.django_db
TEAM: dict[str, Any] = {"scope": "team", "team": "ops"}


@pytest.fixture
def wen(workspace: Workspace) -> Actor:
    return make.actor_of(make.make_operator(workspace, "admin", "wen"), "admin")


@pytest.fixture
def ana(workspace: Workspace) -> Actor:
    return make.actor_of(make.make_operator(workspace, "admin", "ana"), "admin")


@pytest.fixture
def nuts(workspace: Workspace) -> Memory:
    return make.make_memory(workspace, "Is allergic to nuts", pinned=True)


def key_of(workspace: Workspace, maker: Actor, role: str) -> Actor:
    key, _ = create_key(workspace, maker, role=role)
    return Actor("key", str(key.pk), key.name, role)


def sent(workspace: Workspace, by: Actor, text: str = "Refunds wait for a week") -> Note:
    session = make.make_session(workspace)
    return retain_note(session, by, NewNote(text=text, **TEAM)).note


def held(note: Note, action: str = "promote", **fields: Any) -> Decision:
    return make.make_decision(note, action, needs="admin", team=note.team, **fields)


def failing(workspace: Workspace, by: Actor) -> Decision:
    """A procedure waits to be archived, since this actor has reported that it fails."""
    procedure = make.make_memory(workspace, "Ask for the booking number first", kind="procedural")
    record_outcome(procedure, by, success=False)
    return Decision.objects.get(memory=procedure, rule="archive.failing")


def habit_of(memory: Memory, *senders: Actor) -> Decision:
    """A habit is proposed, counted from a note of each."""
    for by in senders:
        note = retain_note(make.make_session(memory.workspace), by, NewNote(text=memory.text)).note
        add_source(memory, said_at=note.said_at, note=note)
    about = {"about": str(memory.pk), "times": len(senders), "key": "diet", "value": "no nuts"}
    return make.make_decision(memory=memory, action="edit", rule="edit.habit_slot", needs="admin", params=about)


def as_it_was(memory: Memory) -> bool:
    now = Memory.objects.get(pk=memory.pk)
    return (now.text, now.version, now.pinned, now.sensitivity) == (memory.text, memory.version, True, "health")


def test_a_change_that_people_made_is_about_its_one_memory(workspace: Workspace, wen: Actor, nuts: Memory) -> None:
    bikes = make.make_memory(workspace, "Likes blue bicycles")
    change = edit_memory(bikes, wen, {"text": "Likes red bicycles"}).decision
    undo(workspace, wen, change.pk)
    for ruling in (
        Ruling(memory=str(nuts.pk)),
        Ruling(memory=str(nuts.pk), text="Is not allergic to anything"),
    ):
        with pytest.raises(Invalid) as refused:
            approve(workspace, wen, change.pk, ruling)
        assert refused.value.errors[0].field == "memory"
    assert as_it_was(nuts)
    assert approve(workspace, wen, change.pk, Ruling(memory=str(bikes.pk))).status == "approved"


def test_what_is_aimed_at_protected_memory_is_not_the_rulers_own(
    workspace: Workspace, wen: Actor, ana: Actor, nuts: Memory
) -> None:
    session = make.make_session(workspace)
    note = retain_note(session, key_of(workspace, wen, "curator"), NewNote(text="Eats everything")).note
    decision = make.make_decision(note)
    ruling = Ruling(action="override", memory=str(nuts.pk))
    with pytest.raises(Forbidden, match="sent by you or with a key that you made"):
        approve(workspace, wen, decision.pk, ruling)
    assert as_it_was(nuts)
    approve(workspace, ana, decision.pk, ruling)
    now = Memory.objects.get(pk=nuts.pk)
    # What the note does not say is as it was.
    assert (now.text, now.pinned, now.sensitivity, now.scope) == ("Eats everything", True, "health", "user")


def test_words_of_protected_memory_are_not_edited_in_approving(workspace: Workspace, wen: Actor, nuts: Memory) -> None:
    note = make.make_note(make.make_session(workspace), "Is allergic to nuts and milk")
    decision = make.make_decision(note, "override", memory=nuts, needs="admin")
    with pytest.raises(Invalid, match="Propose the edit"):
        approve(workspace, wen, decision.pk, Ruling(text="Is not allergic to anything"))
    assert as_it_was(nuts)
    workspace.solo = True
    workspace.save()
    approve(workspace, wen, decision.pk, Ruling(text="Is allergic to milk"))
    assert Memory.objects.get(pk=nuts.pk).text == "Is allergic to milk"


def test_a_memory_that_is_made_again_says_what_it_said(workspace: Workspace, wen: Actor, nuts: Memory) -> None:
    made = Decision.objects.get(memory=nuts, action="promote")
    workspace.solo = True
    workspace.save()
    undo(workspace, wen, made.pk)
    workspace.solo = False
    workspace.save()
    with pytest.raises(Invalid, match="Propose the edit"):
        approve(workspace, wen, made.pk, Ruling(text="Is not allergic to anything"))
    approve(workspace, wen, made.pk)
    now = Memory.objects.get(pk=nuts.pk)
    assert (now.text, now.status, now.sensitivity) == ("Is allergic to nuts", "active", "health")


def test_a_memory_that_was_changed_while_it_was_gone_is_not_overwritten(
    workspace: Workspace, wen: Actor, ana: Actor
) -> None:
    memory = make.make_memory(workspace, "Likes blue bicycles")
    made = Decision.objects.get(memory=memory)
    undo(workspace, wen, made.pk)
    edit_memory(Memory.objects.get(pk=memory.pk), ana, {"text": "Likes green bicycles"})
    with pytest.raises(Stale):
        approve(workspace, wen, made.pk)
    assert Memory.objects.get(pk=memory.pk).text == "Likes green bicycles"


@pytest.mark.parametrize("role", ["curator", "admin"])
def test_whoever_sent_a_note_does_not_approve_what_came_of_it(
    workspace: Workspace, wen: Actor, ana: Actor, role: str
) -> None:
    key = key_of(workspace, wen, role)
    decision = held(sent(workspace, key))
    for actor in (wen, key_of(workspace, wen, "admin")):
        for ruling in (Ruling(), Ruling(text="Refunds are immediate"), Ruling(action="override")):
            with pytest.raises(Forbidden):
                approve(workspace, actor, decision.pk, ruling)
    assert approve(workspace, ana, decision.pk).status == "approved"
    undo(workspace, ana, decision.pk)
    with pytest.raises(Forbidden):
        approve(workspace, wen, decision.pk)


def test_whoever_sent_the_turns_that_a_note_was_found_in_does_not_either(
    workspace: Workspace, wen: Actor, ana: Actor
) -> None:
    session = make.make_session(workspace)
    add_turns(session, key_of(workspace, wen, "admin"), [NewTurn("user", "Refunds wait for a week")])
    decision = held(
        retain_note(session, SYSTEM, NewNote(text="Refunds wait for a week", origin="distilled", **TEAM)).note
    )
    with pytest.raises(Forbidden):
        approve(workspace, wen, decision.pk)
    assert approve(workspace, ana, decision.pk).status == "approved"


def test_whoever_reported_that_a_procedure_fails_does_not_archive_it(
    workspace: Workspace, wen: Actor, ana: Actor
) -> None:
    decision = failing(workspace, key_of(workspace, wen, "admin"))
    assert decision.memory is not None
    record_outcome(decision.memory, ana, success=True)  # who says that it works has not made it fail
    for actor in (wen, key_of(workspace, wen, "admin")):
        with pytest.raises(Forbidden):
            approve(workspace, actor, decision.pk)
    assert Memory.objects.get(pk=decision.memory_id).status == "active"
    assert approve(workspace, ana, decision.pk).status == "approved"
    for who, told in ((wen, True), (ana, None)):
        by_agent = failing(workspace, key_of(workspace, wen, "agent"))
        approve(workspace, who, by_agent.pk)
        event = AuditEvent.objects.get(action="decision.approved", object_id=str(by_agent.pk))
        assert event.detail.get("made_its_agent") == told


def test_whoever_sent_what_a_habit_was_counted_from_does_not_approve_it(
    workspace: Workspace, wen: Actor, ana: Actor, nuts: Memory
) -> None:
    decision = habit_of(nuts, key_of(workspace, wen, "agent"), key_of(workspace, wen, "admin"))
    later = retain_note(make.make_session(workspace), ana, NewNote(text=nuts.text)).note
    add_source(nuts, said_at=later.said_at, note=later)
    for actor in (wen, key_of(workspace, wen, "admin")):
        with pytest.raises(Forbidden):
            approve(workspace, actor, decision.pk)
    assert as_it_was(nuts)
    assert approve(workspace, ana, decision.pk).status == "approved"


def test_whoever_put_a_policy_does_not_repeat_alone_what_it_did(
    workspace: Workspace, wen: Actor, ana: Actor, nuts: Memory
) -> None:
    put = put_policy(workspace, wen, {}, "Tidy up")
    policy = Actor("policy", f"policy-{put.number}", f"policy v{put.number}", "admin")
    done = make.make_decision(
        memory=nuts, action="archive", actor=policy, policy_version=put.number, hold=False, after={"status": "archived"}
    )
    undo(workspace, ana, done.pk)
    with pytest.raises(Forbidden):
        approve(workspace, wen, done.pk)
    assert approve(workspace, ana, done.pk).status == "approved"


def test_an_agents_note_is_the_agents_and_the_maker_of_its_key_is_recorded(
    workspace: Workspace, wen: Actor, ana: Actor
) -> None:
    agent = key_of(workspace, wen, "agent")
    found = {}
    for actor in (wen, ana):
        decision = approve(workspace, actor, held(sent(workspace, agent)).pk)
        event = AuditEvent.objects.get(action="decision.approved", object_id=str(decision.pk))
        found[actor.label] = event.detail.get("made_its_agent")
    assert found == {"wen": True, "ana": None}


def test_in_a_solo_workspace_one_person_does_it_all(workspace: Workspace, wen: Actor) -> None:
    workspace.solo = True
    workspace.save()
    decision = held(sent(workspace, key_of(workspace, wen, "admin")))
    assert approve(workspace, wen, decision.pk, Ruling(text="Refunds are immediate")).status == "approved"


def test_a_procedure_merged_away_is_protected_too(workspace: Workspace, wen: Actor, nuts: Memory) -> None:
    kept = make.make_memory(workspace, "Eats no nuts")
    merge = make.make_decision(
        None, "merge", memory=kept, needs="admin", params={"merged": [str(nuts.pk)], "versions": {}}
    )
    with pytest.raises(CommonplaceError):
        approve(workspace, wen, merge.pk, Ruling(text="Eats nuts"))
    assert as_it_was(nuts)


def test_who_sent_what_is_looked_up_once_for_all(
    workspace: Workspace, wen: Actor, django_assert_max_num_queries: Any
) -> None:
    keys = [key_of(workspace, wen, role) for role in ("admin", "curator", "agent")]
    decisions = [held(sent(workspace, key, f"Refunds wait for {n} weeks")) for n, key in enumerate(keys * 2)]
    rows = list(Decision.objects.select_related("workspace").filter(pk__in=[one.pk for one in decisions]))
    with django_assert_max_num_queries(6):
        parties = Parties(wen, rows)
        own = [is_own(one, wen, parties) for one in rows]
    assert sorted(own) == [False, False, True, True, True, True]


def test_who_stands_behind_what_nobody_proposed_is_too(workspace: Workspace, wen: Actor, nuts: Memory) -> None:
    def asked_for(count: int) -> tuple[int, list[bool]]:
        made = []
        for n in range(count):
            agent, admin = key_of(workspace, wen, "agent"), key_of(workspace, wen, "admin")
            bread = make.make_memory(workspace, f"Eats bread number {n}", user=f"user-{count}-{n}", pinned=True)
            made += [failing(workspace, agent), failing(workspace, admin), habit_of(bread, agent, admin)]
        rows = list(Decision.objects.select_related("workspace").filter(pk__in=[one.pk for one in made]))
        with CaptureQueriesContext(connection) as queries:
            parties = Parties(wen, rows)
            own = [is_own(one, wen, parties) for one in rows]
        return len(queries), sorted(own)

    few, many = asked_for(1), asked_for(4)
    assert few == (few[0], [False, True, True])
    assert many == (few[0], [False] * 4 + [True] * 8)


def test_an_override_keeps_how_a_memory_is_kept(workspace: Workspace, wen: Actor) -> None:
    seat = make.make_memory(
        workspace, "Prefers the aisle", key="seat_preference", value="aisle", pinned=True, priority=8
    )
    assert seat.user is not None
    new = NewMemory("user", "semantic", "Prefers the window", user=seat.user.external_id, key=seat.key, value="window")
    proposal = remember(workspace, wen, new, on_conflict="override").decision
    assert proposal.after is not None
    assert (proposal.after["pinned"], proposal.after["priority"], proposal.after["value"]) == (True, 8, "window")


def test_whoever_sent_the_turns_that_a_sent_note_quotes_does_not_approve_it(workspace: Workspace, wen: Actor) -> None:
    session = make.make_session(workspace)
    add_turns(session, wen, [NewTurn(role="user", content="Refunds wait for a week.")])
    note = retain_note(session, key_of(workspace, wen, "agent"), NewNote(text="Refunds wait for a week", **TEAM)).note
    with pytest.raises(Forbidden):
        approve(workspace, wen, held(note).pk)
