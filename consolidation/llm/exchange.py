"""What is said to a server with a model, and what comes back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


class Failed(Exception):
    """The model gave no answer that can be used; `reason` is one of the names in docs/llm.md. It holds no content."""

    def __init__(self, reason: str, attempts: int = 1, tokens: int = 0) -> None:
        super().__init__(reason)
        self.reason, self.attempts, self.tokens = reason, attempts, tokens


class Passing(Exception):
    """Worth another attempt; `after` is how long the server asks to wait."""

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.reason, self.after = reason, after


@dataclass(frozen=True, slots=True)
class Completion:
    """What came back, and what it cost as the server counts it (0: it does not say)."""

    content: str
    tokens: int
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Question:
    """Messages, the schema that the answer must have, and the tokens that it may take."""

    messages: Sequence[Mapping[str, str]]
    name: str
    schema: Mapping[str, Any]
    room: int


@dataclass(frozen=True, repr=False)
class Server:
    """Where a model is. ``repr`` is the plain object's: the key is a secret."""

    url: str
    name: str
    key: str | None
