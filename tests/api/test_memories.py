"""Memory written directly: made, changed, archived, restored, with its history."""

from typing import Any

import pytest

from memory_app.actions.decisions import approve
from memory_app.actions.keys import create_key
from memory_app.actions.memories import edit_memory, pin_memory
from memory_app.domain.errors import Forbidden
from memory_app.models import Block, Memory
from tests.factories import actor_of, make_operator

from .calls import Api, caller, problem

CARD = "4111 1111 1111 1111"


def test_what_happened_on_a_day_needs_no_hour(curator: Api) -> None:
    told = {"user": "u-1", "scope": "user", "kind": "episodic", "text": "Sprained an ankle on Huashan"}
    made = curator.post("/memories", told | {"occurred_at": "2026-11-07"})
    assert made.json()["occurred_at"] == "2026-11-07T00:00:00+00:00"
    refused = curator.post("/memories", told | {"occurred_at": "2026-02-30"})
    assert [error["field"] for error in problem(refused, 422)["errors"]] == ["occurred_at"]


def test_a_memory_is_written_and_read(curator: Api, viewer: Api) -> None:
    response = curator.post(
        "/memories",
        {"user": "u-1", "scope": "user", "kind": "semantic", "text": "Prefers aisle seats", "key": "seat_preference",
         "value": "aisle", "condition": "business_trip", "keywords": ["seat"], "source": "crm", "importance": 0.9,
         "priority": 7, "updated_at": "2026-01-02T03:04:05+08:00", "confirmed_at": "2026-02-02T03:04:05+08:00",
         "expires_at": "2998-01-01T00:00:00Z"},
    )  # fmt: skip
    assert response.status_code == 201
    made = response.json()
    assert made["ref"].startswith("M-")
    assert made["version"] == 1
    assert (made["user"], made["team"], made["session"]) == ("u-1", None, None)
    assert (made["condition"], made["subject"], made["sensitivity"]) == ("business_trip", None, None)
    assert made["updated_at"] == "2026-01-01T19:04:05+00:00"
    assert made["confirmed_at"] == "2026-02-01T19:04:05+00:00"
    assert (made["status"], made["protected"], made["contested"], made["pinned"]) == ("active", False, False, False)
    read = viewer.get(f"/memories/{made['id']}")
    assert read.json() == made
    assert read.headers["ETag"] == '"1"'
    changed = curator("PATCH", f"/memories/{made['id']}", {"importance": 0.9}, If_Match=read.headers["ETag"])
    assert changed.headers["ETag"] == '"2"'


def test_an_occupied_slot(curator: Api, memory: dict[str, Any]) -> None:
    body = {"user": "u-1", "text": "Prefers window seats", "key": "seat_preference", "value": "window"}
    document = problem(curator.post("/memories", body), 409)
    assert document["type"].endswith("slot-occupied")
    assert document["memory"] == memory["id"]
    changed = curator.ok("POST", "/memories", body | {"on_conflict": "override"})
    assert changed["id"] == memory["id"]
    assert (changed["version"], changed["value"]) == (2, "window")
    problem(curator.post("/memories", body | {"on_conflict": "replace"}), 422, "on_conflict")


def test_the_guardrails_refuse_with_a_block(curator: Api) -> None:
    document = problem(curator.post("/memories", {"user": "u-1", "text": f"Pays with {CARD}"}), 422, "text")
    assert document["block"]["category"] == "payment"
    assert "4111 1111" not in str(document)
    assert str(Block.objects.get().pk) == document["block"]["id"]
    assert not Memory.objects.exists()


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"user": None}, "user"),
        ({"scope": "team"}, "team"),
        ({"scope": "session"}, "session"),
        ({"kind": "working"}, "scope"),
        ({"status": "expired"}, "status"),
        ({"priority": 11}, "priority"),
        ({"session": "00000000-0000-4000-8000-000000000000", "scope": "session"}, "session"),
        ({"updated_at": "2026-01-01T00:00:00"}, "updated_at"),
    ],
)
def test_memories_that_cannot_be_written(curator: Api, fields: Any, field: str) -> None:
    problem(curator.post("/memories", {"user": "u-1", "text": "Likes tea"} | fields), 422, field)


