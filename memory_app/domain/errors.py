"""What can go wrong, in the product's words. The API and the pages turn these into answers."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with a field, and how to put it right; `code` is what pages know it by, in any language."""

    field: str
    message: str
    code: str = ""


#: Codes of fields that are right by themselves: they name what is not there, or do not fit what they are about.
UNKNOWN_REFERENCE, UNFIT = "unknown-reference", "unfit"


class CommonplaceError(Exception):
    """Base of all; the message is one sentence that a person can act on."""

    def __init__(self, message: str):
        super().__init__(message)
        self.message = message


class NotFound(CommonplaceError):
    """Unknown here, or in another workspace; the two cannot be told apart."""


class Forbidden(CommonplaceError):
    """The actor's role or teams do not allow this."""


class NeedsTwo(Forbidden):
    """Protected memory would change by one person alone; `ref` is which."""

    def __init__(self, message: str, ref: str):
        super().__init__(message)
        self.ref = ref


class Invalid(CommonplaceError):
    """A field cannot be accepted; `errors` names each with the remedy."""

    def __init__(self, *errors: FieldError):
        super().__init__("; ".join(f"{e.field}: {e.message}" for e in errors))
        self.errors = errors

    @classmethod
    def field(cls, field: str, message: str, code: str = "") -> "Invalid":
        return cls(FieldError(field, message, code))


class Conflict(CommonplaceError):
    """The state has moved on; `extra` holds what the caller needs to go on (ids as strings)."""

    def __init__(self, message: str, **extra: Any):
        super().__init__(message)
        self.extra = extra


class SlotOccupied(Conflict):
    """A live memory already fills this slot; `extra["memory"]` is its id."""


class AlreadyDecided(Conflict):
    """Another person was first; `extra["decision"]` is the decision as it is now."""


class Stale(Conflict):
    """The memory changed after the decision was made; `extra["decision"]` is the decision, now stale."""


class DependsOnLater(Conflict):
    """Later decisions build on this one; `extra["decisions"]` lists them, newest first."""


class PreconditionFailed(CommonplaceError):
    """The caller's `If-Match` names a version that is no longer current."""


class Blocked(CommonplaceError):
    """A guardrail refused the text; `block` is the recorded block, or None where nothing is recorded."""

    def __init__(self, message: str, block: Any, category: str):
        super().__init__(message)
        self.block = block
        self.category = category
