"""What is ranked: a memory as it was fetched."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class Item:
    """A memory as recall fetched it: already visible, active and unexpired. ``similarity`` is None where no vector
    could be compared; ``passed`` is the mark under which the injection guardrail let the stored words pass."""

    id: str
    version: int
    text: str
    tokens: Sequence[str]
    kind: str
    scope: str
    key: str
    value: Any
    condition: str
    subject: str
    similarity: float | None
    updated_at: datetime
    occurred_at: datetime | None
    confirmed_at: datetime
    importance: float = 0.5
    success_count: int = 0
    failure_count: int = 0
    pinned: bool = False
    priority: int = 5
    session_id: str | None = None
    user_id: str | None = None
    team_id: str | None = None
    passed: bytes | None = None
