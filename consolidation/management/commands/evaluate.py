"""``manage.py evaluate``: case files run through the product's own functions, and scored."""

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from consolidation.evaluation import CaseError, Result, read_cases, run_cases, scores
from consolidation.evaluation.scores import Score
from memory_app.management.progress import Progress

LONGEST = 400


class Command(BaseCommand):
    help = "Runs case files and prints accuracy, precision, recall and each failure, by kind and language."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "paths", nargs="+", type=Path, metavar="PATH", help="A file named after its kind, or a folder of such."
        )
        parser.add_argument("--json", action="store_true", help="Prints one JSON document.")
        parser.add_argument("--show", type=int, metavar="N", help="Failures shown of each kind (default: all).")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            cases = read_cases(options["paths"])
        except CaseError as error:
            raise CommandError(str(error)) from error
        logging.disable(logging.INFO)
        progress, results = Progress(self.stderr, "cases", len(cases)), []
        try:
            for result in run_cases(cases):
                results.append(result)
                progress.step()
        finally:
            logging.disable(logging.NOTSET)
            progress.close()
        if options["json"]:
            self._print_json(results)
        else:
            self._print(results, options["show"])

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

    def _print_json(self, results: Sequence[Result]) -> None:
        document: dict[str, Any] = dict(scores(results))
        for kind in document:
            document[kind]["failed"] = [
                {"id": one.case.id, "lang": one.case.lang, "said": one.said}
                for one in results
                if one.case.kind == kind and not one.right
            ]
        self.stdout.write(json.dumps(document, ensure_ascii=False, indent=1))


def _line(score: Score) -> str:
    return " ".join(f"{name}={'-' if value is None else value}" for name, value in score.items())
