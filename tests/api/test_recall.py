"""Recall and context through the API."""

import json
from typing import Any

import pytest

from memory_app.models import IdempotencyRecord, Injection

from .calls import Api, problem


def test_recall_answers_with_reasons(agent: Api, memory: dict[str, Any]) -> None:
    found = agent.ok("POST", "/recall", {"user": "u-1", "query": "Which seat does the user prefer?"})
    assert found["results"][0]["memory"]["id"] == memory["id"]
    assert found["results"][0]["because"]
    assert found["results"][0]["why"]
    assert isinstance(found["intent"], str)
    assert isinstance(found["keywords"], list)
    assert agent.ok("POST", "/recall", {"user": "u-2", "query": "Which seat?"})["results"] == []
    assert agent.ok("POST", "/recall", {"user": "u-1", "query": "Which seat?", "scopes": ["team"]})["results"] == []
    assert agent.ok("POST", "/recall", {"user": "u-1", "query": "Which seat?", "kinds": ["episodic"]})["results"] == []


def test_what_is_left_out_has_its_gate_where_that_is_asked(agent: Api, curator: Api, memory: dict[str, Any]) -> None:
    curator.ok("DELETE", f"/memories/{memory['id']}")
    asked = {"user": "u-1", "query": "Which seat does the user prefer?"}
    assert agent.ok("POST", "/recall", asked)["left_out"] is None
    found = agent.ok("POST", "/recall", asked | {"explain": True})
    assert (found["results"], found["left_out"]) == ([], [{"memory": memory["id"], "reason": "archived", "rule": None}])


def test_a_block_that_is_known_is_not_sent_again(agent: Api, memory: dict[str, Any]) -> None:
    first = agent.ok("POST", "/context", {"user": "u-1"})
    again = agent.ok("POST", "/context", {"user": "u-1", "known": first["digest"]})
    assert (first["unchanged"], again["unchanged"], again["text"], again["tokens"]) == (False, True, "", 0)
    assert first["tokenizer"] == "commonplace-2"


def test_the_work_at_hand_is_told(agent: Api) -> None:
    session = agent.ok("POST", "/sessions", {"user": "u-1"})["id"]
    agent.ok("PUT", f"/sessions/{session}/working", {"task": "Plan a trip", "step": 2, "total_steps": 5})
    text = agent.ok("POST", "/context", {"user": "u-1", "session": session})["text"]
    assert "## Work at hand\n- task: Plan a trip\n- step: 2 / 5" in text


def test_the_exact_moment_of_expiry(agent: Api, curator: Api) -> None:
    curator.ok(
        "POST",
        "/memories",
        {
            "user": "u-1",
            "text": "Has a lounge pass",
            "updated_at": "2026-01-01T00:00:00Z",
            "expires_at": "2026-02-01T00:00:00Z",
        },
    )

    def seen(now: str) -> int:
        return len(agent.ok("POST", "/recall", {"user": "u-1", "query": "lounge pass", "now": now})["results"])

    assert seen("2026-01-31T23:59:59Z") == 1
    assert seen("2026-02-01T00:00:00Z") == 0
    assert seen("2026-02-01T07:59:59+08:00") == 1
    assert seen("2025-12-31T23:59:59Z") == 0


def test_the_session_comes_first_in_the_context(agent: Api, memory: dict[str, Any]) -> None:
    session = agent.ok("POST", "/sessions", {"user": "u-1"})["id"]
    agent.ok(
        "POST",
        f"/sessions/{session}/notes",
        {"text": "Window seat this time", "key": "seat_preference", "value": "window"},
    )
    inside = agent.ok("POST", "/context", {"user": "u-1", "session": session, "query": "book the flight"})
    assert inside["effective"]["seat_preference"]["value"] == "window"
    assert inside["effective"]["seat_preference"]["scope"] == "session"
    assert inside["tokens"] <= 800
    assert inside["included"]
    outside = agent.ok("POST", "/context", {"user": "u-1"})
    assert outside["effective"]["seat_preference"] == {"value": "aisle", "scope": "user", "memory": memory["id"]}


def test_a_session_of_another_user_is_not_there(agent: Api) -> None:
    session = agent.ok("POST", "/sessions", {"user": "u-2"})["id"]
    problem(agent.post("/recall", {"user": "u-1", "query": "x", "session": session}), 404)
    problem(agent.post("/context", {"user": "u-1", "session": session}), 404)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"query": ""}, "query"),
        ({"limit": 0}, "limit"),
        ({"limit": 51}, "limit"),
        ({"kinds": ["x"]}, "kinds.0"),
        ({"scopes": "user"}, "scopes"),
        ({"now": "2026-01-01T00:00:00"}, "now"),
        ({"as_of": 5}, "as_of"),
        ({"session": "x"}, "session"),
        ({"teams": ["a/b"]}, "teams.0"),
        ({"q": "x"}, "q"),
    ],
)
def test_questions_that_cannot_be_asked(agent: Api, fields: Any, field: str) -> None:
    problem(agent.post("/recall", {"user": "u", "query": "x"} | fields), 422, field)


@pytest.mark.parametrize(
    ("fields", "field"),
    [({"token_budget": 1}, "token_budget"), ({"trimmed": "no way"}, "trimmed"), ({"user": ""}, "user")],
)
def test_contexts_that_cannot_be_built(agent: Api, fields: Any, field: str) -> None:
    problem(agent.post("/context", {"user": "u"} | fields), 422, field)


def test_a_secret_in_a_query_is_not_stored(agent: Api, memory: dict[str, Any]) -> None:
    card = "4111 1111 1111 1111"
    agent.ok("POST", "/recall", {"user": "u-1", "query": f"seat paid with {card}"}, Idempotency_Key="k")
    agent.ok("POST", "/context", {"user": "u-1", "query": f"seat paid with {card}"})
    assert Injection.objects.count() == 2
    assert not any("4111 1111" in i.query for i in Injection.objects.all())
    assert "4111" not in json.dumps([r.body for r in IdempotencyRecord.objects.all()])


def test_a_repeat(agent: Api, memory: dict[str, Any]) -> None:
    first = agent.post("/recall", {"user": "u-1", "query": "seat"}, Idempotency_Key="k")
    again = agent.post("/recall", {"user": "u-1", "query": "seat"}, Idempotency_Key="k")
    assert again.json() == first.json()
    assert again.headers["Idempotency-Replayed"] == "true"
