"""Test data, made through the actions that the product itself uses."""

from datetime import datetime, timedelta
from itertools import count
from typing import Any

from django.db import transaction
from django.utils import timezone

from memory_app.actions.content import NO_VECTOR, snapshot, to_json
from memory_app.actions.decisions import Proposal, record
from memory_app.actions.memories import NewMemory, remember
from memory_app.actions.notes import NewNote, retain_note
from memory_app.actions.sessions import NewTurn, add_turns, open_session
from memory_app.domain.actor import SYSTEM, Actor
from memory_app.models import Decision, Membership, Memory, Note, Operator, Session, Turn, Workspace

AGENT = Actor("key", "key-1", "travel agent", "agent")
BACK_OFFICE = Actor("key", "key-2", "back office", "admin")
PASSWORD = "a long sentence"
_numbers = count(1)


def make_workspace(slug: str = "travel", name: str = "Travel assistant", **fields: Any) -> Workspace:
    return Workspace.objects.create(slug=slug, name=name, **fields)


def make_operator(workspace: Workspace | None, role: str = "curator", username: str = "", **fields: Any) -> Operator:
    """An operator, in this role in the workspace; in none where it is None."""
    name = username or f"{role}.{next(_numbers)}"
    operator = Operator.objects.create_user(name, password=PASSWORD, **fields)
    if workspace is not None:
        Membership.objects.create(workspace=workspace, operator=operator, role=role)
    return operator


def actor_of(operator: Operator, role: str = "curator") -> Actor:
    return Actor("operator", str(operator.pk), str(operator), role)


def make_session(
    workspace: Workspace, user: str = "zhang-san", agent: str | None = "travel-assistant", **fields: Any
) -> Session:
    return open_session(workspace, AGENT, user=user, agent=agent, **fields)[0]


def make_turn(session: Session, content: str, role: str = "user", at: datetime | None = None, **fields: Any) -> Turn:
    return add_turns(session, AGENT, [NewTurn(role, content, at, **fields)])[0]


def make_note(session: Session, text: str, quote: str = "", **fields: Any) -> Note:
    """A note of the session, with the turn that its quote is found in. `note.block` tells where it was refused."""
    retained = retain_note(session, AGENT, NewNote(text=text, evidence_quote=quote, **fields))
    retained.note.block = retained.block  # type: ignore[attr-defined]
    return retained.note


def make_memory(workspace: Workspace, text: str, user: str = "zhang-san", **fields: Any) -> Memory:
    """A memory of the user that a key wrote, so it is not protected."""
    actor = fields.pop("actor", BACK_OFFICE)
    new = NewMemory(**({"scope": "user", "kind": "semantic", "text": text, "user": user} | fields))
    return remember(workspace, actor, new).memory


def make_decision(
    note: Note | None = None,
    action: str = "promote",
    *,
    memory: Memory | None = None,
    hold: bool = True,
    actor: Actor = SYSTEM,
    workspace: Workspace | None = None,
    **fields: Any,
) -> Decision:
    """A decision on a note, or on a memory alone, held unless told otherwise."""
    subject = note or memory
    assert subject is not None
    after = fields.pop("after", None)
    if after is None and action != "reject":
        after = _content(note, memory) | fields.pop("changes", {})
    values: dict[str, Any] = {
        "action": action,
        "rule": {"promote": "promote.durable", "override": "override.explicit_change", "dedupe": "dedupe.same_text",
                 "session_only": "session_only.this_time", "reject": "reject.not_durable",
                 "review": "review.failed"}.get(action, f"{action}.operator"),
        "kind": subject.kind, "scope": subject.scope if action != "session_only" else "session",
        "user": subject.user, "team": subject.team, "session": note.session if note else None, "note": note,
        "memory": memory, "before": snapshot(memory) if memory else None,
        "base_version": memory.version if memory else None, "after": after, "confidence": 0.91,
    }  # fmt: skip
    with transaction.atomic():
        proposal = Proposal(**(values | {"hold": hold} | fields))
        return record(workspace or subject.workspace, actor, proposal, NO_VECTOR)


def _content(note: Note | None, memory: Memory | None) -> dict[str, Any]:
    base = memory.state() if memory is not None else {"importance": 0.5, "priority": 5, "pinned": False}
    base.pop("author", None)
    if note is None:
        return to_json(base)
    names = (
        "text",
        "key",
        "value",
        "condition",
        "subject",
        "keywords",
        "kind",
        "sensitivity",
        "occurred_at",
        "expires_at",
    )
    own = {name: getattr(note, name) for name in names}
    return to_json(base | own | {"status": "active", "updated_at": note.said_at, "confirmed_at": note.said_at})


def days_ago(days: float) -> datetime:
    return timezone.now() - timedelta(days=days)
