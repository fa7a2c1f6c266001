"""The kinds of values that requests are made of. What PostgreSQL or a prompt cannot hold is refused here."""

import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
)
from pydantic_core import PydanticCustomError

from memory_app import guardrails
from memory_app.domain.errors import UNFIT

EARLIEST, LATEST = datetime(1900, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)
EXAMPLE_TIME = "2026-09-09T10:24:00+08:00"
OUT_OF_RANGE = "must be between the years 1900 and 9998; leave it out for none."
_SNAKE = r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*"
_PLAIN_ID = re.compile(r"[A-Za-z_-]{0,12}\d{0,5}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
#: These make a name read as another: they turn the direction of what follows, or are not seen at all.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}")

MAX_NOTE = 2_000
MAX_TURN = 100_000
MAX_VALUE = 2_000
#: What one request holds at most, so that reading it takes seconds: characters, and values and names of one JSON field.
MAX_REQUEST = 200_000
#: The turns of one request that stores them, and no more is done with them at once.
MAX_TURNS = 500_000
MAX_VALUES = 10_000


class Given(BaseModel):
    """A request body: a field that is not known is refused by its name, so that no typing error is lost."""

    model_config = ConfigDict(extra="forbid")


class Shown(BaseModel):
    """An answer, or a part of one."""


def wrong(message: str, kind: str = "refused") -> PydanticCustomError:
    """An error whose message is a remedy and repeats nothing of what was given; of the kind `UNFIT` where the value is
    right by itself, but not beside others."""
    return PydanticCustomError(kind, message)


def shaped(pattern: str) -> Any:
    """What a text may be made of, as descriptions say it to callers; what refuses it stands beside."""
    return Field(json_schema_extra={"pattern": pattern})


def unstorable(text: str) -> str | None:
    """Why this text cannot be stored, or None."""
    if "\x00" in text:
        return "must not contain the character NUL."
    if any("\ud800" <= c <= "\udfff" for c in text):
        return "must not contain a lone surrogate."
    return None


def _storable(text: str) -> str:
    problem = unstorable(text)
    if problem:
        raise wrong(problem)
    return text


def not_blank(text: str) -> str:
    """The text; refused where nothing in it can be seen."""
    if not text.strip():
        raise wrong("must not be blank.")
    return text


def _one_line(text: str) -> str:
    if any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in text) or _TURNING.search(text):
        raise wrong("must not contain control characters.")
    return text


def _no_slash(text: str) -> str:
    if "/" in text:
        raise wrong("must not contain a slash.")
    return text


def opaque(text: str) -> str:
    """An id of the caller's own, which comes back in the answer."""
    if not _PLAIN_ID.fullmatch(text) and guardrails.mask(text).findings:
        raise wrong("holds a secret, payment detail or personal identifier; use an opaque identifier.")
    return text


def _time_text(value: Any) -> Any:
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not _DATED.match(value):
        raise wrong(f"must be an ISO 8601 time with an offset, such as {EXAMPLE_TIME}.")
    if not re.search(r"([Zz]|[+-]\d{2}:?\d{2})$", value.strip()):
        plus = " In an address, write the plus sign as %2B." if re.search(r" \d{2}:\d{2}$", value) else ""
        raise wrong(f"needs an offset from UTC, such as {EXAMPLE_TIME} or 2026-09-09T02:24:00Z.{plus}")
    return value


def _day_or_time(value: Any) -> Any:
    """A day stands for its first moment: of most that happened no more is known."""
    whole = isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value)
    return _time_text(f"{value}T00:00:00Z" if whole else value)


def _sane_time(value: datetime) -> datetime:
    try:
        moment = value.astimezone(UTC)
    except OverflowError:
        raise wrong(OUT_OF_RANGE) from None
    if not EARLIEST <= moment <= LATEST:
        raise wrong(OUT_OF_RANGE)
    return moment


def _key(text: str) -> str:
    if not re.fullmatch(_SNAKE, text):
        raise wrong("must be snake_case: lower-case letters, digits and single underscores, such as seat_preference.")
    return text


def _value(value: Any) -> Any:
    """Any JSON scalar, or the steps and tools of a procedure."""
    if isinstance(value, str) and len(value) > MAX_VALUE:
        raise wrong(f"must have at most {MAX_VALUE} characters.")
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) >= 2**63:
        raise wrong("must be a number below 2^63; give a longer one as a string.")
    if isinstance(value, list) or (isinstance(value, dict) and (not value or set(value) - {"steps", "tools"})):
        raise wrong("must be a JSON scalar, or {steps: […], tools: […]} for a procedural note.")
    if isinstance(value, dict):
        for part in value.values():
            if not isinstance(part, list) or len(part) > 100 or len(str(part)) > 20_000:
                raise wrong("steps and tools must be lists of at most 100 entries.")
    return value


def nodes(value: Any) -> Iterable[Any]:
    """Every value inside a JSON value, itself included; names of members too."""
    stack = [value]
    while stack:
        item = stack.pop()
        yield item
        if isinstance(item, dict):
            stack.extend(item.keys())
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def after(start: str) -> AfterValidator:
    """Refuses a moment that is before the one in the field `start`, which stands before it in its model."""

    def check(value: datetime | None, info: ValidationInfo) -> datetime | None:
        begins = info.data.get(start)
        if value is not None and begins is not None and value < begins:
            raise wrong(f"must not be before {start}.", UNFIT)
        return value

    return AfterValidator(check)


