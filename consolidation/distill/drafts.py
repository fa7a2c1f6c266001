"""What goes into distillation and what comes out: frozen values, no behaviour."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

Guard = Callable[[str], str | None]
"""Answers the category of what makes a text unsafe, or None when it may be kept."""


@dataclass(frozen=True)
class SpokenTurn:
    """One masked turn of a session, as it was said."""

    id: str
    index: int
    role: str
    text: str
    at: datetime
    recalled: bool = False


@dataclass(frozen=True)
class DraftNote:
    """A candidate note with its evidence: `turn`'s text from `start` to `end` is `quote`."""

    text: str
    key: str | None
    value: Any
    turn: str
    quote: str
    start: int
    end: int
    said_at: datetime
    condition: str | None = None
    subject: str | None = None
    kind: str = "semantic"
    scope: str = "user"
    occurred_at: datetime | None = None
    confidence: float = 0.8
    retract: bool = False
    rule: str = ""
