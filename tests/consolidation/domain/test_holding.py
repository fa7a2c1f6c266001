"""What is held for a person, whoever it waits for, and what an end or a team's record changes."""

from dataclasses import replace
from datetime import timedelta

from consolidation.domain.decisions import Evidence, Slot
from consolidation.domain.policy import Hold, Policy

from .build import SAID, memory, note, run


def rule(notes, memories=None, **more):
    return run(notes if isinstance(notes, list) else [notes], memories, **more).decisions[-1]


AISLE = memory("Prefers aisle seats", key="seat_preference", value="aisle")
WINDOW = note("Prefers window seats", "From now on window seats, please.", key="seat_preference", value="window")


def test_holds_sensitive_procedural_team_and_weak_evidence():
    assert rule(note("Allergic to nuts", sensitivity="health")).needs == "curator"
    assert rule(note("Run the tests before a release", kind="procedural")).needs == "admin"
    assert rule(note("Deploys on Tuesday", scope="team", team="t")).needs == "admin"
    weak = note("Likes tea", evidence=Evidence("user", "I like tea.", anchored=False))
    assert (rule(weak).action, rule(weak).needs, rule(weak).hold_reason) == ("promote", "curator", "uncertain")
    assert rule(note("Likes tea", confidence=0.3)).needs == "curator"


def test_what_builds_on_a_held_decision_waits_with_it():
    first = note("Allergic to nuts", "I'm allergic to nuts.", key="allergy", value="nuts", sensitivity="health")
    again = replace(first, id="c2", said_at=SAID + timedelta(minutes=1), sensitivity=None)
    decided = run([first, again]).decisions[1]
    assert (decided.action, decided.needs, decided.depends_on) == ("dedupe", "curator", ("c1",))


def test_own_record_counts_before_the_teams():
    team = memory("Deploys on Tuesday", id="t1", key="deploy_window", value="Tuesday", scope="team")
    own = memory("Deploys on Friday", key="deploy_window", value="Friday")
    one = note("Deploys on Tuesday", "From now on I deploy on Tuesdays.", key="deploy_window", value="Tuesday")
    assert (rule(one, [team, own]).action, rule(one, [team, own]).target) == ("override", "m1")


def test_expiry_comes_from_the_slot():
    slots = {"trip_city": Slot("trip_city", expires_after=timedelta(days=30))}
    decided = rule(note("Stays in Lyon", key="trip_city", value="Lyon"), slots=slots)
    assert decided.result is not None
    assert decided.result.expires_at == SAID + timedelta(days=30)


def test_policy_can_hold_or_release_by_shape():
    strict = Policy(holds=(Hold("all_changes", "curator", action="override"),))
    assert rule(WINDOW, [AISLE], policy=strict).needs == "curator"
    assert rule(note("Run the tests", kind="procedural"), policy=Policy(holds=())).hold is False
