"""``manage.py reindex``: the vectors of everything remembered made anew, after the embedder has changed."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory_app.actions.indexing import outdated, reindex


class Command(BaseCommand):
    help = "Makes the vectors that another embedder made, or none, anew; can be stopped and started again."

    def handle(self, *args: Any, **options: Any) -> None:
        total, done = outdated(), 0
        try:
            for made in reindex():
                done += made
                self.stdout.write(f"\r{done} of {total}", ending="")
        except RuntimeError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"\r{done} vectors made anew." if done else "Every vector is up to date.")
