"""A workspace, its actors, and a short way to give it memories."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from memory_app.actions.memories import NewMemory, remember
from memory_app.actions.sessions import open_session
from memory_app.domain.actor import Actor
from memory_app.models import Memory, Session, Workspace

NOW = datetime(2026, 10, 5, 4, tzinfo=UTC)
AGENT = Actor("key", "key-1", "travel agent", "agent")
KEY = Actor("key", "key-2", "back office", "admin")
Give = Callable[..., Memory]


@pytest.fixture
def workspace(db: None) -> Workspace:
    return Workspace.objects.create(slug="travel", name="Travel assistant")


@pytest.fixture
def session(workspace: Workspace) -> Session:
    return open_session(workspace, AGENT, user="u1", teams=["t1"])[0]


@pytest.fixture
def give(workspace: Workspace) -> Give:
    """Stores a memory, by default of user u1 and said on 9 September."""

    def give(text: str, scope: str = "user", kind: str = "semantic", **fields: Any) -> Memory:
        place = fields.pop("workspace", workspace)
        state: dict[str, Any] = {"user": "u1", "updated_at": datetime(2026, 9, 9, 2, tzinfo=UTC)} | fields
        return remember(place, KEY, NewMemory(scope, kind, text, **state)).memory

    return give
