#!/usr/bin/env python
"""Runs a management command; the embedded database is up for as long as the command needs it."""

import os
import sys

# These work on files alone; starting a database for them would only make a folder.
WITHOUT_DATABASE = frozenset(
    {
        "help",
        "version",
        "makemessages",
        "compilemessages",
        "collectstatic",
        "findstatic",
        "diffsettings",
        "check",
    }
)

#: PostgreSQL's codes for a table, a column and a function that are not there.
MISSING = frozenset({"42P01", "42703", "42883"})


def needs_database(arguments: list[str]) -> bool:
    if not arguments or {"--help", "-h", "--version"} & set(arguments):
        return False
    return arguments[0] not in WITHOUT_DATABASE or "--database" in arguments


def unprepared(error: Exception) -> str | None:
    """What to do where the database lacks this release's tables, or does not answer; None for any other error."""
    from django.db import OperationalError
    from django.db.utils import ProgrammingError

    missing = getattr(error.__cause__, "sqlstate", None)
    if isinstance(error, ProgrammingError) and missing in MISSING:
        return "The database has not the tables of this release: run `manage.py prepare`, then this again."
    if isinstance(error, OperationalError) and missing is None:
        return f"The database does not answer ({str(error).splitlines()[0]}): check DATABASE_URL."
    return None


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from config.environment import read_or_exit

    environment = read_or_exit()
    from django.core.management import execute_from_command_line

    def run() -> None:
        from django.db import Error

        try:
            execute_from_command_line(sys.argv)
        except Error as error:
            reason = unprepared(error)
            if reason is None:
                raise
            sys.exit(f"commonplace: {reason}")

    if environment.database_url is not None or not needs_database(sys.argv[1:]):
        run()
        return
    from config.embedded_postgres import DatabaseStartError, borrowed

    try:
        with borrowed(environment.home):
            run()
    except DatabaseStartError as error:
        sys.exit(f"commonplace: {error}")


if __name__ == "__main__":
    main()
