"""Files of one JSON object a line: read one at a time, and what is wrong with a line is told by its number."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import CommandError
from django.db import InterfaceError, OperationalError
from pydantic import BaseModel, ValidationError

from memory_app import guardrails

LONGEST = 64 * 1024 * 1024
Model = TypeVar("Model", bound=BaseModel)


#: What ends an import; whatever else a line raises is about this line only.
ENDS_IMPORT = (KeyboardInterrupt, SystemExit, GeneratorExit, OperationalError, InterfaceError)


class BadLine(Exception):
    """A line that cannot be used; the message repeats nothing of what stands in it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a line is, so that it can be read again."""

    path: Path
    number: int
    offset: int

    def __str__(self) -> str:
        return f"{self.path.name}, line {self.number}"

    def read(self) -> bytes:
        """The line's bytes once more."""
        with self.path.open("rb") as file:
            file.seek(self.offset)
            return file.readline()


def lines_of(path: Path) -> Iterator[tuple[Place, bytes]]:
    """Every line that is not blank, with its place. CommandError where the file cannot be read."""
    try:
        with path.open("rb") as file:
            offset = 0
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield Place(path, number, offset), line
                offset += len(line)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from error


def document_of(line: bytes) -> dict[str, Any]:
    """The JSON object on the line; BadLine where there is none."""
    if len(line) > LONGEST:
        raise BadLine(f"is longer than {LONGEST // 1024 // 1024} MiB.")
    try:
        document = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadLine("is not UTF-8.") from error
    except json.JSONDecodeError as error:
        raise BadLine(f"is not JSON: {error.msg} at column {error.colno}.") from error
    except (RecursionError, ValueError) as error:
        raise BadLine("is not JSON that can be read.") from error
    if not isinstance(document, dict):
        raise BadLine("must be a JSON object.")
    return document


def model_of(model: type[Model], document: dict[str, Any]) -> Model:
    """The document as the model has it; BadLine names each field that is wrong."""
    try:
        return model.model_validate(document)
    except ValidationError as error:
        found = [f"{_field(one['loc'])}: {one['msg']}" for one in error.errors(include_input=False)]
        more = f"; and {len(found) - 5} more" if len(found) > 5 else ""
        raise BadLine("; ".join(found[:5]) + more) from error


def failure_of(error: BaseException) -> str:
    """What is said of a line on which the product itself failed: nothing that the line holds."""
    return f"could not be imported ({type(error).__name__})."


def unknown_fields(model: type[BaseModel], document: dict[str, Any]) -> list[str]:
    """Names in the document that the model passes over."""
    return [guardrails.mask(name).text for name in document if name not in model.model_fields]


def _field(place: tuple[int | str, ...]) -> str:
    return guardrails.mask(".".join(str(part) for part in place)).text
