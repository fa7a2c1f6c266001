"""Whether two values say the same: `aisle` and 靠过道, `60 min` and `1 hour`, `8折` and `20% off`."""

import re
from collections.abc import Iterable, Set
from enum import Enum
from functools import lru_cache
from typing import Any

from memory_app.domain.words import fold

from .quantities import spans, years_differ
from .tokens import Token, content, script, tokens


class Same(Enum):
    """How two values stand to each other."""

    EQUAL = "equal"
    PART = "part"  # the first is contained in, or more general than, the second
    WHOLE = "whole"  # the first contains, or is more particular than, the second
    OPPOSITE = "opposite"  # the same thing affirmed and denied
    DIFFERENT = "different"


_CODES = {
    "zh": "lang.zh", "zh-cn": "lang.zh", "zh-hans": "lang.zh", "en": "lang.en", "en-us": "lang.en", "en-gb": "lang.en", "ja": "lang.ja",
    "fr": "lang.fr", "de": "lang.de", "es": "lang.es", "ko": "lang.ko", "pt": "lang.pt", "it": "lang.it", "ru": "lang.ru",
}  # fmt: skip
_BOOLEANS = dict.fromkeys("true yes on 是 有".split(), "yes") | dict.fromkeys("false no off 否 无".split(), "no")
_DENIED = re.compile(
    r"^(?:no|not|non|never|without|avoid|un)[\s_-]+|^(?:不要|不吃|不喝|不用|不可|不能|不|无|没有|禁止|非)"
)
# Words that only repeat what the slot is about; "aisle seat" is "aisle".
_NOISE = frozenset(
    "seat theme trip room colour favourite language reply meeting city mode food budget preferenc style limit.max discount "
    "database main local editor member tier project phase 号 间 楼 版 语".split()
)
_DECIMAL = re.compile(r"\d+\.\d+")
_VERSION_MARK = re.compile(r"^v(?:er\.?)?\s*(?=\d)")
_SPACES = re.compile(r"\s+")
_SPLIT = re.compile(r"(?:(?<!\s)\s+)?(?:[;；、/|]|,(?!\d{3})|，|\band\b|&|\+(?=\s))\s*")


