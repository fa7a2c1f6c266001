"""Lists of the API: filters, cursor, items."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from memory_app.auth import CallerRequest
from memory_app.domain.errors import FieldError, Invalid
from memory_app.keyset import Order, page_at
from memory_app.schemas.listing import Asked

Row = TypeVar("Row", bound=Model)


def listed(
    request: CallerRequest,
    rows: "QuerySet[Row]",
    order: Order,
    asked: Asked,
    show: Callable[[list[Row]], list[Any]],
) -> dict[str, Any]:
    """One page of the rows; Invalid names a filter that this list does not have, or a cursor of other filters."""
    unknown = sorted(set(request.GET) - set(type(asked).model_fields))
    if unknown:
        known = ", ".join(sorted(type(asked).model_fields))
        raise Invalid(*[FieldError(name, f"is not a filter of this list; it has {known}.") for name in unknown])
    bound_to = asked.filters() | {"path": request.path, "workspace": request.auth.workspace.pk}
    found = page_at(rows, order, asked.cursor or "", asked.limit, bound_to)
    return {"items": show(found.rows), "next": found.next or None}


def each(show: Callable[[Row], Any]) -> Callable[[list[Row]], list[Any]]:
    """Shows rows one by one."""
    return lambda rows: [show(row) for row in rows]
