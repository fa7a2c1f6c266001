"""Whether a note says what a case expects: the same value, or a text that is close to its gist."""

import re
import unicodedata
from collections import Counter
from typing import Any

#: From this share of common pairs of characters on, two texts are taken for the same.
CLOSE = 0.45
_PASSED_OVER = re.compile(r"[\s_\-]+")


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same but for case, width, spaces and hyphens."""
    return _plain(one) == _plain(other)


def alike(one: str, other: str) -> bool:
    """Whether two texts are close (Dice's measure over pairs of characters)."""
    first, second = _pairs(_plain(one)), _pairs(_plain(other))
    total = first.total() + second.total()
    if not total:
        return same(one, other)
    return 2 * (first & second).total() / total >= CLOSE


def _plain(value: Any) -> str:
    return _PASSED_OVER.sub("", unicodedata.normalize("NFKC", str(value)).casefold())


def _pairs(text: str) -> Counter[str]:
    return Counter(text[i : i + 2] for i in range(len(text) - 1))
