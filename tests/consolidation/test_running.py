"""From an ended session to decisions and memory, in one process."""

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.utils import timezone

from consolidation.actions import (
    distilling,
    end_session,
    queue_idle_sessions,
    redecide,
    retry_run,
    run_consolidation,
    sweep_runs,
)
from consolidation.actions.leases import claim
from consolidation.models import ConsolidationRun, PolicyVersion
from memory_app.actions.decisions import approve
from memory_app.actions.memories import NewMemory, edit_memory, remember
from memory_app.actions.sessions import NewTurn, add_turns, open_session
from memory_app.actions.undo import undo
from memory_app.domain.errors import Conflict, Stale
from memory_app.models import Decision, Memory, Session, Workspace

from .conftest import AGENT, CURATOR, KEY, Say, consolidated

WINDOW = ("这次想靠窗休息", {"text": "这次靠窗", "key": "seat_preference", "value": "window", "kind": "working"})
RAIL = (
    "以后短途优先高铁",
    {"text": "短途优先高铁", "key": "transport_preference", "value": "high_speed_rail", "condition": "short_trip"},
)
LATE = ("以后优先晚班机", {"text": "优先晚班机", "key": "departure_time_preference", "value": "evening"})


def test_a_session_that_says_more_than_a_run_reads_is_read_in_part(workspace: Workspace) -> None:
    session, _ = open_session(workspace, AGENT, user="zhang-san")
    long = "这是一段很长的说明。" * 300
    with mock.patch.object(distilling, "BUDGET", 5_000):
        add_turns(
            session, AGENT, [NewTurn("user", "我以后都要靠窗的座位"), NewTurn("user", long), NewTurn("user", long)]
        )
        run = consolidated(session)
    assert run.status == "done"
    assert run.error.startswith("passed_over 1 ")
    session.refresh_from_db()
    assert session.distilled_to == 3
    assert session.notes.exists()


def early(workspace: Workspace, **fields: Any) -> Memory:
    new = NewMemory(
        "user", "semantic", "偏好早班机", user="zhang-san", key="departure_time_preference", value="morning",
        updated_at=timezone.now() - timedelta(days=90), **fields,
    )  # fmt: skip
    return remember(workspace, KEY, new).memory


def actions_of(session: Session) -> list[tuple[str, str]]:
    found = Decision.objects.filter(session=session, origin="consolidation").order_by("note__number")
    return [(d.action, d.status) for d in found]


def test_each_note_is_decided_once_with_its_reason(workspace: Workspace, say: Say) -> None:
    memory = early(workspace)
    session = say(WINDOW, RAIL, LATE)
    run = consolidated(session)
    assert run.status == "done", run.error
    assert run.counts == {"session_only": 1, "promote": 1, "override": 1}
    assert actions_of(session) == [("session_only", "applied"), ("promote", "applied"), ("override", "applied")]
    memory.refresh_from_db()
    assert (memory.value, memory.version, memory.author) == ("evening", 2, "system")
    override = Decision.objects.get(action="override")
    assert (override.before["value"], override.after["value"], override.base_version) == ("morning", "evening", 1)
    assert override.rule == "override.explicit_change"
    assert {n["memory"] for n in override.neighbours} >= {str(memory.pk)}
    rail = Memory.objects.get(scope="user", key="transport_preference")
    assert (rail.condition, rail.sources.get().note.session) == ("short_trip", session)
    session.refresh_from_db()
    assert session.status == "consolidated"


def test_running_again_changes_nothing_more(say: Say) -> None:
    session = say(RAIL, LATE)
    run = consolidated(session)
    before = (Decision.objects.count(), Memory.objects.count())
    assert end_session(session, AGENT).pk == run.pk
    run_consolidation(run.pk)
    again = ConsolidationRun.objects.create(workspace=run.workspace, session=session, user=session.user, cause="button")
    run_consolidation(again.pk)
    assert (Decision.objects.count(), Memory.objects.count()) == before


