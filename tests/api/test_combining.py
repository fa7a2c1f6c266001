"""Memories merged, split, pinned, retracted; how procedures went."""

from typing import Any

import pytest

from memory_app.models import Decision, Memory

from .calls import Api, problem

NOBODY = "00000000-0000-4000-8000-000000000000"


def remember(curator: Api, text: str, **fields: Any) -> dict[str, Any]:
    return curator.ok("POST", "/memories", {"user": "u-1", "text": text} | fields)


def contents() -> dict[str, tuple[Any, ...]]:
    """What is active, by its id."""
    names = ("text", "key", "value", "condition", "keywords", "updated_at", "author")
    return {
        str(m.pk): tuple(getattr(m, n) for n in names) for m in Memory.objects.filter(status="active", scope="user")
    }


@pytest.fixture
def three(curator: Api) -> list[dict[str, Any]]:
    return [
        remember(curator, "Prefers aisle seats", keywords=["aisle"]),
        remember(curator, "Wants an aisle seat on flights", keywords=["flight"], importance=0.9),
        remember(curator, "Takes the aisle seat"),
    ]


def test_merged_and_undone_exactly(curator: Api, viewer: Api, three: list[dict[str, Any]]) -> None:
    before = contents()
    target = three[0]["id"]
    body = {"memories": [three[1]["id"], three[2]["id"]], "text": "Prefers aisle seats on flights"}
    merged = curator.ok("POST", f"/memories/{target}/merge", body, If_Match="1")
    assert (merged["id"], merged["version"], merged["text"]) == (target, 2, "Prefers aisle seats on flights")
    assert (set(merged["keywords"]), merged["importance"]) == ({"aisle", "flight"}, 0.9)
    for one in three[1:]:
        gone = viewer.ok("GET", f"/memories/{one['id']}")
        assert (gone["status"], gone["superseded_by"]) == ("superseded", target)
    decision = viewer.ok("GET", "/decisions?action=merge")["items"][0]
    assert decision["merged"] == body["memories"]
    assert decision["reason"]
    curator.ok("POST", f"/decisions/{decision['id']}/undo")
    assert contents() == before
    again = curator.ok("POST", f"/decisions/{decision['id']}/approve")
    assert again["status"] == "approved"
    assert list(contents()) == [target]


def test_an_undo_after_later_changes(curator: Api, viewer: Api, three: list[dict[str, Any]]) -> None:
    curator.ok("POST", f"/memories/{three[0]['id']}/merge", {"memories": [three[1]["id"]]})
    decision = viewer.ok("GET", "/decisions?action=merge")["items"][0]["id"]
    curator.ok("POST", f"/memories/{three[1]['id']}/restore", {"version": 1})
    document = problem(curator.post(f"/decisions/{decision}/undo"), 409)
    assert len(document["decisions"]) == 1
    curator.ok("POST", f"/decisions/{decision}/undo", {"cascade": True})
    assert set(contents()) == {one["id"] for one in three}


def test_a_merge_with_protected_memory_waits(curator: Api, admin: Api, three: list[dict[str, Any]]) -> None:
    curator.ok("PATCH", f"/memories/{three[1]['id']}", {"pinned": True})
    path = f"/memories/{three[0]['id']}/merge"
    response = curator.post(path, {"memories": [three[1]["id"]]})
    assert response.status_code == 202
    waiting = response.json()
    assert (waiting["action"], waiting["status"], waiting["needs"]) == ("merge", "pending", "admin")
    problem(curator.post(f"/decisions/{waiting['id']}/approve"), 403)
    # One of them moves meanwhile: what was proposed is stale.
    admin.ok("PATCH", f"/memories/{three[1]['id']}", {"pinned": False})
    moved = Decision.objects.filter(action="unpin").get()
    curator_of_it = curator.post(f"/decisions/{moved.pk}/approve")
    assert curator_of_it.status_code == 403
    assert admin.post(f"/decisions/{waiting['id']}/approve").status_code == 200
    assert Memory.objects.get(pk=three[1]["id"]).status == "superseded"
    assert Memory.objects.get(pk=three[0]["id"]).pinned


