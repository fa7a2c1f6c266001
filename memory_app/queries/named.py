"""Rows found by whom they belong to: names are looked up first, each in its own table, where an index knows them."""

from typing import Any

from django.db.models import QuerySet

#: A list looks for the rows of so many at most.
MOST_NAMED = 1_000


def named(rows: "QuerySet[Any]", *, whole: bool = False) -> Any:
    """The ids of these, to find what is theirs: of the first MOST_NAMED, or of the whole."""
    return rows.order_by().values("pk") if whole else list(rows.values_list("pk", flat=True)[:MOST_NAMED])


def cut_at(*each: "QuerySet[Any]") -> int | None:
    """The number of names at which a list stops, where some of these have more than that."""
    return MOST_NAMED if any(rows[MOST_NAMED : MOST_NAMED + 1].exists() for rows in each) else None
