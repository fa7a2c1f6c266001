"""What a rule has found in a statement: a slot with its value, in words."""

from dataclasses import dataclass, field
from typing import Any

from .clauses import QUOTED
from .open_slots import clean
from .reading import Statement

#: Keys under which several values stand side by side.
MANY = frozenset({
    "likes", "dislikes", "allergy", "languages_spoken", "hobby", "pet", "episode", "fact", "travel_wish", "goal",
    "error_fix", "command", "room_location", "reply_format",
})  # fmt: skip


@dataclass(frozen=True)
class Found:
    """A slot with its value and the note's text in the language of the clause."""

    key: str | None
    value: Any
    text: str
    start: int
    end: int
    family: str = ""
    kind: str = "semantic"
    scope: str | None = None
    told: bool = False
    licensed: bool = True
    wide: bool = False
    others: bool = True
    negative: bool = False
    confidence: float = 0.85
    condition: str | None = None
    occurred: Any = None
    template: tuple[str, str] = field(default=("{}", "{}"))
    #: The only thing that its clause says.
    alone: bool = False


def unquoted(value: str, st: Statement) -> str:
    """The value with the words of a masked quotation in it, such as a title."""
    if QUOTED not in value:
        return value
    at = st.clause.raw.find(value)
    return clean(st.clause.said[at : at + len(value)]) if at >= 0 else value.replace(QUOTED, "")