def normal(value: Any) -> str:
    """A value as comparable text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return _spelled(str(value))


def words_of(value: Any) -> frozenset[str]:
    """The content tokens of a value, and its words as they are: a text keeps those of a name whole ("Foods")."""
    said = normal(value)
    return content(said) | frozenset(said.split())


@lru_cache(maxsize=16384)
def _spelled(value: str) -> str:
    return _SPACES.sub(" ", fold(value).replace("_", " ")).strip()


@lru_cache(maxsize=8192)
def _squeezed(text: str) -> str:
    return (
        re.sub(r"[\s_\-.。,，'’\"“”!！]+", "", text)
        if not re.search(r"\d[.\-]\d", text)
        else re.sub(r"[\s_]+", "", text)
    )


@lru_cache(maxsize=8192)
def _content(text: str) -> frozenset[str]:
    code = _CODES.get(text.replace(" ", "-"))
    if code:
        return frozenset({code})
    if text in _BOOLEANS:
        return frozenset({_BOOLEANS[text]})
    found = frozenset(t.text for t in tokens(text))
    rich = found - _NOISE
    return rich or found


def _denied(text: str) -> tuple[bool, str]:
    m = _DENIED.match(text)
    return (True, text[m.end() :].strip()) if m and text[m.end() :].strip() else (False, text)


def parts(value: Any) -> tuple[str, ...]:
    """The members of a value that lists several things."""
    return _parts(normal(value))


@lru_cache(maxsize=16384)
def _parts(text: str) -> tuple[str, ...]:
    return tuple(p for p in _SPLIT.split(text) if p)


def reordered(a: Any, b: Any) -> bool:
    """Both list the same things, in another order."""
    mine, theirs = ([_content(part) for part in parts(value)] for value in (a, b))
    return mine != theirs and len(mine) == len(theirs) and set(mine) == set(theirs)


@lru_cache(maxsize=16384)
def _unmarked(value: str) -> str:
    return _VERSION_MARK.sub("", value)


def compare(a: Any, b: Any) -> Same:
    """How value `a` stands to value `b`."""
    left, right = _unmarked(normal(a)), _unmarked(normal(b))
    if _DECIMAL.fullmatch(left) and _DECIMAL.fullmatch(
        right
    ):  # 4.2 and 4.20 are two versions, 1200 and 1200.00 one sum
        return Same.EQUAL if left == right else Same.DIFFERENT
    if years_differ(left, right):
        return Same.DIFFERENT
    if left == right or _squeezed(left) == _squeezed(right):
        return Same.EQUAL
    deny_left, left_core = _denied(left)
    deny_right, right_core = _denied(right)
    same = _cores(left_core, right_core)
    if deny_left == deny_right:
        return same
    return Same.OPPOSITE if same is Same.EQUAL else Same.DIFFERENT


_BARE = re.compile(r"\d+(?:\.\d+)?")


def measured(value: Any, text: str) -> Any:
    """The value with the unit that follows the same number in the text: 30 in 「开 30 分钟」 is 30 分钟."""
    number = normal(value)
    if not _BARE.fullmatch(number):
        return value
    folded = fold(text)
    for span in spans(folded):
        said = folded[span.start : span.end]
        if span.quantity.dimension not in ("count", "identifier") and re.match(rf"{re.escape(number)}(?![\d.])", said):
            return said
    return value


def _cores(left: str, right: str) -> Same:
    if _squeezed(left) == _squeezed(right):
        return Same.EQUAL
    several_left, several_right = parts(left), parts(right)
    if len(several_left) > 1 or len(several_right) > 1:
        return _lists(several_left, several_right)
    a, b = _content(left), _content(right)
    if not a or not b:
        return Same.DIFFERENT
    if a == b:
        return Same.EQUAL
    if _numbers_agree(left, right) is False or _contrast(a, b):
        return Same.DIFFERENT
    if _bare_number(left, right):
        return Same.EQUAL
    if a < b or _general(left, right):
        return Same.PART
    if b < a or _general(right, left):
        return Same.WHOLE
    return Same.DIFFERENT


def _lists(left: tuple[str, ...], right: tuple[str, ...]) -> Same:
    a, b = {_content(p) for p in left}, {_content(p) for p in right}
    if a == b:
        return Same.EQUAL
    if a < b:
        return Same.PART
    return Same.WHOLE if b < a else Same.DIFFERENT


def _numbers_agree(left: str, right: str) -> bool | None:
    """None when neither has numbers; a bare number agrees with the same number of any unit."""
    a, b = _quantities(left), _quantities(right)
    if not a and not b:
        return None
    return a == b or (_bare(a) == _bare(b) and ("count" in _dimensions(a) or "count" in _dimensions(b)))


def _bare_number(left: str, right: str) -> bool:
    a, b = _content(left), _content(right)
    only_numbers = all("=" in t for t in a | b)
    return only_numbers and bool(_numbers_agree(left, right))


@lru_cache(maxsize=8192)
def _quantities(text: str) -> frozenset[tuple[str, float, str | None]]:
    return frozenset((s.quantity.dimension, s.quantity.value, s.identifier) for s in spans(text))


def _bare(found: Iterable[tuple[str, float, str | None]]) -> frozenset[tuple[float, str | None]]:
    return frozenset((value, identifier) for _, value, identifier in found)


def _dimensions(found: Iterable[tuple[str, float, str | None]]) -> set[str]:
    return {dimension for dimension, _, _ in found}


def _contrast(a: Iterable[str], b: Iterable[str]) -> bool:
    """Two members of one family stand against each other."""
    mine = {t.partition(".")[0]: t for t in a if "." in t}
    return any("." in t and mine.get(t.partition(".")[0], t) != t for t in b)


def _general(general: str, special: str) -> bool:
    """A Chinese noun phrase ends in its general noun: 乌龙茶 is a kind of 茶; tea.oolong is a kind of tea."""
    concept = _content(general)
    if any(t.partition(".")[0] in concept for t in _content(special) if "." in t):
        return True
    return script(general) == "zh" and len(special) > len(general) > 0 and special.endswith(general)


def hard_differences(a: Iterable[Token], b: Iterable[Token]) -> tuple[list[Token], list[Token]]:
    """The tokens of either side that are facts of their own and have no equal on the other side."""
    mine, theirs = list(a), list(b)
    left, right = {t.text for t in mine}, {t.text for t in theirs}
    return [t for t in mine if t.hard and not has_fact(right, t)], [
        t for t in theirs if t.hard and not has_fact(left, t)
    ]


def has_fact(other: Set[str], token: Token) -> bool:
    """The same fact, or the same hour where only one side says which half of the day."""
    if token.text == "count=1" and not any(t.startswith("count=") for t in other):
        return True  # 一杯 and "a cup" count nothing
    if token.text in other or token.family != "clock":
        return token.text in other
    minutes = float(token.text.partition("=")[2])
    return f"clock={minutes + 720:g}" in other or f"clock={minutes - 720:g}" in other