def test_a_change_is_a_new_version(curator: Api, viewer: Api, memory: dict[str, Any]) -> None:
    path = f"/memories/{memory['id']}"
    changed = curator.ok("PATCH", path, {"text": "Prefers window seats", "value": "window"}, If_Match='"1"')
    assert (changed["version"], changed["text"], changed["key"]) == (2, "Prefers window seats", "seat_preference")
    problem(curator("PATCH", path, {"text": "x"}, If_Match='"1"'), 412)
    problem(curator("PATCH", path, {"text": "x"}, If_Match="one"), 422, "If-Match")
    curator.ok("PATCH", path, {"importance": 0.2, "condition": None}, If_Match="2")
    versions = viewer.ok("GET", f"{path}/history")["items"]
    assert [(v["version"], v["value"]) for v in versions] == [(3, "window"), (2, "window"), (1, "aisle")]
    assert versions[0]["author"]["kind"] == "key"
    assert versions[1]["decision"]["action"] == "edit"
    assert versions[1]["decision"]["reason"]
    assert versions[2]["decision"]["action"] == "promote"
    restored = curator.ok("POST", f"{path}/restore", {"version": 1})
    assert (restored["version"], restored["value"], restored["text"]) == (4, "aisle", "Prefers aisle seats")
    problem(curator.post(f"{path}/restore", {"version": 9}), 422, "version")
    problem(curator.post(f"{path}/restore", {"version": "x"}), 422, "version")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({}, "body"),
        ({"text": None}, "text"),
        ({"text": " "}, "text"),
        ({"status": "archived"}, "status"),
        ({"kind": "working"}, "kind"),
        ({"pinned": None}, "pinned"),
        ({"keywords": "x"}, "keywords"),
    ],
)
def test_changes_that_cannot_be_made(curator: Api, memory: dict[str, Any], changes: Any, field: str) -> None:
    problem(curator("PATCH", f"/memories/{memory['id']}", changes), 422, field)


def test_a_change_that_the_guardrails_refuse(curator: Api, memory: dict[str, Any]) -> None:
    document = problem(curator("PATCH", f"/memories/{memory['id']}", {"text": f"Pays with {CARD}"}), 422)
    assert document["block"]["category"] == "payment"


def test_a_change_into_a_filled_slot(curator: Api, memory: dict[str, Any]) -> None:
    other = curator.ok(
        "POST", "/memories", {"user": "u-1", "text": "Sits by the window", "key": "seat_area", "value": "window"}
    )
    document = problem(curator("PATCH", f"/memories/{other['id']}", {"key": "seat_preference"}), 409)
    assert document["memory"] == memory["id"]


def test_archive_and_restore(curator: Api, viewer: Api, memory: dict[str, Any]) -> None:
    path = f"/memories/{memory['id']}"
    gone = curator.ok("DELETE", path)
    assert (gone["status"], gone["version"]) == ("archived", 2)
    problem(curator("DELETE", path), 409)
    assert viewer.ok("POST", "/recall", {"user": "u-1", "query": "Which seat?"})["results"] == []
    assert curator.ok("POST", f"{path}/restore", {"version": 1})["status"] == "active"


def test_protected_memory_waits_for_an_admin(curator: Api, admin: Api, memory: dict[str, Any]) -> None:
    path = f"/memories/{memory['id']}"
    curator.ok("PATCH", path, {"pinned": True})
    responses = [
        curator("PATCH", path, {"text": "Prefers window seats", "value": "window"}),
        curator("DELETE", path),
        curator.post(f"{path}/restore", {"version": 1}),
        curator.post(
            "/memories",
            {"user": "u-1", "text": "Window", "key": "seat_preference", "value": "window", "on_conflict": "override"},
        ),
    ]
    for response in responses:
        assert response.status_code == 202, response.content
        waiting = response.json()
        assert (waiting["status"], waiting["needs"], waiting["memory"]) == ("pending", "admin", memory["id"])
    now = curator.ok("GET", path)
    assert (now["version"], now["text"], now["contested"]) == (2, "Prefers aisle seats", True)
    change = responses[0].json()
    problem(curator.post(f"/decisions/{change['id']}/approve"), 403)
    approved = admin.ok("POST", f"/decisions/{change['id']}/approve", {"comment": "fine"})
    assert (approved["status"], approved["decided_by"]) == ("approved", "admin key")
    assert admin.ok("GET", path)["text"] == "Prefers window seats"


def test_nobody_approves_their_own_weighty_proposal(admin: Api, memory: dict[str, Any], workspace: Any) -> None:
    path = f"/memories/{memory['id']}"
    admin.ok("PATCH", path, {"pinned": True})
    own = admin.ok("PATCH", path, {"text": "Prefers window seats"})
    problem(admin.post(f"/decisions/{own['id']}/approve"), 403)
    workspace.solo = True
    workspace.save()
    assert admin.ok("POST", f"/decisions/{own['id']}/approve")["status"] == "approved"


def test_a_key_approves_nothing_of_whoever_made_it(admin: Api, memory: dict[str, Any], workspace: Any) -> None:
    path = f"/memories/{memory['id']}"
    admin.ok("PATCH", path, {"pinned": True})
    own = admin.ok("PATCH", path, {"text": "Prefers window seats"})
    made = Api(admin.ok("POST", "/keys", {"role": "admin"})["key"])
    again = Api(made.ok("POST", "/keys", {"role": "admin"})["key"])
    problem(made.post(f"/decisions/{own['id']}/approve"), 403)
    problem(again.post(f"/decisions/{own['id']}/approve"), 403)
    sister = Api(admin.ok("POST", "/keys", {"role": "admin"})["key"])
    asked = made.ok("PATCH", path, {"text": "Prefers a window seat"})
    for one in (admin, made, again, sister):
        problem(one.post(f"/decisions/{asked['id']}/approve"), 403)
    stranger = caller(workspace, "admin")
    assert stranger.ok("POST", f"/decisions/{asked['id']}/approve")["status"] == "approved"


