"""``manage.py restore FILE``: an empty database holds what the backup held, in the tables of this release."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from config.management.dumping import load


class Command(BaseCommand):
    help = "Loads a backup into an empty database, then migrates it to this release."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="What `manage.py backup` wrote.")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["file"].is_file():
            raise CommandError(f"{options['file']} is no file: name one that `manage.py backup` wrote.")
        if connection.introspection.table_names():
            raise CommandError(
                "The database holds tables already: stop the product, and restore into an empty database"
                " (another COMMONPLACE_HOME, or another database in DATABASE_URL)."
            )
        connection.close()
        load(options["file"])
        call_command("prepare")
        self.stdout.write(f"Restored {options['file']}")
