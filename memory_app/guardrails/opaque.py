"""Opaque identifiers: random digits and letters that are nobody's number, whatever some of them look like."""

import re
from functools import lru_cache

# Dashes make the shape alone telling; without them the version and variant that such an identifier carries must be right.
_UUID = (
    r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|[0-9A-Fa-f]{12}[1-8][0-9A-Fa-f]{3}[89ABab][0-9A-Fa-f]{15}"
)
_ALONE = re.compile(_UUID)
_WITHIN = re.compile(rf"(?<![0-9A-Za-z])(?:{_UUID})(?![0-9A-Za-z])")


def is_opaque(text: str) -> bool:
    """True if the text is an identifier and nothing else."""
    return _ALONE.fullmatch(text) is not None


@lru_cache(maxsize=16)
def without_opaque(text: str) -> str:
    """The text, as long as before, with every identifier as letters that say nothing."""
    return _WITHIN.sub(lambda m: "z" * len(m[0]), text)
