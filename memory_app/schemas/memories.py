"""Memories, their versions, and changes of them."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints

from .fields import (
    EXAMPLE_TIME,
    GIVEN,
    Fraction,
    Given,
    Happened,
    Key,
    Keywords,
    Line,
    Name,
    NoteText,
    Shown,
    Time,
    Value,
)
from .sessions import Kind, Scope

MemoryStatus = Literal["active", "archived", "superseded", "expired"]
Priority = Annotated[int, Field(ge=0, le=10)]
Source = Annotated[Line, StringConstraints(max_length=100)]
LASTING: dict[str, Any] = {"enum": ["semantic", "episodic", "procedural"]}  # what is no session's own


class MemoryContent(Shown):
    kind: Kind
    key: str | None
    value: Any
    condition: str | None
    subject: str | None
    text: str
    keywords: list[str]
    status: MemoryStatus
    superseded_by: UUID | None
    pinned: bool
    sensitivity: str | None
    importance: float
    priority: int
    confidence: float | None
    source: str | None
    updated_at: datetime
    occurred_at: datetime | None
    confirmed_at: datetime
    expires_at: datetime | None


class MemoryShown(MemoryContent):
    """What is remembered, as it is now."""

    id: UUID
    ref: str
    version: int
    user: str | None
    session: UUID | None
    team: str | None
    scope: Scope
    protected: bool
    contested: bool
    drifting: bool = Field(description="Its value was replaced three times or more within a year.")
    success_count: int
    failure_count: int
    recall_count: int
    created_at: datetime
    recorded_at: datetime


class VersionAuthor(Shown):
    kind: Literal["operator", "key", "policy", "system"]
    name: str


class VersionDecision(Shown):
    id: UUID
    ref: str
    origin: str
    action: str
    status: str
    rule: str
    reason: str
    proposed_by: str
    decided_by: str | None
    decided_at: datetime | None


class VersionShown(MemoryContent):
    version: int
    recorded_at: datetime
    author: VersionAuthor
    decision: VersionDecision | None


class MemoryGiven(Given):
    """A memory written directly; past memories are imported so."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "user": "u-1001",
                    "scope": "user",
                    "kind": "semantic",
                    "text": "Prefers aisle seats",
                    "key": "seat_preference",
                    "value": "aisle",
                    "updated_at": EXAMPLE_TIME,
                }
            ],
            "oneOf": [
                {"required": ["user"], "properties": {"scope": {"const": "user"}, "user": GIVEN, "kind": LASTING}},
                {
                    "required": ["scope", "team"],
                    "properties": {"scope": {"const": "team"}, "team": GIVEN, "kind": LASTING},
                },
                {"required": ["scope", "session"], "properties": {"scope": {"const": "session"}, "session": GIVEN}},
            ],
        }
    )

    user: Name | None = None
    session: UUID | None = None
    team: Name | None = None
    scope: Scope = "user"
    kind: Kind = "semantic"
    text: NoteText
    key: Key | None = None
    value: Value = Field(default=None, description="What the key holds; without a key it fills no slot.")
    condition: Line | None = None
    subject: Line | None = None
    keywords: Keywords = []
    source: Source | None = None
    importance: Fraction = 0.5
    priority: Priority = 5
    confirmed_at: Time | None = None
    updated_at: Time | None = Field(default=None, description="Since when this is true (default: now).")
    occurred_at: Happened | None = None
    expires_at: Time | None = Field(default=None, description="A past one is kept: the memory has expired.")
    pinned: bool = False
    status: Literal["active", "archived", "superseded"] = "active"
    on_conflict: Literal["override"] | None = Field(
        None, description="What to do where the slot is filled: a new version; absent: answer 409."
    )


def _without_defaults(schema: dict[str, Any]) -> None:
    """An absent field stays as it is, so none has a default; the ones in the class only make it optional."""
    for field in schema["properties"].values():
        field.pop("default", None)
    schema["minProperties"] = 1
    schema["examples"] = [{"text": "Prefers window seats", "value": "window"}]


class MemoryChanges(Given):
    """The fields to change; those that are absent stay as they are."""

    model_config = ConfigDict(json_schema_extra=_without_defaults)

    text: NoteText = ""
    key: Key | None = None
    value: Value = Field(default=None, description="What the key holds; without a key it fills no slot.")
    condition: Line | None = None
    subject: Line | None = None
    keywords: Keywords = []
    kind: Kind = "semantic"
    importance: Fraction = 0.5
    priority: Priority = 5
    confidence: Fraction | None = None
    occurred_at: Happened | None = None
    expires_at: Time | None = Field(default=None, description="A past one is kept: the memory has expired.")
    pinned: bool = False


class VersionWanted(Given):
    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 1}]})

    version: Annotated[int, Field(ge=1, le=2**31 - 1)]


class OutcomeGiven(Given):
    model_config = ConfigDict(json_schema_extra={"examples": [{"success": True}]})

    success: bool


class MergeWanted(Given):
    """Which memories go into this one, and what it says then (default: what it says now)."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"memories": ["3f2b8c1e-8d0a-4b8e-9a52-0c6f5d1e7a90"], "text": "Prefers aisle seats"}]
        }
    )

    memories: Annotated[list[UUID], Field(min_length=1, max_length=20)]
    text: NoteText | None = None
    value: Value = Field(default=None, description="What the key holds; without a key it fills no slot.")


class PartGiven(Given):
    text: NoteText
    key: Key | None = None
    value: Value = Field(default=None, description="What the key holds; without a key it fills no slot.")
    condition: Line | None = None
    subject: Line | None = None
    keywords: Keywords = []


class SplitWanted(Given):
    """What the memory says, in parts. The first stays in the memory, each other one becomes a memory of its own. What a
    part leaves out but `key` and `value` it has from the memory."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "parts": [
                        {"text": "Likes tea", "key": "likes", "value": "tea"},
                        {"text": "Likes coffee", "key": "likes", "value": "coffee"},
                    ]
                }
            ]
        }
    )

    parts: Annotated[list[PartGiven], Field(min_length=2, max_length=20)]
