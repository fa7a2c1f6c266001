"""A workspace that has opted in, a session in which the user said things, and a server that plays the model."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from consolidation.actions import end_session, run_consolidation
from consolidation.actions.policies import put_policy
from consolidation.models import ConsolidationRun
from memory_app.actions.notes import NewNote, retain_note
from memory_app.actions.sessions import NewTurn, add_turns
from memory_app.domain.actor import Actor
from memory_app.models import Session, Workspace
from tests.factories import AGENT, make_session

from .server import Server, serving

KEY = "llm-key-7d1f0c"
ADMIN = Actor("operator", "9", "Wen Li", "admin")
Says = Callable[..., Session]


@pytest.fixture
def server(settings: Any) -> Iterator[Server]:
    """The configured model: this process asks it, with ten seconds for an answer."""
    with serving() as running:
        settings.COMMONPLACE = replace(
            settings.COMMONPLACE, llm_url=running.url, llm_model="small-model", llm_key=KEY, llm_timeout_seconds=10
        )
        yield running


@pytest.fixture
def workspace(transactional_db: None) -> Workspace:
    return Workspace.objects.create(slug="travel", name="Travel assistant")


@pytest.fixture
def opted_in(workspace: Workspace) -> Workspace:
    opt_in(workspace)
    return workspace


def opt_in(workspace: Workspace, **policy: Any) -> None:
    put_policy(workspace, ADMIN, {"distill": "llm", "llm_judges": True} | policy, "A model helps.")


@pytest.fixture
def says(workspace: Workspace) -> Says:
    """A session with these turns, the user's unless they say whose: nothing noted by its agent."""

    def make(*turns: str | tuple[str, str], user: str = "zhang-san") -> Session:
        session = make_session(workspace, user=user)
        for turn in turns:
            role, text = turn if isinstance(turn, tuple) else ("user", turn)
            add_turns(session, AGENT, [NewTurn(role, text)])
        return session

    return make


def noted(session: Session, quote: str, **note: Any) -> None:
    """The user says this and the agent keeps a note of it."""
    add_turns(session, AGENT, [NewTurn("user", quote)])
    retain_note(session, AGENT, NewNote(**({"text": quote, "evidence_role": "user", "evidence_quote": quote} | note)))


def consolidated(session: Session) -> ConsolidationRun:
    run = end_session(session, AGENT)
    run_consolidation(run.pk)
    run.refresh_from_db()
    return run
