"""Many decisions ruled on at once."""

from typing import Any

import pytest

from consolidation.actions import bulk
from memory_app.models import Decision, Memory

from .calls import Api, caller, problem
from .test_decisions import consolidated, said

NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def waiting(agent: Api) -> list[dict[str, Any]]:
    """Three sensitive facts, which wait for a person, oldest first."""
    made = consolidated(
        agent,
        said("Allergic to peanuts", "I am allergic to peanuts", key="allergy", value="peanuts"),
        said("Has diabetes", "I have diabetes", key="illness", value="diabetes"),
        said("Allergic to shellfish", "I am allergic to shellfish", key="allergy", value="shellfish"),
    )
    assert [d["status"] for d in made] == ["pending"] * 3, made
    return made


def ids(made: list[dict[str, Any]]) -> list[str]:
    return [d["id"] for d in made]


def test_a_dry_run_tells_and_writes_nothing(curator: Api, waiting: list[dict[str, Any]]) -> None:
    body = {"action": "approve", "filter": {"status": "pending"}}
    tried = curator.ok("POST", "/decisions/bulk", body | {"dry_run": True})
    assert (tried["done"], tried["left"], tried["dry_run"], tried["more"]) == (ids(waiting), [], True, False)
    assert not Memory.objects.filter(scope="user").exists()
    assert Decision.objects.filter(status="pending").count() == 3
    done = curator.ok("POST", "/decisions/bulk", body)
    assert (done["done"], done["left"]) == (tried["done"], tried["left"])
    assert Memory.objects.filter(scope="user").count() == 3


def test_one_batch_that_can_be_undone(curator: Api, viewer: Api, waiting: list[dict[str, Any]]) -> None:
    assert {d["batch"] for d in waiting} == {None}  # the run that made them is no batch
    done = curator.ok("POST", "/decisions/bulk", {"action": "approve", "ids": ids(waiting), "comment": "all fine"})
    found = viewer.ok("GET", f"/decisions?batch={done['batch']}")["items"]
    assert {d["id"] for d in found} == set(ids(waiting))
    assert {d["comments"][0]["text"] for d in found} == {"all fine"}
    back = curator.ok("POST", "/decisions/bulk", {"action": "undo", "filter": {"batch": done["batch"]}})
    assert back["done"] == ids(waiting)[::-1]
    assert not Memory.objects.filter(scope="user", status="active").exists()


def test_what_cannot_be_is_left_and_named(
    agent: Api, curator: Api, admin: Api, memory: dict[str, Any], waiting: list[dict[str, Any]]
) -> None:
    curator.ok("POST", f"/decisions/{waiting[0]['id']}/decline")
    unclear = consolidated(agent, said("Prefers window seats", key="seat_preference", value="window"))[0]
    assert (unclear["action"], unclear["status"]) == ("review", "pending")
    curator.ok("PATCH", f"/memories/{memory['id']}", {"pinned": True})
    weighty = curator("DELETE", f"/memories/{memory['id']}").json()["id"]
    wanted = [waiting[0]["id"], unclear["id"], weighty, NOBODY, waiting[2]["id"]]
    done = curator.ok("POST", "/decisions/bulk", {"action": "approve", "ids": wanted})
    assert done["done"] == [waiting[2]["id"]]
    left = {one["decision"]: one["code"] for one in done["left"]}
    assert left[waiting[0]["id"]] == "already_decided"
    assert left[NOBODY] == "not_found"
    assert left[weighty] == "forbidden"
    assert left[unclear["id"]] in ("needs_action", "stale")
    assert all(one["reason"] for one in done["left"])


def test_two_for_one_memory(agent: Api, curator: Api, memory: dict[str, Any]) -> None:
    """The second was made against what the first changes: it is left as stale, with a fresh one in its place."""
    made = []
    for seat in ("window", "middle"):
        note = said(f"Prefers {seat} seats", key="seat_preference", value=seat)
        made += consolidated(agent, note)
    assert [d["proposed_action"] or "" for d in made]
    wanted = ids(made)
    for pk in wanted:
        Decision.objects.filter(pk=pk).update(proposed_action="override")
    tried = curator.ok("POST", "/decisions/bulk", {"action": "approve", "ids": wanted, "dry_run": True})
    assert (tried["done"], [x["code"] for x in tried["left"]]) == (wanted[:1], ["stale"])
    done = curator.ok("POST", "/decisions/bulk", {"action": "approve", "ids": wanted})
    assert done["done"] == wanted[:1]
    assert done["left"][0]["code"] == "stale"
    assert Decision.objects.get(pk=done["left"][0]["fresh"]).status == "pending"


