"""Recall and context."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints

from .fields import EXAMPLE_TIME, Given, Name, Shown, Teams, Text, Time, after
from .memories import MemoryShown
from .sessions import Kind, Scope, Speaker

Query = Annotated[Text, StringConstraints(max_length=4_000)]


class RecallWanted(Given):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"user": "u-1001", "query": "Which seat?", "limit": 5, "now": EXAMPLE_TIME}]}
    )

    user: Name
    query: Annotated[Query, StringConstraints(min_length=1)]
    session: UUID | None = None
    teams: Teams | None = Field(default=None, description="Default: the session's.")
    kinds: Annotated[list[Kind], Field(max_length=4)] | None = None
    scopes: Annotated[list[Scope], Field(max_length=3)] | None = None
    since: Time | None = None
    until: Annotated[Time | None, after("since")] = None
    limit: Annotated[int, Field(ge=1, le=50)] = 5
    explain: bool = Field(default=False, description="Say also what was left out, and at which gate.")
    now: Time | None = Field(default=None, description="The moment the answer is for (default: the clock).")
    as_of: Time | None = Field(default=None, description="Answer with what the store knew at this moment.")


class TurnAnswered(Shown):
    """Which turn an answer is: its text is the memory's."""

    id: UUID
    session: UUID
    index: int
    role: Speaker
    at: datetime


class Recollection(Shown):
    memory: MemoryShown
    score: float
    why: dict[str, Any]
    because: str
    turn: TurnAnswered | None


class Considered(Shown):
    memory: UUID
    reason: str
    rule: str | None = Field(description="Of the reason `guardrail`: the rule that keeps it back.")


class Recalled(Shown):
    intent: str
    keywords: list[str]
    results: list[Recollection]
    left_out: list[Considered] | None = Field(
        description="With `explain`: what was considered, with the first gate that it did not pass."
    )


class ContextWanted(Given):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"user": "u-1001", "query": "Book the flight", "token_budget": 800}]}
    )

    user: Name
    session: UUID | None = None
    teams: Teams | None = Field(default=None, description="Default: the session's.")
    query: Query | None = None
    token_budget: Annotated[int, Field(ge=50, le=32_000)] = 800
    trimmed: bool = Field(
        default=True, description="False: the prompt still holds every turn, so session notes are left out."
    )
    known: Annotated[Text, StringConstraints(max_length=64)] | None = Field(
        default=None,
        description="The `digest` of the block that the prompt holds already: the same block is not sent again.",
    )
    now: Time | None = None
    as_of: Time | None = None


class Effective(Shown):
    value: Any
    scope: Literal["request", "session", "profile", "user", "team"]
    memory: UUID | None


class Clarify(Shown):
    key: str
    options: list[Any]
    decisions: list[UUID]


class Context(Shown):
    text: str = Field(description="Empty where it is `unchanged`.")
    tokens: int = Field(description="Of the text, as `tokenizer` counts.")
    tokenizer: str
    digest: str = Field(description="Names these very bytes; give it as `known` with the next request.")
    unchanged: bool = Field(description="The prompt holds this block already, as `known` said.")
    effective: dict[str, Effective]
    clarify: list[Clarify]
    included: list[Considered]
    excluded: list[Considered]
