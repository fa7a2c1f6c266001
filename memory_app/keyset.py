"""Pages by key set: each starts after the last row of the one before, so that rows which come or go shift nothing."""

import base64
import json
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet

Row = TypeVar("Row", bound=Model)
FORWARD, BACK = "n", "p"
LARGEST = 2**31


@dataclass(frozen=True)
class Order:
    """A column or annotation that is never null, and its direction; rows that are alike in it follow their id."""

    field: str
    descending: bool = True

    def sorted(self, rows: QuerySet[Row], reverse: bool = False) -> QuerySet[Row]:
        sign = "-" if self.descending != reverse else ""
        return rows.order_by(f"{sign}{self.field}", f"{sign}id")

    def beyond(self, value: Any, row_id: Any, reverse: bool = False) -> Q:
        """What comes after the row of this value and id; with `reverse`, what comes before it."""
        side = "lt" if self.descending != reverse else "gt"
        same = Q(**{self.field: value, f"id__{side}": row_id})
        # The first part says nothing new, but an index can start there: a late page is as quick as the first.
        return Q(**{f"{self.field}__{side}e": value}) & (Q(**{f"{self.field}__{side}": value}) | same)


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Rows with the cursors of their neighbours; an empty cursor is the end of the list."""

    rows: list[Row]
    next: str = ""
    previous: str = ""


def page_of(rows: QuerySet[Row], order: Order, cursor: str = "", size: int = 50) -> Page[Row]:
    """The page at `cursor`; the first one without it, or where it cannot be read."""
    direction, value, row_id = _read(cursor)
    reverse = direction == BACK
    try:
        found = rows if row_id is None else rows.filter(order.beyond(value, row_id, reverse))
    except (ValidationError, ValueError, TypeError):  # the cursor is of another list
        return page_of(rows, order, "", size)
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
        next=cursor_at(taken[-1], order) if after else "",
        previous=cursor_at(taken[0], order, BACK) if before else "",
    )


def cursor_at(row: Model, order: Order, direction: str = FORWARD) -> str:
    """The cursor of what comes after this row, or before it."""
    value = getattr(row, order.field)
    held = {"at": value.isoformat()} if isinstance(value, datetime) else value
    document = json.dumps([direction, held, str(row.pk)], separators=(",", ":"))
    return base64.urlsafe_b64encode(document.encode()).decode().rstrip("=")


def _read(cursor: str) -> tuple[str, Any, uuid.UUID | None]:
    try:
        direction, held, row_id = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        value = datetime.fromisoformat(held["at"]) if isinstance(held, dict) else held
        if direction not in (FORWARD, BACK) or not isinstance(value, str | int | float | datetime):
            raise ValueError
        if isinstance(value, int | float) and not abs(value) < LARGEST:
            raise ValueError
        return direction, value, uuid.UUID(row_id)
    except (ValueError, TypeError, KeyError, AttributeError):
        return FORWARD, None, None
