"""A policy tried on the past: what would have been different, from the memory of then, with nothing written."""

from typing import Any

import pytest

from consolidation.actions.policies import current_policy, put_policy
from consolidation.actions.trials import KEPT, begin_trial
from consolidation.domain.policy import Policy
from consolidation.domain.trials import Change, Fate, changes
from consolidation.models import PolicyTrial
from memory_app.domain.errors import Forbidden, Invalid
from memory_app.models import AuditEvent, Decision, JobStatus, Memory, MemoryVersion, Note, Workspace
from tests.jobs import finished

from .conftest import AGENT, KEY, Say, consolidated

pytestmark = pytest.mark.django_db

AISLE: dict[str, Any] = {"key": "seat_preference", "value": "aisle"}
WINDOW: dict[str, Any] = {"key": "seat_preference", "value": "window"}


def tried(workspace: Workspace, **fields: Any) -> PolicyTrial:
    """A trial of the policy in force with these fields, gone through in this process."""
    return finished(begin_trial(workspace, KEY, current_policy(workspace).to_json() | fields))


def written() -> tuple[int, ...]:
    return tuple(table.objects.count() for table in (Memory, MemoryVersion, Decision, Note, AuditEvent))


def fates(trial: PolicyTrial) -> list[tuple[str, str, str, str]]:
    found = [Change.from_json({k: v for k, v in one.items() if k != "session"}) for one in trial.changes]
    return [(c.before.action, c.before.status, c.after.action, c.after.status) for c in found]


def test_the_policy_in_force_changes_nothing(workspace: Workspace, say: Say) -> None:
    consolidated(say(("I always take the aisle seat", AISLE)))
    consolidated(say(("From now on I take the window seat", WINDOW)))
    before = written()
    trial = tried(workspace)
    assert (trial.status, trial.done, trial.compared, trial.skipped, trial.changes) == (JobStatus.DONE, 2, 2, 0, [])
    assert written() == before


def test_what_would_wait_is_told_note_by_note(workspace: Workspace, say: Say) -> None:
    consolidated(say(("I always take the aisle seat", AISLE)))
    hold = {"name": "all promotions", "needs": "curator", "action": "promote"}
    trial = tried(workspace, holds=[*Policy().to_json()["holds"], hold])
    assert fates(trial) == [("promote", "applied", "promote", "pending")]
    note = Note.objects.get()
    assert (trial.changes[0]["note"], trial.changes[0]["after"]["hold"]) == (str(note.pk), "all promotions")
    assert note.text not in str(trial.changes)


def test_each_session_is_decided_from_the_memory_of_then(workspace: Workspace, say: Say) -> None:
    """The second session met the aisle seat and not its own window seat, which it made."""
    consolidated(say(("I always take the aisle seat", AISLE)))
    consolidated(say(("From now on I take the window seat", WINDOW)))
    hold = {"name": "overrides", "needs": "admin", "action": "override"}
    trial = tried(workspace, holds=[hold])
    assert fates(trial) == [("override", "applied", "override", "pending")]


def test_without_distilling_there_would_be_no_note(workspace: Workspace, say: Say) -> None:
    from memory_app.actions.sessions import NewTurn, add_turns

    session = say()
    add_turns(session, AGENT, [NewTurn("user", "I am allergic to peanuts."), NewTurn("assistant", "Noted.")])
    consolidated(session)
    assert Note.objects.get().origin == "distilled"
    assert {after for _, _, after, _ in fates(tried(workspace, distill="off"))} == {"none"}


def test_with_distilling_there_would_be_one(workspace: Workspace, say: Say) -> None:
    from memory_app.actions.sessions import NewTurn, add_turns

    put_policy(workspace, KEY, Policy().to_json() | {"distill": "off"}, "quiet")
    session = say()
    add_turns(session, AGENT, [NewTurn("user", "I am allergic to peanuts.")])
    consolidated(session)
    assert not Note.objects.exists()
    trial = tried(workspace, distill="rules")
    assert {before for before, *_ in fates(trial)} == {"none"}
    assert trial.changes[0]["note"].startswith(f"turn:{session.turns.get().pk}")


@pytest.mark.parametrize(("effect", "fate"), [("refuse", "reject"), ("hold", "promote")])
def test_what_would_be_noted_meets_the_rules_that_are_tried(
    workspace: Workspace, say: Say, effect: str, fate: str
) -> None:
    from memory_app.actions.sessions import NewTurn, add_turns

    put_policy(workspace, KEY, Policy().to_json() | {"distill": "off"}, "quiet")
    session = say()
    add_turns(session, AGENT, [NewTurn("user", "I am allergic to peanuts.")])
    consolidated(session)
    rule = {"name": "nuts", "finds": "words", "category": "pii", "effect": effect, "entries": ["peanuts"]}
    ((_before, _how, after, waits),) = fates(tried(workspace, distill="rules", own_rules=[rule]))
    assert (after, waits) == (fate, "applied" if effect == "refuse" else "pending")


def test_another_version_meanwhile_changes_nothing_of_it(workspace: Workspace, say: Say) -> None:
    consolidated(say(("I always take the aisle seat", AISLE)))
    trial = begin_trial(workspace, KEY, Policy().to_json())
    hold = {"name": "all promotions", "needs": "curator", "action": "promote"}
    put_policy(workspace, KEY, Policy().to_json() | {"holds": [hold]}, "strict")
    finished(trial)
    assert (trial.base_number, trial.compared, trial.changes) == (1, 1, [])


def test_a_session_that_is_gone_is_counted(workspace: Workspace, say: Say) -> None:
    consolidated(say(("I always take the aisle seat", AISLE)))
    trial = begin_trial(workspace, KEY, Policy().to_json())
    sessions = ["00000000-0000-4000-8000-000000000000", *trial.sessions]
    PolicyTrial.objects.filter(pk=trial.pk).update(sessions=sessions, total=2)
    finished(trial)
    assert (trial.status, trial.skipped, trial.compared) == (JobStatus.DONE, 1, 1)


def test_only_admins_try_and_only_what_can_be(workspace: Workspace) -> None:
    with pytest.raises(Forbidden):
        begin_trial(workspace, AGENT, Policy().to_json())
    with pytest.raises(Invalid):
        begin_trial(workspace, KEY, Policy().to_json() | {"certain": 2})
    assert not PolicyTrial.objects.exists()


def test_old_trials_are_dropped(workspace: Workspace) -> None:
    for _ in range(KEPT + 3):
        begin_trial(workspace, KEY, Policy().to_json())
    assert PolicyTrial.objects.count() == KEPT


def test_the_same_by_another_rule_is_no_change() -> None:
    from consolidation.domain.decisions import Decided, Outcome

    one = Outcome((Decided("c1", "promote", "promote.durable"), Decided("c2", "reject", "reject.chatter")), ())
    two = Outcome((Decided("c1", "promote", "promote.plain"), Decided("c2", "promote", "promote.durable")), ())
    assert changes(one, one) == []
    found = changes(one, two)
    assert [(c.note, c.before.action, c.after.action) for c in found] == [("c2", "reject", "promote")]
    assert Change.from_json(found[0].to_json()) == found[0]
    assert Fate("none").status == "applied"
