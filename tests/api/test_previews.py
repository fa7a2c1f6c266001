"""Previews answer what the worker would do, and write nothing."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps

from .calls import Api, problem

CARD = "4111 1111 1111 1111"


@pytest.fixture(autouse=True)
def _nothing_is_written(curator: Api) -> Iterator[None]:
    def rows() -> dict[str, int]:
        return {m.__name__: m.objects.count() for m in apps.get_app_config("memory_app").get_models()}

    before = rows()
    yield
    assert rows() == before


def test_guardrails(curator: Api) -> None:
    found = curator.ok("POST", "/guardrails/preview", {"text": f"Pays with {CARD}", "stage": "injection"})
    assert (found["verdict"], found["category"]) == ("block", "payment")
    assert "4111 1111" not in str(found)
    fine = curator.ok("POST", "/guardrails/preview", {"text": "Prefers aisle seats"})
    assert (fine["verdict"], fine["category"], fine["rule"], fine["excerpt"]) == ("allow", None, None, None)
    problem(curator.post("/guardrails/preview", {"text": "x", "stage": "later"}), 422, "stage")
    problem(curator.post("/guardrails/preview", {"text": ""}), 422, "text")


def test_guardrails_with_rules_to_try(curator: Api) -> None:
    own = {"name": "codes", "finds": "words", "entries": ["Bluebird"], "category": "secret"}
    asked: dict[str, Any] = {"text": "My mobile is 13800138000, for Bluebird.", "own_rules": [own]}
    found = curator.ok("POST", "/guardrails/preview", asked | {"rules_off": ["pii.phone"]})
    assert (found["verdict"], found["rule"], found["held"]) == ("block", "own.codes", None)
    assert found["found"] == [{"rule": "own.codes", "category": "secret", "start": 30, "end": 38}]
    both = curator.ok("POST", "/guardrails/preview", asked)
    assert [one["rule"] for one in both["found"]] == ["pii.phone", "own.codes"]
    held = curator.ok("POST", "/guardrails/preview", {"text": "For Bluebird", "own_rules": [own | {"effect": "hold"}]})
    assert (held["verdict"], held["held"], held["found"][0]["rule"]) == ("allow", "own.codes", "own.codes")
    assert curator.ok("POST", "/guardrails/preview", {"text": "For Bluebird"})["verdict"] == "allow"
    for wrong, field in (
        ({"own_rules": [own | {"finds": "patterns", "entries": ["a("]}]}, "own_rules.0.entries"),
        ({"own_rules": [own, own]}, "own_rules.1.name"),
        ({"own_rules": ["x"]}, "own_rules.0"),
        ({"rules_off": ["payment.card"]}, "rules_off"),
    ):
        problem(curator.post("/guardrails/preview", {"text": "x"} | wrong), 422, field)


def test_distill(curator: Api) -> None:
    turns = [{"id": "t9", "role": "user", "content": "以后短途优先高铁", "at": "2026-09-09T10:24:00+08:00"}]
    notes = curator.ok("POST", "/distill/preview", {"turns": turns})["notes"]
    assert notes[0]["value"] == "high_speed_rail"
    assert notes[0]["turn"] == "t9"
    assert notes[0]["evidence"]["role"] == "user"
    assert notes[0]["said_at"] == "2026-09-09T02:24:00+00:00"
    assert curator.ok("POST", "/distill/preview", {"turns": [{"role": "user", "content": "Hi!"}]}) == {"notes": []}
    problem(curator.post("/distill/preview", {"turns": turns * 2}), 422, "turns")
    problem(curator.post("/distill/preview", {"turns": [{"role": "user"}]}), 422, "turns.0.content")


def test_consolidation_in_the_callers_own_ids(curator: Api) -> None:
    outcome = curator.ok(
        "POST",
        "/consolidation/preview",
        {
            "now": "2026-10-05T12:00:00+08:00",
            "existing": [{"id": "m1", "text": "Prefers evening flights", "key": "departure_time_preference", "value": "evening",
                          "updated_at": "2026-01-01T00:00:00Z", "source": "user_statement", "approved_by": "reviewer"}],
            "notes": [{"id": "c1", "text": "Prefers early flights", "key": "departure_time_preference", "value": "early",
                       "said_at": "2026-09-09T10:00:00+08:00",
                       "evidence": {"role": "user", "quote": "From now on I prefer early flights"}}],
        },
    )  # fmt: skip
    decision = outcome["decisions"][0]
    assert (decision["note"], decision["action"], decision["memory"]) == ("c1", "override", "m1")
    assert decision["reason"]
    assert [(m["value"], sorted(m["sources"])) for m in outcome["active"]] == [("early", ["c1"])]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "notes"),
        ({"notes": [{"text": ""}]}, "notes.0.text"),
        ({"notes": [{"text": "x", "said_at": "yesterday"}]}, "notes.0.said_at"),
        ({"notes": [], "existing": [{"text": "x", "status": "gone"}]}, "existing.0.status"),
        ({"notes": [], "policy": {"certain": 7}}, "policy"),
        ({"notes": [], "policy": {"kindness": 1}}, "policy"),
    ],
)
def test_consolidations_that_cannot_be_tried(curator: Api, body: Any, field: str) -> None:
    problem(curator.post("/consolidation/preview", body), 422, field)
