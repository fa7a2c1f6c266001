"""Text made safe for an embedding model."""

import re

from memory_app.domain.words import simplify

_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_SPACE = re.compile(r"\s+")


def clean(text: str, longest: int) -> str:
    """The text on one line, in simplified Chinese, at most ``longest`` characters.

    Without what cuts it silently (NUL) or raises (a lone surrogate); traditional and simplified writing of one
    sentence have one vector.
    """
    return _SPACE.sub(" ", simplify(_UNSAFE.sub(" ", text[: longest * 2]))).strip()[:longest]
