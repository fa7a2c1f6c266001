"""A workspace and the actors that change its memory."""

import pytest

from memory_app.actions.sessions import open_session
from memory_app.domain.actor import Actor
from memory_app.models import Session, Workspace

AGENT = Actor("key", "key-1", "travel agent", "agent")
CURATOR = Actor("operator", "7", "Lin Qiao", "curator")
ADMIN = Actor("operator", "8", "Wen Admin", "admin")
OTHER_ADMIN = Actor("operator", "9", "Ana Admin", "admin")
KEY = Actor("key", "key-2", "back office", "admin")


@pytest.fixture
def workspace(db: None) -> Workspace:
    return Workspace.objects.create(slug="travel", name="Travel assistant")


@pytest.fixture
def session(workspace: Workspace) -> Session:
    return open_session(workspace, AGENT, user="zhang-san", agent="travel")[0]