def test_a_curators_key_is_whoever_made_it(admin: Api, memory: dict[str, Any], workspace: Any) -> None:
    path = f"/memories/{memory['id']}"
    admin.ok("PATCH", path, {"pinned": True})
    theirs = Api(admin.ok("POST", "/keys", {"role": "curator"})["key"])
    asked = theirs.ok("PATCH", path, {"text": "Prefers a window seat"})
    problem(admin.post(f"/decisions/{asked['id']}/approve"), 403)
    done = admin.ok("POST", "/decisions/bulk", {"ids": [asked["id"]], "action": "approve"})
    assert [left["code"] for left in done["left"]] == ["forbidden"]
    assert caller(workspace, "admin").ok("POST", f"/decisions/{asked['id']}/approve")["status"] == "approved"


def test_a_proposal_is_withdrawn_by_whoever_made_it(curator: Api, admin: Api, memory: dict[str, Any]) -> None:
    path = f"/memories/{memory['id']}"
    admin.ok("PATCH", path, {"pinned": True})
    first, second = (
        curator.ok("PATCH", path, {"text": text}) for text in ("Prefers a window seat", "Prefers the rear")
    )
    assert curator.ok("POST", f"/decisions/{first['id']}/decline")["status"] == "declined"
    theirs = admin.ok("PATCH", path, {"text": "Prefers the front"})
    problem(curator.post(f"/decisions/{theirs['id']}/decline"), 403)
    assert admin.ok("POST", f"/decisions/{second['id']}/approve")["status"] == "approved"


def test_an_operators_key_approves_nothing_of_theirs(memory: dict[str, Any], workspace: Any) -> None:
    ada = actor_of(make_operator(workspace, "admin", "ada"), "admin")
    row = Memory.objects.get()
    pin_memory(row, ada)
    row.refresh_from_db()
    own = edit_memory(row, ada, {"text": "Prefers window seats"}).decision
    made = Api(create_key(workspace, ada, role="admin")[1])
    problem(made.post(f"/decisions/{own.pk}/approve"), 403)
    asked = made.ok("PATCH", f"/memories/{row.pk}", {"text": "Prefers the rear"})
    with pytest.raises(Forbidden):
        approve(workspace, ada, asked["id"])


def test_filters(curator: Api, viewer: Api, agent: Api, memory: dict[str, Any]) -> None:
    session = agent.ok("POST", "/sessions", {"user": "u-2"})["id"]
    agent.ok(
        "POST", f"/sessions/{session}/notes", {"text": "Window this time", "key": "seat_preference", "value": "window"}
    )
    curator.ok(
        "POST",
        "/memories",
        {"scope": "team", "team": "sales", "user": "u-2", "text": "Contracts are two pages", "pinned": True},
    )
    curator.ok(
        "POST",
        "/memories",
        {
            "user": "u-2",
            "text": "喜欢喝绿茶",
            "keywords": ["茶"],
            "expires_at": "2026-01-01T00:00:00Z",
            "updated_at": "2025-01-01T00:00:00Z",
        },
    )
    curator.ok(
        "POST",
        "/memories",
        {"user": "u-2", "text": "Old", "status": "superseded", "updated_at": "2024-01-01T00:00:00Z"},
    )

    def texts(query: str) -> set[str]:
        return {m["text"] for m in viewer.ok("GET", f"/memories?{query}")["items"]}

    assert texts("user=u-1") == {"Prefers aisle seats"}
    assert texts(f"session={session}") == texts("scope=session") == {"Window this time"}
    assert texts("team=sales") == texts("scope=team") == texts("pinned=true") == {"Contracts are two pages"}
    assert texts("status=expired") == texts("q=绿茶") == {"喜欢喝绿茶"}
    assert "喜欢喝绿茶" not in texts("status=active")
    assert texts("status=superseded") == {"Old"}
    assert texts("key=seat_preference") == {"Prefers aisle seats", "Window this time"}
    assert texts("q=AISLE") == {"Prefers aisle seats"}
    assert texts(f"q={memory['ref']}") == texts(f"q={memory['id']}") == {"Prefers aisle seats"}
    assert texts("q=aisles prefer") == {"Prefers aisle seats"}  # words, as on the page: in whatever order and form
    assert texts("q=M-²") == set()
    assert texts("updated_before=2024-06-01T00:00:00Z") == {"Old"}
    assert "Old" not in texts("updated_after=2024-06-01T00:00:00Z")
    assert texts("kind=procedural") == set()
    problem(viewer.get("/memories?updated_after=2026-01-01T00:00:00+08:00"), 422, "updated_after")
    assert texts("updated_after=2026-01-01T00:00:00%2B08:00")
    problem(viewer.get("/memories?pinned=maybe"), 422, "pinned")
    problem(viewer.get("/memories?status=gone"), 422, "status")
    assert viewer.ok("GET", "/memories?status=superseded")["items"][0]["user"] == "u-2"
