"""JSON as the API reads and writes it."""

import json
import math
import re
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils.functional import Promise
from ninja.parser import Parser
from ninja.renderers import BaseRenderer

from memory_app import guardrails
from memory_app.domain.errors import FieldError, Invalid
from memory_app.schemas.fields import unstorable

MAX_DEPTH = 32
_NAME = re.compile(r"[\w$.-]{1,60}")
MAX_VALUES = 20_000


def to_json(value: Any) -> str:
    """The value as JSON in UTF-8: times with all their digits, ids as strings."""
    return json.dumps(value, default=_plain, ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, uuid.UUID | Promise):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


class JsonRenderer(BaseRenderer):
    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> str:
        return to_json(data)


class StrictParser(Parser):
    """JSON that can be stored: no NaN, no NUL, no lone surrogate, no name twice, neither deeper nor larger than is sensible.

    What is not JSON raises ValueError (400); what cannot be stored, such as a number without end, raises Invalid (422)
    with the field's path.
    """

    def parse_body(self, request: HttpRequest) -> Any:
        try:
            document = json.loads(
                request.body.decode("utf-8"), object_pairs_hook=_named_once, parse_int=_bounded,
            )  # fmt: skip
        except RecursionError as error:
            raise ValueError("too deep") from error
        _examine(document)
        return document


def _named_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object; one that says two things under one name says neither."""
    found = dict(members)
    if len(found) < len(members):
        raise ValueError("a name stands twice in an object")
    return found


def _bounded(text: str) -> float:
    """The whole number; one that no float is as large as is without end, and refused with its field."""
    return int(text) if len(text) <= 300 else math.inf


def _examine(document: Any) -> None:
    stack: list[tuple[Any, tuple[str, ...]]] = [(document, ())]
    count = 0
    while stack:
        value, path = stack.pop()
        count += 1
        if count > MAX_VALUES:
            raise Invalid.field("body", f"holds more than {MAX_VALUES:,} values; send it in parts.")
        if len(path) > MAX_DEPTH:
            raise _refused(path, f"is nested deeper than {MAX_DEPTH} levels.")
        if isinstance(value, str):
            problem = unstorable(value)
            if problem:
                raise _refused(path, problem)
        elif isinstance(value, float) and not math.isfinite(value):
            raise _refused(path, "must be a finite number: NaN, Infinity and numbers beyond 1e308 are none.")
        elif isinstance(value, dict):
            for name, member in value.items():
                if unstorable(name):
                    raise _refused(path, "holds a name with a character that cannot be stored.")
                stack.append((member, (*path, name)))
        elif isinstance(value, list):
            stack.extend((member, (*path, str(index))) for index, member in enumerate(value))


def _refused(path: tuple[str, ...], message: str) -> Invalid:
    return Invalid(FieldError(field_path(path), message))


def field_path(parts: Sequence[str]) -> str:
    """The name of a field, `body` for the whole. An unknown name is what the caller wrote: it is masked, and repeated
    only where it looks like a name."""
    return ".".join(guardrails.mask(part).text if _NAME.fullmatch(part) else "…" for part in parts[:8]) or "body"
