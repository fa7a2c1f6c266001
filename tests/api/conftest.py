from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache

from memory_app.models import Workspace

from .calls import Api, caller


@pytest.fixture(autouse=True)
def _fresh_counts(db: None) -> Iterator[None]:
    yield
    cache.clear()


@pytest.fixture
def workspace(db: None) -> Workspace:
    return Workspace.objects.create(slug="travel", name="Travel")


@pytest.fixture
def elsewhere(db: None) -> Workspace:
    return Workspace.objects.create(slug="elsewhere", name="Elsewhere")


@pytest.fixture
def agent(workspace: Workspace) -> Api:
    return caller(workspace, "agent")


@pytest.fixture
def viewer(workspace: Workspace) -> Api:
    return caller(workspace, "viewer")


@pytest.fixture
def curator(workspace: Workspace) -> Api:
    return caller(workspace, "curator")


@pytest.fixture
def admin(workspace: Workspace) -> Api:
    return caller(workspace, "admin")


@pytest.fixture
def stranger(elsewhere: Workspace) -> Api:
    """An admin of another workspace: may do everything, and must see nothing."""
    return caller(elsewhere, "admin")


@pytest.fixture
def session(agent: Api) -> dict[str, Any]:
    return agent.ok("POST", "/sessions", {"user": "u-1"})


@pytest.fixture
def memory(curator: Api) -> dict[str, Any]:
    return curator.ok(
        "POST",
        "/memories",
        {"user": "u-1", "scope": "user", "kind": "semantic", "text": "Prefers aisle seats", "key": "seat_preference",
         "value": "aisle", "updated_at": "2026-01-02T03:04:05+08:00"},
    )  # fmt: skip