def test_undo_of_an_override_brings_the_old_version_back(workspace: Workspace, say: Say) -> None:
    memory = early(workspace)
    consolidated(say(LATE))
    undo(workspace, CURATOR, Decision.objects.get(action="override").pk)
    memory.refresh_from_db()
    assert (memory.value, memory.version, memory.author, memory.protected) == ("morning", 3, "key", False)


def test_the_same_thing_said_twice_is_one_memory_with_two_sources(say: Say) -> None:
    consolidated(say(RAIL))
    consolidated(say(RAIL))
    memory = Memory.objects.get(scope="user")
    assert (memory.version, memory.sources.filter(withdrawn_at=None).count()) == (1, 2)


def test_protected_memory_is_held_for_an_admin(workspace: Workspace, say: Say) -> None:
    memory = early(workspace, pinned=True)
    consolidated(say(LATE))
    decision = Decision.objects.get(origin="consolidation")
    assert (decision.action, decision.proposed_action, decision.status, decision.needs) == (
        "review", "override", "pending", "admin",
    )  # fmt: skip
    memory.refresh_from_db()
    assert memory.value == "morning"


def test_sensitive_facts_wait_for_a_person(say: Say) -> None:
    consolidated(say(("我有糖尿病", {"text": "有糖尿病", "key": "fact", "value": "糖尿病"})))
    decision = Decision.objects.get(origin="consolidation")
    assert (decision.action, decision.status, decision.needs) == ("promote", "pending", "curator")
    assert not Memory.objects.filter(scope="user").exists()
    approve(decision.workspace, CURATOR, decision.pk)
    assert Memory.objects.get(scope="user").sensitivity == "health"


def test_turns_are_distilled_where_the_agent_kept_nothing(workspace: Workspace) -> None:
    session, _ = open_session(workspace, AGENT, user="li-na")
    add_turns(
        session,
        AGENT,
        [NewTurn("user", "I'm vegetarian, and from now on book me aisle seats."), NewTurn("assistant", "Noted.")],
    )
    consolidated(session)
    kept = {m.key: m.value for m in Memory.objects.filter(scope="user", status="active")}
    assert kept.get("seat_preference") == "aisle"
    note = session.notes.get(key="seat_preference")
    assert (note.origin, note.turn.index) == ("distilled", 1)
    assert note.evidence_quote == note.turn.content[note.evidence_start : note.evidence_end]


def test_an_agent_s_own_notes_are_not_doubled_by_distillation(say: Say) -> None:
    session = say(RAIL)
    consolidated(session)
    assert [n.origin for n in session.notes.all()] == ["agent"]


def test_task_and_outcome_become_an_episode_and_a_procedure_is_proposed(workspace: Workspace) -> None:
    session, _ = open_session(workspace, AGENT, user="li-na")
    calls = [{"name": "search_trains", "arguments": {"to": "Beijing"}}, {"name": "book_ticket", "arguments": {}}]
    add_turns(session, AGENT, [NewTurn("user", "Beijing tomorrow"), NewTurn("assistant", "Booked.", tool_calls=calls)])
    consolidated(session, task="Book a train to Beijing", outcome="success", summary="Booked the 9 o'clock train")
    kinds = {n.kind for n in session.notes.filter(origin="outcome")}
    assert kinds == {"episodic", "procedural"}
    assert Memory.objects.get(scope="user", kind="episodic").status == "active"
    procedure = Decision.objects.get(kind="procedural", origin="consolidation")
    assert (procedure.status, procedure.needs) == ("pending", "admin")


