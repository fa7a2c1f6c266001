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


def needs_database(arguments: list[str]) -> bool:
    if not arguments or {"--help", "-h", "--version"} & set(arguments):
        return False
    return arguments[0] not in WITHOUT_DATABASE or "--database" in arguments


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from config.environment import read_or_exit

    environment = read_or_exit()
    from django.core.management import execute_from_command_line

    if environment.database_url is not None or not needs_database(sys.argv[1:]):
        execute_from_command_line(sys.argv)
        return
    from config.embedded_postgres import DatabaseStartError, borrowed

    try:
        with borrowed(environment.home):
            execute_from_command_line(sys.argv)
    except DatabaseStartError as error:
        sys.exit(f"commonplace: {error}")


if __name__ == "__main__":
    main()
