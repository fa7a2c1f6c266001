"""``manage.py backup FILE``: everything that is kept is in one file, while the product goes on."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.management.dumping import dump

#: Neither is worth keeping: messages are hints that the sweep repeats, and the cache fills itself.
WITHOUT = ("kombu_message", settings.CACHE_TABLE)


class Command(BaseCommand):
    help = "Writes the whole database into one file, while the product runs or not."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="Must not be there yet; only you will be able to read it.")

    def handle(self, *args: Any, **options: Any) -> None:
        target: Path = options["file"]
        begun = target.with_name(f".{target.name}.part")
        try:
            if target.exists():
                raise CommandError(f"{target} is there already: name another file.")
            begun.unlink(missing_ok=True)
            os.close(os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as error:
            raise CommandError(f"{target} cannot be written ({error.strerror}): name another file.") from error
        try:
            left_out = [f"--exclude-table-data={table}" for table in WITHOUT]
            dump(begun, *left_out)
            begun.rename(target)
        finally:
            begun.unlink(missing_ok=True)
        self.stdout.write(f"Wrote {target} ({target.stat().st_size:,} bytes)")
