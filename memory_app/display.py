"""User text as safe HTML: escaped, its hidden characters shown, its marks and masks drawn. Plain Python but for escaping."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from memory_app.diffing import HAN, Segment, diff
from memory_app.domain.languages import language_of

# What has no glyph of its own but is not in a format or control category: fillers, blanks, an invisible joiner
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
_FILLER = re.compile(f"[{_FILLERS}]")
_HARMLESS = str.maketrans("", "", "\n\t\u3000")  # what isprintable() calls unprintable and everybody can see
_HAN = re.compile(f"[{HAN}]")
# What stands before a mask is read from its beginning only: a long word without one is read once, not from each letter.
_MASKED = re.compile(
    r"(?:(?<![\w@.*])[\w@.*]+)?•(?:[\w@.•]*[\w•])?(?:[ \-][\w•]*•[\w•]*)*(?:[ \-]\d{1,4}\b)?", re.ASCII
)


def lang_of(text: Any) -> str:
    """`zh-Hans` or `en`, whichever script carries the text: one Han character weighs as much as a short Latin word."""
    return "zh-Hans" if language_of(str(text or "")) == "zh" else "en"


def visible(text: Any) -> SafeString:
    """The text escaped, with bidi controls, zero-width and other unseen characters written out as marked escapes."""
    plain = str(text if text is not None else "")
    if plain.translate(_HARMLESS).isprintable() and not _FILLER.search(plain):
        return escape(plain)
    parts: list[str] = []
    start = 0
    for position, character in enumerate(plain):
        if _is_hidden(plain, position):
            parts.append(escape(plain[start:position]))
            parts.append(_written_out(character))
            start = position + 1
    parts.append(escape(plain[start:]))
    return mark_safe("".join(parts))  # noqa: S308 - every part is escaped above


def said(text: Any, spans: Iterable[tuple[int, int]] = ()) -> SafeString:
    """The text as HTML, the given spans (offsets into it) in `<mark>` and what was masked set apart."""
    plain = str(text if text is not None else "")
    parts: list[str] = []
    position = 0
    for start, end in _merged(spans, len(plain)):
        parts.append(_with_masks(plain[position:start]))
        parts.append(format_html("<mark>{}</mark>", _with_masks(plain[start:end])))
        position = end
    parts.append(_with_masks(plain[position:]))
    return mark_safe("".join(parts))  # noqa: S308 - every part is escaped above


def diff_html(before: Any, after: Any) -> SafeString:
    """What changed from `before` to `after`, word by word, as escaped text with `<del>` and `<ins>`."""
    segments = diff(_plain(before), _plain(after))
    parts: list[str] = []
    for position, segment in enumerate(segments):
        if segment.operation == "equal":
            parts.append(visible(segment.text))
            continue
        if position and _touches(segments[position - 1], segment):
            parts.append(" ")
        element = "<del>{}</del>" if segment.operation == "delete" else "<ins>{}</ins>"
        parts.append(format_html(element, visible(segment.text)))
    return mark_safe("".join(parts))  # noqa: S308 - every part is escaped above


def _plain(value: Any) -> str:
    return "" if value is None else str(value)


def _touches(previous: Segment, current: Segment) -> bool:
    """True if a deleted and an inserted Latin word stand side by side, where Latin readers expect a space."""
    if previous.operation != "delete" or current.operation != "insert":
        return False
    left, right = previous.text[-1:], current.text[:1]
    return left.isalnum() and right.isalnum() and not (_HAN.match(left) or _HAN.match(right))


def _is_hidden(text: str, position: int) -> bool:
    character = text[position]
    if character in "\n\t" or character.isascii() and character.isprintable():
        return False
    if character in _FILLERS:
        return True
    if unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
        return False
    # a joiner inside an emoji, such as a family, is part of a picture and hides nothing
    joins = character == "\u200d" and 0 < position < len(text) - 1
    return not (joins and _is_picture(text[position - 1]) and _is_picture(text[position + 1]))


def _is_picture(character: str) -> bool:
    return character == "\ufe0f" or unicodedata.category(character) in {"So", "Sk"}


def _written_out(character: str) -> SafeString:
    name = unicodedata.name(character, "CONTROL CHARACTER").capitalize()
    return format_html('<span class="masked hidden-char" title="{}">U+{}</span>', name, f"{ord(character):04X}")


def _with_masks(text: str) -> SafeString:
    return _replacing(_MASKED, text, lambda found: format_html('<span class="masked">{}</span>', visible(found)))


def _replacing(pattern: re.Pattern[str], text: str, draw: Callable[[str], SafeString]) -> SafeString:
    parts: list[str] = []
    position = 0
    for match in pattern.finditer(text):
        parts += [visible(text[position : match.start()]), draw(match[0])]
        position = match.end()
    parts.append(visible(text[position:]))
    return mark_safe("".join(parts))  # noqa: S308 - every part is escaped above


def _merged(spans: Iterable[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """The spans in order, cut to the text, overlapping ones joined."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted((max(0, start), min(end, length)) for start, end in spans):
        if joined and start <= joined[-1][1] and end > start:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        elif end > start:
            joined.append((start, end))
    return joined
