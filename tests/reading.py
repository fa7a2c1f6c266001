"""How many rows of a table are read."""

from collections.abc import Callable
from typing import Any

from django.db import connection


def rows_read(table: str, act: Callable[[], Any]) -> int:
    """The rows that the statements which begin with this table give back while `act` runs."""
    counts = [0]

    def counting(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if f'FROM "{table}"' in sql and sql.startswith("SELECT"):
            counts[0] += context["cursor"].rowcount
        return result

    with connection.execute_wrapper(counting):
        act()
    return counts[0]
