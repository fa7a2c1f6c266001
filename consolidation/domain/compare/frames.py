"""How two sentences are built: whether they are one sentence with one place filled differently, and who is what to whom."""

import re
from collections.abc import Callable
from functools import lru_cache

from memory_app.domain.words import fold, segments

from .tokens import CJK, content, script, tokens

_PIECE = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:['’][a-z]+)?")
_NO_CHINESE = re.compile(rf"[^{CJK}]+")
_ARTICLES = frozenset("the a an of to in on at 的 了 在".split())
#: What stands on either side of these changes its meaning when it changes sides. A list may come in any order.
_SIDES = re.compile(
    r"\b(?:to|over|than|rather than|instead of|before|after|not|never|but)\b|n't\b|"
    r"比(?!起)|更(?![换新改正])|不如|胜过|优于|而不是?|也不|不(?!过|但|仅|超过|管|论)|别(?![墅人的])|欠|借给?|先于|早于|晚于|高于|低于"
)


@lru_cache(maxsize=8192)
def pieces(text: str) -> tuple[str, ...]:
    """The words of a text as they stand, Chinese ones as the dictionary cuts them."""
    found: list[str] = []
    for m in _PIECE.finditer(fold(text)):
        found.extend(segments(m[0]) if re.match(f"[{CJK}]", m[0]) else (m[0],))
    return tuple(found)


def parallel(a: str, b: str) -> bool:
    """The texts are one sentence in which one place is filled differently: they open alike and go on differently, or
    differ in one word only."""
    mine, theirs = pieces(a), pieces(b)
    if not mine or not theirs or (mine[0] != theirs[0] and mine[-1] != theirs[-1]):
        return _one_place(a, b)
    short = min(len(mine), len(theirs))
    start = end = 0  # plain loops: most pairs differ at once
    while start < short and mine[start] == theirs[start]:
        start += 1
    while end < short - start and mine[-1 - end] == theirs[-1 - end]:
        end += 1
    if _one_place(a, b):
        return True
    if start + end == 0 or start + end == short or 3 * (start + end) < short:
        return False
    return start > 0 or (len(mine) == len(theirs) == end + 1)


@lru_cache(maxsize=8192)
def _chinese_of(text: str) -> str:
    return _NO_CHINESE.sub("", fold(text))


def _one_place(a: str, b: str) -> bool:
    """Two Chinese texts as long as each other, alike but for one or two characters: 睡硬床垫, 睡软床垫. The dictionary may
    cut them differently."""
    mine, theirs = _chinese_of(a), _chinese_of(b)
    if len(mine) != len(theirs) or len(mine) < 4 or script(a) != script(b):
        return False
    apart = [i for i, (x, y) in enumerate(zip(mine, theirs, strict=True)) if x != y]
    return 0 < len(apart) <= 2 and apart[-1] - apart[0] < 2 and apart[0] > 0


def numbers_differ(a: str, b: str) -> bool:
    """Both texts hold quantities, and not the same ones."""
    mine, theirs = ({t.text for t in tokens(text) if t.kind in ("number", "identifier")} for text in (a, b))
    return bool(mine) and bool(theirs) and mine != theirs


def sides_swapped(a: str, b: str) -> bool:
    """The same things stand on the other side of a "than", "to" or "not": prefers tea to coffee, coffee to tea."""
    # By meaning, and by the very words: 哥哥 and 弟弟 may both be a brother.
    return _swapped(a, b, content) or _swapped(a, b, lambda text: frozenset(pieces(text)))


def _swapped(a: str, b: str, said: Callable[[str], frozenset[str]]) -> bool:
    mine, theirs = ([said(half) for half in _halves(text)] for text in (a, b))
    if not mine or not theirs:
        return False
    before, after = mine[0] - theirs[0], mine[1] - theirs[1]
    return bool(before) and bool(after) and before == theirs[1] - mine[1] and after == theirs[0] - mine[0]


def _halves(text: str) -> tuple[str, ...]:
    folded = fold(text)
    for m in _SIDES.finditer(folded):
        halves = folded[: m.start()], folded[m.end() :]
        if all(content(half) for half in halves):
            return halves
    return ()


def chained(a: str, b: str) -> bool:
    """What one text says something about is only mentioned by the other: A calls B, B calls C."""
    mine, theirs = ([p for p in pieces(text) if p not in _ARTICLES] for text in (a, b))
    return bool(mine) and bool(theirs) and (_leads_on(mine, theirs) or _leads_on(theirs, mine))


def _leads_on(a: list[str], b: list[str]) -> bool:
    """`b` opens with what `a` comes to after its verb, and does not speak of what `a` opens with."""
    if a[0] in b or b[0] not in a[1:]:
        return False
    between = [p for p in b[1:] if p in a[1 : a.index(b[0], 1)]]  # the verb, or the kind of both things
    return bool(between) and bool(set(b[b.index(between[0], 1) :]) - set(a))


def share_half(a: str, b: str) -> bool:
    """Half of what the shorter text says stands in the other: less likeness of the whole is enough to ask."""
    mine, theirs = content(a), content(b)
    return 0 < min(len(mine), len(theirs)) <= 2 * len(mine & theirs)


def told_in_both_languages(a: str, b: str) -> bool:
    """One text is Chinese, the other is not, and a third of what they say is the same. Their vectors lie apart."""
    mine, theirs = content(a), content(b)
    words = sum(0.5 if len(t) == 1 else 1 for t in (*mine, *theirs))  # two Chinese characters are about a word
    return script(a) != script(b) and 0 < words <= 6 * len(mine & theirs)


def untranslated(a: str, b: str) -> bool:
    """One text is Chinese, the other is not, and neither names anything that is known in both languages."""
    return script(a) != script(b) and not any("." in t or "=" in t for text in (a, b) for t in content(text))
