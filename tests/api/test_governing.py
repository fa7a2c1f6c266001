"""Slots, keys, the policy, the audit log, runs."""

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest

from memory_app.models import ApiKey, AuditEvent, IdempotencyRecord, Memory, Slot, Workspace

from .calls import Api, caller, problem


class TestWorkspace:
    def test_solo_is_read_set_and_on_record(self, admin: Api, viewer: Api, workspace: Workspace) -> None:
        shown = viewer.ok("GET", "/workspace")
        assert (shown["slug"], shown["name"], shown["solo"]) == (workspace.slug, workspace.name, False)
        for solo in (True, True, False):
            assert admin.ok("PATCH", "/workspace", {"solo": solo})["solo"] is solo
            assert viewer.ok("GET", "/workspace")["solo"] is solo
        events = AuditEvent.objects.filter(action="workspace.solo").order_by("at")
        assert [(event.actor_kind, event.detail) for event in events] == [
            ("key", {"solo": True}), ("key", {"solo": False}),
        ]  # fmt: skip

    @pytest.mark.parametrize("body", [{}, {"solo": None}, {"solo": "perhaps"}])
    def test_what_is_no_setting(self, admin: Api, workspace: Workspace, body: dict[str, Any]) -> None:
        problem(admin("PATCH", "/workspace", body), 422, "solo")
        problem(admin("PATCH", "/workspace", {"solo": True, "name": "x"}), 422, "name")
        problem(caller(workspace, "admin", ("red",))("PATCH", "/workspace", {"solo": True}), 403)
        workspace.refresh_from_db()
        assert not workspace.solo


class TestSlots:
    def test_set_up_and_read(self, admin: Api, viewer: Api, stranger: Api) -> None:
        given = {"cardinality": "many", "values": ["tea", "coffee", "tea"], "writers": ["operator", "user"],
                 "expires_after": "P30D", "exposure": "tools"}  # fmt: skip
        response = admin("PUT", "/slots/drink", given)
        assert response.status_code == 201
        made = response.json()
        assert made["values"] == ["tea", "coffee"]
        assert made["writers"] == ["user", "operator"]
        assert made["expires_after"] == "P30DT00H00M00S"
        assert viewer.ok("GET", "/slots/drink") == made
        assert Slot.objects.get().expires_after == timedelta(days=30)
        assert admin("PUT", "/slots/drink", {}).status_code == 200
        now = viewer.ok("GET", "/slots/drink")
        assert (now["cardinality"], now["values"], now["expires_after"], now["exposure"]) == (
            "one",
            [],
            None,
            "context",
        )
        assert [s["key"] for s in viewer.ok("GET", "/slots?cardinality=one&exposure=context")["items"]] == ["drink"]
        assert viewer.ok("GET", "/slots?exposure=none")["items"] == []
        problem(viewer.get("/slots/unknown"), 404)
        problem(stranger.get("/slots/drink"), 404)
        problem(viewer.get("/slots?exposure=all"), 422, "exposure")

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"cardinality": "few"}, "cardinality"),
            ({"values": [""]}, "values.0"),
            ({"values": ["4111 1111 1111 1111"]}, "values.0"),
            ({"values": "tea"}, "values"),
            ({"writers": []}, "writers"),
            ({"writers": ["cat"]}, "writers.0"),
            ({"expires_after": 30}, "expires_after"),
            ({"expires_after": "P1Y"}, "expires_after"),
            ({"expires_after": "-P1D"}, "expires_after"),
            ({"expires_after": "PT1S"}, "expires_after"),
            ({"expires_after": "P99999999D"}, "expires_after"),
            ({"exposure": "all"}, "exposure"),
            ({"key": "x"}, "key"),
        ],
    )
    def test_slots_that_cannot_be(self, admin: Api, body: Any, field: str) -> None:
        problem(admin("PUT", "/slots/drink", body), 422, field)
        assert not Slot.objects.exists()

    def test_a_key_that_is_none(self, admin: Api) -> None:
        problem(admin("PUT", "/slots/No Key", {}), 422, "key")

    def test_from_many_to_one(self, admin: Api, curator: Api) -> None:
        def likes(value: str) -> Any:
            return curator.post("/memories", {"user": "u-1", "text": f"Likes {value}", "key": "likes", "value": value})

        tea, coffee = likes("tea").json(), likes("coffee").json()
        document = problem(admin("PUT", "/slots/likes", {"cardinality": "one"}), 409)
        assert document["memories"] == [tea["id"], coffee["id"]]
        curator.ok("DELETE", f"/memories/{tea['id']}")
        admin.ok("PUT", "/slots/likes", {"cardinality": "one"})
        problem(likes("water"), 409)
        admin.ok("PUT", "/slots/likes", {"cardinality": "many"})
        assert likes("water").status_code == 201
        assert Memory.objects.filter(status="active", single=True).count() == 0

    def test_what_fills_it_expires(self, admin: Api, curator: Api) -> None:
        admin.ok("PUT", "/slots/mood", {"expires_after": "PT12H"})
        made = curator.ok(
            "POST", "/memories",
            {"user": "u", "text": "In a hurry", "key": "mood", "updated_at": "2026-01-01T00:00:00Z"},
        )  # fmt: skip
        assert made["expires_at"] == "2026-01-01T12:00:00+00:00"


