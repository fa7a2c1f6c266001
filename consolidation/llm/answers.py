"""The shapes of answers. An answer that has another shape in any respect is no answer."""

import re
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from .exchange import Failed

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
#: Keywords of JSON schema that servers with strict output refuse; the parse below holds to them all the same.
_UNSENT = frozenset({"title", "default", "maxLength", "minLength", "maxItems", "pattern", "minimum", "maximum"})


def _readable(text: str) -> str:
    if _CONTROL.search(text):
        raise ValueError("holds control characters")
    return text


Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_readable)]
Sentence = Annotated[Words, StringConstraints(max_length=1_000)]
Quote = Annotated[Words, StringConstraints(max_length=2_000)]
Short = Annotated[Words, StringConstraints(max_length=200)]
Key = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
Choice = Literal["same", "replaces", "combined", "beside", "this_time", "not_kept", "unclear"]


class Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NoteProposed(Answer):
    """One thing worth remembering, and the words of the user that say it."""

    turn: Annotated[int, Field(ge=0, le=2**31 - 1)]
    quote: Quote
    text: Sentence
    kind: Literal["semantic", "episodic"]
    scope: Literal["user", "session"]
    key: Key | None
    value: Short | None
    condition: Short | None
    subject: Short | None


class NotesProposed(Answer):
    notes: Annotated[list[NoteProposed], Field(max_length=40)]


class VerdictGiven(Answer):
    """What the model makes of a note and a memory; `text` and `value` only where it combines the two."""

    choice: Choice
    quote: Annotated[str, StringConstraints(max_length=2_000), AfterValidator(_readable)]
    text: Sentence | None
    value: Short | None
    why: Annotated[Words, StringConstraints(max_length=500)]


Shape = TypeVar("Shape", bound=Answer)


def parsed(shape: type[Shape], content: str) -> Shape:
    """The content as this shape. Failed as `not_json` or `schema` where it is not."""
    try:
        return shape.model_validate_json(content, strict=True)
    except ValidationError as error:
        broken = any(one["type"] == "json_invalid" for one in error.errors(include_input=False, include_url=False))
        raise Failed("not_json" if broken else "schema") from None
    except (ValueError, RecursionError):
        raise Failed("not_json") from None


def schema_of(shape: type[Answer]) -> dict[str, Any]:
    """The JSON schema that is sent along: closed objects, every field required."""
    found = _sendable(shape.model_json_schema())
    assert isinstance(found, dict)
    return found


def _sendable(node: Any, names: bool = False) -> Any:
    """The node without what servers refuse; `names` where its keys are names of fields and not keywords."""
    if isinstance(node, list):
        return [_sendable(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        name: _sendable(one, names=not names and name in ("properties", "$defs"))
        for name, one in node.items()
        if names or name not in _UNSENT
    }
