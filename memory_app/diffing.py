"""Word differences between two versions of a text.

Latin text is compared by word and Chinese by jieba segment; a number, a date or an identifier is one word, so that
"1,500" never reads as "1,<del>5</del>00".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from memory_app.domain import words

Operation = Literal["equal", "delete", "insert"]

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
NUMERALS = frozenset("〇零一二三四五六七八九十百千万亿两点")
# 1: Han run · 2: number, date or identifier, with its sign and per cent · 3: spaces · 4: any other character
_TOKEN = re.compile(
    rf"([{HAN}]+)"
    r"|((?<![^\W_])[+\-−]?\d[^\W_]*(?:[-_.,:/'’·][^\W_]+)*[%％‰]?|[^\W_]+(?:[-_.'’·][^\W_]+)*)"
    r"|(\s+)|(.)",
    re.DOTALL,
)
_HAN_CHARACTER = re.compile(f"[{HAN}]")
_HAN_SPLIT = re.compile(f"([{HAN}]+)")


@dataclass(frozen=True)
class Segment:
    """A stretch of text that was kept, deleted or inserted."""

    operation: Operation
    text: str


def tokens(text: str) -> list[str]:
    """The words, numbers, spaces and marks of `text`; joined again they are `text`."""
    found: list[str] = []
    for match in _TOKEN.finditer(text):
        if match[1]:
            found.extend(_segments(match[1]))
        elif match[2] and _HAN_CHARACTER.search(match[2]):
            # "2000美元" and "去A380": Han letters count as letters for the expression, so they are parted here
            for piece in _HAN_SPLIT.split(match[2]):
                if piece:
                    found.extend(_segments(piece) if _HAN_CHARACTER.match(piece) else [piece])
        else:
            found.append(match[0])
    return found


def diff(before: str, after: str) -> tuple[Segment, ...]:
    """Segments that give `before` without the insertions and `after` without the deletions."""
    if before == after:
        return (Segment("equal", after),) if after else ()
    old, new = tokens(before), tokens(after)
    changes: list[tuple[str, str, str]] = []  # what was kept, then what was deleted and inserted after it
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            changes.append(("".join(old[i1:i2]), "", ""))
        else:
            changes.append(("", "".join(old[i1:i2]), "".join(new[j1:j2])))
    return tuple(_write(_trim(_bridge(changes))))


def _segments(han: str) -> list[str]:
    """Jieba's segments of a Han run, with a numeral that it cut kept whole."""
    joined: list[str] = []
    for word in words.cut(han):
        if joined and _is_numeral(word) and _is_numeral(joined[-1]):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _is_numeral(word: str) -> bool:
    return all(character in NUMERALS for character in word)


def _bridge(changes: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """The changes, joined over what was kept between them when that is only spaces and marks."""
    joined: list[tuple[str, str, str]] = []
    for position, (kept, deleted, inserted) in enumerate(changes):
        inner = 0 < position < len(changes) - 1
        if kept and inner and not any(character.isalnum() for character in kept):
            deleted, inserted = kept, kept
        if (deleted or inserted) and joined and not joined[-1][0]:
            _, earlier_deleted, earlier_inserted = joined.pop()
            joined.append(("", earlier_deleted + deleted, earlier_inserted + inserted))
        elif deleted or inserted:
            joined.append(("", deleted, inserted))
        else:
            joined.append((kept, "", ""))
    return joined


def _trim(changes: list[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
    """The changes, without a word or a space that both sides share at an end (早班机 → 晚班机 keeps 班机)."""
    for kept, deleted, inserted in changes:
        if kept or not (deleted and inserted):
            yield kept, deleted, inserted
            continue
        head = _shared_head(deleted, inserted)
        deleted, inserted = deleted[len(head) :], inserted[len(head) :]
        tail = _shared_head(deleted[::-1], inserted[::-1], reverse=True)[::-1]
        if tail:
            deleted, inserted = deleted[: -len(tail)], inserted[: -len(tail)]
        if head:
            yield head, "", ""
        yield "", deleted, inserted
        if tail:
            yield tail, "", ""


def _shared_head(left: str, right: str, reverse: bool = False) -> str:
    """The longest shared beginning that is spaces, or Han characters that make a word of the dictionary."""
    length = 0
    while length < min(len(left), len(right)) and left[length] == right[length]:
        length += 1
    shared = left[:length]
    spaces = shared[: len(shared) - len(shared.lstrip())]
    if spaces:
        return spaces
    for size in range(min(length, 8), 1, -1):
        word = shared[:size]
        beyond = left[size : size + 1] + right[size : size + 1]
        cuts_numeral = word[-1] in NUMERALS or any(c in NUMERALS or c.isdigit() for c in beyond)
        readable = word[::-1] if reverse else word
        if not cuts_numeral and all(_HAN_CHARACTER.match(c) for c in word) and words.in_dictionary(readable):
            return word
    return ""


def _write(changes: Iterator[tuple[str, str, str]]) -> Iterator[Segment]:
    for kept, deleted, inserted in changes:
        if kept:
            yield Segment("equal", kept)
        if deleted:
            yield Segment("delete", deleted)
        if inserted:
            yield Segment("insert", inserted)
