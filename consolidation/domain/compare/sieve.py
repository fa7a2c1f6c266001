"""Which of many patterns may have a match in a text, told by one look at the short pieces that the text is made of.

Most memories hold next to nothing of what the grammars look for, and most of the time of reading one was spent on finding
that out, grammar by grammar. What a match needs is taken from the pattern itself (`memory_app.guardrails.gate`), so a
sieve can let a pattern through for nothing, and never keeps one from its match.
"""

import re
from functools import lru_cache
from operator import add

from memory_app.guardrails.gate import needed

#: The pieces of all sieves by how they begin, in two characters at most: each with the bits of the groups that may match
#: where it stands. One look at a text serves all.
_begun: dict[str, dict[str, int]] = {}
_beginnings: set[str] = set()
_count = 0


@lru_cache(maxsize=16384)
def _of(text: str) -> int:
    found = 0
    for begun in (*_beginnings.intersection(text), *_beginnings.intersection(map(add, text, text[1:]))):
        for piece, bits in _begun[begun].items():
            if piece in text:
                found |= bits
    return found


class Sieve:
    """Some groups of patterns, in their order."""

    __slots__ = ("_always", "_first", "_mine", "groups")

    def __init__(self, *groups: tuple[re.Pattern[str], ...]) -> None:
        global _count
        self.groups, self._first, self._always = groups, _count, 0
        for group in groups:
            for pattern in group:
                needs = () if pattern.flags & re.IGNORECASE else needed(pattern.pattern, pattern.flags)
                if not needs:
                    self._always |= 1 << _count
                for piece in needs[0] if needs else ():
                    begun = _begun.setdefault(piece[:2], {})
                    begun[piece] = begun.get(piece, 0) | 1 << _count
                    _beginnings.add(piece[:2])
            _count += 1
        self._mine = (1 << _count) - (1 << self._first)
        _of.cache_clear()

    def of(self, folded: str) -> list[int]:
        """The places of the groups of which a pattern may have a match in this folded text."""
        left = (_of(folded) & self._mine | self._always) >> self._first
        places = []
        while left:
            places.append((left & -left).bit_length() - 1)
            left &= left - 1
        return places