class TestKeys:
    def test_shown_once(self, admin: Api) -> None:
        response = admin.post("/keys", {"name": "travel", "role": "agent", "teams": ["sales"]}, Idempotency_Key="k")
        assert response.status_code == 201
        made = response.json()
        secret = made["key"]
        assert secret.startswith(made["prefix"])
        Api(secret).ok("GET", "/sessions")
        again = admin.post("/keys", {"name": "travel", "role": "agent", "teams": ["sales"]}, Idempotency_Key="k")
        assert again.json() == made | {"key": None}
        assert secret not in str(list(IdempotencyRecord.objects.values()))
        assert ApiKey.objects.filter(name="travel").count() == 1
        listed = admin.ok("GET", "/keys?role=agent")["items"][0]
        assert secret not in str(listed)
        assert (listed["name"], listed["teams"]) == ("travel", ["sales"])
        assert listed["last_used_at"]

    def test_revoked(self, admin: Api, stranger: Api) -> None:
        made = admin.ok("POST", "/keys", {"role": "viewer"})
        problem(stranger("DELETE", f"/keys/{made['id']}"), 404)
        first = admin.ok("DELETE", f"/keys/{made['id']}")
        assert first["revoked_at"]
        problem(Api(made["key"]).get("/sessions"), 401)
        assert admin.ok("DELETE", f"/keys/{made['id']}") == first
        assert [k["id"] for k in admin.ok("GET", "/keys?revoked=true")["items"]] == [made["id"]]
        assert made["id"] not in [k["id"] for k in admin.ok("GET", "/keys?revoked=false")["items"]]

    def test_a_limited_key_makes_no_wider_one(self, workspace: Any, admin: Api) -> None:
        limited = caller(workspace, "admin", teams=("sales",))
        problem(limited.post("/keys", {"role": "admin"}), 403)
        problem(limited.post("/keys", {"role": "agent", "teams": ["sales", "legal"]}), 403)
        problem(limited.post("/keys", {"role": "agent", "teams": ["sales"]}), 403)
        problem(limited("DELETE", f"/keys/{admin.key.pk}"), 403)

    @pytest.mark.parametrize(
        ("body", "field"),
        [({}, "role"), ({"role": "owner"}, "role"), ({"role": "agent", "name": "x" * 121}, "name"),
         ({"role": "agent", "name": "a\nb"}, "name"), ({"role": "agent", "teams": ["a/b"]}, "teams.0"),
         ({"role": "agent", "name": "card 4111 1111 1111 1111"}, "name"), ({"role": "agent", "key": "x"}, "key")],
    )  # fmt: skip
    def test_keys_that_cannot_be(self, admin: Api, body: Any, field: str) -> None:
        problem(admin.post("/keys", body), 422, field)


