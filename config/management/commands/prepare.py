"""``manage.py prepare``: whatever the product's processes find in the database is there."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config.broker import declare_queues
from config.celery import app
from config.footing import NoFooting, check_broker, check_database


class Command(BaseCommand):
    help = "Migrates the database, makes the cache's table and declares the broker's queues. Safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            check_database()
            check_broker(app)
        except NoFooting as error:
            raise CommandError(str(error)) from error
        call_command("migrate", interactive=False, verbosity=1)
        if _lacks_cache_table():
            call_command("createcachetable", verbosity=0)
            self.stdout.write("Made the cache's table")
        declare_queues()
        self.stdout.write("Declared the broker's queues")


def _lacks_cache_table() -> bool:
    if not settings.CACHES["default"]["BACKEND"].endswith("DatabaseCache"):
        return False
    return settings.CACHE_TABLE not in connection.introspection.table_names()
