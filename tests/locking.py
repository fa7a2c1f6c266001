"""In what order a transaction takes the locks of owners."""

import re
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def owners_locked(act: Callable[[], Any]) -> list[set[str]]:
    """The owners that each lock which is taken meanwhile adds to those that are held; all locks are of one
    transaction. More than one entry means that another writer can wait for this one, and this one for it."""
    held: set[str] = set()
    added: list[set[str]] = []
    with CaptureQueriesContext(connection) as captured:
        act()
    for query in captured:
        if "pg_advisory_xact_lock(" in query["sql"] and (new := set(_ID.findall(query["sql"])) - held):
            added.append(new)
            held |= new
    return added
