"""``manage.py sum_hours``: what the metrics and the overview are read from, counted from the rows at once."""

from typing import Any

from django.core.management.base import BaseCommand

from memory_app.actions.summing import sum_anew, sum_hours
from memory_app.models import Workspace


class Command(BaseCommand):
    help = "Counts the sums by the hour that numbers are read from, as the worker does each minute, but all of them at once."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--anew", action="store_true", help="Also those that hold, from the first row on.")

    def handle(self, *args: Any, **options: Any) -> None:
        for workspace in Workspace.objects.order_by("slug"):
            if options["anew"]:
                sum_anew(workspace)
            sum_hours([workspace], seconds=float("inf"))
            self.stdout.write(f"{workspace.slug}: done")
