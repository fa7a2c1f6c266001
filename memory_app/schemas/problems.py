"""The one shape of every error (RFC 9457)."""

from typing import Any

from pydantic import ConfigDict, Field

from .fields import Shown

#: In what an operation says of itself: the kinds of 422 that no schema foretells.
REFUSES = "x-refuses"


def refuses(*kinds: str) -> dict[str, Any]:
    """What an operation's `openapi_extra` is, where it answers with these kinds of problems."""
    return {REFUSES: list(kinds)}


class FieldProblem(Shown):
    field: str
    message: str


class Problem(Shown):
    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:commonplace:problem:invalid",
                    "title": "Invalid fields",
                    "status": 422,
                    "detail": "text: must not be blank.",
                    "errors": [{"field": "text", "message": "must not be blank."}],
                }
            ]
        },
    )

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldProblem] = []


def problem(kind: str, title: str, status: int, detail: str, errors: Any = (), **extra: Any) -> dict[str, Any]:
    """The document of one problem."""
    document = {"type": f"urn:commonplace:problem:{kind}", "title": title, "status": status, "detail": detail}
    return document | {"errors": [dict(e) for e in errors]} | extra


__all__ = ["REFUSES", "Field", "FieldProblem", "Problem", "problem", "refuses"]
