"""A caller of the API in tests, and what every error must look like."""

import json
from typing import Any

from django.test import Client

from memory_app.actions.keys import create_key
from memory_app.domain.actor import Actor
from memory_app.models import ApiKey, Workspace

SHELL = Actor(kind="system", id="shell", label="manage.py", role="admin")


class Api:
    """Calls the API with one key."""

    def __init__(self, secret: str | None, key: ApiKey | None = None) -> None:
        self.secret, self.key = secret, key
        self.client = Client(raise_request_exception=False)

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        if self.secret is not None:
            headers = {"Authorization": f"Bearer {self.secret}"} | headers
        return self.client.generic(
            method,
            f"/api/v1{path}",
            raw,
            content_type="application/json",
            headers={k.replace("_", "-"): v for k, v in headers.items()},
        )

    def get(self, path: str, **headers: str) -> Any:
        return self("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self("POST", path, body, **headers)

    def ok(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The document of an answer that must be 2xx."""
        response = self(method, path, body, **headers)
        assert 200 <= response.status_code < 300, (response.status_code, response.content[:2000])
        return response.json()


def caller(workspace: Workspace, role: str, teams: tuple[str, ...] = ()) -> Api:
    key, secret = create_key(workspace, SHELL, role=role, teams=teams)
    return Api(secret, key)


def problem(response: Any, status: int, field: str | None = None) -> dict[str, Any]:
    """The problem document of an answer, checked for its shape."""
    assert response.status_code == status, (response.status_code, response.content[:2000])
    assert response.headers["Content-Type"] == "application/problem+json"
    document = response.json()
    assert document["status"] == status
    assert document["type"].startswith("urn:commonplace:problem:")
    assert isinstance(document["title"], str)
    assert document["title"]
    assert isinstance(document["detail"], str)
    assert document["detail"]
    assert isinstance(document["errors"], list)
    for error in document["errors"]:
        assert set(error) == {"field", "message"}
        assert error["message"]
    assert b"Traceback" not in response.content
    if field is not None:
        assert field in [error["field"] for error in document["errors"]], document
    if status == 401:
        assert response.headers["WWW-Authenticate"].startswith("Bearer")
    if status == 429:
        assert int(response.headers["Retry-After"]) >= 1
    return document
