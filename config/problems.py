"""The one shape of every error that the API answers with: RFC 9457 problem documents."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from http import HTTPStatus
from json import JSONDecodeError
from typing import Any

from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from config.rendering import field_path, to_json
from memory_app import guardrails
from memory_app.domain import errors
from memory_app.domain.errors import FieldError
from memory_app.models import Block
from memory_app.queries.blocks import block_shown
from memory_app.ratelimit import LimitReached
from memory_app.schemas.problems import problem

log = logging.getLogger(__name__)
CONTENT_TYPE = "application/problem+json"
#: What PostgreSQL calls a row that points at one which is gone, and writers who wait for each other.
FOREIGN_KEY, DEADLOCK = "23503", "40P01"

#: What each status says where nothing more is known.
PLAIN: dict[int, tuple[str, str]] = {
    400: ("malformed", "The request cannot be read: send one JSON document in UTF-8, each name once in its object."),
    401: ("unauthorized", "Give a valid API key as `Authorization: Bearer <key>`."),
    403: ("forbidden", "This key may not do that."),
    404: ("not-found", "There is nothing here under this address."),
    405: ("method-not-allowed", "This address does not take that method."),
    409: ("conflict", "The state has changed."),
    413: ("too-large", "The request is too large."),
    414: ("address-too-long", "The address is too long."),
    415: ("unsupported", "Send JSON, and say so: Content-Type: application/json."),
    422: ("invalid", "Some fields cannot be accepted."),
    417: ("expectation-failed", "Expect takes nothing but 100-continue."),
    429: ("too-many-requests", "Too many calls."),
    431: ("headers-too-large", "The headers of the request are too large."),
    500: ("internal", "Something went wrong here. It is recorded; nothing of this request was half done."),
    503: ("unavailable", "Not available at the moment; try again soon."),
}
NO_JSON = "The body is not JSON"
#: What no schema can say of a field: answered with a kind of its own, which every call that may do so documents.
NOT_OF_THE_SCHEMA = {errors.UNKNOWN_REFERENCE: "What it names is not there", errors.UNFIT: "Does not fit"}
CONFLICTS: tuple[tuple[type[errors.Conflict], str, str], ...] = (
    (errors.SlotOccupied, "slot-occupied", "The slot is filled"),
    (errors.AlreadyDecided, "already-decided", "Already decided"),
    (errors.Stale, "stale", "The memory has changed"),
    (errors.DependsOnLater, "depends-on-later", "Later decisions build on it"),
    (errors.Conflict, "conflict", "Conflict"),
)


def answer(document: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> HttpResponse:
    """The problem document as a response."""
    return HttpResponse(to_json(document), status=document["status"], content_type=CONTENT_TYPE, headers=headers)


def plain(status: int, detail: str = "", fields: Iterable[FieldError] = ()) -> dict[str, Any]:
    """The problem of a status alone."""
    kind, usual = PLAIN.get(status, ("error", "The request failed."))
    title = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Error"
    return problem(kind, title, status, detail or usual, [{"field": f.field, "message": f.message} for f in fields])


def of_error(error: Exception) -> HttpResponse | None:
    """The response for whatever the product itself raises; None for what it does not know."""
    match error:
        case errors.Invalid():
            return answer(_refused(error))
        case errors.NotFound():
            return answer(plain(404, error.message))
        case errors.Forbidden():
            return answer(plain(403, error.message))
        case errors.PreconditionFailed():
            return answer(problem("precondition-failed", "Precondition Failed", 412, error.message))
        case errors.Blocked():
            return answer(_blocked(error))
        case errors.Conflict():
            kind, title = next((k, t) for known, k, t in CONFLICTS if isinstance(error, known))
            return answer(problem(kind, title, 409, error.message, **error.extra))
        case IntegrityError() if _sqlstate(error) == FOREIGN_KEY:
            return _nothing_written("What this belongs to has been erased meanwhile; nothing was written.")
        case OperationalError() if _sqlstate(error) == DEADLOCK:
            return _nothing_written("Others were writing to the same memory; nothing was written, try again.")
        case OperationalError() | InterfaceError():  # the database is away, or starts again
            return answer(plain(503), {"Retry-After": "2"})
        case LimitReached():
            return answer(plain(429, str(error)), {"Retry-After": str(error.retry_after)})
    return None


def _nothing_written(detail: str) -> HttpResponse:
    """A conflict that undoes what its request had begun, also where an Idempotency-Key makes it one transaction."""
    response = answer(plain(409, detail))
    response.nothing_written = True  # type: ignore[attr-defined]
    return response


def _refused(error: errors.Invalid) -> dict[str, Any]:
    """What is wrong with which field; a field that is unknown is what the caller wrote."""
    fields = [FieldError(_known_or_masked(f.field), f.message, f.code) for f in error.errors[:100]]
    return _of_fields(422, fields)


def _of_fields(status: int, fields: list[FieldError]) -> dict[str, Any]:
    """The problem with these fields; of a kind of its own where each is right by itself."""
    document = plain(status, "; ".join(f"{f.field}: {f.message}" for f in fields[:5]), fields[:100])
    codes = {f.code for f in fields}
    if status == 422 and len(codes) == 1 and codes <= set(NOT_OF_THE_SCHEMA):
        kind = codes.pop()
        document |= {"type": f"urn:commonplace:problem:{kind}", "title": NOT_OF_THE_SCHEMA[kind]}
    return document


def _sqlstate(error: Exception) -> str:
    return str(getattr(error.__cause__, "sqlstate", ""))


def _known_or_masked(field: str) -> str:
    """The field's path; nothing of it where its parts hold a secret together."""
    return "…" if guardrails.mask(field).findings else field_path(field.split("."))


