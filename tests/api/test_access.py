"""Keys, roles, teams, and the other workspace, over every call."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from memory_app.models import ApiKey, Operator, Workspace

from .calls import Api, caller, problem

NOBODY = "00000000-0000-4000-8000-000000000000"
ANY, TALK, READ, CURATE, GOVERN = "asks", "talks", "reads", "curates", "governs"
ALLOWED = {
    ANY: {"agent", "viewer", "curator", "admin"},
    TALK: {"agent", "curator", "admin"},
    READ: {"viewer", "curator", "admin"},
    CURATE: {"curator", "admin"},
    GOVERN: {"admin"},
}
CALLS: list[tuple[str, str, Any, str]] = [
    ("POST", "/sessions", {"user": "u"}, TALK),
    ("GET", "/sessions", None, ANY),
    ("GET", "/sessions/{id}", None, ANY),
    ("POST", "/sessions/{id}/turns", {"turns": [{"role": "user", "content": "hi"}]}, TALK),
    ("GET", "/sessions/{id}/turns", None, ANY),
    ("POST", "/sessions/{id}/notes", {"text": "Likes tea"}, TALK),
    ("GET", "/sessions/{id}/notes", None, ANY),
    ("PUT", "/sessions/{id}/working", {"task": "x"}, TALK),
    ("POST", "/sessions/{id}/end", None, TALK),
    ("GET", "/sessions/{id}/decisions", None, ANY),
    ("GET", "/runs/{id}", None, ANY),
    ("POST", "/runs/{id}/retry", None, CURATE),
    ("GET", "/decisions", None, READ),
    ("GET", "/decisions/{id}", None, READ),
    ("POST", "/decisions/{id}/approve", None, CURATE),
    ("POST", "/decisions/{id}/decline", None, CURATE),
    ("POST", "/decisions/{id}/undo", None, CURATE),
    ("GET", "/blocks", None, READ),
    ("GET", "/blocks/{id}", None, READ),
    ("POST", "/recall", {"user": "u", "query": "tea"}, ANY),
    ("POST", "/context", {"user": "u"}, ANY),
    ("GET", "/memories", None, READ),
    ("POST", "/memories", {"user": "u", "text": "Likes tea"}, CURATE),
    ("GET", "/memories/{id}", None, READ),
    ("PATCH", "/memories/{id}", {"text": "x"}, CURATE),
    ("DELETE", "/memories/{id}", None, CURATE),
    ("GET", "/memories/{id}/history", None, READ),
    ("POST", "/memories/{id}/restore", {"version": 1}, CURATE),
    ("POST", "/memories/{id}/retract", None, CURATE),
    ("POST", "/memories/{id}/outcome", {"success": True}, TALK),
    ("POST", "/memories/{id}/merge", {"memories": [NOBODY]}, CURATE),
    ("POST", "/memories/{id}/split", {"parts": [{"text": "x"}, {"text": "y"}]}, CURATE),
    ("POST", "/blocks/{id}/release", {"reason": "x"}, CURATE),
    ("POST", "/blocks/{id}/keep", None, CURATE),
    ("POST", "/decisions/bulk", {"action": "approve", "ids": []}, CURATE),
    ("POST", "/sessions/{id}/approve", None, CURATE),
    ("POST", "/decisions/{id}/comments", {"text": "x"}, CURATE),
    ("GET", "/runs", None, ANY),
    ("GET", "/users", None, READ),
    ("GET", "/users/{id}/state", None, ANY),
    ("GET", "/users/{id}/export", None, GOVERN),
    ("DELETE", "/users/{id}", None, GOVERN),
    ("PUT", "/users/u/profile", {"fields": {}}, GOVERN),
    ("GET", "/workspace", None, READ),
    ("PATCH", "/workspace", {"solo": True}, GOVERN),
    ("GET", "/slots", None, READ),
    ("GET", "/slots/{id}", None, READ),
    ("PUT", "/slots/seat", {}, GOVERN),
    ("GET", "/keys", None, GOVERN),
    ("POST", "/keys", {"role": "agent"}, GOVERN),
    ("DELETE", "/keys/{id}", None, GOVERN),
    ("GET", "/audit", None, GOVERN),
    ("GET", "/policy", None, READ),
    ("GET", "/policy/versions", None, READ),
    ("PUT", "/policy", {"policy": {}, "why": "x"}, GOVERN),
    ("POST", "/guardrails/preview", {"text": "x"}, CURATE),
    ("POST", "/distill/preview", {"turns": []}, CURATE),
    ("POST", "/consolidation/preview", {"notes": []}, CURATE),
]


@pytest.mark.parametrize(("method", "path", "body", "who"), CALLS)
def test_roles(agent: Api, viewer: Api, curator: Api, admin: Api, method: str, path: str, body: Any, who: str) -> None:
    for role, api in {"agent": agent, "viewer": viewer, "curator": curator, "admin": admin}.items():
        response = api(method, path.replace("{id}", NOBODY), body)
        if role not in ALLOWED[who]:
            problem(response, 403)
        elif "{id}" in path:
            problem(response, 404)
        else:
            assert response.status_code < 300, response.content


@pytest.mark.parametrize(("method", "path", "body", "who"), CALLS)
def test_without_a_key(workspace: Workspace, method: str, path: str, body: Any, who: str) -> None:
    for secret in (None, "", "cpk_wrong", "\u00e9"):
        problem(Api(secret)(method, path.replace("{id}", NOBODY), body), 401)


def test_every_call_is_listed_here(client: Client) -> None:
    described = client.get("/api/v1/openapi.json").json()["paths"]
    found = {(m.upper(), p.replace("/api/v1", "")) for p, methods in described.items() for m in methods}
    known = {(m, p) for m, p, _, _ in CALLS}
    import re

    made = {("PUT", "/users/u/profile"): "/users/{id}/profile", ("PUT", "/slots/seat"): "/slots/{id}"}
    known = {(m, made.get((m, p), p)) for m, p in known}
    assert {(m, re.sub(r"\{\w+\}", "{id}", p)) for m, p in found} == known


def test_the_browser_session_is_not_accepted(workspace: Workspace, client: Client) -> None:
    client.force_login(Operator.objects.create_user("ada", is_superuser=True))
    problem(client.get("/api/v1/sessions"), 401)


def test_a_revoked_key(workspace: Workspace, agent: Api) -> None:
    agent.ok("GET", "/sessions")
    ApiKey.objects.filter(pk=agent.key.pk).update(revoked_at=timezone.now())
    problem(agent.get("/sessions"), 401)


def test_use_is_noted_once_a_minute(agent: Api) -> None:
    def used() -> Any:
        return ApiKey.objects.get(pk=agent.key.pk).last_used_at

    agent.ok("GET", "/sessions")
    first = used()
    assert first is not None
    agent.ok("GET", "/sessions")
    assert used() == first
    ApiKey.objects.update(last_used_at=first - timedelta(minutes=2))
    agent.ok("GET", "/sessions")
    assert used() > first


def test_only_the_digest_of_a_key_is_stored(agent: Api) -> None:
    row = ApiKey.objects.get(pk=agent.key.pk)
    stored = [str(getattr(row, field.attname)) for field in row._meta.concrete_fields]
    assert not any(agent.secret in value for value in stored)
    assert agent.secret.startswith(row.prefix)


def test_another_workspace_sees_nothing(
    agent: Api, stranger: Api, session: dict[str, Any], memory: dict[str, Any]
) -> None:
    path = f"/sessions/{session['id']}"
    agent.ok("POST", f"{path}/notes", {"text": "My password is hunter2-Xy9!"})
    for method, address, body in [
        ("GET", path, None),
        ("POST", f"{path}/turns", {"turns": [{"role": "user", "content": "x"}]}),
        ("GET", f"{path}/turns", None),
        ("POST", f"{path}/notes", {"text": "x"}),
        ("GET", f"{path}/notes", None),
        ("PUT", f"{path}/working", {}),
        ("POST", f"{path}/end", None),
        ("GET", f"{path}/decisions", None),
        ("GET", f"/memories/{memory['id']}", None),
        ("PATCH", f"/memories/{memory['id']}", {"text": "x"}),
        ("DELETE", f"/memories/{memory['id']}", None),
        ("GET", f"/memories/{memory['id']}/history", None),
        ("POST", f"/memories/{memory['id']}/restore", {"version": 1}),
        ("POST", "/recall", {"user": "u-1", "query": "x", "session": session["id"]}),
        ("POST", "/context", {"user": "u-1", "session": session["id"]}),
    ]:
        known = problem(stranger(method, address, body), 404)
        unknown = problem(
            stranger(
                method,
                address.replace(session["id"], NOBODY).replace(memory["id"], NOBODY),
                body and body | ({"session": NOBODY} if "session" in body else {}),
            ),
            404,
        )
        assert known == unknown
    for listing in ("/sessions", "/memories", "/decisions", "/blocks"):
        assert stranger.ok("GET", listing)["items"] == []
    assert stranger.ok("POST", "/recall", {"user": "u-1", "query": "seat"})["results"] == []
    problem(stranger.post("/memories", {"scope": "session", "session": session["id"], "text": "x"}), 422, "session")


class TestTeams:
    """A key limited to one team."""

    @pytest.fixture
    def limited(self, workspace: Workspace) -> Api:
        return caller(workspace, "admin", teams=("sales",))

    def test_other_teams_are_forbidden(self, limited: Api, admin: Api) -> None:
        own = admin.ok("POST", "/sessions", {"user": "u", "teams": ["sales"]})
        foreign = admin.ok("POST", "/sessions", {"user": "u", "teams": ["sales", "legal"]})
        memory = admin.ok("POST", "/memories", {"scope": "team", "team": "legal", "text": "Contracts are two pages"})
        limited.ok("GET", f"/sessions/{own['id']}")
        for method, address, body in [
            ("POST", "/sessions", {"user": "u", "teams": ["legal"]}),
            ("GET", f"/sessions/{foreign['id']}", None),
            ("POST", f"/sessions/{own['id']}/notes", {"text": "x", "scope": "team", "team": "legal"}),
            ("GET", f"/memories/{memory['id']}", None),
            ("PATCH", f"/memories/{memory['id']}", {"text": "y"}),
            ("POST", "/memories", {"scope": "team", "team": "legal", "text": "x"}),
            ("POST", "/recall", {"user": "u", "query": "x", "teams": ["legal"]}),
            ("POST", "/context", {"user": "u", "teams": ["legal"]}),
        ]:
            problem(limited(method, address, body), 403)

    def test_lists_leave_other_teams_out(self, limited: Api, admin: Api) -> None:
        own = admin.ok("POST", "/sessions", {"user": "u", "teams": ["sales"]})
        none = admin.ok("POST", "/sessions", {"user": "u"})
        admin.ok("POST", "/sessions", {"user": "u", "teams": ["legal"]})
        admin.ok("POST", "/memories", {"scope": "team", "team": "legal", "text": "Contracts are two pages"})
        assert {s["id"] for s in limited.ok("GET", "/sessions")["items"]} == {own["id"], none["id"]}
        assert limited.ok("GET", "/memories")["items"] == []
        assert limited.ok("GET", "/decisions")["items"] == []


def test_limits(agent: Api, curator: Api, settings: Any) -> None:
    import dataclasses

    settings.COMMONPLACE = dataclasses.replace(
        settings.COMMONPLACE, agent_calls_per_minute=3, curator_calls_per_minute=5
    )
    for _ in range(3):
        agent.ok("GET", "/sessions")
    response = agent.get("/sessions")
    problem(response, 429)
    assert 1 <= int(response.headers["Retry-After"]) <= 60
    problem(agent.post("/sessions", {"user": "u"}, Idempotency_Key="k"), 429)
    for _ in range(5):
        curator.ok("GET", "/sessions")
    problem(curator.get("/sessions"), 429)