def limited_json(characters: int) -> AfterValidator:
    """Refuses a JSON value whose strings and members together are longer than this."""

    def check(value: Any) -> Any:
        size, count = size_of(value)
        if size > characters:
            raise wrong(f"is too large: at most about {characters:,} characters of JSON.")
        if count > MAX_VALUES:
            raise wrong(f"is too large: at most {MAX_VALUES:,} values and names of JSON.")
        return value

    return AfterValidator(check)


def size_of(value: Any) -> tuple[int, int]:
    """About how many characters of JSON this is, and how many values and names."""
    sizes = [len(item) if isinstance(item, str) else 4 for item in nodes(value)]
    return sum(sizes), len(sizes)


def _size_of_turns(turns: list[Any]) -> int:
    return sum(len(turn.content) + size_of(getattr(turn, "tool_calls", None))[0] for turn in turns)


def _turns_together(turns: list[Any]) -> list[Any]:
    """The turns; refused where one request holds more than is read at once."""
    if _size_of_turns(turns) > MAX_REQUEST:
        raise wrong(f"hold more than {MAX_REQUEST:,} characters together; send them in several requests.")
    return turns


def _turns_stored(turns: list[Any]) -> list[Any]:
    """The turns; too large where one request holds more than is stored at once."""
    if _size_of_turns(turns) > MAX_TURNS:
        told = f"hold more than {MAX_TURNS:,} characters together; send them in several requests."
        raise PydanticCustomError("too_large", told)
    return turns


def together_with(*fields: str) -> AfterValidator:
    """Refuses a JSON value that with these fields, which stand before it in its model, is more than is read at once."""

    def check(value: Any, info: ValidationInfo) -> Any:
        if sum(size_of(part)[0] for part in (value, *(info.data.get(name) for name in fields))) > MAX_REQUEST:
            raise wrong(f"is too large: with {', '.join(fields)} at most about {MAX_REQUEST:,} characters of JSON.")
        return value

    return AfterValidator(check)


#: On a list of turns: to be tried, and to be stored.
TURNS_TOGETHER, TURNS_STORED = AfterValidator(_turns_together), AfterValidator(_turns_stored)


#: As descriptions say it: what PostgreSQL cannot hold, what no line holds, and the years that moments lie in.
_NUL, _CONTROL = r"\u0000", r"\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069"
YEARS = r"^(?:19|[2-8][0-9]|9[0-8])[0-9]{2}-|^99[0-8][0-9]-|^999[0-7]-"
STEPS = {"type": "array", "maxItems": 100}
VALUE: dict[str, Any] = {
    "anyOf": [
        {"type": "string", "maxLength": MAX_VALUE, "pattern": f"^[^{_NUL}]*$"},
        {"type": "number", "minimum": -(2**63) + 1, "maximum": 2**63 - 1},
        {"type": "boolean"},
        {"type": "null"},
        {
            "type": "object",
            "properties": {"steps": STEPS, "tools": STEPS},
            "additionalProperties": False,
            "minProperties": 1,
        },
    ]
}


def _seen(but: str) -> Any:
    """Text without these characters, of which something can be seen."""
    return shaped(rf"^[^{but}]*[^\s{but}][^{but}]*$")


Text = Annotated[str, AfterValidator(_storable), shaped(f"^[^{_NUL}]*$")]
NoteText = Annotated[Text, StringConstraints(min_length=1, max_length=MAX_NOTE), AfterValidator(not_blank), _seen(_NUL)]
Line = Annotated[Text, StringConstraints(max_length=200), AfterValidator(_one_line), shaped(f"^[^{_CONTROL}]*$")]
Name = Annotated[
    Text,
    StringConstraints(min_length=1, max_length=200),
    Field(description="No slash, no control characters.", examples=["u-1001"]),
    AfterValidator(_one_line),
    AfterValidator(_no_slash),
    AfterValidator(not_blank),
    _seen(f"/{_CONTROL}"),
]
ExternalId = Annotated[
    Text,
    StringConstraints(min_length=1, max_length=200),
    AfterValidator(_one_line),
    AfterValidator(not_blank),
    _seen(_CONTROL),
]
Key = Annotated[
    Text,
    StringConstraints(max_length=100),
    AfterValidator(_key),
    Field(description="A slot in snake_case.", examples=["seat_preference"]),
    shaped(f"^{_SNAKE}$"),
]
Value = Annotated[Any, AfterValidator(_value), Field(json_schema_extra=VALUE)]
Keywords = Annotated[list[Annotated[Line, StringConstraints(min_length=1, max_length=100)]], Field(max_length=50)]
Teams = Annotated[list[Name], Field(max_length=100)]
Time = Annotated[AwareDatetime, BeforeValidator(_time_text), AfterValidator(_sane_time), shaped(YEARS)]
Happened = Annotated[
    AwareDatetime,
    BeforeValidator(_day_or_time),
    AfterValidator(_sane_time),
    Field(description="When it happened: a time, or a day (its first moment in UTC)."),
    shaped(YEARS),
]
Fraction = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, strict=False)]
Remark = Annotated[Text, StringConstraints(max_length=2_000)]
SeenRemark = Annotated[Remark, StringConstraints(min_length=1), AfterValidator(not_blank), _seen(_NUL)]
#: In a header that names the version which a change was made from.
IfMatch = Annotated[str, shaped(r'^(?:\*|(?:W/)?"?[0-9]{1,9}"?)$')]
Wanted = Annotated[int, Field(ge=1, le=200, description="How many at most.")]
#: In a schema's extra: one of several shapes, told apart by what stands in some fields.
GIVEN: dict[str, Any] = {"type": ["string", "array", "object"]}
