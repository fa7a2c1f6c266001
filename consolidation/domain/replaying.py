"""A session run again in thought: what happened to each note against what would happen, in ids and names."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from .decisions import Decided
from .trials import Fate

#: What a reason says that is no word of anybody's.
OURS = ("category", "role", "correction")
#: A note that the guardrails refused; no decision has this action.
BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Side(Fate):
    """What became of a note, or would: its fate, the version of the memory that it met, and what the reason needs."""

    proposed: str = ""
    version: int | None = None
    confidence: float | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


NO_NOTE = Side("none")


@dataclass(frozen=True, slots=True)
class Row:
    """A note (or a turn, `turn:<id>:<place>`, where there was none), its first decision, and both sides."""

    note: str
    decision: str
    before: Side
    after: Side

    @property
    def differs(self) -> bool:
        """Whether a person would notice: the same by another rule is the same."""
        return _seen(self.before) != _seen(self.after)

    def to_json(self) -> dict[str, Any]:
        """Names and ids only: no word of the note."""
        return asdict(self)

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "Row":
        return cls(found["note"], found["decision"], Side(**found["before"]), Side(**found["after"]))


@dataclass(frozen=True, slots=True)
class Replay:
    """Every note of the session, and how much of what it was decided from could not be restored, by its name."""

    rows: tuple[Row, ...]
    missing: Mapping[str, int]

    @property
    def differing(self) -> list[Row]:
        return [row for row in self.rows if row.differs]

    @property
    def alike(self) -> list[Row]:
        return [row for row in self.rows if not row.differs]


def would_be(decided: Decided, made: Mapping[str, str]) -> Side:
    """The decision as a side. `made` are the memories that notes of the same run really became, by note."""
    root = decided.root or decided.target or ""
    return Side(
        decided.action, decided.hold, decided.needs, decided.rule, decided.hold_reason or "" if decided.hold else "",
        target=made.get(root, root), proposed=decided.proposed_action or "", version=decided.base_version,
        confidence=decided.confidence, params=ours(decided.params),
    )  # fmt: skip


def refused(category: str, rule: str) -> Side:
    """A note that the guardrails keep out before anything is decided."""
    return Side(BLOCKED, rule=rule, params={"category": category})


def ours(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: params[name] for name in OURS if name in params}


def counted(missing: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Only what there is any of."""
    return {name: count for name, count in missing if count}


def _seen(side: Side) -> tuple[str, str, bool, str, str]:
    return side.action, side.proposed, side.waits, side.needs, side.target
