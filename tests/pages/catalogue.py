"""Reads what is to be translated (templates and Python) and what is (a .po file) without the gettext programs."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("config", "memory_app", "consolidation")
# the position of the context, the singular and the plural among the arguments
FUNCTIONS: dict[str, tuple[int | None, int, int | None]] = {
    "_": (None, 0, None), "gettext": (None, 0, None), "gettext_lazy": (None, 0, None), "gettext_noop": (None, 0, None),
    "ngettext": (None, 0, 1), "ngettext_lazy": (None, 0, 1), "pgettext": (0, 1, None), "pgettext_lazy": (0, 1, None),
    "npgettext": (0, 1, 2), "npgettext_lazy": (0, 1, 2),
}  # fmt: skip
_CALL = re.compile(r"\b(" + "|".join(sorted(FUNCTIONS, key=len, reverse=True)) + r")\(")

Message = tuple[str | None, str]  # context and msgid


@dataclass
class Entry:
    """One entry of a .po file."""

    context: str | None = None
    msgid: str = ""
    plural: str | None = None
    translations: list[str] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    obsolete: bool = False

    @property
    def message(self) -> Message:
        return (self.context, self.msgid)


def used_messages() -> dict[Message, str]:
    """Each message that a template or a module asks for, with the file that does."""
    found: dict[Message, str] = {}
    for path in sorted((ROOT / "templates").rglob("*.html")):
        code = templatize(path.read_text(encoding="utf-8"), origin=str(path))
        for message in _of_fragments(code):
            found.setdefault(message, str(path.relative_to(ROOT)))
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for message in _of_tree(ast.parse(path.read_text(encoding="utf-8"))):
                found.setdefault(message, str(path.relative_to(ROOT)))
    return found


def _of_fragments(code: str) -> Iterator[Message]:
    """Messages of the pseudo-code that Django makes of a template: calls between characters that mean nothing."""
    for match in _CALL.finditer(code):
        for end in (position for position in range(match.end(), len(code)) if code[position] == ")"):
            try:
                tree = ast.parse(code[match.start() : end + 1], mode="eval")
            except SyntaxError:
                continue
            yield from _of_tree(tree)
            break


def _of_tree(tree: ast.AST) -> Iterator[Message]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name not in FUNCTIONS:
            continue
        context_at, singular_at, _plural_at = FUNCTIONS[name]
        texts = [arg.value if isinstance(arg, ast.Constant) else None for arg in node.args]
        if len(texts) > singular_at and isinstance(texts[singular_at], str) and texts[singular_at]:
            context = texts[context_at] if context_at is not None else None
            yield (context if isinstance(context, str) else None, str(texts[singular_at]))


def read_po(path: Path) -> list[Entry]:
    """The entries of a .po file; the first one, with an empty msgid, is its header."""
    entries: list[Entry] = []
    current: Entry | None = None
    target = ""
    for raw in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        obsolete = raw.startswith("#~")
        line = raw.removeprefix("#~").strip()
        if not line or (line.startswith("#") and not line.startswith("#,")):
            current = current if line else None
            continue
        if current is None:
            current = Entry()
            entries.append(current)
        current.obsolete = current.obsolete or obsolete
        if line.startswith("#,"):
            current.flags |= {flag.strip() for flag in line[2:].split(",")}
            continue
        keyword, _, rest = line.partition(" ") if not line.startswith('"') else (target, "", line)
        text = ast.literal_eval(rest.strip())
        _add(current, keyword, text, continued=line.startswith('"'))
        target = keyword
    return entries


def _add(entry: Entry, keyword: str, text: str, continued: bool) -> None:
    if keyword == "msgctxt":
        entry.context = (entry.context or "") + text
    elif keyword == "msgid":
        entry.msgid += text
    elif keyword == "msgid_plural":
        entry.plural = (entry.plural or "") + text
    elif continued:
        entry.translations[-1] += text
    else:
        entry.translations.append(text)
