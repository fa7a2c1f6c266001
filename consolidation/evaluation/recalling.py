"""A recall case's memories written and asked for, as an agent would. The caller takes all of it back."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.utils.dateparse import parse_datetime

from memory_app.actions.memories import NewMemory, remember
from memory_app.actions.sessions import open_session
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Blocked
from memory_app.models import Session, Workspace
from memory_app.recall import context_for, recall

EVALUATOR = Actor("key", "evaluation", "evaluation", "admin")
#: Such memories were never let in.
NEVER_STORED = ("rejected", "pending_review")
#: Of a case that says none: what the API takes.
LIMIT = 5
#: Since when a memory is true whose case says no time.
EVER = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Tried:
    """The case's ids that came back, in order, and the context block."""

    ids: list[str]
    effective: dict[str, Any] = field(default_factory=dict)
    text: str = ""


@dataclass(slots=True)
class _Scene:
    workspace: Workspace
    sessions: dict[tuple[str, str], Session] = field(default_factory=dict)

    def session(self, user: str, name: str) -> Session:
        if (user, name) not in self.sessions:
            opened, _ = open_session(self.workspace, EVALUATOR, user=user, external_id=f"{user}-{name}")
            self.sessions[user, name] = opened
        return self.sessions[user, name]


def try_recall(workspace: Workspace, given: dict[str, Any]) -> Tried:
    """What recall and context give for the case's question over the case's memories."""
    scene, ids = _Scene(workspace), {}
    for memory in given["memories"]:
        if memory.get("status") in NEVER_STORED:
            continue
        made = _remembered(scene, memory)
        if made is not None:
            ids[made] = memory["id"]
    asked: dict[str, Any] = {
        "user": given["user"],
        "query": given["query"],
        "now": _moment(given.get("now")),
        "teams": given.get("teams") or [],
        "actor": EVALUATOR,
    }
    if given.get("session"):
        asked["session"] = scene.session(given["user"], given["session"]).pk
    found = recall(workspace, **asked, limit=given.get("limit") or LIMIT)
    context = context_for(workspace, **asked)
    return Tried(
        [ids.get(str(one.memory.pk), "?") for one in found.results],
        {key: one.value for key, one in context.effective.items()},
        context.text,
    )


def _moment(given: str | None) -> datetime | None:
    """The moment, in UTC where it says no offset; None where there is none."""
    found = parse_datetime(given) if given else None
    return found.replace(tzinfo=UTC) if found and found.tzinfo is None else found


def _remembered(scene: _Scene, memory: dict[str, Any]) -> str | None:
    """The id it was stored under; None where the guardrails refuse it: then it is simply not there."""
    scope = "team" if memory.get("team") else "session" if memory.get("session") else "user"
    new = NewMemory(
        scope=scope,
        kind=memory.get("kind") or "semantic",
        text=memory["text"],
        user=memory.get("user"),
        session=scene.session(memory["user"], memory["session"]) if memory.get("session") else None,
        team=memory.get("team"),
        key=memory.get("key") or "",
        value=memory.get("value"),
        condition=memory.get("condition") or "",
        subject=memory.get("subject") or "",
        updated_at=_moment(memory.get("updated_at") or memory.get("created_at") or memory.get("confirmed_at")) or EVER,
        confirmed_at=_moment(memory.get("confirmed_at")),
        expires_at=_moment(memory.get("expires_at")),
        pinned=bool(memory.get("pinned")),
        status="archived" if memory.get("status") == "deleted" else memory.get("status") or "active",
    )
    try:
        with transaction.atomic():
            return str(remember(scene.workspace, EVALUATOR, new).memory.pk)
    except Blocked:
        return None