def test_a_merge_is_stale_when_one_has_moved(curator: Api, admin: Api, three: list[dict[str, Any]]) -> None:
    curator.ok("PATCH", f"/memories/{three[0]['id']}", {"pinned": True})
    waiting = curator.post(f"/memories/{three[0]['id']}/merge", {"memories": [three[1]["id"]]}).json()["id"]
    curator.ok("PATCH", f"/memories/{three[1]['id']}", {"text": "Wants an aisle seat at the front"})
    assert problem(admin.post(f"/decisions/{waiting}/approve"), 409)["type"].endswith("stale")
    assert Memory.objects.get(pk=three[1]["id"]).status == "active"


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 422, "memories"),
        ({"memories": []}, 422, "memories"),
        ({"memories": ["x"]}, 422, "memories.0"),
        ({"memories": [NOBODY]}, 422, "memories.0"),
        ({"memories": ["self"]}, 422, "memories"),
        ({"memories": ["foreign"]}, 422, "memories.0"),
        ({"memories": ["archived"]}, 422, "memories.0"),
        ({"memories": ["other"], "text": ""}, 422, "text"),
        ({"memories": ["other"], "text": "Prefers aisle seats in row 4"}, 422, "text"),
        ({"memories": ["other"], "text": "Pays with 4111 1111 1111 1111"}, 422, "text"),
        ({"memories": ["other"], "value": ["x"]}, 422, "value"),
    ],
)
def test_merges_that_cannot_be(
    curator: Api, three: list[dict[str, Any]], body: dict[str, Any], status: int, field: str
) -> None:
    foreign = curator.ok("POST", "/memories", {"user": "u-2", "text": "Prefers aisle seats"})
    curator.ok("DELETE", f"/memories/{three[2]['id']}")
    names = {"self": three[0]["id"], "other": three[1]["id"], "archived": three[2]["id"], "foreign": foreign["id"]}
    if "memories" in body:
        body = body | {"memories": [names.get(m, m) for m in body["memories"]]}
    problem(curator.post(f"/memories/{three[0]['id']}/merge", body), status, field)


PARTS = {
    "parts": [
        {"text": "Likes tea", "key": "likes", "value": "tea"},
        {"text": "Likes coffee", "key": "likes", "value": "coffee"},
    ]
}


def test_split_and_undone_exactly(curator: Api, viewer: Api) -> None:
    whole = remember(curator, "Likes tea and coffee", key="likes", value="tea and coffee", importance=0.8)
    before = contents()
    first = curator.ok("POST", f"/memories/{whole['id']}/split", PARTS)
    assert (first["id"], first["version"], first["text"], first["value"]) == (whole["id"], 2, "Likes tea", "tea")
    other = viewer.ok("GET", "/memories?q=coffee&status=active")["items"][0]
    assert (other["text"], other["key"], other["importance"], other["created_at"]) == (
        "Likes coffee", "likes", 0.8, whole["created_at"],
    )  # fmt: skip
    decision = viewer.ok("GET", "/decisions?action=split")["items"][0]
    assert [part["text"] for part in decision["parts"]] == ["Likes coffee"]
    split = contents()
    curator.ok("POST", f"/decisions/{decision['id']}/undo")
    assert contents() == before
    assert viewer.ok("GET", f"/memories/{other['id']}")["status"] == "archived"
    curator.ok("POST", f"/decisions/{decision['id']}/approve")
    assert contents() == split  # the very same memories
    curator.ok("PATCH", f"/memories/{other['id']}", {"text": "Likes coffee, black"})
    problem(curator.post(f"/decisions/{decision['id']}/undo"), 409)
    curator.ok("POST", f"/decisions/{decision['id']}/undo", {"cascade": True})
    assert contents() == before


