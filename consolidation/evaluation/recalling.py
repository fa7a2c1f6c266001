"""A recall case's memories written and asked for, as an agent would. The caller takes all of it back."""

from dataclasses import dataclass, field
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
        if memory["status"] in NEVER_STORED:
            continue
        made = _remembered(scene, memory)
        if made is not None:
            ids[made] = memory["id"]
    asked: dict[str, Any] = {
        "user": given["user"],
        "query": given["query"],
        "now": parse_datetime(given["now"]),
        "teams": given["teams"],
        "actor": EVALUATOR,
    }
    if given.get("session"):
        asked["session"] = scene.session(given["user"], given["session"]).pk
    found = recall(workspace, **asked, limit=given["limit"])
    context = context_for(workspace, **asked)
    return Tried(
        [ids.get(str(one.memory.pk), "?") for one in found.results],
        {key: one.value for key, one in context.effective.items()},
        context.text,
    )


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
        updated_at=parse_datetime(memory["created_at"]),
        expires_at=parse_datetime(memory["expires_at"]) if memory.get("expires_at") else None,
        status="archived" if memory["status"] == "deleted" else memory["status"],
    )
    try:
        with transaction.atomic():
            return str(remember(scene.workspace, EVALUATOR, new).memory.pk)
    except Blocked:
        return None
