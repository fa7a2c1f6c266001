"""A session run again with a language model: asked within one session's budget, and no row says so."""

import pytest
from django.urls import reverse
from django.utils import timezone

from consolidation.actions import end_session
from consolidation.actions.policies import current_policy
from consolidation.actions.replaying import MODEL
from consolidation.actions.replays import begin_replay, may_ask
from consolidation.actions.working import lost_jobs, work_on
from consolidation.domain.policy import Policy
from consolidation.domain.replaying import Row
from consolidation.models import ConsolidationRun, PolicyTrial
from memory_app.domain.errors import Conflict
from memory_app.models import AuditEvent, Decision, Memory, MemoryVersion, Session, Workspace
from tests.factories import AGENT, make_memory, make_operator, make_session
from tests.jobs import finished, lost, taken
from tests.pages.visitors import signed_in

from .conftest import ADMIN, consolidated, noted, opt_in
from .server import Server, verdict


def replayed(workspace: Workspace) -> tuple[Row, dict[str, int]]:
    """The one note of a session that contradicts memory, decided by the rules and then again with the model."""
    opt_in(workspace, distill="rules", llm_judges=False)
    make_memory(workspace, "Prefers aisle seats", key="seat_preference", value="aisle")
    session = make_session(workspace)
    noted(
        session, "My seat on planes is the window", text="Prefers window seats", key="seat_preference", value="window"
    )
    consolidated(session)
    opt_in(workspace, distill="rules")
    before = [table.objects.count() for table in (Memory, MemoryVersion, Decision, ConsolidationRun)]
    trial = finished(begin_replay(session, ADMIN, Policy(), MODEL, "today"))
    assert (trial.status, trial.state) == ("done", {})
    assert [table.objects.count() for table in (Memory, MemoryVersion, Decision, ConsolidationRun)] == before
    assert ConsolidationRun.objects.get().model_calls == []
    assert trial.replay is not None
    return Row.from_json(trial.changes[0]), trial.replay["missing"]


def test_its_proposal_stands_beside_what_the_rules_left_open(server: Server, workspace: Workspace) -> None:
    server.says(verdict("replaces", "the window", why="The user now names the window."))
    row, missing = replayed(workspace)
    assert may_ask(workspace)
    assert current_policy(workspace).llm_judges
    assert (row.before.action, row.before.rule, row.before.proposed) == ("review", "review.conflict", "")
    assert (row.after.action, row.after.rule, row.after.proposed) == ("review", "review.llm", "override")
    assert row.differs
    assert "window" not in str(row.to_json())
    assert "unanswered" not in missing


def test_where_it_gives_no_answer_the_rules_stand(server: Server, workspace: Workspace) -> None:
    server.says("no JSON at all")
    row, missing = replayed(workspace)
    assert (row.after.rule, row.differs, missing["unanswered"]) == ("review.conflict", False, 1)


def test_a_slice_ends_between_two_questions_and_asks_none_again(
    server: Server, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two questions: in one slice, then one a slice, of which the second worker dies of its own at first."""
    answer = verdict("replaces", "the window", why="The user now names the window.")
    opt_in(workspace, distill="rules", llm_judges=False)
    session = make_session(workspace)
    for key, old in (("seat_preference", "aisle"), ("bed_preference", "twin")):
        make_memory(workspace, f"Prefers the {old} {key[:4]}", key=key, value=old)
        noted(session, f"My {key[:4]} is the window", text=f"Prefers the window {key[:4]}", key=key, value="window")
    consolidated(session)
    opt_in(workspace, distill="rules")
    server.says(answer, answer)
    whole = finished(begin_replay(session, ADMIN, Policy(), MODEL, "today"))
    assert len(server.asked) == 2
    monkeypatch.setattr("consolidation.actions.replays.SLICE_SECONDS", 0)
    trial = begin_replay(session, ADMIN, Policy(), MODEL, "today")
    server.says(answer, answer)
    assert work_on(PolicyTrial, trial.pk, 0)
    trial.refresh_from_db()
    assert (len(server.asked), len(trial.state["answers"]), trial.done) == (3, 1, 0)
    lost(taken(trial))
    assert lost_jobs() == [(PolicyTrial, trial.pk)]
    finished(trial, 0)
    assert len(server.asked) == 4
    assert (trial.changes, trial.replay, trial.state) == (whole.changes, whole.replay, {})


def test_an_answer_that_may_not_be_kept_is_none(server: Server, workspace: Workspace) -> None:
    server.says(verdict("replaces", "the window", why="Their card is 4111 1111 1111 1111."))
    row, missing = replayed(workspace)
    assert (row.after.rule, missing["unanswered"]) == ("review.conflict", 1)


def test_it_is_on_record_and_not_more_often_than_the_policy_says(server: Server, workspace: Workspace) -> None:
    opt_in(workspace, llm_replays=1)
    session = make_session(workspace)
    begin_replay(session, ADMIN, Policy(), "notes", "today")
    assert not AuditEvent.objects.filter(action="session.replay").exists()
    begin_replay(session, ADMIN, Policy(), MODEL, "today")
    row = AuditEvent.objects.get(action="session.replay")
    assert (row.actor_id, row.object_id) == (ADMIN.id, str(session.pk))
    with pytest.raises(Conflict):
        begin_replay(session, ADMIN, Policy(), MODEL, "today")
    begin_replay(session, ADMIN, Policy(), "notes", "today")
    opt_in(workspace, llm_replays=2)
    begin_replay(session, ADMIN, Policy(), MODEL, "today")
    assert PolicyTrial.objects.count() == 4


def test_the_page_says_when_it_was_often_enough(server: Server, workspace: Workspace) -> None:
    opt_in(workspace, llm_replays=0)
    session = make_session(workspace)
    noted(session, "My seat on planes is the window")
    end_session(session, AGENT)
    Session.objects.filter(pk=session.pk).update(consolidated_at=timezone.now())
    client = signed_in(make_operator(workspace, "curator"))
    answer = client.post(reverse("session_what_if_start", args=["travel", session.pk]), {"engine": MODEL})
    assert answer.status_code == 409
    assert "as many sessions again in 24 hours" in answer.content.decode()
    assert not PolicyTrial.objects.exists()


def test_without_one_there_is_nobody_to_ask(opted_in: Workspace) -> None:
    assert not may_ask(opted_in)
