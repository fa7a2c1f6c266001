"""``manage.py forget``: what the nightly task does, now; or only what it would do."""

from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from consolidation.actions.forgetting import forget_due, what_would_be_forgotten
from memory_app.management.progress import Progress
from memory_app.models import Workspace


class Command(BaseCommand):
    help = "Forgets what the policies of retention say is due; with --dry-run only says how much that is."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--workspace", metavar="SLUG", help="Only this one (default: all).")
        parser.add_argument("--dry-run", action="store_true", help="Writes nothing.")

    def handle(self, *args: Any, **options: Any) -> None:
        workspaces = Workspace.objects.order_by("slug")
        if options["workspace"] is not None:
            workspaces = workspaces.filter(slug=options["workspace"])
            if not workspaces.exists():
                raise CommandError("There is no such workspace.")
        for workspace in workspaces:
            due = what_would_be_forgotten(workspace)
            if options["dry_run"]:
                self._tell(workspace, due, "due")
                continue
            progress = Progress(self.stderr, f"due in {workspace.slug}", sum(due.values()))
            done: Counter[str] = Counter()
            for step, count in forget_due(workspace):
                done[step] += count
                progress.step(count)
            progress.close()
            self._tell(workspace, {step: done[step] for step in due}, "done")

    def _tell(self, workspace: Workspace, counts: dict[str, int], what: str) -> None:
        told = ", ".join(f"{n} {step.replace('_', ' ')}" for step, n in counts.items() if n)
        self.stdout.write(f"{workspace.slug}: {told or 'nothing'} {what}")
