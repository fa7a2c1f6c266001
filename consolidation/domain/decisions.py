"""The values that go into a decision and come out of it: frozen, plain, no Django, no I/O."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

Action = Literal["promote", "dedupe", "override", "session_only", "reject", "review"]
Needs = Literal["none", "curator", "admin"]

ACTIONS: tuple[Action, ...] = ("promote", "dedupe", "override", "session_only", "reject", "review")
#: Actions that change what is recalled outside the session.
CHANGES: frozenset[str] = frozenset({"promote", "dedupe", "override"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a candidate was said. `anchored` is False when the quote was not found in its turn."""

    role: str = "user"
    quote: str = ""
    anchored: bool | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A note that waits for a decision."""

    id: str
    text: str
    said_at: datetime
    key: str | None = None
    value: Any = None
    condition: str | None = None
    subject: str | None = None
    kind: str = "semantic"
    scope: str = "user"
    team: str | None = None
    occurred_at: datetime | None = None
    expires_at: datetime | None = None
    evidence: Evidence | None = None
    keywords: tuple[str, ...] = ()
    confidence: float | None = None
    retract: bool = False
    origin: str = "agent"  # agent | distilled | outcome | llm
    engine: str = "rules"  # what proposed it: the rules, or a model with its prompt
    blocked: str | None = None  # the guardrail's category at the consolidation stage
    found_by: str = ""  # the guardrail's rule that blocks it
    held: str | None = None  # the workspace's own rule by which a person looks at it first
    sensitivity: str | None = None
    recalled: bool = False  # the text came out of recall, so it is no new evidence
    shown: frozenset[str] = frozenset()  # the memories that recall had given its session before it was noted
    polarity: str | None = None  # "past" when the caller knows that it is over
    order: int = 0  # settles the order of what was said at the same moment, such as the turn's index


@dataclass(frozen=True, slots=True)
class Existing:
    """A memory as it stood when the decision was made. `version` is what a later check compares."""

    id: str
    text: str
    updated_at: datetime
    version: int = 1
    key: str | None = None
    value: Any = None
    condition: str | None = None
    subject: str | None = None
    kind: str = "semantic"
    scope: str = "user"
    team: str | None = None
    status: str = "active"  # active | archived | superseded | expired | deleted
    pinned: bool = False
    protected: bool = False
    source: str | None = None
    confirmed_at: datetime | None = None
    occurred_at: datetime | None = None
    expires_at: datetime | None = None
    deleted_at: datetime | None = None  # also set for a memory archived because the user retracted it
    cardinality: str | None = None
    sensitivity: str | None = None
    polarity: str | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """What a workspace knows about one key."""

    key: str
    cardinality: str = "one"  # one | many
    writers: tuple[str, ...] = ("user", "agent", "operator", "profile")
    expires_after: timedelta | None = None
    exposure: str = "context"
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory (or earlier candidate) that was compared, and how alike the texts are (0 to 1)."""

    memory: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Check:
    """One question that was asked on the way, by its stable name, and its answer."""

    name: str
    ok: bool


@dataclass(frozen=True, slots=True)
class Result:
    """What the memory will be when the decision is applied: its content, not its history."""

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
    occurred_at: datetime | None = None
    expires_at: datetime | None = None
    keywords: tuple[str, ...] = ()
    sensitivity: str | None = None
    polarity: str | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """One candidate's decision, with all that a person needs to judge it.

    `target` names the record as it stood: an existing memory, or the earlier candidate that wrote its present
    content. `root` names the same record across overrides: an existing memory, or the candidate that first
    made it; it is where a new version goes. `base_version` is the existing memory's version (None when the
    record was made in this run). `depends_on` are earlier candidates that must be applied first.
    """

    candidate: str
    action: Action
    rule: str
    proposed_action: str | None = None
    target: str | None = None
    root: str | None = None
    base_version: int | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    confidence: float = 1.0
    neighbours: tuple[Neighbour, ...] = ()
    result: Result | None = None
    checks: tuple[Check, ...] = ()
    hold: bool = False
    needs: Needs = "none"
    hold_reason: str | None = None
    depends_on: tuple[str, ...] = ()
    engine: str = "rules"


@dataclass(frozen=True, slots=True)
class ActiveMemory:
    """A live record once every decision is carried out, and the ids that its content comes from or that confirm it."""

    id: str
    sources: tuple[str, ...]
    memory: Result
    pinned: bool = False
    protected: bool = False
    contested: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """Decisions in the order they were said, and the live records afterwards.

    Decisions that are held count as carried out in `active`: it answers "what if all this is approved".
    """

    decisions: tuple[Decided, ...]
    active: tuple[ActiveMemory, ...]

    def decision(self, candidate: str) -> Decided:
        """The decision on this candidate."""
        return next(d for d in self.decisions if d.candidate == candidate)