def test_a_part_that_fills_the_slot_of_the_whole(curator: Api, viewer: Api) -> None:
    whole = remember(curator, "Prefers aisle seats; budget 800 CNY", key="budget", value="800")
    before = contents()
    parts = [{"text": "Prefers aisle seats", "key": "seat", "value": "aisle"},
             {"text": "Budget 800 CNY", "key": "budget", "value": "800"}]  # fmt: skip
    curator.ok("POST", f"/memories/{whole['id']}/split", {"parts": parts})
    decision = viewer.ok("GET", "/decisions?action=split")["items"][0]
    curator.ok("POST", f"/decisions/{decision['id']}/undo")
    assert contents() == before


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        (None, "parts"),
        ([{"text": "Likes tea"}], "parts"),
        ([{"text": "Likes tea"}, {"text": ""}], "parts.1.text"),
        ([{"text": "Likes tea"}, {"text": "Likes coffee", "key": "No"}], "parts.1.key"),
        ([{"text": "Likes tea"}, {"text": "Likes coffee from 12 farms"}], "parts.1.text"),
        ([{"text": "Likes tea", "key": "drink", "value": 1}, {"text": "Likes coffee", "key": "drink"}], "parts.1.key"),
        ([{"text": "Likes tea"}, {"text": "Likes coffee", "scope": "team"}], "parts.1.scope"),
    ],
)
def test_splits_that_cannot_be(curator: Api, parts: Any, field: str) -> None:
    whole = remember(curator, "Likes tea and coffee")
    problem(curator.post(f"/memories/{whole['id']}/split", {"parts": parts} if parts else {}), 422, field)


def test_versions_and_states_that_are_in_the_way(curator: Api, memory: dict[str, Any]) -> None:
    path = f"/memories/{memory['id']}"
    for verb, body in (("split", PARTS), ("merge", {"memories": [NOBODY]}), ("retract", None)):
        if verb != "split":
            problem(curator.post(f"{path}/{verb}", body, If_Match="7"), 412)
    curator.ok("DELETE", path)
    problem(curator.post(f"{path}/merge", {"memories": [NOBODY]}), 409)
    problem(curator.post(f"{path}/retract"), 409)


def test_pinning_is_a_decision_of_its_own(curator: Api, admin: Api, viewer: Api, memory: dict[str, Any]) -> None:
    path = f"/memories/{memory['id']}"
    problem(curator("PATCH", path, {"pinned": True}, If_Match="4"), 412)
    assert curator.ok("PATCH", path, {"pinned": True}, If_Match="1")["pinned"] is True
    assert viewer.ok("GET", "/decisions?action=pin")["items"][0]["memory"] == memory["id"]
    waiting = curator("PATCH", path, {"pinned": False})
    assert (waiting.status_code, waiting.json()["action"]) == (202, "unpin")
    admin.ok("POST", f"/decisions/{waiting.json()['id']}/approve")
    assert viewer.ok("GET", path)["pinned"] is False


def test_retracting(curator: Api, viewer: Api, stranger: Api, memory: dict[str, Any]) -> None:
    path = f"/memories/{memory['id']}/retract"
    problem(stranger.post(path), 404)
    first = curator.post(path, Idempotency_Key="k").json()
    assert first["status"] == "archived"
    assert curator.post(path, Idempotency_Key="k").json() == first
    assert viewer.ok("GET", "/decisions?action=retract")["items"][0]["status"] == "applied"


def test_outcomes(agent: Api, curator: Api, viewer: Api, stranger: Api, memory: dict[str, Any]) -> None:
    steps = {"steps": ["Ask for dates", "Search trains"], "tools": ["search"]}
    made = remember(curator, "Books a train", kind="procedural", key="book_train", value=steps)
    path = f"/memories/{made['id']}/outcome"
    for success in (True, True, False):
        answer = agent.ok("POST", path, {"success": success})
    assert (answer["success_count"], answer["failure_count"], answer["version"]) == (2, 1, made["version"])
    agent.ok("POST", path, {"success": True}, Idempotency_Key="k")
    agent.ok("POST", path, {"success": True}, Idempotency_Key="k")
    assert viewer.ok("GET", f"/memories/{made['id']}")["success_count"] == 3
    problem(agent.post(path, {}), 422, "success")
    problem(agent.post(path, {"success": "maybe"}), 422, "success")
    problem(agent.post(f"/memories/{memory['id']}/outcome", {"success": True}), 409)
    problem(stranger.post(path, {"success": True}), 404)
