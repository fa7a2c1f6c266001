"""Decisions: why memory changed, or waits to, and what a person rules."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints

from .fields import Given, NoteText, Remark, Shown, Text, Value
from .sessions import Kind, Scope

Action = Literal[
    "promote", "dedupe", "override", "session_only", "reject", "review", "edit", "pin", "unpin", "archive",
    "restore", "merge", "split", "retract",
]  # fmt: skip
DecisionStatus = Literal["applied", "pending", "approved", "declined", "undone", "stale"]
Needs = Literal["none", "curator", "admin"]


class NeighbourShown(Shown):
    memory: str
    similarity: float


class CheckShown(Shown):
    name: str
    ok: bool


class CommentShown(Shown):
    id: UUID
    author: str
    text: str
    at: datetime


class ContentShown(Shown):
    """What a memory held before, or will hold after."""

    text: str | None = None
    key: str | None = None
    value: Any = None
    condition: str | None = None
    subject: str | None = None
    keywords: list[str] = []
    kind: str | None = None
    status: str | None = None
    pinned: bool | None = None
    sensitivity: str | None = None
    importance: float | None = None
    priority: int | None = None
    confidence: float | None = None
    source: str | None = None
    updated_at: datetime | None = None
    confirmed_at: datetime | None = None
    occurred_at: datetime | None = None
    expires_at: datetime | None = None


class DecisionShown(Shown):
    id: UUID
    ref: str
    origin: Literal["consolidation", "operator", "agent", "policy"]
    user: str | None
    team: str | None
    session: UUID | None
    note: UUID | None
    kind: Kind
    scope: Scope
    action: Action
    proposed_action: Action | None
    status: DecisionStatus
    needs: Needs
    reason: str = Field(description="One sentence for a person, in the language of Accept-Language.")
    rule: str
    engine: str
    policy_version: int | None
    rule_set: str | None
    confidence: float
    sensitivity: str | None
    neighbours: list[NeighbourShown]
    checks: list[CheckShown]
    memory: UUID | None
    base_version: int | None
    before: ContentShown | None
    after: ContentShown | None
    proposed_by: str
    decided_by: str | None
    decided_at: datetime | None
    reason_code: str | None
    replaces: UUID | None
    comments: list[CommentShown]
    created_at: datetime


class Ruled(Given):
    """As it is, with an edit, or as another action."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"comment": "Checked with the user.", "base_version": 1}]}
    )

    comment: Remark | None = None
    base_version: Annotated[int, Field(ge=1, le=2**31 - 1)] | None = None
    text: NoteText | None = None
    value: Value = None
    action: Action | None = None
    memory: UUID | None = None
    reason_code: Annotated[Text, StringConstraints(max_length=40, pattern=r"^[a-z0-9_.\-]*$")] | None = None


class UndoWanted(Given):
    model_config = ConfigDict(json_schema_extra={"examples": [{"cascade": False}]})

    cascade: bool = Field(default=False, description="Also undo later decisions that build on this one.")


class DecisionUndone(DecisionShown):
    undone: list[UUID] = Field(description="Every decision that was undone, this one last.")