def test_a_call_that_runs_out_of_time(
    curator: Api, waiting: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "SECONDS", 0.0)
    done = curator.ok("POST", "/decisions/bulk", {"action": "decline", "filter": {}})
    assert (done["done"], done["more"]) == ([], True)
    assert {one["code"] for one in done["left"]} == {"not_reached"}


def test_a_session(agent: Api, curator: Api, stranger: Api, waiting: list[dict[str, Any]]) -> None:
    other = consolidated(agent, said("Has asthma", "I have asthma", key="illness_2", value="asthma"))[0]
    path = f"/sessions/{waiting[0]['session']}/approve"
    problem(stranger.post(path), 404)
    foreign = curator.ok("POST", path, {"ids": [other["id"]], "dry_run": True})
    assert (foreign["done"], foreign["left"][0]["code"]) == ([], "not_found")
    assert curator.ok("POST", path)["done"] == ids(waiting)
    assert curator.ok("POST", path)["done"] == []
    assert Decision.objects.get(pk=other["id"]).status == "pending"


def test_teams_and_other_workspaces(admin: Api, stranger: Api, workspace: Any, waiting: list[dict[str, Any]]) -> None:
    team = admin.ok("POST", "/memories", {"scope": "team", "team": "legal", "text": "Contracts are two pages"})
    change = admin("PATCH", f"/memories/{team['id']}", {"text": "Contracts are three pages"}).json()["id"]
    limited = caller(workspace, "admin", teams=("sales",))
    done = limited.ok("POST", "/decisions/bulk", {"action": "decline", "ids": [change]})
    refused = {"decision": change, "code": "forbidden", "reason": "This key is limited to other teams.", "fresh": None}
    assert done["left"] == [refused]
    assert limited.ok("POST", "/decisions/bulk", {"action": "decline", "filter": {"scope": "team"}})["done"] == []
    done = stranger.ok("POST", "/decisions/bulk", {"action": "approve", "ids": ids(waiting)})
    assert (done["done"], {one["code"] for one in done["left"]}) == ([], {"not_found"})


def test_of_other_teams_decisions_nothing_is_told(agent: Api, workspace: Any) -> None:
    made = consolidated(agent, said("Allergic to peanuts", "I am allergic to peanuts", key="allergy"), teams=["legal"])
    limited = caller(workspace, "admin", teams=("sales",))
    single = limited.post(f"/decisions/{made[0]['id']}/undo").json()
    for action in ("approve", "decline", "undo"):
        for dry_run in (True, False):
            body = {"action": action, "ids": ids(made), "dry_run": dry_run}
            done = limited.ok("POST", "/decisions/bulk", body)
            assert not done["done"]
            assert [(one["code"], one["reason"]) for one in done["left"]] == [("forbidden", single["detail"])]


def test_a_repeat_is_answered_once(curator: Api, waiting: list[dict[str, Any]]) -> None:
    body = {"action": "approve", "ids": ids(waiting)}
    first = curator.post("/decisions/bulk", body, Idempotency_Key="k").json()
    assert curator.post("/decisions/bulk", body, Idempotency_Key="k").json() == first


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"ids": []}, "action"),
        ({"action": "explode", "ids": []}, "action"),
        ({"action": "approve"}, "ids"),
        ({"action": "approve", "ids": [], "filter": {}}, "ids"),
        ({"action": "approve", "ids": ["x"]}, "ids.0"),
        ({"action": "approve", "ids": [NOBODY] * 1001}, "ids"),
        ({"action": "approve", "filter": {"status": "open"}}, "filter.status"),
        ({"action": "approve", "filter": {"colour": "red"}}, "filter.colour"),
        ({"action": "approve", "ids": [], "dry_run": "perhaps"}, "dry_run"),
        ({"action": "approve", "ids": [], "reason_code": "Not so"}, "reason_code"),
    ],
)
def test_bodies_that_cannot_be(curator: Api, body: Any, field: str) -> None:
    problem(curator.post("/decisions/bulk", body), 422, field)


def test_comments(curator: Api, viewer: Api, stranger: Api, waiting: list[dict[str, Any]]) -> None:
    path = f"/decisions/{waiting[0]['id']}/comments"
    response = curator.post(path, {"text": "Which card? 4111 1111 1111 1111"})
    assert response.status_code == 201
    made = response.json()
    assert "4111 1111" not in made["text"]
    assert viewer.ok("GET", f"/decisions/{waiting[0]['id']}")["comments"] == [made]
    problem(stranger.post(path, {"text": "x"}), 404)
    problem(curator.post(path, {"text": " "}), 422, "text")
    problem(curator.post(path, {}), 422, "text")
