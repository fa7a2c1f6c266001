"""How a demo session is written down."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Kept:
    """A note that the agent keeps of what was just said: the quote it stands on, and what it says."""

    quote: str
    text: str
    key: str = ""
    value: Any = None
    condition: str = ""
    subject: str = ""
    kind: str = "semantic"
    scope: str = "user"
    team: str = ""
    role: str = "user"


@dataclass(frozen=True, slots=True)
class Ruled:
    """What a person made of it a little later: a decision approved or declined, or a block kept, known by its words."""

    text: str
    act: str  # approve | decline | keep
    by: str  # an operator's username
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """One session: who, how long ago, what was said, what was kept, how it ended (None: it is still open)."""

    name: str
    user: str
    days_ago: float
    turns: tuple[tuple[str, str], ...]
    kept: tuple[Kept, ...] = ()
    agent: str = "travel-assistant"
    teams: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    task: str = ""
    outcome: str = ""
    summary: str = ""
    asks: str = ""  # what the agent looks up before it answers
    ended: bool = True
    ruled: tuple[Ruled, ...] = ()
