"""Reading our own documents: their code blocks, their names, and whether an answer is as they show it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
_CODE = re.compile(r"`([^`\n]+)`")
#: What differs from run to run: ids, short names, times, and numbers that are measured.
_UUID = re.compile(r"^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$")
_REF = re.compile(r"^[A-Z]-\d+$")
_NAMED = re.compile(r"\b[A-Z]-\d+\b")
_TIME = re.compile(r"^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$")


_DAY = re.compile(r"\d{4}-\d{2}-\d{2}|\b\d{1,2} [A-Z][a-z]{2,8}(?: \d{4})?\b|(?:\d{4} ?年)?\d{1,2} ?月 ?\d{1,2} ?日")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the heading that it stands under."""

    language: str
    text: str
    heading: str


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def blocks(path: Path) -> list[Block]:
    """Every fenced block of the document, in order."""
    text = read(path)
    found = []
    for fence in _FENCE.finditer(text):
        headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", text[: fence.start()]), re.M)
        found.append(Block(fence[1], fence[2], headings[-1] if headings else ""))
    return found


def under(path: Path, heading: str) -> list[Block]:
    """The fenced blocks below one heading."""
    found = [block for block in blocks(path) if block.heading == heading]
    assert found, f"{path.name} has no code below {heading!r}"
    return found


def codes(path: Path) -> set[str]:
    """Everything that stands in backticks outside of fences."""
    return set(_CODE.findall(_FENCE.sub("", read(path))))


def links(path: Path) -> Iterator[str]:
    """The targets of the document's links that lead to files here."""
    for target in re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"", read(path)):
        address = target[0] or target[1]
        if not re.match(r"[a-z]+:", address):
            yield address


def differences(shown: Any, real: Any, where: str = "$") -> list[str]:
    """Where an answer is not as it is shown. What is shown may be shorter than the answer, never different."""
    if isinstance(shown, dict) and isinstance(real, dict):
        missing = [f"{where}.{name}: not in the answer" for name in shown if name not in real]
        below = [differences(value, real[name], f"{where}.{name}") for name, value in shown.items() if name in real]
        return missing + [line for lines in below for line in lines]
    if isinstance(shown, list) and isinstance(real, list):
        if len(shown) != len(real):
            return [f"{where}: {len(shown)} shown, {len(real)} answered: {json.dumps(real, ensure_ascii=False)[:500]}"]
        pairs = enumerate(zip(shown, real, strict=True))
        return [line for at, (a, b) in pairs for line in differences(a, b, f"{where}[{at}]")]
    if _kind(shown) == _kind(real) and (_varies(shown) or without_dates(shown) == without_dates(real)):
        return []
    return [f"{where}: shown {shown!r}, answered {real!r}"]


def without_dates(value: Any) -> Any:
    """A text without days and short names, which differ from run to run; anything else as it is."""
    return _DAY.sub("<day>", _NAMED.sub("<ref>", value)) if isinstance(value, str) else value


def _kind(value: Any) -> str:
    if isinstance(value, str):
        for name, pattern in (("id", _UUID), ("ref", _REF), ("time", _TIME)):
            if pattern.match(value):
                return name
    return type(value).__name__


def _varies(value: Any) -> bool:
    return _kind(value) in ("id", "ref", "time", "float")
