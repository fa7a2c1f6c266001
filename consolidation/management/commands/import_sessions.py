"""``manage.py import_sessions``: recorded conversations replayed, as if they had come through the API."""

import time
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import BaseCommand, CommandError, CommandParser

from consolidation.actions.importing import alone, import_session
from consolidation.recorded import SessionRecorded
from memory_app.domain.errors import CommonplaceError, Conflict
from memory_app.management.arguments import SHELL, add_workspace, workspace_of
from memory_app.management.lines import (
    ENDS_IMPORT,
    BadLine,
    Place,
    document_of,
    failure_of,
    lines_of,
    model_of,
    unknown_fields,
)
from memory_app.management.progress import Progress
from memory_app.models import Action, Workspace


class Command(BaseCommand):
    help = "Replays recorded sessions, each ended and consolidated; can be stopped and started again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="One JSON object a line.")
        add_workspace(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        began = time.monotonic()
        bad: list[str] = []
        places = self._in_order(options["files"], bad)
        workspace = workspace_of(options["workspace"])
        try:
            with alone(workspace):
                counts, decisions = self._replay(workspace, places, bad)
        except Conflict as error:
            raise CommandError(error.message) from error
        self._summary(counts, decisions, time.monotonic() - began)
        if bad:
            raise CommandError(f"{len(bad)} of {len(places) + counts['unread']} lines were not imported; see above.")

    def _in_order(self, files: Sequence[Path], bad: list[str]) -> list[Place]:
        """Where the good lines are, the earliest session first: so each comes after its user's earlier ones."""
        found: list[tuple[datetime, int, Place]] = []
        passed_over: set[str] = set()
        for path in files:
            for place, line in lines_of(path):
                try:
                    document = document_of(line)
                    recorded = model_of(SessionRecorded, document)
                except BadLine as error:
                    self._report(bad, place, str(error))
                    continue
                except ENDS_IMPORT:
                    raise
                except BaseException as error:  # a panic of a compiled library is no Exception
                    self._report(bad, place, failure_of(error))
                    continue
                for name in sorted(set(unknown_fields(SessionRecorded, document)) - passed_over):
                    passed_over.add(name)
                    self.stderr.write(f"{place}: the field {name} is not known and is passed over.")
                found.append((recorded.started_at, len(found), place))
        self._unread = len(bad)
        return [place for _, _, place in sorted(found, key=lambda one: one[:2])]

    def _replay(
        self, workspace: Workspace, places: Sequence[Place], bad: list[str]
    ) -> tuple[Counter[str], Counter[str]]:
        counts: Counter[str] = Counter(unread=self._unread)
        decisions: Counter[str] = Counter()
        progress = Progress(self.stderr, "sessions", len(places))
        for place in places:
            try:
                recorded = model_of(SessionRecorded, document_of(place.read()))
                imported = import_session(workspace, SHELL, recorded)
            except (BadLine, CommonplaceError) as error:
                self._report(bad, place, str(error), progress)
            except ObjectDoesNotExist:
                self._report(bad, place, "was erased while it was imported.", progress)
            except ENDS_IMPORT:
                raise
            except BaseException as error:
                self._report(bad, place, failure_of(error), progress)
            else:
                counts["new" if imported.new else "known"] += 1
                for name in ("turns", "notes", "blocked"):
                    counts[name] += getattr(imported, name)
                decisions.update(imported.decisions)
                if imported.failed:
                    self._report(bad, place, f"is stored, but not consolidated: {imported.failed}", progress)
            progress.step()
        progress.close()
        return counts, decisions

    def _report(self, bad: list[str], place: Place, problem: str, progress: Progress | None = None) -> None:
        line = f"{place}: {problem}"
        bad.append(line)
        (progress.say if progress is not None else self.stderr.write)(line)

    def _summary(self, counts: Counter[str], decisions: Counter[str], seconds: float) -> None:
        known = f", {counts['known']} of them there before" if counts["known"] else ""
        blocked = f", {counts['blocked']} of them blocked" if counts["blocked"] else ""
        made = [f"{decisions[action]} {action}" for action in Action.values if decisions[action]]
        self.stdout.write(f"{counts['new'] + counts['known']} sessions{known}, {counts['turns']} turns")
        self.stdout.write(f"{counts['notes']} notes{blocked}")
        self.stdout.write(f"{decisions.total()} decisions" + (f": {', '.join(made)}" if made else ""))
        self.stdout.write(f"{seconds:.1f} seconds")
