"""A text as the rules read it, with the way back to the original offsets.

A view is a rewritten copy of the text. Every character of it remembers which span of the original it came from, so
that a match in any view, however deeply decoded, masks the right characters of what was written.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory_app.guardrails.gate import Gated

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f\U000e0100-\U000e01ef]+"
)
ANSI = re.compile(r"\x1b\[[0-9;?]{0,32}[A-Za-z]|\x1b[()][A-Z0-9]")
# Concealed (8) or black on black terminal text; a log in colours does not use these.
CONCEALED = re.compile(r"\x1b\[(?:[0-9;]{0,16};)?8m([^\x1b]{1,2000})")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
TAGS = re.compile("[\U000e0020-\U000e007e]+")
FLAG = "\U0001f3f4"
RIGHT_TO_LEFT_OVERRIDE = re.compile("\u202e([^\u202c\u2069\n]{1,4000})")
_HAN = "\u3400-\u9fff\uf900-\ufaff"


@dataclass(frozen=True, slots=True)
class View:
    """One reading of the text; `starts[i]`, `ends[i]` is the original span of character i."""

    name: str
    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original span that a match of this view covers."""
        if start >= end:
            end = start + 1
        # Reversed views run backwards, so the first character need not be the leftmost.
        return min(self.starts[start:end]), max(self.ends[start:end])

    def rewritten(
        self, name: str, pattern: re.Pattern[str] | Gated, new: Callable[[re.Match[str]], str | None]
    ) -> "View":
        """A view with each match replaced; None leaves it. New characters map to the whole match."""
        pieces: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        at = 0
        for match in pattern.finditer(self.text):
            replacement = new(match)
            if replacement is None or match.start() == match.end():
                continue
            a, b = match.span()
            pieces += (self.text[at:a], replacement)
            starts += self.starts[at:a]
            ends += self.ends[at:a]
            if replacement:
                first, last = self.span(a, b)
                starts += [first] * len(replacement)
                ends += [last] * len(replacement)
            at = b
        if not pieces:
            return self
        pieces.append(self.text[at:])
        starts += self.starts[at:]
        ends += self.ends[at:]
        return View(name, "".join(pieces), starts, ends)

    def mapped(self, name: str, character: Callable[[str], str]) -> "View":
        """A view with every character replaced by one or more others."""
        pieces = [character(c) for c in self.text]
        joined = "".join(pieces)
        if len(joined) == len(pieces) and "" not in pieces:
            return View(name, joined, self.starts, self.ends)
        starts = [s for s, p in zip(self.starts, pieces, strict=True) for _ in p]
        ends = [e for e, p in zip(self.ends, pieces, strict=True) for _ in p]
        return View(name, joined, starts, ends)


def original(text: str) -> View:
    """The text as it was written."""
    return View("original", text, range(len(text)), range(1, len(text) + 1))


@lru_cache(maxsize=1)
def _simplifier() -> Callable[[str], str]:
    from opencc import OpenCC  # loaded on the first Chinese text: the dictionaries take a moment

    convert: Callable[[str], str] = OpenCC("t2s").convert
    return convert


@lru_cache(maxsize=65536)
def plain_character(character: str) -> str:
    """The character as the rules read it: NFKC, simplified Chinese, digits of ASCII."""
    digit = unicodedata.digit(character, None)
    if digit is not None:
        return str(digit)
    if character == "\u20e3":  # the box around a digit that is written as a key
        return ""
    folded = unicodedata.normalize("NFKC", character)
    if len(folded) > 4:  # one ligature stands for a sentence: a text of them must not grow
        return character
    if len(folded) == 1 and "\u3400" <= folded <= "\u9fff":
        simple = _simplifier()(folded)
        return simple if len(simple) == 1 else folded
    return folded


def plain(text: str) -> View:
    """The text without invisible characters, in NFKC and simplified Chinese, on one spelling of line ends."""
    view = original(text)
    if "\x1b" in text:
        view = view.rewritten("plain", ANSI, lambda _: "")
    view = view.rewritten("plain", CONTROLS, lambda m: "\ufffd" if m[0] >= "\ud800" else " ")
    if text.isascii():
        return View("plain", view.text, view.starts, view.ends)
    view = view.rewritten("plain", INVISIBLE, lambda _: "")
    read = view.mapped("plain", plain_character)
    if len(read.text) <= 1.5 * len(text) + 200:
        return read
    # A text of signs that stand for words is read sign by sign: it must not grow.
    return view.mapped("plain", lambda c: folded if len(folded := plain_character(c)) <= 1 else c)


def hidden(text: str) -> list[View]:
    """What a person cannot see but a model reads: tag characters and concealed terminal text."""
    found: list[View] = []
    for match in TAGS.finditer(text):
        start, end = match.span()
        if start and text[start - 1] == FLAG:
            continue  # a regional flag is spelled with tag characters
        decoded = "".join(chr(ord(c) - 0xE0000) for c in match[0])
        found.append(View("hidden", decoded, range(start, end), range(start + 1, end + 1)))
    for match in CONCEALED.finditer(text):
        start, end = match.span(1)
        found.append(View("hidden", match[1], range(start, end), range(start + 1, end + 1)))
    return found


def reordered(text: str) -> View | None:
    """The text as it is displayed where a right-to-left override turns part of it round."""
    if "\u202e" not in text:
        return None
    pieces: list[str] = []
    order: list[int] = []
    at = 0
    for match in RIGHT_TO_LEFT_OVERRIDE.finditer(text):
        start, end = match.span(1)
        pieces += (text[at : match.start()], match[1][::-1])
        order += range(at, match.start())
        order += range(end - 1, start - 1, -1)
        at = end
    pieces.append(text[at:])
    order += range(at, len(text))
    view = View("reordered", "".join(pieces), order, [i + 1 for i in order])
    return view.rewritten("reordered", INVISIBLE, lambda _: "").mapped("reordered", plain_character)
