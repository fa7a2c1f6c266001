"""The policy as a document."""

import json

import pytest

from consolidation.domain.policy import Hold, Policy, PolicyError


def test_default_survives_the_way_through_json():
    assert Policy.from_json(json.loads(json.dumps(Policy().to_json()))) == Policy()


def test_absent_fields_are_the_default():
    policy = Policy.from_json({"certain": 0.7, "holds": [{"name": "x", "needs": "admin", "kind": "semantic"}]})
    assert policy.certain == 0.7
    assert policy.holds == (Hold("x", "admin", kind="semantic"),)
    assert policy.distill == Policy().distill


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"colour": 1}, "colour"),
        ({"certain": 2}, "certain"),
        ({"certain": True}, "certain"),
        ({"near_duplicate": 0.1}, "doubtful"),
        ({"idle_minutes": 0}, "idle_minutes"),
        ({"distill": "magic"}, "distill"),
        ({"holds": "all"}, "holds"),
        ({"holds": [{"name": "x", "needs": "god"}]}, "holds"),
        ({"holds": [{"name": "x", "needs": "admin", "colour": "red"}]}, "holds.colour"),
        ({"override_without_change_word": 1}, "override_without_change_word"),
    ],
)
def test_bad_document_names_the_field(document, field):
    with pytest.raises(PolicyError, match=f"^{field}:"):
        Policy.from_json(document)


def test_strictest_hold_wins_and_confirmation_is_free():
    policy = Policy()
    both = {"kind": "procedural", "scope": "user", "sensitive": True, "confidence": 1.0}
    assert policy.verdict(action="promote", **both) == ("admin", "procedural")
    assert policy.verdict(action="dedupe", **(both | {"sensitive": False})) == ("none", None)
    assert policy.verdict(action="reject", **both) == ("none", None)
