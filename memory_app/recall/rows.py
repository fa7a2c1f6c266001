"""Rows of a table as a statement of one's own reads them: for what is asked with every recall, where a query set that is
made and described anew takes longer than its answer."""

from functools import cache
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model

M = TypeVar("M", bound=Model)


@cache
def columns(model: type[Model], table: str) -> str:
    """The columns of the model, as `read` wants them to stand first in a statement."""
    return ", ".join(f'{table}."{field.column}"' for field in model._meta.concrete_fields)


def read(model: type[M], statement: str, values: Any) -> list[tuple[M, tuple[Any, ...]]]:
    """The instances that the statement reads, each with what it reads besides."""
    names, converters = _fields(model)
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows = cursor.fetchall()
    found = []
    for row in rows:
        own = list(row[: len(names)])
        for at, convert in converters:
            own[at] = convert(own[at], None, connection)
        found.append((model.from_db(connection.alias, names, own), row[len(names) :]))
    return found


@cache
def _fields(model: type[Model]) -> tuple[list[str], list[tuple[int, Any]]]:
    fields = model._meta.concrete_fields
    converters = [(at, field.from_db_value) for at, field in enumerate(fields) if hasattr(field, "from_db_value")]
    return [field.attname for field in fields], converters
