"""Text made safe for an embedding model."""

import re

_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_SPACE = re.compile(r"\s+")


def clean(text: str, longest: int) -> str:
    """The text on one line, at most ``longest`` characters, without what cuts it silently (NUL) or raises (a lone
    surrogate)."""
    return _SPACE.sub(" ", _UNSAFE.sub(" ", text[: longest * 2])).strip()[:longest]
