"""What the policy of retention says is due is forgotten, and nothing else; each time there is a record of it."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pgtrigger
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from consolidation.actions.policies import put_policy
from consolidation.tasks import forget as nightly
from memory_app.actions.combining import split_memory
from memory_app.actions.decisions import decline
from memory_app.actions.memories import archive_memory, edit_memory, pin_memory, retract_memory
from memory_app.actions.retention import STEPS, Forgetting, Step, forget, preview
from memory_app.actions.sessions import put_working
from memory_app.actions.undo import undo
from memory_app.domain.retention import Retention, starting_importance, surplus
from memory_app.models import (
    AuditEvent,
    Block,
    Decision,
    Injection,
    Memory,
    MemoryVersion,
    Note,
    Session,
    SessionStatus,
    Turn,
    Workspace,
)
from memory_app.recall import recall
from tests import factories as make
from tests.failing import refuse_updates

pytestmark = pytest.mark.django_db


@pytest.fixture
def workspace(db: None) -> Workspace:
    return make.make_workspace()


def due(workspace: Workspace, **rules: Any) -> Forgetting:
    return Forgetting(workspace, Retention(**rules), timezone.now(), 3)


def run(workspace: Workspace, **rules: Any) -> dict[str, int]:
    """What was forgotten; the preview said the same."""
    what = due(workspace, **rules)
    expected = {step: n for step, n in preview(what).items() if n}
    done: dict[str, int] = {}
    for step, count in forget(what):
        done[step] = done.get(step, 0) + count
    assert set(done) == set(expected)
    assert not any(preview(what).values())
    return done


def episode(workspace: Workspace, text: str, days: float = 0, importance: float = 0.3, **fields: Any) -> Memory:
    at = make.days_ago(days)
    return make.make_memory(workspace, text, kind="episodic", importance=importance, updated_at=at, **fields)


def status(memory: Memory) -> str:
    return Memory.objects.get(pk=memory.pk).status


def test_importance_starts_from_data() -> None:
    assert starting_importance("Likes tea") == 0.5
    assert starting_importance("Likes tea", confirmed=True) == 0.7
    assert starting_importance("Booked", outcome="success") == 0.7
    assert starting_importance("Booked", outcome="failure") == 0.65
    assert starting_importance("word " * 80) == 0.6
    assert starting_importance("word " * 80, confirmed=True, outcome="success") == 1.0
    assert (surplus(3, Retention(most_episodes=2)), surplus(2, Retention(most_episodes=2))) == (1, 0)


def test_old_unimportant_episodes_are_archived_by_a_decision(workspace: Workspace) -> None:
    old = episode(workspace, "Went to Lyon", 100)
    kept = [
        episode(workspace, "Went to Oslo", 80),
        episode(workspace, "Went to Rome", 100, importance=0.4),
        make.make_memory(workspace, "Likes tea", importance=0.1, updated_at=make.days_ago(100)),
    ]
    pinned = episode(workspace, "Went to Porto", 100)
    pin_memory(pinned, make.BACK_OFFICE)
    written = episode(workspace, "Went to Turin", 100)
    operator = make.make_operator(workspace, "admin")
    edit_memory(written, make.actor_of(operator, "admin"), {"text": "Went to Turin by train"})
    assert run(workspace) == {"old_episodes": 1}
    assert status(old) == "archived"
    assert [status(m) for m in (*kept, pinned, written)] == ["active"] * 5
    decision = old.decisions.get(origin="policy")
    assert (decision.action, decision.status, decision.rule) == ("archive", "applied", "archive.old_episode")
    assert (decision.policy_version, decision.params) == (3, {"days": 90})
    event = AuditEvent.objects.get(action="retention.run")
    assert (event.actor_kind, event.detail) == ("policy", {"policy": 3, "old_episodes": 1})


def test_what_is_still_recalled_is_not_forgotten_for_its_age(workspace: Workspace) -> None:
    used, unused = episode(workspace, "Went to Lyon", 100), episode(workspace, "Went to Oslo", 100)
    older, newer = episode(workspace, "Went to Rome", 9, importance=0.5), episode(workspace, "Went to Bern", 5, 0.5)
    Memory.objects.filter(pk__in=[used.pk, older.pk]).update(last_recalled_at=make.days_ago(1))
    assert run(workspace, most_episodes=3) == {"old_episodes": 1}
    assert status(unused) == "archived"
    assert run(workspace, most_episodes=1) == {"surplus_episodes": 2}
    assert [status(m) for m in (used, older, newer)] == ["archived", "active", "archived"]


def test_an_episode_archived_by_policy_comes_back_by_undo(workspace: Workspace) -> None:
    old = episode(workspace, "Went to Lyon", 100)
    run(workspace)
    undo(workspace, make.BACK_OFFICE, old.decisions.get(origin="policy").pk)
    assert status(old) == "active"


def test_a_user_keeps_the_most_important_episodes(workspace: Workspace) -> None:
    least = episode(workspace, "Went to Lyon", 2, importance=0.4)
    older = episode(workspace, "Went to Oslo", 9, importance=0.5)
    newer = episode(workspace, "Went to Rome", 1, importance=0.5)
    pinned = episode(workspace, "Went to Porto", 50, importance=0.0, pinned=True)
    other = episode(workspace, "Went to Cairo", 2, importance=0.0, user="li-si")
    assert run(workspace, most_episodes=2) == {"surplus_episodes": 2}
    assert [status(m) for m in (least, older, newer, pinned, other)] == [
        "archived", "archived", "active", "active", "active",
    ]  # fmt: skip
    assert least.decisions.get(origin="policy").rule == "archive.too_many"


def test_working_memory_ends_with_its_session(workspace: Workspace) -> None:
    over, going_on, silent = (make.make_session(workspace, external_id=name) for name in ("over", "on", "silent"))
    for session in (over, going_on, silent):
        make.make_note(session, "Is comparing two hotels", kind="working", scope="session")
        put_working(session, make.AGENT, {"task": "Compare hotels"})
    Session.objects.filter(pk=over.pk).update(ended_at=timezone.now())
    Session.objects.filter(pk=silent.pk).update(last_active_at=make.days_ago(40))
    assert run(workspace) == {"working_states": 2, "working_memories": 2}
    assert {s.external_id for s in Session.objects.exclude(working=None)} == {"on"}
    assert {m.session_id for m in Memory.objects.filter(kind="working", status="active")} == {going_on.pk}


def test_old_turns_go_and_notes_keep_their_quotes(workspace: Workspace) -> None:
    session = make.make_session(workspace)
    turn = make.make_turn(session, "I prefer aisle seats. My card is 4111 1111 1111 1111.")
    note = make.make_note(session, "Prefers aisle seats", quote="I prefer aisle seats.")
    assert Block.objects.get(turn=turn).excerpt
    Session.objects.filter(pk=session.pk).update(status=SessionStatus.CONSOLIDATED, distilled_to=1)
    unread = make.make_turn(make.make_session(workspace, external_id="unread"), "Not read yet")
    assert run(workspace) == {}
    Turn.objects.update(created_at=make.days_ago(400))
    assert run(workspace) == {"turns": 1}
    assert [t.pk for t in Turn.objects.all()] == [unread.pk]
    kept = Note.objects.get(pk=note.pk)
    assert (kept.turn, kept.evidence_quote, kept.anchored) == (None, "I prefer aisle seats.", True)
    assert Block.objects.get(session=session).excerpt == ""
    event = AuditEvent.objects.get(action="retention.delete")
    assert event.detail["counts"] == {"memory_app_turn": 1}


def test_places_of_forgotten_turns_are_not_taken_again(workspace: Workspace) -> None:
    session = make.make_session(workspace)
    make.make_turn(session, "Hello")
    Session.objects.filter(pk=session.pk).update(status=SessionStatus.CONSOLIDATED, distilled_to=1)
    Turn.objects.update(created_at=make.days_ago(400))
    run(workspace)
    assert make.make_turn(session, "I am back").index == 2


def test_turns_stay_when_their_session_goes_on_meanwhile(workspace: Workspace) -> None:
    session = make.make_session(workspace)
    make.make_turn(session, "Hello")
    Session.objects.filter(pk=session.pk).update(status=SessionStatus.CONSOLIDATED, distilled_to=1)
    Turn.objects.update(created_at=make.days_ago(400))
    step = next(one for one in STEPS if one.name == "turns")
    what = due(workspace)
    [rows] = [list(part) for part in step.parts(what)]
    make.make_turn(session, "I am back")
    assert (len(rows), step.act(what, rows), Turn.objects.count()) == (1, 0, 2)


def test_recall_logs_go(workspace: Workspace) -> None:
    make.make_memory(workspace, "Prefers aisle seats")
    recall(workspace, user="zhang-san", query="Which seat?")
    Injection.objects.update(at=make.days_ago(100))
    recall(workspace, user="zhang-san", query="Which seat?")
    assert run(workspace) == {"recall_logs": 1}
    assert Injection.objects.count() == 1


def test_archived_memory_is_deleted_after_a_time(workspace: Workspace) -> None:
    gone, fresh, active, disputed = (
        make.make_memory(workspace, f"Likes {what}", key="likes", value=what) for what in ("tea", "jazz", "art", "rain")
    )
    for memory in (gone, fresh, disputed):
        archive_memory(memory, make.BACK_OFFICE)
    make.make_decision(memory=Memory.objects.get(pk=disputed.pk), action="restore")
    with pgtrigger.ignore("memory_app.MemoryVersion:append_only"):
        MemoryVersion.objects.exclude(memory=fresh).update(recorded_at=make.days_ago(400))
        Memory.objects.update(recorded_at=make.days_ago(400))
    assert run(workspace) == {"archived_memories": 1}
    assert set(Memory.objects.values_list("pk", flat=True)) == {fresh.pk, active.pk, disputed.pk}
    assert not Decision.objects.filter(memory=gone.pk).exists()
    assert AuditEvent.objects.get(action="retention.delete").detail["counts"]["memory_app_memory"] == 1


def test_parts_of_a_split_that_waits_again_are_not_deleted(workspace: Workspace) -> None:
    split = split_memory(make.make_memory(workspace, "Likes tea and rain"), make.BACK_OFFICE,
                         [{"text": "Likes tea"}, {"text": "Likes rain"}]).decision  # fmt: skip
    undo(workspace, make.BACK_OFFICE, split.pk)
    with pgtrigger.ignore("memory_app.MemoryVersion:append_only"):
        MemoryVersion.objects.update(recorded_at=make.days_ago(400))
        Memory.objects.update(recorded_at=make.days_ago(400))
    assert run(workspace) == {}
    decline(workspace, make.BACK_OFFICE, split.pk)
    assert run(workspace) == {"archived_memories": 1}
    assert Decision.objects.get(pk=split.pk).params["parts"] == []


def test_what_a_user_took_back_is_never_deleted(workspace: Workspace) -> None:
    """It is what keeps the same thing from being remembered again."""
    back, kept_back = (make.make_memory(workspace, f"Likes {one}", key="likes", value=one) for one in ("tea", "rain"))
    retract_memory(back, make.BACK_OFFICE)
    retract_memory(kept_back, make.BACK_OFFICE)
    undo(workspace, make.BACK_OFFICE, kept_back.decisions.get(action="retract").pk)
    archive_memory(Memory.objects.get(pk=kept_back.pk), make.BACK_OFFICE)
    with pgtrigger.ignore("memory_app.MemoryVersion:append_only"):
        MemoryVersion.objects.update(recorded_at=make.days_ago(400))
        Memory.objects.update(recorded_at=make.days_ago(400))
    Decision.objects.filter(status="undone").update(status="declined")
    assert run(workspace) == {"archived_memories": 1}
    assert [memory.pk for memory in Memory.objects.all()] == [back.pk]


def test_memory_that_expired_long_ago_is_archived(workspace: Workspace) -> None:
    def ended(text: str, days: float, **fields: Any) -> Memory:
        memory = make.make_memory(workspace, text, **fields)
        Memory.objects.filter(pk=memory.pk).update(expires_at=make.days_ago(days))
        return memory

    due_now, team = ended("Is in Lyon", 40), ended("Meets on Monday", 40, user=None, scope="team", team="ops")
    kept = [ended("Is in Oslo", 20), ended("Is in Rome", 40, pinned=True), ended("Is in Porto", 40)]
    make.make_decision(memory=Memory.objects.get(pk=kept[2].pk), action="edit")
    assert run(workspace) == {"expired_memories": 2}
    assert (status(due_now), status(team)) == ("archived", "archived")
    assert [status(memory) for memory in kept] == ["active"] * 3
    decision = due_now.decisions.get(origin="policy")
    assert (decision.rule, decision.params) == ("archive.long_expired", {"days": 30})


def test_surplus_is_chosen_once_and_counted_in_one_statement(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr("memory_app.actions.retention.BATCH", 2)
    for user in ("li-si", "wang-wu"):
        for day in range(7):
            episode(workspace, f"Went to place {day}", day + 1, importance=0.5, user=user)
    what = due(workspace, most_episodes=2)
    with django_assert_num_queries(1):
        assert step_called("surplus_episodes").count(what) == 10
    parts = list(step_called("surplus_episodes").parts(what))
    assert [part.count() for part in parts] == [2, 2, 1, 2, 2, 1]
    assert run(workspace, most_episodes=2) == {"surplus_episodes": 10}
    assert Memory.objects.filter(status="active").count() == 4


def step_called(name: str) -> Step:
    return next(step for step in STEPS if step.name == name)


def test_zero_days_means_never(workspace: Workspace) -> None:
    episode(workspace, "Went to Lyon", 5_000)
    archive_memory(make.make_memory(workspace, "Likes tea"), make.BACK_OFFICE)
    recall(workspace, user="zhang-san", query="Where?")
    Injection.objects.update(at=make.days_ago(5_000))
    with pgtrigger.ignore("memory_app.MemoryVersion:append_only"):
        MemoryVersion.objects.update(recorded_at=make.days_ago(5_000))
    assert run(workspace, episode_days=0, archived_days=0, recall_log_days=0, turns_days=0, expired_days=0) == {}


def test_nothing_of_another_workspace_is_touched(workspace: Workspace) -> None:
    other = make.make_workspace("other", "Other")
    theirs = episode(other, "Went to Lyon", 100)
    assert run(workspace) == {}
    assert status(theirs) == "active"


def test_the_night_goes_by_each_workspaces_policy(workspace: Workspace) -> None:
    careful = make.make_workspace("careful", "Careful")
    put_policy(careful, make.BACK_OFFICE, {"episode_days": 0}, "Nothing is to be forgotten.")
    ours, theirs = episode(workspace, "Went to Lyon", 100), episode(careful, "Went to Lyon", 100)
    nightly()
    assert (status(ours), status(theirs)) == ("archived", "active")


def test_a_workspace_that_fails_keeps_no_other_from_its_night(workspace: Workspace) -> None:
    ours, theirs = episode(workspace, "Went to Lyon", 100), episode(make.make_workspace("zebra"), "Went to Oslo", 100)
    refuse_updates(Memory, "workspace_id", workspace.pk, "P0001")
    nightly()
    assert (status(ours), status(theirs)) == ("active", "archived")


def test_the_command_says_what_it_would_do_and_does_it(workspace: Workspace) -> None:
    old = episode(workspace, "Went to Lyon", 100)
    out = StringIO()
    call_command("forget", dry_run=True, stdout=out, stderr=StringIO())
    assert (out.getvalue(), status(old)) == ("travel: 1 old episodes due\n", "active")
    out = StringIO()
    call_command("forget", workspace="travel", stdout=out, stderr=StringIO())
    assert (out.getvalue(), status(old)) == ("travel: 1 old episodes done\n", "archived")
    with pytest.raises(CommandError):
        call_command("forget", workspace="none", stdout=StringIO())


def test_a_memory_that_changes_meanwhile_stays(workspace: Workspace) -> None:
    old = episode(workspace, "Went to Lyon", 100)
    what = due(workspace)
    rows = list(Memory.objects.filter(pk=old.pk))
    edit_memory(old, make.BACK_OFFICE, {"importance": 0.9})
    assert step_called("old_episodes").act(what, rows) == 0
    assert status(old) == "active"


def test_what_a_policy_archived_can_be_said_again(workspace: Workspace) -> None:
    """Unlike what a person took away, it is no reason to refuse it."""
    from consolidation.actions.gathering import gather

    forgotten = episode(workspace, "Went to Lyon", 100, key="episode", value="lyon")
    retracted = make.make_memory(workspace, "Likes tea", key="likes", value="tea")
    retract_memory(retracted, make.BACK_OFFICE)
    run(workspace)
    session = make.make_session(workspace)
    note = make.make_note(session, "Went to Lyon", key="episode", value="lyon", scope="user")
    found = {one.id: one.status for one in gather(session, [note], {}).existing}
    assert found.get(str(forgotten.pk)) == "archived"
    assert found[str(retracted.pk)] == "deleted"


def test_deadlines_are_exact(workspace: Workspace) -> None:
    now = timezone.now()
    on_time = episode(workspace, "Went to Lyon")
    Memory.objects.filter(pk=on_time.pk).update(confirmed_at=now - timedelta(days=90))
    assert preview(Forgetting(workspace, Retention(), now, 1))["old_episodes"] == 0
    assert preview(Forgetting(workspace, Retention(), now + timedelta(seconds=1), 1))["old_episodes"] == 1
