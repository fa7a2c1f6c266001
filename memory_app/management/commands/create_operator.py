"""``manage.py create_operator``: somebody who may work in a workspace, with a first password that is printed once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_app.actions.keys import ensure_workspace
from memory_app.actions.members import ROLES, add_member, create_member
from memory_app.domain.actor import Actor
from memory_app.domain.errors import CommonplaceError
from memory_app.models import Operator

SHELL = Actor(kind="system", id="shell", label="manage.py", role="admin")


class Command(BaseCommand):
    help = (
        "Lets an operator into a workspace (made where it is new); prints a first password, which a new one replaces."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--workspace", required=True, metavar="SLUG")
        parser.add_argument("--role", default="admin", choices=[str(role) for role in ROLES])

    def handle(self, *args: Any, **options: Any) -> None:
        username, role = options["username"], options["role"]
        try:
            workspace = ensure_workspace(options["workspace"], SHELL)
            if Operator.objects.filter(username=username).exists():
                add_member(workspace, SHELL, username, role)
                self.stdout.write(f"{username} is now {role} in {workspace.slug}; their password is as it was.")
                return
            _, password = create_member(workspace, SHELL, username=username, role=role)
        except CommonplaceError as error:
            raise CommandError(error.message) from error
        self.stdout.write(password)