OWN = {"name": "codes", "finds": "words", "entries": ["Bluebird"], "category": "secret", "why": "Not public"}


class TestPolicy:
    def test_own_rules_act_at_once_and_what_they_look_for_is_for_admins(
        self, admin: Api, viewer: Api, agent: Api, stranger: Api
    ) -> None:
        body = {"policy": {"own_rules": [OWN], "rules_off": ["pii.phone"]}, "why": "ours"}
        made = admin.ok("PUT", "/policy", body)["policy"]
        assert made["own_rules"] == [OWN | {"effect": "refuse", "on": True, "since": 2}]
        for path in ("/policy", "/policy/versions"):
            shown = viewer.ok("GET", path)
            assert "codes" in str(shown)
            assert "Bluebird" not in str(shown)
            assert "Not public" not in str(shown)
        assert "Bluebird" in str(admin.ok("GET", "/policy"))
        session = agent.ok("POST", "/sessions", {"user": "u-1"})["id"]
        note = agent.ok("POST", f"/sessions/{session}/notes", {"text": "Works on Bluebird"})
        assert "Bluebird" not in str(note)
        assert viewer.ok("GET", "/blocks")["items"][0]["rule"] == "own.codes"
        assert stranger.ok("GET", "/policy")["policy"]["own_rules"] == []

    def test_versions(self, admin: Api, viewer: Api, stranger: Api) -> None:
        assert viewer.ok("GET", "/policy")["version"] == 1
        made = admin.ok("PUT", "/policy", {"policy": {"idle_minutes": 20}, "why": "They are quick."}, If_Match="1")
        assert (made["version"], made["policy"]["idle_minutes"], made["author"]) == (2, 20, "admin key")
        assert made["policy"]["holds"]
        assert viewer.ok("GET", "/policy") == made
        problem(admin("PUT", "/policy", {"policy": {}, "why": "x"}, If_Match="1"), 412)
        admin.ok("PUT", "/policy", {"policy": {"holds": []}, "why": "Nothing waits."}, If_Match="2")
        assert [v["version"] for v in viewer.ok("GET", "/policy/versions")["items"]] == [3, 2]
        assert stranger.ok("GET", "/policy")["version"] == 1
        assert stranger.ok("GET", "/policy/versions")["items"] == []

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"policy": {}}, "why"),
            ({"policy": {}, "why": " "}, "why"),
            ({"why": "x"}, "policy"),
            ({"policy": [], "why": "x"}, "policy"),
            ({"policy": {"colour": 1}, "why": "x"}, "policy.colour"),
            ({"policy": {"idle_minutes": 0}, "why": "x"}, "policy.idle_minutes"),
            ({"policy": {"idle_minutes": "ten"}, "why": "x"}, "policy.idle_minutes"),
            ({"policy": {"related": 2}, "why": "x"}, "policy.related"),
            ({"policy": {"distill": []}, "why": "x"}, "policy.distill"),
            ({"policy": {"holds": 1}, "why": "x"}, "policy.holds"),
            ({"policy": {"holds": [1]}, "why": "x"}, "policy.holds"),
            ({"policy": {"holds": [{"name": "x", "needs": []}]}, "why": "x"}, "policy.holds"),
            ({"policy": {"holds": [{"name": [1], "needs": "admin"}]}, "why": "x"}, "policy.holds.name"),
            ({"policy": {"holds": [{"name": "x", "needs": "admin", "kind": {}}]}, "why": "x"}, "policy.holds.kind"),
            ({"policy": {"holds": [{"name": "x", "needs": "admin", "sensitive": 1}]}, "why": "x"},
             "policy.holds.sensitive"),
            ({"policy": {"holds": [{"name": "x", "needs": "admin"}] * 101}, "why": "x"}, "policy.holds"),
            ({"policy": {"own_rules": {}}, "why": "x"}, "policy.own_rules"),
            ({"policy": {"own_rules": [OWN, 1]}, "why": "x"}, "policy.own_rules.1"),
            ({"policy": {"own_rules": [OWN, OWN]}, "why": "x"}, "policy.own_rules.1.name"),
            ({"policy": {"own_rules": [OWN | {"entries": ["("], "finds": "patterns"}]}, "why": "x"},
             "policy.own_rules.0.entries"),
            ({"policy": {"own_rules": [OWN | {"entries": ["4111 1111 1111 1111"]}]}, "why": "x"},
             "policy.own_rules.0.entries"),
            ({"policy": {"rules_off": ["secret.token"]}, "why": "x"}, "policy.rules_off"),
            ({"policy": {"rules_off": [1]}, "why": "x"}, "policy.rules_off"),
        ],
    )  # fmt: skip
    def test_policies_that_cannot_be(self, admin: Api, viewer: Api, body: Any, field: str) -> None:
        problem(admin("PUT", "/policy", body), 422, field)
        assert viewer.ok("GET", "/policy")["version"] == 1


