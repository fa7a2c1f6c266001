"""What the question itself asks a slot to be, this once: "a window seat this time" stands before what is remembered."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from memory_app.domain.precedence import Effective, said_now
from memory_app.models import Cardinality, Slot

_Reader = Callable[[str, datetime], Mapping[str, Any]]


def with_wishes(
    holds: dict[str, Effective], query: str | None, now: datetime, slots: Mapping[str, Slot]
) -> dict[str, Effective]:
    """What holds, and in its place what the question asks for, where a user may say what the slot is."""
    if not query or not holds:
        return holds
    wishes = {
        key: value
        for key, value in _reader()(query, now).items()
        if key in holds and (key not in slots or _is_the_users(slots[key]))
    }
    return said_now(holds, wishes)


@cache
def _reader() -> _Reader:
    """The rules that read what was said; they belong to another app, which only the settings know of."""
    reader: _Reader = import_string(settings.REQUESTS_READ_BY)
    return reader


def _is_the_users(slot: Slot) -> bool:
    return slot.cardinality == Cardinality.ONE and (not slot.writers or "user" in slot.writers)