def test_a_failing_run_is_tried_again_and_ends_as_failed_with_its_notes(say: Say) -> None:
    session = say(RAIL)
    run = end_session(session, AGENT)
    with mock.patch("consolidation.actions.running.decide", side_effect=RuntimeError("card 4242 4242 4242 4242")):
        for attempt in range(1, 6):
            ConsolidationRun.objects.filter(pk=run.pk).update(not_before=None)
            run_consolidation(run.pk)
            run.refresh_from_db()
            assert (run.attempts, run.status) == (attempt, "failed" if attempt == 5 else "pending")
    assert "4242" not in run.error
    session.refresh_from_db()
    assert (session.status, session.notes.waiting().count(), Decision.objects.count()) == ("failed", 1, 0)
    again = retry_run(run, CURATOR)
    run_consolidation(again.pk)
    again.refresh_from_db()
    assert (again.status, actions_of(session)) == ("done", [("promote", "applied")])
    with pytest.raises(Conflict):
        retry_run(again, CURATOR)


def test_a_failure_in_the_middle_of_applying_leaves_nothing_behind(say: Say) -> None:
    session = say(RAIL, LATE)
    run = end_session(session, AGENT)
    from consolidation.actions import running

    real, calls = running.record, []

    def fail_on_second(*args: Any, **kwargs: Any) -> Decision:
        calls.append(args)
        if len(calls) == 2:
            raise RuntimeError("disk full")
        return real(*args, **kwargs)

    with mock.patch.object(running, "record", fail_on_second):
        run_consolidation(run.pk)
    assert (Decision.objects.count(), Memory.objects.filter(scope="user").count()) == (0, 0)
    ConsolidationRun.objects.filter(pk=run.pk).update(not_before=None)
    run_consolidation(run.pk)
    assert [a for a, _ in actions_of(session)] == ["promote", "promote"]


def test_sessions_of_one_user_are_taken_in_the_order_they_started(say: Say) -> None:
    now = timezone.now()
    later = say(LATE, started_at=now - timedelta(hours=1))
    earlier = say(
        ("以后优先早班机", {"text": "优先早班机", "key": "departure_time_preference", "value": "morning",
                      "said_at": now - timedelta(hours=2)}),
        started_at=now - timedelta(hours=2),
    )  # fmt: skip
    run_later, run_earlier = end_session(later, AGENT), end_session(earlier, AGENT)
    assert run_consolidation(run_later.pk) is None
    run_later.refresh_from_db()
    assert run_later.status == "pending"
    assert run_consolidation(run_earlier.pk) == run_later.pk
    run_consolidation(run_later.pk)
    memory = Memory.objects.get(scope="user")
    assert (memory.value, memory.version) == ("evening", 2)


def test_a_claim_is_one_worker_s_and_a_lost_one_writes_nothing(say: Say) -> None:
    run = end_session(say(RAIL), AGENT)
    first = claim(run.pk)
    assert first is not None
    assert claim(run.pk) is None
    ConsolidationRun.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert sweep_runs() == [run.pk]
    assert claim(run.pk) is not None
    from consolidation.actions.leases import LostClaim, hold

    with pytest.raises(LostClaim):
        hold(first)


def test_the_sweep_sends_what_was_never_sent_and_gives_up_after_five(say: Say) -> None:
    run = end_session(say(RAIL), AGENT)
    assert sweep_runs() == [run.pk]
    assert sweep_runs() == []
    ConsolidationRun.objects.filter(pk=run.pk).update(
        status="running", attempts=5, lease_until=timezone.now() - timedelta(seconds=1)
    )
    assert sweep_runs() == []
    run.refresh_from_db()
    assert run.status == "failed"


def test_an_idle_session_is_consolidated_and_opens_again_with_its_next_turn(workspace: Workspace, say: Say) -> None:
    session = say(RAIL)
    assert queue_idle_sessions() == []
    Session.objects.filter(pk=session.pk).update(last_active_at=timezone.now() - timedelta(minutes=31))
    [run] = queue_idle_sessions()
    assert queue_idle_sessions() == []
    run_consolidation(run.pk)
    session.refresh_from_db()
    assert (session.status, session.ended_at) == ("consolidated", None)
    add_turns(session, AGENT, [NewTurn("user", "Another thing")])
    session.refresh_from_db()
    assert session.status == "open"
    PolicyVersion.objects.create(workspace=workspace, number=2, content={"idle_minutes": 1})
    Session.objects.filter(pk=session.pk).update(last_active_at=timezone.now() - timedelta(minutes=2))
    assert len(queue_idle_sessions()) == 1


