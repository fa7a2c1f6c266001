"""A workspace's own rules at work: as notes come in, as they are decided, as memory is handed out, tried and read again."""

from typing import Any

import pytest

from consolidation.actions import end_session, release_block, run_consolidation
from consolidation.actions.policies import current_policy, put_policy
from consolidation.actions.trials import begin_trial
from memory_app.actions.decisions import Ruling, approve, decline
from memory_app.actions.profiles import put_profile
from memory_app.actions.scanning import begin_scan
from memory_app.domain.errors import Blocked, Invalid
from memory_app.models import Block, Decision, Memory, Note, Turn, User, Workspace
from memory_app.queries.scans import is_due, newest_scan
from memory_app.recall import context_for, recall
from tests import factories as make
from tests.jobs import finished

pytestmark = pytest.mark.django_db
CODES = {"name": "codes", "finds": "words", "entries": ["Bluebird"], "category": "secret"}
RIVALS = {"name": "rivals", "finds": "words", "entries": ["Acme"], "category": "instruction"}
SALARY = {"name": "salary", "finds": "slots", "entries": ["salary"], "category": "pii"}
UNIONS = {"name": "unions", "finds": "words", "entries": ["union"], "category": "pii", "effect": "hold"}


def guard(workspace: Workspace, *rules: dict[str, Any], off: tuple[str, ...] = ()) -> None:
    document = current_policy(workspace).to_json() | {"own_rules": list(rules), "rules_off": list(off)}
    put_policy(workspace, make.BACK_OFFICE, document, "ours")


def test_at_capture_the_literal_is_stored_nowhere_and_the_block_names_the_rule(workspace: Workspace) -> None:
    guard(workspace, CODES)
    session = make.make_session(workspace, metadata={"about": "Bluebird"})
    turn = make.make_turn(session, "I work on Bluebird", tool_calls=[{"topic": "bluebird"}])
    note = make.make_note(session, "Works on Bluebird", "I work on Bluebird", key="project", value="Bluebird")
    assert turn.content == "I work on ••••••"
    assert note.status == "blocked"
    rules = set(Block.objects.values_list("rule", "category", "rule_set"))
    assert rules == {("own.codes", "secret", workspace.rules.version)}
    stored = [*Note.objects.values(), *Turn.objects.values(), *Block.objects.values()]
    assert "bluebird" not in f"{stored} {session.metadata}".lower()


def test_what_is_judged_is_kept_for_a_person_and_passes_once_released(workspace: Workspace) -> None:
    guard(workspace, RIVALS)
    note = make.make_note(make.make_session(workspace), "Prefers Acme over us")
    block = note.block  # type: ignore[attr-defined]
    assert (block.rule, block.masked) == ("own.rivals", "Prefers Acme over us")
    block.status = "released"
    block.save()
    assert make.make_note(make.make_session(workspace), "Prefers Acme over us").status == "staged"


def test_a_slot_is_never_filled(workspace: Workspace) -> None:
    guard(workspace, SALARY)
    session = make.make_session(workspace)
    note = make.make_note(session, "Earns 5120 a month", key="salary", value=5120)
    assert (note.status, note.text, note.value) == ("blocked", "••••••", "••••••")
    assert note.block.field == "key"  # type: ignore[attr-defined]
    with pytest.raises(Blocked):
        make.make_memory(workspace, "Earns 5120 a month", key="salary", value=5120)
    entry = {"value": 5120, "source": "payroll", "verified_at": None}
    with pytest.raises(Blocked):
        put_profile(workspace, make.BACK_OFFICE, "zhang-san", {"salary": entry})
    assert User.objects.get().profile == {}


def test_what_is_held_waits_for_a_curator(workspace: Workspace) -> None:
    guard(workspace, UNIONS)
    session = make.make_session(workspace)
    make.make_turn(session, "I joined the union")
    make.make_note(session, "Joined the union", "I joined the union")
    make.make_turn(session, "I take the aisle seat")
    make.make_note(session, "Takes the aisle seat", "I take the aisle seat")
    run_consolidation(end_session(session, make.AGENT).pk)
    found = {d.note.text: (d.status, d.needs, d.params.get("hold")) for d in Decision.objects.all() if d.note}
    assert found["Joined the union"] == ("pending", "curator", "own.unions")
    assert found["Takes the aisle seat"][0] == "applied"
    assert not Block.objects.exists()


def test_what_came_in_before_the_rule_is_refused_as_it_is_decided(workspace: Workspace) -> None:
    session = make.make_session(workspace)
    make.make_turn(session, "I prefer Acme")
    make.make_note(session, "Prefers Acme", "I prefer Acme")
    guard(workspace, RIVALS)
    run_consolidation(end_session(session, make.AGENT).pk)
    decision = Decision.objects.get()
    assert (decision.rule, decision.params["guardrail"]) == ("reject.unsafe", "own.rivals")


