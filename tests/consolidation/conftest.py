"""A workspace, an agent, and a way to end a session and run its consolidation in this process."""

from collections.abc import Callable
from typing import Any

import pytest

from consolidation.actions import end_session, run_consolidation
from consolidation.models import ConsolidationRun
from memory_app.actions.notes import NewNote, retain_note
from memory_app.actions.sessions import NewTurn, add_turns, open_session
from memory_app.domain.actor import Actor
from memory_app.models import Session, Workspace

AGENT = Actor("key", "key-1", "travel agent", "agent")
KEY = Actor("key", "key-2", "back office", "admin")
CURATOR = Actor("operator", "7", "Lin Qiao", "curator")

Say = Callable[..., Session]


@pytest.fixture
def workspace(db: None) -> Workspace:
    return Workspace.objects.create(slug="travel", name="Travel assistant")


@pytest.fixture
def say(workspace: Workspace) -> Say:
    """A session in which the user said these things, each kept as a note: (quote, note fields)."""

    def make(*said: tuple[str, dict[str, Any]], user: str = "zhang-san", **fields: Any) -> Session:
        session, _ = open_session(workspace, AGENT, user=user, **fields)
        for quote, note in said:
            add_turns(session, AGENT, [NewTurn("user", quote)])
            new = {"text": quote, "evidence_role": "user", "evidence_quote": quote} | note
            retain_note(session, AGENT, NewNote(**new))
        return session

    return make


def consolidated(session: Session, **end: Any) -> ConsolidationRun:
    """The run of the ended session, done in this process."""
    run = end_session(session, AGENT, **end)
    run_consolidation(run.pk)
    run.refresh_from_db()
    return run
