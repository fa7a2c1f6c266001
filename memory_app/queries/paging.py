"""Pages of a list, newest first, by the place of the last row: a list that grows repeats and skips nothing."""

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.core import signing
from django.db.models import Model, Q, QuerySet

from memory_app.domain.errors import Invalid

Row = TypeVar("Row", bound=Model)
SALT = "commonplace.cursor"


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    rows: list[Row]
    next: str | None


def page(
    rows: "QuerySet[Row]", order: Sequence[str], *, limit: int, cursor: str | None, bound_to: Mapping[str, Any]
) -> Page[Row]:
    """At most `limit` rows after `cursor`, by falling `order` (fields that together are unique).

    Invalid when the cursor was made for anything else than `bound_to`, or was changed.
    """
    digest = _digest(bound_to)
    if cursor is not None:
        rows = rows.filter(_after(order, _place(cursor, digest, len(order))))
    found = list(rows.order_by(*(f"-{name}" for name in order))[: limit + 1])
    following = None
    if len(found) > limit:
        found = found[:limit]
        following = signing.dumps([digest, [_plain(getattr(found[-1], name)) for name in order]], salt=SALT)
    return Page(found, following)


def _after(order: Sequence[str], place: Sequence[Any]) -> Q:
    wanted, same = Q(), Q()
    for name, value in zip(order, place, strict=True):
        wanted |= same & Q(**{f"{name}__lt": value})
        same &= Q(**{name: value})
    return wanted


def _place(cursor: str, digest: str, length: int) -> list[Any]:
    try:
        made_for, place = signing.loads(cursor, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        raise Invalid.field("cursor", "is not one that a list has given; start without it.") from None
    if made_for != digest or len(place) != length:
        raise Invalid.field("cursor", "belongs to other filters; start without it.")
    return [_typed(value) for value in place]


def _digest(bound_to: Mapping[str, Any]) -> str:
    plain = json.dumps({k: str(v) for k, v in bound_to.items()}, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()[:24]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return {"t": value.isoformat()}
    if isinstance(value, uuid.UUID):
        return {"u": str(value)}
    return value


def _typed(value: Any) -> Any:
    if isinstance(value, dict):
        return datetime.fromisoformat(value["t"]) if "t" in value else uuid.UUID(value["u"])
    return value