def test_what_waits_is_looked_at_again_as_it_is_approved(workspace: Workspace) -> None:
    """As it is and overruled; declining, another wording and a block that was released are free to go."""
    hold = {"name": "all promotions", "needs": "curator", "action": "promote"}
    put_policy(workspace, make.BACK_OFFICE, current_policy(workspace).to_json() | {"holds": [hold]}, "look")
    session = make.make_session(workspace)
    for told in ("I prefer Acme", "I always book Acme", "I like Acme most"):
        make.make_turn(session, told)
        make.make_note(session, told, told)
    run_consolidation(end_session(session, make.AGENT).pk)
    first, second, third = Decision.objects.order_by("number")
    guard(workspace, RIVALS)
    for _ in range(2):
        with pytest.raises(Blocked, match="refuse this now") as refused:
            approve(workspace, make.BACK_OFFICE, first.pk, Ruling(action="promote"))
    first.refresh_from_db()
    assert (first.is_open, refused.value.category, Memory.objects.filter(scope="user").count()) == (
        True,
        "instruction",
        0,
    )
    block = Block.objects.get(note=first.note)
    assert (block.rule, block.stage, refused.value.block) == ("own.rivals", "consolidation", block)
    approve(workspace, make.BACK_OFFICE, second.pk, Ruling(action="promote", text="Prefers to book elsewhere"))
    decline(workspace, make.BACK_OFFICE, third.pk)
    release_block(workspace, make.BACK_OFFICE, block.pk, "they may say so")
    assert approve(workspace, make.BACK_OFFICE, first.pk, Ruling(action="promote")).status == "approved"
    assert set(Memory.objects.filter(scope="user").values_list("text", flat=True)) == {
        "I prefer Acme", "Prefers to book elsewhere",
    }  # fmt: skip


def test_what_is_stored_is_not_handed_out_and_a_reading_finds_it(workspace: Workspace) -> None:
    other = make.make_workspace("other")
    for place in (workspace, other):
        make.make_memory(place, "Prefers Acme for pumps")
        make.make_memory(place, "The pay is 5120", key="salary", value=5120)
        make.make_memory(place, "Takes the aisle seat")
    guard(workspace, RIVALS, SALARY)
    texts = [
        one.memory.text for one in recall(workspace, user="zhang-san", query="pumps seat pay", recorded=False).results
    ]
    assert texts == ["Takes the aisle seat"]
    assert "Acme" not in context_for(workspace, user="zhang-san", recorded=False).text
    assert "Acme" in context_for(other, user="zhang-san", recorded=False).text
    assert is_due(workspace, newest_scan(workspace))
    scan = begin_scan(workspace, make.BACK_OFFICE)
    finished(scan)
    assert sorted(scan.findings.values_list("rule", flat=True)) == ["own.rivals", "own.salary"]
    scan.refresh_from_db()
    assert not is_due(workspace, scan)
    guard(workspace)
    assert is_due(workspace, scan)


def test_a_trial_shows_what_would_have_been_refused_held_and_let_through(workspace: Workspace) -> None:
    session = make.make_session(workspace)
    for said in ("I prefer Acme pumps", "I joined the union"):
        make.make_turn(session, said)
        make.make_note(session, said.replace("I ", "He "), said)
    make.make_turn(session, "Maybe I will move to Lyon")
    guess = make.make_note(session, "Probably wants to move to Lyon", "Maybe I will move to Lyon")
    run_consolidation(end_session(session, make.AGENT).pk)
    document = current_policy(workspace).to_json() | {"own_rules": [RIVALS, UNIONS], "rules_off": ["speculation.guess"]}
    trial = begin_trial(workspace, make.BACK_OFFICE, document)
    finished(trial)
    trial.refresh_from_db()
    after = {change["note"]: change["after"] for change in trial.changes}
    by_text = {note.text: after.get(str(note.pk)) for note in Note.objects.all()}
    assert by_text["He prefer Acme pumps"]["rule"] == "reject.unsafe"
    assert by_text["He joined the union"]["hold"] == "own.unions"
    assert guess.block.rule == "speculation.guess"  # type: ignore[attr-defined]
    assert trial.compared == 3


def test_a_version_says_since_when_each_rule_is_as_it_is_and_only_a_change_is_new_to_the_guardrails(
    workspace: Workspace,
) -> None:
    guard(workspace, CODES)
    first = workspace.rules.version
    guard(workspace, CODES, RIVALS)
    put_policy(workspace, make.BACK_OFFICE, current_policy(workspace).to_json() | {"idle_minutes": 9}, "quicker")
    assert [rule.since for rule in current_policy(workspace).own_rules] == [2, 3]
    assert (first[-2:], workspace.rules.version[-2:]) == ("+2", "+3")
    guard(workspace, CODES | {"on": False}, RIVALS)
    assert [rule.name for rule in workspace.rules.own] == ["rivals"]
    assert Workspace.objects.get(pk=workspace.pk).rules == workspace.rules


def test_a_rule_that_holds_a_secret_itself_is_not_stored(workspace: Workspace) -> None:
    for wrong, field in (
        (CODES | {"entries": ["Bluebird", "4111 1111 1111 1111"]}, "policy.own_rules.0.entries"),
        (CODES | {"why": "call 13800138000, his mobile"}, "policy.own_rules.0.why"),
    ):
        with pytest.raises(Invalid) as refusal:
            guard(workspace, wrong)
        assert refusal.value.errors[0].field == field
    assert current_policy(workspace).version == 1


def test_a_built_in_rule_that_is_off_masks_nothing_here_and_still_does_elsewhere(workspace: Workspace) -> None:
    guard(workspace, off=("pii.phone",))
    said = "My mobile is 13800138000."
    assert make.make_turn(make.make_session(workspace), said).content == said
    assert make.make_turn(make.make_session(make.make_workspace("other")), said).content != said
    assert Memory.objects.count() == 0