def test_a_session_that_ends_while_it_runs_gets_a_run_of_its_own(workspace: Workspace, say: Say) -> None:
    session = say(RAIL)
    Session.objects.filter(pk=session.pk).update(last_active_at=timezone.now() - timedelta(minutes=31))
    [idle] = queue_idle_sessions()
    from consolidation.actions import running

    real = running.distill_session

    def end_meanwhile(run: ConsolidationRun, *given: Any) -> None:
        real(run, *given)
        end_session(session, AGENT, task="Book a train", outcome="success")

    with mock.patch.object(running, "distill_session", end_meanwhile):
        following = run_consolidation(idle.pk)
    assert following is not None
    run_consolidation(following)
    session.refresh_from_db()
    assert (session.status, session.notes.waiting().count()) == ("consolidated", 0)
    assert session.notes.filter(origin="outcome").count() == 1


def test_a_stale_decision_is_made_anew_against_memory_as_it_is(workspace: Workspace, say: Say) -> None:
    memory = early(workspace, pinned=True)
    consolidated(say(LATE))
    decision = Decision.objects.get(origin="consolidation")
    change = edit_memory(memory, KEY, {"importance": 0.9}).decision
    admin = type(CURATOR)("operator", "8", "Wen", "admin")
    approve(workspace, admin, change.pk)
    with pytest.raises(Stale):
        approve(workspace, admin, decision.pk)
    decision.refresh_from_db()
    fresh = redecide(decision)
    assert fresh is not None
    assert (fresh.status, fresh.base_version, fresh.needs, fresh.replaces) == ("pending", 2, "admin", decision)
    assert redecide(decision) == fresh
    approve(workspace, admin, fresh.pk)
    memory.refresh_from_db()
    assert memory.value == "evening"


def test_a_wish_to_forget_waits_and_then_stays_forgotten(workspace: Workspace, say: Say) -> None:
    said = timezone.now() - timedelta(days=3)
    rail = (RAIL[0], RAIL[1] | {"said_at": said})
    consolidated(say(rail, started_at=said))
    memory = Memory.objects.get(scope="user")
    forget = ("别再记短途优先高铁了", RAIL[1] | {"text": "短途优先高铁", "retract": True})
    consolidated(say(forget))
    decision = Decision.objects.get(note__retract=True)
    assert (decision.status, decision.proposed_action, decision.memory) == ("pending", "retract", memory)
    memory.refresh_from_db()
    assert memory.status == "active"
    approve(workspace, CURATOR, decision.pk)
    memory.refresh_from_db()
    assert memory.status == "archived"
    consolidated(say(rail, started_at=said))
    assert Decision.objects.order_by("-created_at").first().rule == "reject.deleted"
    assert not Memory.objects.filter(scope="user", status="active").exists()


@pytest.mark.parametrize(
    "asked",
    ["Please forget that I like the aisle.", "忘掉我喜欢靠过道这件事。"],
)
def test_what_the_user_wants_forgotten_waits_for_a_person(workspace: Workspace, asked: str) -> None:
    memory = remember(
        workspace,
        KEY,
        NewMemory("user", "semantic", "Prefers aisle seats", user="zhang-san", key="seat_preference", value="aisle"),
    ).memory
    session, _ = open_session(workspace, AGENT, user="zhang-san")
    add_turns(session, AGENT, [NewTurn("user", asked)])
    run = consolidated(session)
    assert run.status == "done", run.error
    (decision,) = Decision.objects.filter(session=session)
    assert (decision.action, decision.status, decision.proposed_action) == ("review", "pending", "retract")
    assert decision.memory == memory
    memory.refresh_from_db()
    assert (memory.status, memory.version) == ("active", 1)
    assert approve(workspace, CURATOR, decision.pk)
    memory.refresh_from_db()
    assert memory.status == "archived"
