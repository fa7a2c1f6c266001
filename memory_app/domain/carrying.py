"""A value follows its text: what an edit makes of the words that the value was taken from."""

import json
import re
from difflib import SequenceMatcher
from typing import Any

#: A number with its marks, a run of letters, or one other character (so Chinese goes character by character).
_PIECE = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_㐀-䶿一-鿿぀-ヿ가-힯]+|\s+|.", re.DOTALL)


def carried(value: Any, before: str, after: str) -> Any:
    """The value as the edited text says it. One that the old text did not say in its own words stays as it is; one
    whose words are gone, or cannot be told from what else was rewritten, is none."""
    if value is None or isinstance(value, bool | dict | list):
        return value
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    place = _place(_PIECE.findall(str(value)), old)
    if place is None or _place(_PIECE.findall(str(value)), new) is not None:
        return value
    said = _counterpart(place, old, new)
    return None if said is None else _typed(said, value)


def says(text: str, value: Any) -> bool:
    """The text holds the value in its own words."""
    return _place(_PIECE.findall(str(value)), _PIECE.findall(text)) is not None


def _place(wanted: list[str], pieces: list[str]) -> tuple[int, int] | None:
    folded, sought = [p.casefold() for p in pieces], [p.casefold() for p in wanted]
    for start in range(len(folded) - len(sought) + 1):
        if sought and folded[start : start + len(sought)] == sought:
            return start, start + len(sought)
    return None


def _counterpart(place: tuple[int, int], old: list[str], new: list[str]) -> str | None:
    """What stands in the new text where the old one had the value; None where an edit reaches beyond the value, or so
    little of the rest is left that another thing is said."""
    first, last = place
    edits = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    if not _says_the_rest(place, old, [(a, b) for tag, a, b, _, _ in edits if tag == "equal"]):
        return None
    found: list[str] = []
    for tag, a, b, c, d in edits:
        if tag == "insert":
            found += new[c:d] if first < a < last else []
        elif a < last and b > first:
            if tag == "equal":
                found += new[c + max(0, first - a) : c + min(b, last) - a]
            elif a < first or b > last:
                return None
            elif tag == "replace":
                found += new[c:d]
    return "".join(found).strip() or None


def _says_the_rest(place: tuple[int, int], old: list[str], equal: list[tuple[int, int]]) -> bool:
    """At least half of the words beside the value stay."""
    rest = [at for at, piece in enumerate(old) if piece.strip() and not place[0] <= at < place[1]]
    kept = [at for at in rest if any(a <= at < b for a, b in equal)]
    return 2 * len(kept) >= len(rest)


def _typed(said: str, value: Any) -> Any:
    """In the type that it had: a number stays one, or is none."""
    if isinstance(value, str):
        return said
    try:
        number = json.loads(said.replace(",", ""))
    except ValueError:
        return None
    return number if isinstance(number, int | float) and not isinstance(number, bool) else None