def test_the_audit_log(admin: Api, agent: Api, stranger: Api, memory: dict[str, Any]) -> None:
    session = agent.ok("POST", "/sessions", {"user": "u-1"})["id"]
    agent.ok("POST", f"/sessions/{session}/notes", {"text": "Likes the zebra"})
    events = admin.ok("GET", f"/audit?object={session}")["items"]
    assert [e["action"] for e in events] == ["session.open"]
    assert (events[0]["actor"]["kind"], events[0]["object_type"]) == ("key", "session")
    assert events[0]["address"] == "127.0.0.1"
    assert [e["action"] for e in admin.ok("GET", "/audit?action=note.")["items"]] == ["note.staged"]
    assert admin.ok("GET", "/audit?action=note.staged&object_type=note")["items"]
    assert admin.ok("GET", "/audit?action=note")["items"] == []
    mine = admin.ok("GET", f"/audit?actor={events[0]['actor']['id']}")["items"]
    assert {e["action"] for e in mine} >= {"session.open", "note.staged"}
    at = events[0]["at"].replace("+", "%2B")
    assert session not in [e["object"] for e in admin.ok("GET", f"/audit?after={at}")["items"]]
    assert session not in [e["object"] for e in admin.ok("GET", f"/audit?before={at}")["items"]]
    assert "zebra" not in str(admin.ok("GET", "/audit?limit=200"))
    assert "u-1" not in str([e["detail"] for e in admin.ok("GET", "/audit?limit=200")["items"]])
    problem(admin.get("/audit?what=x"), 422, "what")
    assert session not in str(stranger.ok("GET", "/audit"))


def test_runs(agent: Api, workspace: Any, stranger: Api) -> None:
    with mock.patch("consolidation.tasks.consolidate.delay"):
        made = {}
        for user, teams in (("u-1", []), ("u-2", ["legal"])):
            session = agent.ok("POST", "/sessions", {"user": user, "teams": teams})["id"]
            made[user] = (session, agent.ok("POST", f"/sessions/{session}/end")["run"])
    assert [r["id"] for r in agent.ok("GET", "/runs")["items"]] == [made["u-2"][1], made["u-1"][1]]
    assert [r["id"] for r in agent.ok("GET", "/runs?user=u-1&status=pending")["items"]] == [made["u-1"][1]]
    assert [r["id"] for r in agent.ok("GET", f"/runs?session={made['u-2'][0]}")["items"]] == [made["u-2"][1]]
    assert agent.ok("GET", "/runs?status=failed")["items"] == []
    limited = caller(workspace, "agent", teams=("sales",))
    assert [r["id"] for r in limited.ok("GET", "/runs")["items"]] == [made["u-1"][1]]
    assert stranger.ok("GET", "/runs")["items"] == []
    problem(agent.get("/runs?status=lost"), 422, "status")
