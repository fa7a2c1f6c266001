"""Who does what, in which order: what two texts with the same words can still differ in."""

import re
from collections import Counter
from functools import lru_cache
from itertools import accumulate

from memory_app.domain.words import fold

from .polarity import polarity
from .tokens import Token, content, tokens

_PART = re.compile(r"[,，;；。]|\b(?:but|while|whereas)\b|但是?|不过(?!敏)|而(?=不)")
_JOINED = re.compile(r"(?:(?<!\s)\s+)?(?:,(?!\d{3})|，|、|/|&|\band\b|\bor\b|和|与|跟|以及|还有|或者?)\s*")
_SEQUENCE = re.compile(r"\b(?:first|then|afterwards|next|finally)\b|先|再|然后|接着|最后")
_TAKEN_OUT = re.compile(r"\b(?:not|no|never|except|but|without|nor|instead)\b|n't\b|不|没|除|别|非")
_OPENING = re.compile(r"[a-z']+|.")
_NAMED = re.compile(r"(?:[老小阿][\u4e00-\u9fff]|[A-ZÀ-Þ][\w'’-]+)")


def clauses_oppose(a: str, b: str) -> bool:
    """The same clauses stand in both texts, and one is affirmed here and denied there."""
    mine, theirs = ({content(c): c for c in _PART.split(fold(t)) if content(c)} for t in (a, b))
    if len(mine) < 2 or mine.keys() != theirs.keys():
        return False
    return any(polarity(mine[c]).sign != polarity(theirs[c]).sign for c in mine)


def steps_differ(a: str, b: str, left: tuple[Token, ...], right: tuple[Token, ...]) -> bool:
    """Both texts tell what comes first, and tell it the other way round."""
    if not (_SEQUENCE.search(fold(a)) and _SEQUENCE.search(fold(b))):
        return False
    order = [t.text for t in right if not _SEQUENCE.fullmatch(t.text)]
    return [t.text for t in left if not _SEQUENCE.fullmatch(t.text)] != order


def swapped(a: str, left: tuple[Token, ...], right: tuple[Token, ...]) -> bool:
    """Two things changed sides of a third: "Lena owes Otto" and "Otto owes Lena". A list may come in any order."""
    left, right = _once(left), _once(right)
    place = {t.text: i for i, t in enumerate(right)}
    at = [place[t.text] for t in left if t.text in place]
    if len(at) != len(left) or len(at) < 3:
        return False
    highest = list(accumulate(at, max))
    lowest = list(accumulate(reversed(at), min))[::-1]
    for j in (j for j in range(1, len(at) - 1) if highest[j - 1] > at[j] > lowest[j + 1]):
        before = [i for i in range(j) if at[i] > at[j]]
        after = [k for k in range(j + 1, len(at)) if at[k] < at[j]]
        if before and after and not _JOINED.search(fold(a)[left[before[-1]].start : left[after[0]].start]):
            return True
    return False


def _once(side: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens that stand only once: 老 in 老张 and 老陈 tells nothing."""
    times = Counter(t.text for t in side)
    return tuple(t for t in side if times[t.text] == 1)


def other_actor(a: str, b: str) -> bool:
    """Each text opens with somebody's name, and the one who acts here is only spoken of there."""
    mine, theirs = _NAMED.match(a.strip()), _NAMED.match(b.strip())
    return bool(mine and theirs and mine[0] != theirs[0] and mine[0] in b[theirs.end() :] and content(a) != content(b))


@lru_cache(maxsize=8192)
def _listed(text: str) -> tuple[str, ...]:
    return tuple(part for part in _JOINED.split(fold(text)) if content(part))


def within_list(a: str, b: str) -> bool:
    """Text `b` lists several things of one kind, and `a` says nothing but some of them."""
    if opening(a) is None or opening(a) != opening(b):
        return False
    parts = _listed(b)
    if len(parts) < 2 or _TAKEN_OUT.search(fold(a)) or _TAKEN_OUT.search(fold(b)):
        return False
    said, first = content(a), content(parts[0])
    if said == first:
        return True
    rest = said - first
    members = [content(p) for p in parts[1:]]
    return bool(rest) and rest == frozenset().union(*(m for m in members if m <= rest)) and _same_head(a, parts[0])


@lru_cache(maxsize=8192)
def opening(text: str) -> str | None:
    """The verb or the Chinese character that a text opens with."""
    m = _OPENING.match(fold(text).strip())
    return m[0] if m else None


def _same_head(a: str, part: str) -> bool:
    """What `a` has before its members is what the list has before its first one."""
    mine, theirs = [t.text for t in tokens(a)], [t.text for t in tokens(part)]
    head = 0
    while head < min(len(mine), len(theirs)) and mine[head] == theirs[head]:
        head += 1
    return not (set(mine[head:]) & set(theirs))
