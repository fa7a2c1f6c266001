"""Options that several commands have."""

from django.core.management.base import CommandError, CommandParser

from memory_app.actions.keys import ensure_workspace
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Invalid
from memory_app.models import Workspace

SHELL = Actor(kind="system", id="shell", label="manage.py", role="admin")
NEW = "default"


def add_workspace(parser: CommandParser) -> None:
    parser.add_argument(
        "--workspace", metavar="SLUG", help="Made where it is new; may be left out where there is only one."
    )


def workspace_of(slug: str | None) -> Workspace:
    """The workspace of this slug, made where it is new; without a slug the only one there is."""
    if slug is None:
        known = list(Workspace.objects.order_by("slug").values_list("slug", flat=True)[:20])
        if len(known) > 1:
            raise CommandError(f"Say which workspace with --workspace: {', '.join(known)}.")
        slug = known[0] if known else NEW
    try:
        return ensure_workspace(slug, SHELL)
    except Invalid as error:
        raise CommandError(str(error)) from error
