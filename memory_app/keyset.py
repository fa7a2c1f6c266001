"""Pages by key set: each starts after the last row of the one before, so that rows which come or go shift nothing."""

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.core import signing
from django.db.models import Model, Q, QuerySet

from memory_app.domain.errors import UNKNOWN_REFERENCE, Invalid

Row = TypeVar("Row", bound=Model)
FORWARD, BACK = "n", "p"
SALT = "commonplace.cursor"
BATCH = 1_000
NOT_BOUND: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Order:
    """A column or annotation that is never null, and its direction; rows that are alike in it follow their id, which an
    index of another table may call by another name."""

    field: str
    descending: bool = True
    id: str = "id"

    def sorted(self, rows: QuerySet[Row], reverse: bool = False) -> QuerySet[Row]:
        sign = "-" if self.descending != reverse else ""
        return rows.order_by(f"{sign}{self.field}", f"{sign}{self.id}")

    def beyond(self, value: Any, row_id: Any, reverse: bool = False) -> Q:
        """What comes after the row of this value and id; with `reverse`, what comes before it."""
        side = "lt" if self.descending != reverse else "gt"
        same = Q(**{self.field: value, f"{self.id}__{side}": row_id})
        # The first part says nothing new, but an index can start there: a late page is as quick as the first.
        return Q(**{f"{self.field}__{side}e": value}) & (Q(**{f"{self.field}__{side}": value}) | same)


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Rows with the cursors of their neighbours; an empty cursor is the end of the list."""

    rows: list[Row]
    next: str = ""
    previous: str = ""


def page_of(rows: QuerySet[Row], order: Order, cursor: str = "", size: int = 50) -> Page[Row]:
    """The page at `cursor`; the first one without it, or where it is of another order or was changed."""
    try:
        return page_at(rows, order, cursor, size)
    except Invalid:
        return page_at(rows, order, "", size)


def page_at(
    rows: QuerySet[Row], order: Order, cursor: str, size: int, bound_to: Mapping[str, Any] = NOT_BOUND
) -> Page[Row]:
    """The same, for those who call by program: Invalid where the cursor was made for anything else than `order` and
    `bound_to` (the filters of the list), or was changed."""
    made_for = _digest(order, bound_to)
    direction, value, row_id = _read(cursor, made_for) if cursor else (FORWARD, None, None)
    reverse = direction == BACK
    found = rows if row_id is None else rows.filter(order.beyond(value, row_id, reverse))
    taken = list(order.sorted(found, reverse)[: size + 1])
    more, taken = len(taken) > size, taken[:size]
    if reverse:
        taken.reverse()
    if not taken:
        return Page([])
    before = more if reverse else row_id is not None
    after = row_id is not None if reverse else more
    return Page(
        taken,
        next=_cursor(made_for, FORWARD, taken[-1], order) if after else "",
        previous=_cursor(made_for, BACK, taken[0], order) if before else "",
    )


def everything(rows: QuerySet[Row], order: Order) -> Iterator[Row]:
    """Every row in this order, read a batch at a time however many there are."""
    last: Row | None = None
    while True:
        after = rows if last is None else rows.filter(order.beyond(getattr(last, order.field), last.pk))
        batch = list(order.sorted(after)[:BATCH])
        yield from batch
        if len(batch) < BATCH:
            return
        last = batch[-1]


def _cursor(made_for: str, direction: str, row: Model, order: Order) -> str:
    value = getattr(row, order.field)
    held = {"at": value.isoformat()} if isinstance(value, datetime) else value
    return signing.dumps([made_for, direction, held, str(row.pk)], salt=SALT)


def _read(cursor: str, made_for: str) -> tuple[str, Any, uuid.UUID]:
    try:
        its_list, direction, held, row_id = signing.loads(cursor, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        raise Invalid.field(
            "cursor", "is not one that a list has given; start without it.", UNKNOWN_REFERENCE
        ) from None
    if its_list != made_for:
        raise Invalid.field("cursor", "belongs to other filters; start without it.", UNKNOWN_REFERENCE)
    return direction, datetime.fromisoformat(held["at"]) if isinstance(held, dict) else held, uuid.UUID(row_id)


def _digest(order: Order, bound_to: Mapping[str, Any]) -> str:
    what = {"order": [order.field, order.descending], **{k: str(v) for k, v in bound_to.items()}}
    return hashlib.sha256(json.dumps(what, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:24]
