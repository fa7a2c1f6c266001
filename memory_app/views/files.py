"""Lists taken out as files: sent as they are read, kept by no cache, and run by no spreadsheet."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.http import StreamingHttpResponse
from django.utils import timezone

from memory_app.access import WorkspaceRequest

TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "jsonl": "application/jsonl"}
#: What a spreadsheet takes for a formula, in Chinese and Japanese also in full width, and what it strips before it looks.
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


def attachment(request: WorkspaceRequest, what: str, kind: str, lines: Iterable[str]) -> StreamingHttpResponse:
    """The lines as a file named after what it is, its workspace and now."""
    response = StreamingHttpResponse(lines, content_type=TYPES[kind])
    name = f"{what}-{request.workspace.slug}-{timezone.now():%Y%m%d-%H%M%S}.{kind}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


def csv_lines(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The rows under their columns."""
    writer = csv.writer(_Line())
    yield "\ufeff" + str(writer.writerow(columns))  # spreadsheets know UTF-8 by this mark
    for row in rows:
        yield str(writer.writerow([_harmless(row[name]) for name in columns]))


def json_lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The rows as one list, a row a line."""
    yield "["
    for place, row in enumerate(rows):
        yield ("," if place else "") + "\n" + json.dumps(row, ensure_ascii=False)
    yield "\n]\n"


class _Line:
    """What csv writes to; it hands each line on."""

    def write(self, line: str) -> str:
        return line


def _harmless(value: Any) -> str:
    """The cell as text that no spreadsheet runs; what is no text stands in it as JSON."""
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"'{text}" if text.lstrip(" \u3000").startswith(FORMULA) else text
