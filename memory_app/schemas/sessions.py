"""Sessions, turns, notes and working memory."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints

from .blocks import BlockShown
from .fields import (
    EXAMPLE_TIME,
    GIVEN,
    MAX_REQUEST,
    MAX_TURN,
    MAX_TURNS,
    TURNS_STORED,
    ExternalId,
    Fraction,
    Given,
    Happened,
    Key,
    Keywords,
    Line,
    Name,
    NoteText,
    Remark,
    Shown,
    Teams,
    Text,
    Time,
    Value,
    limited_json,
    together_with,
)

Speaker = Literal["user", "assistant", "tool", "system"]
Kind = Literal["semantic", "episodic", "procedural", "working"]
Scope = Literal["user", "session", "team"]
SessionStatus = Literal["open", "ended", "consolidating", "consolidated", "failed"]


class SessionGiven(Given):
    """A conversation that begins."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"user": "u-1001", "agent": "travel", "teams": ["sales"], "external_id": "c-1"}]
        }
    )

    user: Name = Field(description="The caller's own name for its end user.")
    agent: Name | None = None
    teams: Teams = Field(default=[], description="The user's teams; unknown ones are made.")
    external_id: ExternalId | None = Field(default=None, description="Unique for a user: again gives the same session.")
    started_at: Time | None = None
    metadata: Annotated[dict[str, Any], limited_json(20_000)] = {}


class SessionCounts(Shown):
    turns: int
    staged: int
    blocked: int
    decisions: dict[str, int]


class SessionShown(Shown):
    id: UUID
    ref: str
    user: str
    agent: str | None
    teams: list[str]
    external_id: str | None
    status: SessionStatus
    started_at: datetime
    last_active_at: datetime
    ended_at: datetime | None
    consolidated_at: datetime | None
    task: str | None
    outcome: str | None
    summary: str | None
    metadata: dict[str, Any]
    working: dict[str, Any] | None
    counts: SessionCounts


class TurnGiven(Given):
    role: Speaker
    content: Annotated[Text, StringConstraints(max_length=MAX_TURN)] = Field(
        description="Word for word; empty where a turn does nothing but call tools."
    )
    at: Time | None = None
    tool_calls: Annotated[Any, limited_json(MAX_TURN)] = None


class TurnsGiven(Given):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"turns": [{"role": "user", "content": "这次想靠窗", "at": EXAMPLE_TIME}]}]}
    )

    turns: Annotated[list[TurnGiven], TURNS_STORED] = Field(
        min_length=1,
        max_length=500,
        description=f"At most {MAX_TURNS:,} characters together; more is answered with 413.",
    )


class TurnPlace(Shown):
    id: UUID
    index: int


class TurnPlaces(Shown):
    turns: list[TurnPlace]


class TurnShown(TurnPlace):
    role: Speaker
    content: str
    at: datetime
    tool_calls: Any
    recalled: bool


class EvidenceGiven(Given):
    role: Speaker = "user"
    quote: Annotated[Text, StringConstraints(max_length=4_000)] = ""


class NoteGiven(Given):
    """A candidate for memory."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "text": "Prefers high-speed rail for short trips",
                    "key": "transport_preference",
                    "value": "high_speed_rail",
                    "condition": "short_trip",
                    "evidence": {"role": "user", "quote": "以后短途优先高铁"},
                }
            ],
            "oneOf": [
                {"properties": {"scope": {"enum": ["user", "session"]}}},
                {"required": ["scope", "team"], "properties": {"scope": {"const": "team"}, "team": GIVEN}},
            ],
        }
    )

    text: NoteText
    key: Key | None = None
    value: Value = Field(default=None, description="What the key holds; without a key it fills no slot.")
    condition: Line | None = None
    subject: Line | None = None
    keywords: Keywords = []
    kind: Kind = "semantic"
    scope: Scope = "user"
    team: Name | None = None
    said_at: Time | None = None
    occurred_at: Happened | None = None
    turn: UUID | None = None
    evidence: EvidenceGiven | None = None
    expires_at: Time | None = Field(default=None, description="A past one is kept: what comes of it has expired.")
    importance: Fraction | None = None
    confidence: Fraction | None = None
    retract: bool = False


class NoteKept(Shown):
    id: UUID
    status: Literal["staged", "blocked"]
    block: BlockShown | None


class EvidenceShown(Shown):
    role: str | None
    quote: str | None
    start: int | None
    end: int | None
    anchored: bool | None


class NoteShown(Shown):
    id: UUID
    ref: str
    status: Literal["staged", "blocked", "decided"]
    origin: Literal["agent", "distilled", "outcome"]
    text: str
    key: str | None
    value: Any
    condition: str | None
    subject: str | None
    keywords: list[str]
    kind: Kind
    scope: Scope
    team: str | None
    sensitivity: str | None
    said_at: datetime
    occurred_at: datetime | None
    expires_at: datetime | None
    importance: float | None
    confidence: float | None
    retract: bool
    turn: UUID | None
    evidence: EvidenceShown | None
    block: BlockShown | None
    created_at: datetime


class WorkingGiven(Given):
    """What the agent is in the middle of; replaced whole by the next one."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"task": "Plan a trip", "step": 2, "total_steps": 5, "variables": {"city": "Lyon"}}]
        }
    )

    task: Remark | None = None
    step: int | Annotated[Text, StringConstraints(max_length=500)] | None = Field(default=None)
    total_steps: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    variables: Annotated[dict[str, Any], limited_json(100_000)] | None = None
    intermediate_results: Annotated[Any, limited_json(100_000)] = None
    tool_calls: Annotated[Any, limited_json(100_000)] = None
    errors: Annotated[Any, limited_json(100_000), together_with("variables", "intermediate_results", "tool_calls")] = (
        Field(default=None, description=f"With the fields before it at most about {MAX_REQUEST:,} characters.")
    )


class SessionEnd(Given):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"task": "Book a trip to Lyon", "outcome": "success", "summary": "Booked by rail."}]
        }
    )

    task: Remark | None = None
    outcome: Literal["success", "failure", "unknown"] | None = None
    summary: Remark | None = None


class SessionEnded(Shown):
    run: UUID
    status: Literal["pending", "running", "done", "failed"]