def _blocked(error: errors.Blocked) -> dict[str, Any]:
    block = block_shown(error.block) if isinstance(error.block, Block) else None
    field = error.block.field if isinstance(error.block, Block) else "text"
    fields = [{"field": field, "message": f"the guardrails refuse it: {error.category}."}]
    return problem("blocked", "Refused by the guardrails", 422, error.message, fields, block=block)


def install(api: NinjaAPI) -> None:
    """Every error that a view, a parser or an authenticator raises is answered by its problem document."""
    handlers: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
        errors.CommonplaceError: lambda request, error: _known(error),
        LimitReached: lambda request, error: _known(error),
        ValidationError: _invalid,
        AuthenticationError: lambda request, error: unauthorized(),
        HttpError: lambda request, error: _http(error),
        Http404: lambda request, error: answer(plain(404)),
        Exception: unexpected,
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, handler)


def unauthorized() -> HttpResponse:
    return answer(plain(401), {"WWW-Authenticate": 'Bearer realm="commonplace"'})


def _known(error: Exception) -> HttpResponse:
    response = of_error(error)
    assert response is not None
    return response


def _http(error: HttpError) -> HttpResponse:
    """A parser's own complaint, where it has one, says more than that the body cannot be read."""
    cause = error.__cause__
    if isinstance(cause, Exception):
        known = of_error(cause)
        if known is not None:
            return known
    if isinstance(cause, JSONDecodeError):
        return answer(
            plain(400, f"{NO_JSON} at line {cause.lineno}, column {cause.colno}: {cause.msg}. {PLAIN[400][1]}")
        )
    if isinstance(cause, UnicodeDecodeError):
        return answer(plain(400, f"The body is not UTF-8 at byte {cause.start + 1}. {PLAIN[400][1]}"))
    return answer(plain(error.status_code))


def unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
    """The answer to what nobody foresaw; the log has it, masked."""
    known = of_error(error)
    if known is not None:
        return known
    log.exception("%s %s failed", request.method, getattr(request.resolver_match, "route", "?"))
    return answer(plain(500))


def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """What is wrong with which field. What a PUT would make can be wrong in its name; anything else that the path
    names wrongly is not there."""
    wrong_path = [item for item in error.errors if item["loc"] and item["loc"][0] == "path"]
    if wrong_path and (request.method != "PUT" or any("uuid" in item["type"] for item in wrong_path)):
        return answer(plain(404))
    fields = [FieldError(_field(item["loc"]), _message(item), item["type"]) for item in error.errors]
    status = 413 if all(item["type"] == TOO_LARGE for item in error.errors) else 422
    return answer(_of_fields(status, fields))


#: The kind of an error of which only the size is wrong.
TOO_LARGE = "too_large"
#: What pydantic says in its own words where ours are shorter, or where its words repeat what was given.
MESSAGES = {
    "missing": "is needed.",
    "extra_forbidden": "is not a field of this request.",
    "uuid_parsing": "must be a UUID.",
    "uuid_type": "must be a UUID.",
    "string_type": "must be a string.",
    "list_type": "must be a list.",
    "dict_type": "must be an object.",
    "model_type": "must be an object.",
    "model_attributes_type": "must be an object.",
    "bool_type": "must be true or false.",
    "bool_parsing": "must be true or false.",
    "int_type": "must be a whole number.",
    "int_parsing": "must be a whole number.",
    "int_from_float": "must be a whole number.",
    "float_type": "must be a number.",
    "float_parsing": "must be a number.",
    "string_pattern_mismatch": "holds characters that it cannot have.",
    "finite_number": "must be a finite number.",
}
COUNTED = {
    "string_too_short": "must have at least {min_length} characters.",
    "string_too_long": "must have at most {max_length} characters.",
    "too_short": "must have at least {min_length} entries.",
    "too_long": "must have at most {max_length} entries.",
    "greater_than_equal": "must be at least {ge}.",
    "less_than_equal": "must be at most {le}.",
    "literal_error": "must be one of {expected}.",
}


def _message(item: Mapping[str, Any]) -> str:
    kind = item["type"]
    if kind in ("refused", errors.UNFIT, TOO_LARGE):
        return str(item["msg"])
    if kind in MESSAGES:
        return MESSAGES[kind]
    if kind in COUNTED:
        limits = item.get("ctx", {})
        if limits.get("field_type") == "Value":  # a text that something else was checked of before its length
            kind = f"string_{kind}"
        return COUNTED[kind].format(**limits)
    return "must be an ISO 8601 time with an offset." if "datetime" in kind else "is not valid."


def _field(location: Sequence[Any]) -> str:
    """The field's path below the body."""
    parts = [str(part) for part in location]
    if parts[:1] == ["body"]:
        parts = parts[2:]  # after "body" stands the name of the view's parameter
    elif parts[:1] in (["query"], ["header"], ["path"]):
        parts = parts[2:] if len(parts) > 2 else parts[1:]
    return field_path(parts)


def complete(response: HttpResponseBase) -> HttpResponseBase:
    """The response, or where it is an error in another shape (of the router, of Django) its problem document.

    No call leads elsewhere: where Django would send a browser on to an address with a slash, nothing is there.
    """
    if response.status_code < 300 or response.headers.get("Content-Type", "").startswith(CONTENT_TYPE):
        return response
    replaced = answer(plain(response.status_code if response.status_code >= 400 else 404))
    for name in ("Allow", "Retry-After", "WWW-Authenticate"):
        if name in response.headers:
            replaced[name] = response.headers[name]
    return replaced


__all__ = ["answer", "complete", "install", "of_error", "plain", "unauthorized", "unexpected"]
