"""``manage.py evaluate``: case files, and conversations with questions, run through the product's own functions."""

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from consolidation.actions.policies import current_policy
from consolidation.domain.labels import RIGHT
from consolidation.evaluation import Case, CaseError, Result, read_cases, run_cases, scores
from consolidation.evaluation.conversations import (
    Conversation,
    Found,
    Vectors,
    ask_conversations,
    is_conversations,
    read_conversations,
    shares,
)
from consolidation.evaluation.labels import Answer, run_label
from consolidation.evaluation.scores import Score, tallies
from consolidation.queries.labels import Label, labels
from memory_app.management.progress import Progress
from memory_app.models import Workspace

LONGEST = 400
Judged = tuple[Label, Answer]


class Command(BaseCommand):
    help = (
        "Runs case files and prints accuracy, precision, recall and each failure, by kind and language; of conversations "
        "with questions, the share of the evidence that recall finds among the first 5 and 10; of people's rulings, how "
        "many come out right, harmful or missed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "paths", nargs="*", type=Path, metavar="PATH", help="A file named after its kind, or a folder of such."
        )
        parser.add_argument("--labels", metavar="SLUG", help="Runs what people ruled on in this workspace as cases.")
        parser.add_argument("--vectors", type=Path, metavar="DIR", help="Keeps the vectors of conversations there.")
        parser.add_argument("--json", action="store_true", help="Prints one JSON document.")
        parser.add_argument("--show", type=int, metavar="N", help="Failures shown of each kind (default: all).")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["paths"] and not options["labels"]:
            raise CommandError("Name files of cases, or a workspace with --labels.")
        try:
            files = [path for path in options["paths"] if is_conversations(path)]
            conversations = {path.name: read_conversations(path) for path in files}
            cases = read_cases([path for path in options["paths"] if path not in files])
        except CaseError as error:
            raise CommandError(str(error)) from error
        logging.disable(logging.INFO)
        try:
            results = self._ran(cases)
            judged = self._judged(options["labels"]) if options["labels"] else []
            answered = {
                name: shares(self._asked(name, some, options["vectors"])) for name, some in conversations.items()
            }
        finally:
            logging.disable(logging.NOTSET)
        if options["json"]:
            self._print_json(results, answered, judged)
            return
        self._print(results, options["show"])
        if judged:
            self._print_labels(judged, options["show"])
        for name, groups in answered.items():
            self.stdout.write(name)
            for group, found in groups.items():
                self.stdout.write(f"  {group:15} " + " ".join(f"{what}={share}" for what, share in found.items()))

    def _ran(self, cases: Sequence[Case]) -> list[Result]:
        progress, results = Progress(self.stderr, "cases", len(cases)), []
        try:
            for result in run_cases(cases):
                results.append(result)
                progress.step()
        finally:
            progress.close()
        return results

    def _judged(self, slug: str) -> list[Judged]:
        workspace = Workspace.objects.filter(slug=slug).first()
        if workspace is None:
            raise CommandError(f"There is no workspace {slug}.")
        found = labels(workspace)
        if not found:
            raise CommandError(f"Nobody has ruled on anything in {slug} yet.")
        progress, policy, judged = Progress(self.stderr, "labels", len(found)), current_policy(workspace), []
        try:
            for label in found:
                answer = run_label(workspace, label.kind, label.subject, label.expect, policy)
                if answer is not None:  # what it was made from may no longer be there
                    judged.append((label, answer))
                progress.step()
        finally:
            progress.close()
        return judged

    def _asked(self, name: str, conversations: Sequence[Conversation], folder: Path | None) -> list[Found]:
        progress, found = Progress(self.stderr, name, sum(len(one.questions) for one in conversations)), []
        try:
            for one in ask_conversations(conversations, Vectors(folder)):
                found.append(one)
                progress.step()
        finally:
            progress.close()
        return found

    def _print(self, results: Sequence[Result], most: int | None) -> None:
        for kind, groups in scores(results).items():
            self.stdout.write(kind)
            for group, score in groups.items():
                self.stdout.write(f"  {group:6} {_line(score)}")
            failed = [one for one in results if one.case.kind == kind and not one.right]
            for one in failed[:most]:
                self.stdout.write(f"    {one.case.id} ({one.case.lang}): {one.said[:LONGEST]}")
            if most is not None and len(failed) > most:
                self.stdout.write(f"    and {len(failed) - most} more")

    def _print_labels(self, judged: Sequence[Judged], most: int | None) -> None:
        self.stdout.write("labels")
        for group, counts in tallies(judged).items():
            self.stdout.write(f"  {group:12} " + " ".join(f"{name}={count}" for name, count in counts.items()))
        failed = _failed(judged)
        for one in failed[:most]:
            self.stdout.write(f"    {one['subject']} ({one['lang']}): {one['outcome']}, {one['said']}")
        if most is not None and len(failed) > most:
            self.stdout.write(f"    and {len(failed) - most} more")

    def _print_json(self, results: Sequence[Result], answered: dict[str, Any], judged: Sequence[Judged]) -> None:
        document: dict[str, Any] = dict(scores(results))
        for kind in document:
            document[kind]["failed"] = [
                {"id": one.case.id, "lang": one.case.lang, "said": one.said}
                for one in results
                if one.case.kind == kind and not one.right
            ]
        document |= {"conversations": answered} if answered else {}
        document |= {"labels": tallies(judged) | {"failed": _failed(judged)}} if judged else {}
        self.stdout.write(json.dumps(document, ensure_ascii=False, indent=1))


def _failed(judged: Sequence[Judged]) -> list[dict[str, str]]:
    """What came otherwise, in ids and names."""
    return [
        {
            "subject": str(label.subject), "kind": label.kind, "ruling": label.ruling, "lang": label.language,
            "outcome": answer.outcome,
            "said": f"{answer.got.get('action') or answer.got.get('category') or ''} {answer.got.get('rule') or ''}"
            f", not {label.expected}".strip(),
        }
        for label, answer in judged
        if answer.outcome != RIGHT
    ]  # fmt: skip


def _line(score: Score) -> str:
    return " ".join(f"{name}={'-' if value is None else value}" for name, value in score.items())
