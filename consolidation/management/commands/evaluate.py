"""``manage.py evaluate``: case files, and conversations with questions, run through the product's own functions."""

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

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
from consolidation.evaluation.scores import Score
from memory_app.management.progress import Progress

LONGEST = 400


class Command(BaseCommand):
    help = (
        "Runs case files and prints accuracy, precision, recall and each failure, by kind and language; of conversations "
        "with questions, the share of the evidence that recall finds among the first 5 and 10."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "paths", nargs="+", type=Path, metavar="PATH", help="A file named after its kind, or a folder of such."
        )
        parser.add_argument("--vectors", type=Path, metavar="DIR", help="Keeps the vectors of conversations there.")
        parser.add_argument("--json", action="store_true", help="Prints one JSON document.")
        parser.add_argument("--show", type=int, metavar="N", help="Failures shown of each kind (default: all).")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            files = [path for path in options["paths"] if is_conversations(path)]
            conversations = {path.name: read_conversations(path) for path in files}
            cases = read_cases([path for path in options["paths"] if path not in files])
        except CaseError as error:
            raise CommandError(str(error)) from error
        logging.disable(logging.INFO)
        try:
            results = self._ran(cases)
            answered = {
                name: shares(self._asked(name, some, options["vectors"])) for name, some in conversations.items()
            }
        finally:
            logging.disable(logging.NOTSET)
        if options["json"]:
            self._print_json(results, answered)
            return
        self._print(results, options["show"])
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

    def _print_json(self, results: Sequence[Result], answered: dict[str, Any]) -> None:
        document: dict[str, Any] = dict(scores(results))
        for kind in document:
            document[kind]["failed"] = [
                {"id": one.case.id, "lang": one.case.lang, "said": one.said}
                for one in results
                if one.case.kind == kind and not one.right
            ]
        document |= {"conversations": answered} if answered else {}
        self.stdout.write(json.dumps(document, ensure_ascii=False, indent=1))


def _line(score: Score) -> str:
    return " ".join(f"{name}={'-' if value is None else value}" for name, value in score.items())
