"""What must be there before anything is prepared: a database that can carry the product, and a broker that answers."""

from typing import Any

import psycopg
from celery import Celery
from django.db import OperationalError, connection

#: The oldest PostgreSQL with everything that the tables use, as `server_version` counts.
OLDEST = 15
EXTENSIONS = ("vector", "pg_trgm")
PACKAGES = {"vector": "pgvector", "pg_trgm": "PostgreSQL's contrib modules"}


class NoFooting(Exception):
    """The product cannot run on what it was given; the message is one line with the remedy."""


def check_database() -> None:
    """The database answers, is new enough, and has the extensions or can make them."""
    try:
        connection.ensure_connection()
    except OperationalError as error:
        raise NoFooting(
            f"DATABASE_URL cannot be reached ({_first_line(error)}): check address, name and password."
        ) from error
    version = connection.connection.info.server_version // 10_000
    if version < OLDEST:
        raise NoFooting(f"DATABASE_URL leads to PostgreSQL {version}: it must be {OLDEST} or newer.")
    for name in EXTENSIONS:
        _check_extension(name)


def _check_extension(name: str) -> None:
    found = _row("SELECT installed_version FROM pg_available_extensions WHERE name = %s", name)
    if found is None:
        raise NoFooting(f"The database server has no extension {name}: install {PACKAGES[name]} there and start again.")
    if found[0] is None and not _may_create(name):
        (role,) = _row("SELECT current_user") or ("",)
        (database,) = _row("SELECT current_database()") or ("",)
        raise NoFooting(
            f"{role} may not create the extension {name}: as a superuser, run CREATE EXTENSION {name}; in {database}."
        )


def _may_create(name: str) -> bool:
    """A superuser may, and, where the extension is a trusted one, whoever may create in the database."""
    found = _row(
        "SELECT rolsuper OR has_database_privilege(current_database(), 'CREATE') AND"
        " EXISTS (SELECT FROM pg_available_extension_versions WHERE name = %s AND trusted)"
        " FROM pg_roles WHERE rolname = current_user",
        name,
    )
    return bool(found and found[0])


def _row(statement: str, *values: str) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found: tuple[Any, ...] | None = cursor.fetchone()
    return found


def check_broker(app: Celery) -> None:
    """The broker answers, and takes the user and password that it is given."""
    try:
        with app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=1, timeout=10)
    except Exception as error:  # kombu raises the errors of whichever transport is in use
        raise NoFooting(
            f"BROKER_URL cannot be reached ({_first_line(error)}): check address, name and password."
        ) from error


def _first_line(error: BaseException) -> str:
    """What the driver says, without what follows its first line."""
    if isinstance(error.__cause__, psycopg.Error | OSError):
        error = error.__cause__
    said = str(error).strip().splitlines()
    return said[0].rstrip(". :") if said else type(error).__name__
