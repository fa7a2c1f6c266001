"""Runs and previews. In a preview, values carry the caller's own ids, and what is not known is passed over."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from consolidation.domain.policy_shape import POLICY
from memory_app.schemas.fields import (
    EXAMPLE_TIME,
    MAX_REQUEST,
    TURNS_TOGETHER,
    Fraction,
    Given,
    Happened,
    Line,
    NoteText,
    Remark,
    Shown,
    Text,
    Time,
    limited_json,
    opaque,
)
from memory_app.schemas.listing import Asked
from memory_app.schemas.sessions import Kind, Scope, Speaker

RunStatus = Literal["pending", "running", "done", "failed"]
OwnId = Annotated[
    Line, BeforeValidator(lambda value: str(value) if isinstance(value, int) else value), AfterValidator(opaque)
]
AnyValue = Annotated[Any, limited_json(20_000)]
PolicyDocument = Annotated[dict[str, Any], limited_json(60_000), Field(json_schema_extra=POLICY)]


class ModelCallShown(Shown):
    """One question to a language model: what for, how it ended and what it cost, never what was said."""

    purpose: Literal["distill", "judge"]
    engine: str = Field(description="The model and the version of its prompt.")
    outcome: str = Field(description="answered, or why there is no answer (docs/llm.md).")
    tokens: int
    attempts: int
    found: int = Field(description="How many proposals were believed.")
    dropped: dict[str, int] = Field(description="How many were not, by why.")


class RunShown(Shown):
    id: UUID
    session: UUID
    status: RunStatus
    cause: Literal["end", "idle", "button"]
    attempts: int
    error: str | None
    decisions: dict[str, int]
    model_calls: list[ModelCallShown] = Field(description="What a language model was asked; empty where none was.")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class Tolerant(BaseModel):
    """A value of a preview: case files and exports carry more fields than are needed here."""

    model_config = ConfigDict(extra="ignore")


class EvidenceTried(Tolerant):
    role: Speaker = "user"
    quote: Annotated[Text, StringConstraints(max_length=4_000)] = ""
    anchored: bool | None = None


class Tried(Tolerant):
    id: OwnId | None = None
    text: NoteText
    key: Annotated[Text, StringConstraints(max_length=100)] | None = None
    value: AnyValue = None
    condition: Line | None = None
    subject: Line | None = None
    kind: Kind = "semantic"
    scope: Scope | None = None
    team: Line | None = None
    occurred_at: Happened | None = None
    expires_at: Time | None = None
    polarity: Annotated[Text, StringConstraints(max_length=20)] | None = None
    sensitivity: Literal["health", "religion", "sexuality", "minor"] | None = None


class MemoryTried(Tried):
    version: Annotated[int, Field(ge=1, le=2**31 - 1)] = 1
    updated_at: Time | None = None
    confirmed_at: Time | None = None
    created_at: Time | None = None
    deleted_at: Time | None = None
    status: Literal["active", "archived", "superseded", "expired", "deleted"] = "active"
    pinned: bool = False
    protected: bool = False
    source: Line | None = None
    cardinality: Literal["one", "many"] | None = None


class NoteTried(Tried):
    said_at: Time | None = None
    evidence: EvidenceTried | None = None
    keywords: Annotated[list[Line], Field(max_length=50)] = []
    confidence: Fraction | None = None
    retract: bool = False
    origin: Literal["agent", "distilled", "outcome"] = "agent"
    recalled: bool = False


class ConsolidationTried(Given):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "existing": [
                        {
                            "id": "m1",
                            "text": "Prefers evening flights",
                            "key": "flight_time",
                            "value": "evening",
                            "updated_at": EXAMPLE_TIME,
                        }
                    ],
                    "notes": [
                        {
                            "id": "n1",
                            "text": "From now on prefers early flights",
                            "key": "flight_time",
                            "value": "early",
                            "said_at": "2026-10-09T10:24:00+08:00",
                        }
                    ],
                }
            ]
        }
    )

    existing: Annotated[list[MemoryTried], Field(max_length=500)] = []
    notes: Annotated[list[NoteTried], Field(max_length=200)]
    now: Time | None = None
    policy: PolicyDocument | None = None
    profile: Annotated[dict[str, Any], limited_json(20_000)] | None = None


class DecisionTried(Shown):
    note: str
    memory: str | None
    action: Literal["promote", "dedupe", "override", "session_only", "reject", "review"]
    proposed_action: str | None
    status: Literal["applied", "pending"]
    needs: Literal["none", "curator", "admin"]
    reason: str
    rule: str
    confidence: float
    neighbours: list[dict[str, Any]]
    checks: list[dict[str, Any]]


class ActiveTried(Shown):
    id: str
    sources: list[str]
    text: str
    key: str | None
    value: Any
    condition: str | None
    subject: str | None
    kind: str
    scope: str
    team: str | None
    updated_at: datetime
    confirmed_at: datetime
    occurred_at: datetime | None
    expires_at: datetime | None
    pinned: bool
    protected: bool
    contested: bool


class ConsolidationOutcome(Shown):
    decisions: list[DecisionTried]
    active: list[ActiveTried]


class TurnTried(Tolerant):
    id: OwnId | None = None
    role: Speaker
    content: Annotated[Text, StringConstraints(max_length=20_000)]
    at: Time | None = None
    recalled: bool = False


class DistillTried(Given):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"turns": [{"role": "user", "content": "以后短途优先高铁", "at": EXAMPLE_TIME}]}]
        }
    )

    turns: Annotated[
        list[TurnTried],
        Field(max_length=500, description=f"At most {MAX_REQUEST:,} characters together."),
        TURNS_TOGETHER,
    ]


class EvidenceFound(Shown):
    role: str
    quote: str


class NoteFound(Shown):
    text: str
    key: str | None
    value: Any
    condition: str | None
    subject: str | None
    kind: str
    scope: str
    said_at: datetime
    occurred_at: datetime | None
    turn: str
    evidence: EvidenceFound
    confidence: float
    retract: bool


class Distilled(Shown):
    notes: list[NoteFound]


class UserExport(Shown):
    """All that is held about one user. Entries are as the API shows them elsewhere, with what hangs on them."""

    format: str
    exported_at: datetime
    user: str
    id: UUID
    created_at: datetime
    last_seen_at: datetime
    profile: dict[str, Any]
    sessions: list[dict[str, Any]] = Field(description="Each with its turns, notes and runs.")
    memories: list[dict[str, Any]] = Field(description="Each with its versions and sources.")
    decisions: list[dict[str, Any]]
    blocks: list[dict[str, Any]]
    findings: list[dict[str, Any]] = Field(description="What readings of the store found, with masked excerpts.")
    injections: list[dict[str, Any]] = Field(
        description="What recall and context have shown agents; `text` is null where it holds words of another user."
    )


class PolicyShown(Shown):
    version: int
    policy: dict[str, Any]
    why: str | None
    author: str | None = Field(description="Null: the documented default.")
    created_at: datetime | None


class PolicyGiven(Given):
    """A whole policy: what is left out is as in the default."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "policy": {
                        "idle_minutes": 20,
                        "holds": [{"name": "episodes", "needs": "curator", "kind": "episodic"}],
                    },
                    "why": "Episodes are read by a person first.",
                }
            ]
        }
    )

    policy: PolicyDocument
    # Checked with the policy, so that both are named.
    why: Annotated[Remark, Field(json_schema_extra={"minLength": 1, "pattern": r"^[^\u0000]*[^\s\u0000][^\u0000]*$"})]


class RunsAsked(Asked):
    user: Line | None = None
    session: UUID | None = None
    status: RunStatus | None = None
