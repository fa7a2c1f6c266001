"""What a request asks for this once, read by the same rules as what is said in a session."""

from datetime import datetime
from typing import Any

from .drafts import SpokenTurn
from .found import MANY
from .rules import distill

LONGEST = 600  # characters; what is longer tells a story rather than asking for something


def wished(text: str, at: datetime) -> dict[str, Any]:
    """The value that a request gives to each slot of the user's own; under a condition, or one among many, it is none."""
    if len(text) > LONGEST:
        return {}
    notes = distill([SpokenTurn("request", 0, "user", text, at)])
    return {
        note.key: note.value
        for note in notes
        if note.key and note.key not in MANY and note.value is not None and not (note.subject or note.condition)
    }
