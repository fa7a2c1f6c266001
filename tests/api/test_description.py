"""The API's description, its docs page, its command, and health."""

import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from config import health
from consolidation.models import WorkerHeartbeat
from memory_app.models import ApiKey, Workspace

from .calls import Api


def test_every_operation_documents_its_errors(client: Client, db: None) -> None:
    schema = client.get("/api/v1/openapi.json").json()
    assert "Problem" in schema["components"]["schemas"]
    for address, methods in schema["paths"].items():
        for method, operation in methods.items():
            where = f"{method} {address}"
            assert operation["summary"], where
            assert operation["security"] == [{"ApiKeyBearer": []}], where
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    assert list(answer["content"]) == ["application/problem+json"], where
            assert {"401", "403", "404", "422", "429", "500"} <= set(operation["responses"]), where
            if method == "post" and not address.endswith("/preview"):
                assert any(p["name"] == "Idempotency-Key" for p in operation["parameters"]), where
            if "requestBody" in operation:
                body = operation["requestBody"]["content"]["application/json"]["schema"]
                name = (body.get("$ref") or body["allOf"][0]["$ref"]).rsplit("/", 1)[-1]
                assert schema["components"]["schemas"][name]["examples"], where


def test_the_docs_page_needs_nothing_inline(client: Client, db: None) -> None:
    page = client.get("/api/v1/docs")
    assert page.status_code == 200
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    html = page.content.decode()
    assert not re.search(r"<script(?![^>]*(src=|application/json))", html)
    assert not re.search(r"<style|\sstyle=|\son\w+=|https?://", html)


def test_a_key_is_made_by_command(db: None) -> None:
    out = StringIO()
    call_command("create_api_key", "--workspace", "new-one", "--role", "agent", "--team", "sales", stdout=out)
    secret = out.getvalue()
    assert secret == secret.strip() + "\n"
    key = ApiKey.objects.get()
    assert key.workspace == Workspace.objects.get(slug="new-one")
    assert [t.external_id for t in key.teams.all()] == ["sales"]
    assert Api(secret.strip()).ok("GET", "/sessions")["items"] == []
    call_command("create_api_key", "--workspace", "new-one", "--role", "admin", stdout=StringIO())
    assert Workspace.objects.count() == 1
    with pytest.raises(CommandError, match="workspace"):
        call_command("create_api_key", "--workspace", "No Good", "--role", "admin", stdout=StringIO())


class TestHealth:
    def test_up(self, client: Client, db: None) -> None:
        assert client.get("/healthz").json() == {"status": "ok"}

    @pytest.fixture(autouse=True)
    def _queues(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(health.CHECKS, "broker", lambda: "ok")

    def test_ready_when_everything_answers(self, client: Client, db: None) -> None:
        WorkerHeartbeat.objects.create(name="w", kind="worker", pid=1, beat_at=timezone.now())
        answer = client.get("/readyz")
        assert answer.status_code == 200
        assert set(answer.json()["checks"].values()) == {"ok"}

    def test_says_which_does_not(self, client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
        WorkerHeartbeat.objects.create(name="w", kind="worker", pid=1, beat_at=timezone.now() - timedelta(minutes=1))

        def down() -> Any:
            raise DatabaseError("password=hunter2")

        monkeypatch.setitem(health.CHECKS, "broker", down)
        answer = client.get("/readyz")
        assert answer.status_code == 503
        checks = answer.json()["checks"]
        assert checks["database"] == "ok"
        assert re.fullmatch(r"no sign of life for \d+ s", checks["worker"])
        assert checks["broker"] == "does not answer (DatabaseError)"
