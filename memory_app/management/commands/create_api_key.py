"""``manage.py create_api_key``: a new key of a workspace, printed once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_app.actions.keys import create_key, ensure_workspace
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Invalid
from memory_app.models import Role

SHELL = Actor(kind="system", id="shell", label="manage.py", role="admin")


class Command(BaseCommand):
    help = "Makes an API key; the workspace too, where it is new. Prints the key, and only the key."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--workspace", required=True, metavar="SLUG")
        parser.add_argument("--role", required=True, choices=Role.values)
        parser.add_argument("--name", default="", help="What people see in lists (default: the role).")
        parser.add_argument(
            "--team", action="append", default=[], metavar="NAME", help="Limits the key; may be repeated."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            workspace = ensure_workspace(options["workspace"], SHELL)
            _, secret = create_key(workspace, SHELL, role=options["role"], name=options["name"], teams=options["team"])
        except Invalid as error:
            raise CommandError(str(error)) from error
        self.stdout.write(secret)
