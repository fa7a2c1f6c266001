"""Cases, one a line of a file whose name begins with their kind: guardrail, distill, consolidation or recall."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KINDS = ("guardrail", "distill", "consolidation", "recall")


class CaseError(ValueError):
    """A path, file or line that holds no case; the message says which, and so does `line`, from 1, where it is a line."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Case:
    kind: str
    id: str
    lang: str
    input: dict[str, Any]
    expect: dict[str, Any]
    extra: dict[str, Any]
    """Whatever else the line has: `must_not_contain`, `also_ok_empty`, why, tags."""


def files_of(path: Path) -> list[tuple[str, Path]]:
    """The case files at the path with their kinds: itself, or those in the folder."""
    if path.is_dir():
        found = [(kind_of(one.stem), one) for one in sorted(path.glob("*.jsonl"))]
        files = [(kind, one) for kind, one in found if kind]
        if not files:
            raise CaseError(f"{path}: no case files here; their names begin with {', '.join(KINDS)}.")
        return files
    if not path.is_file():
        raise CaseError(f"{path}: there is no such file or folder.")
    kind = kind_of(path.stem)
    if not kind:
        raise CaseError(f"{path}: its name must begin with the kind of its cases: {', '.join(KINDS)}.")
    return [(kind, path)]


def read_cases(paths: Sequence[Path]) -> list[Case]:
    """Every case at the paths. CaseError names the line that is none."""
    return [case for path in paths for kind, file in files_of(path) for case in _cases(kind, file)]


def _cases(kind: str, path: Path) -> Iterator[Case]:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(f"{path}: cannot be read as UTF-8 text.") from error
    yield from cases_in(kind, str(path), text)


def cases_in(kind: str, name: str, text: str) -> Iterator[Case]:
    """The cases of a file's text. CaseError names the line that is none."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            document = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise CaseError(f"{name}, line {number}: is not JSON.", number) from error
        if not isinstance(document, dict) or not all(
            isinstance(document.get(part), dict) for part in ("input", "expect")
        ):
            raise CaseError(f"{name}, line {number}: must be an object with input and expect.", number)
        extra = {k: v for k, v in document.items() if k not in ("id", "lang", "input", "expect")}
        yield Case(
            kind, str(document.get("id", f"{Path(name).stem}:{number}")), str(document.get("lang", "?")),
            document["input"], document["expect"], extra,
        )  # fmt: skip


def kind_of(stem: str) -> str:
    """The kind that the name of a file begins with; empty where it begins with none."""
    return next((kind for kind in KINDS if stem == kind or stem.startswith((f"{kind}_", f"{kind}-"))), "")


def listed(given: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects of a list in a file that somebody wrote; whatever else stands there is passed over."""
    found = given.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
