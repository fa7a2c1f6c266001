"""Decisions ruled on through the API."""

from collections.abc import Sequence
from typing import Any
from unittest import mock

import pytest

from consolidation.actions import run_consolidation
from memory_app.models import Decision, Note

from .calls import Api, problem


def consolidated(
    agent: Api, *notes: dict[str, Any], user: str = "u-1", teams: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The decisions of a session in which these notes were kept."""
    session = agent.ok("POST", "/sessions", {"user": user, "teams": list(teams)})["id"]
    for note in notes:
        turn = {"role": "user", "content": note["evidence"]["quote"]}
        agent.ok("POST", f"/sessions/{session}/turns", {"turns": [turn]})
        assert agent.ok("POST", f"/sessions/{session}/notes", note)["status"] == "staged"
    with mock.patch("consolidation.tasks.consolidate.delay"):
        run = agent.ok("POST", f"/sessions/{session}/end")["run"]
    run_consolidation(run)
    assert agent.ok("GET", f"/runs/{run}")["status"] == "done", agent.ok("GET", f"/runs/{run}")
    return list(reversed(agent.ok("GET", f"/sessions/{session}/decisions")["items"]))


def said(text: str, quote: str = "", **fields: Any) -> dict[str, Any]:
    return {"text": text, "evidence": {"role": "user", "quote": quote or text}} | fields


@pytest.fixture
def pending(agent: Api, memory: dict[str, Any]) -> dict[str, Any]:
    """A decision that waits: it contradicts what is known, and nobody said that something has changed."""
    made = consolidated(agent, said("Prefers window seats", key="seat_preference", value="window"))[0]
    assert made["status"] == "pending", made
    assert made["action"] == "review"
    return made


def test_a_decision_shows_why(agent: Api, viewer: Api) -> None:
    made = consolidated(
        agent,
        said(
            "Prefers high-speed rail for short trips",
            "From now on I prefer high-speed rail for short trips",
            key="transport_preference",
            value="high_speed_rail",
            condition="short_trip",
        ),
    )[0]
    assert (made["action"], made["status"], made["needs"], made["origin"]) == (
        "promote",
        "applied",
        "none",
        "consolidation",
    )
    assert made["ref"].startswith("D-")
    assert made["reason"]
    assert "." in made["rule"]
    assert made["before"] is None
    assert made["after"]["value"] == "high_speed_rail"
    assert viewer.ok("GET", f"/decisions/{made['id']}") == made
    chinese = viewer.ok("GET", f"/decisions/{made['id']}", Accept_Language="zh-hans")["reason"]
    assert isinstance(chinese, str)
    assert [
        d["id"]
        for d in viewer.ok("GET", "/decisions?status=applied&action=promote&user=u-1&kind=semantic&scope=user")["items"]
    ] == [made["id"]]
    assert viewer.ok("GET", "/decisions?status=pending")["items"] == []
    problem(viewer.get("/decisions?status=open"), 422, "status")
    assert viewer.ok("GET", f"/decisions?session={made['session']}")["items"]


def test_a_pending_decision_changes_nothing_and_marks_the_memory(
    viewer: Api, pending: dict[str, Any], memory: dict[str, Any]
) -> None:
    now = viewer.ok("GET", f"/memories/{memory['id']}")
    assert now["contested"] is True
    assert (now["version"], now["value"]) == (1, "aisle")
    context = viewer.ok("POST", "/context", {"user": "u-1"})
    assert context["effective"]["seat_preference"]["value"] == "aisle"
    assert context["clarify"][0]["key"] == "seat_preference"


def test_a_review_without_a_proposal_needs_an_action(
    curator: Api, viewer: Api, pending: dict[str, Any], memory: dict[str, Any]
) -> None:
    path = f"/decisions/{pending['id']}"
    if pending["proposed_action"] is None:
        problem(curator.post(f"{path}/approve"), 422, "action")
    approved = curator.ok("POST", f"{path}/approve", {"action": "override", "comment": "asked the user"})
    assert (approved["status"], approved["action"]) == ("approved", "override")
    assert approved["comments"][0]["text"] == "asked the user"
    now = viewer.ok("GET", f"/memories/{memory['id']}")
    assert (now["version"], now["value"], now["contested"]) == (2, "window", False)
    assert (approved["proposal"]["action"], approved["edited"]) == ("review", [])


def test_an_edit_keeps_what_was_proposed(curator: Api, viewer: Api, pending: dict[str, Any]) -> None:
    path = f"/decisions/{pending['id']}"
    assert (pending["proposal"], pending["edited"]) == (None, [])
    said = viewer.ok("GET", f"/sessions/{pending['session']}/notes")["items"][0]["text"]
    curator.ok("POST", f"{path}/approve", {"action": "override", "text": f"{said}, as a rule"})
    edited = viewer.ok("GET", path)
    assert edited["edited"] == ["text"]
    assert edited["after"]["text"] == f"{said}, as a rule"
    assert edited["proposal"]["action"] == "review"
    undone = curator.ok("POST", f"{path}/undo")
    assert (undone["proposal"], undone["edited"], undone["action"]) == (None, [], "review")


def test_the_second_person_is_told(curator: Api, admin: Api, pending: dict[str, Any]) -> None:
    path = f"/decisions/{pending['id']}"
    declined = curator.ok("POST", f"{path}/decline", {"reason_code": "not_true"})
    assert (declined["status"], declined["reason_code"]) == ("declined", "not_true")
    for verb in ("approve", "decline"):
        document = problem(admin.post(f"{path}/{verb}", {"action": "override"}), 409)
        assert document["type"].endswith("already-decided")
        assert document["decision"]["id"] == pending["id"]
        assert document["decision"]["status"] == "declined"
    assert admin.ok("POST", f"{path}/undo")["status"] == "undone"  # a declined one can be taken up again
    problem(admin.post(f"{path}/undo"), 409)


def test_approved_with_an_edit(curator: Api, viewer: Api, pending: dict[str, Any], memory: dict[str, Any]) -> None:
    curator.ok(
        "POST",
        f"/decisions/{pending['id']}/approve",
        {"action": "override", "text": "Prefers window seats by day", "value": "window"},
    )
    assert viewer.ok("GET", f"/memories/{memory['id']}")["text"] == "Prefers window seats by day"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"action": "explode"}, "action"),
        ({"base_version": 0}, "base_version"),
        ({"text": ""}, "text"),
        ({"memory": "x"}, "memory"),
        ({"memory": "00000000-0000-4000-8000-000000000000", "action": "override"}, "memory"),
        ({"comment": "x" * 2001}, "comment"),
        ({"approve": True}, "approve"),
        ({"reason_code": "4111111111111111", "action": "override"}, "reason_code"),
        ({"reason_code": "Not true"}, "reason_code"),
    ],
)
def test_rulings_that_cannot_be_made(curator: Api, pending: dict[str, Any], body: Any, field: str) -> None:
    problem(curator.post(f"/decisions/{pending['id']}/approve", body), 422, field)


def test_a_secret_in_an_edit_or_a_comment(curator: Api, pending: dict[str, Any]) -> None:
    card = "4111 1111 1111 1111"
    document = problem(
        curator.post(f"/decisions/{pending['id']}/approve", {"action": "override", "text": f"Pays with {card}"}), 422
    )
    assert document["block"]["category"] == "payment"
    declined = curator.ok("POST", f"/decisions/{pending['id']}/decline", {"comment": f"no {card}"})
    assert "4111 1111" not in str(declined)


def test_a_stale_decision_is_decided_anew(
    curator: Api, viewer: Api, pending: dict[str, Any], memory: dict[str, Any]
) -> None:
    curator.ok("PATCH", f"/memories/{memory['id']}", {"text": "Prefers aisle seats near the front", "value": "aisle"})
    document = problem(curator.post(f"/decisions/{pending['id']}/approve", {"action": "override"}), 409)
    assert document["type"].endswith("stale")
    assert document["stale"] == pending["id"]
    assert viewer.ok("GET", f"/decisions/{pending['id']}")["status"] == "stale"
    fresh = document["decision"]
    assert fresh["id"] != pending["id"]
    assert fresh["status"] == "pending"
    assert fresh["replaces"] == pending["id"]
    assert fresh["before"] is None or fresh["before"]["text"] == "Prefers aisle seats near the front"
    assert viewer.ok("GET", f"/memories/{memory['id']}")["value"] == "aisle"
    assert Note.objects.count() == 1


def test_a_base_version_that_moved(curator: Api, pending: dict[str, Any]) -> None:
    document = problem(
        curator.post(f"/decisions/{pending['id']}/approve", {"action": "override", "base_version": 7}), 409
    )
    assert document["decision"]["status"] == "pending"


def test_undo_brings_the_old_content_back(agent: Api, curator: Api, viewer: Api, memory: dict[str, Any]) -> None:
    changed = consolidated(
        agent, said("Prefers window seats", "From now on I prefer window seats", key="seat_preference", value="window")
    )[0]
    assert (changed["action"], changed["status"]) == ("override", "applied"), changed
    undone = curator.ok("POST", f"/decisions/{changed['id']}/undo")
    assert undone["status"] == "undone"
    assert undone["undone"] == [changed["id"]]
    now = viewer.ok("GET", f"/memories/{memory['id']}")
    assert (now["version"], now["text"], now["value"]) == (3, memory["text"], "aisle")
    assert now["updated_at"] == memory["updated_at"]
    assert curator.ok("POST", f"/decisions/{changed['id']}/approve")["status"] == "approved"
    assert viewer.ok("GET", f"/memories/{memory['id']}")["value"] == "window"


def test_undo_with_later_decisions(agent: Api, curator: Api, viewer: Api, memory: dict[str, Any]) -> None:
    changed = consolidated(
        agent, said("Prefers window seats", "From now on I prefer window seats", key="seat_preference", value="window")
    )[0]
    curator.ok("PATCH", f"/memories/{memory['id']}", {"text": "Prefers window seats by day"})
    document = problem(curator.post(f"/decisions/{changed['id']}/undo"), 409)
    assert document["type"].endswith("depends-on-later")
    assert len(document["decisions"]) == 1
    undone = curator.ok("POST", f"/decisions/{changed['id']}/undo", {"cascade": True})
    assert undone["undone"] == [*document["decisions"], changed["id"]]
    assert viewer.ok("GET", f"/memories/{memory['id']}")["text"] == memory["text"]
    problem(curator.post(f"/decisions/{changed['id']}/undo", {"cascade": "perhaps"}), 422, "cascade")


def test_another_workspace(stranger: Api, pending: dict[str, Any]) -> None:
    path = f"/decisions/{pending['id']}"
    problem(stranger.get(path), 404)
    for verb in ("approve", "decline", "undo"):
        problem(stranger.post(f"{path}/{verb}"), 404)
    problem(stranger.get(f"/sessions/{pending['session']}/decisions"), 404)
    assert Decision.objects.get(pk=pending["id"]).status == "pending"


def test_a_repeat_is_answered_once(curator: Api, pending: dict[str, Any]) -> None:
    path = f"/decisions/{pending['id']}/decline"
    first = curator.post(path, {"comment": "no"}, Idempotency_Key="k")
    again = curator.post(path, {"comment": "no"}, Idempotency_Key="k")
    assert first.json() == again.json()
    assert len(again.json()["comments"]) == 1
