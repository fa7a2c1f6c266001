"""In which language a text is written, by its script."""

import re

from memory_app.diffing import HAN

_HAN = re.compile(f"[{HAN}]")
_LETTER = re.compile(r"[^\W\d_]")


def language_of(text: str) -> str:
    """`zh` or `en`, whichever script carries the text: one Han character weighs as much as a short Latin word. Empty
    where it has no letters."""
    han = len(_HAN.findall(text))
    latin = len(_LETTER.findall(text)) - han
    if not han and not latin:
        return ""
    return "zh" if han * 4 >= latin else "en"
