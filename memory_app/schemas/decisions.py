"""Decisions: why memory changed, or waits to, and what a person rules."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints

from .fields import GIVEN, Given, Line, NoteText, Remark, SeenRemark, Shown, Text, Value, shaped
from .sessions import Kind, Scope

Action = Literal[
    "promote", "dedupe", "override", "session_only", "reject", "review", "edit", "pin", "unpin", "archive",
    "restore", "merge", "split", "retract",
]  # fmt: skip
DecisionStatus = Literal["applied", "pending", "approved", "declined", "undone", "stale"]
_CODE = r"^[a-z0-9_.\-]*$"
ReasonCode = Annotated[Text, StringConstraints(max_length=40, pattern=_CODE), shaped(_CODE)]
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


class ModelSays(Shown):
    engine: str
    choice: str
    why: str
    tokens: int
    refused: str | None = Field(None, description="Why its answer counts for nothing.")


class ProposalShown(Shown):
    action: Action
    proposed_action: Action | None
    memory: UUID | None
    before: ContentShown | None
    after: ContentShown | None


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
    engine: str = Field(description="`rules`, `policy`, or a language model with the version of its prompt.")
    model: ModelSays | None = Field(description="What a language model made of it, where it was asked.")
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
    proposal: ProposalShown | None = Field(
        description="What was proposed, where a person ruled otherwise: with an edit, or as another action."
    )
    edited: list[Literal["text", "value"]] = Field(description="What a person edited of it as they approved it.")
    proposed_by: str
    decided_by: str | None
    decided_at: datetime | None
    reason_code: str | None
    replaces: UUID | None
    batch: UUID | None = Field(description="The call for many that last ruled on it; null: none has.")
    merged: list[UUID] = Field(description="Of a merge: the memories that go into `memory`.")
    parts: list[ContentShown] = Field(description="Of a split: what else becomes a memory of its own.")
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
    reason_code: ReasonCode | None = None


class CommentGiven(Given):
    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "Asked the user; they agree."}]})

    text: SeenRemark


class DecisionFilter(Given):
    """Decisions that match every field; those that cannot be ruled on (any more) are passed over."""

    status: DecisionStatus | None = None
    action: Action | None = None
    needs: Needs | None = None
    kind: Kind | None = None
    scope: Scope | None = None
    user: Line | None = None
    session: UUID | None = None
    batch: UUID | None = None


class ManyRuled(Given):
    """Which decisions, by `ids` or by `filter` (one of them), and what becomes of them."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"action": "approve", "filter": {"status": "pending", "action": "promote"}, "dry_run": True}],
            "oneOf": [
                {"required": ["ids"], "properties": {"ids": GIVEN, "filter": {"type": "null"}}},
                {"required": ["filter"], "properties": {"filter": GIVEN, "ids": {"type": "null"}}},
            ],
        }
    )

    action: Literal["approve", "decline", "undo"]
    ids: Annotated[list[UUID], Field(max_length=1_000)] | None = None
    filter: DecisionFilter | None = None
    comment: Remark = ""
    reason_code: ReasonCode = ""
    dry_run: bool = Field(default=False, description="Tell what would come of it, and write nothing.")


class SessionRuled(Given):
    """Without `ids` or `filter`: every decision of the session that waits."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"action": "approve", "dry_run": False}],
            "not": {"required": ["ids", "filter"], "properties": {"ids": GIVEN, "filter": GIVEN}},
        }
    )

    action: Literal["approve", "decline", "undo"] = "approve"
    ids: Annotated[list[UUID], Field(max_length=1_000)] | None = None
    filter: DecisionFilter | None = None
    comment: Remark = ""
    reason_code: ReasonCode = ""
    dry_run: bool = Field(default=False, description="Tell what would come of it, and write nothing.")


class LeftShown(Shown):
    decision: UUID
    code: Literal[
        "already_decided", "stale", "depends_on_later", "needs_two", "forbidden", "blocked", "needs_action",
        "not_found",
        "conflict", "not_reached",
    ]  # fmt: skip
    reason: str
    fresh: UUID | None = Field(description="The decision that waits in place of a stale one.")


class ManyDone(Shown):
    done: list[UUID] = Field(description="In the order they were done: oldest first, undone newest first.")
    left: list[LeftShown]
    batch: UUID = Field(description="Of all that was done; `filter: {batch}` finds it again, to undo it for example.")
    dry_run: bool
    more: bool = Field(description="Others match that this call did not reach: send it again.")


class UndoWanted(Given):
    model_config = ConfigDict(json_schema_extra={"examples": [{"cascade": False}]})

    cascade: bool = Field(default=False, description="Also undo later decisions that build on this one.")


class DecisionUndone(DecisionShown):
    undone: list[UUID] = Field(description="Every decision that was undone, this one last.")
