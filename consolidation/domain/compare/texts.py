"""How two texts stand to each other by their words: same, opposite, in conflict, close, open or apart."""

import re
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Any

from memory_app.domain.words import fold

from .everyday import in_one_wording
from .frames import chained, sides_swapped
from .polarity import Polarity, polarity, without_end
from .quantities import years_differ
from .roles import clauses_oppose, other_actor, steps_differ, swapped
from .tokens import Token, content, script, tokens
from .values import hard_differences, has_fact


class TextRelation(Enum):
    """What the words alone show."""

    SAME = "same"  # the same content, affirmed or denied alike
    OPPOSITE = "opposite"  # the same content, once affirmed and once denied
    CONFLICT = "conflict"  # the same topic with another value
    WITHIN = "within"  # the first says a little less than the second, and nothing else
    CLOSE = "close"  # nearly the same content; plain words differ on either side
    OPEN = "open"  # the words do not show it: other wording or another language, and nothing that speaks against
    APART = "apart"  # different content


#: What another wording of either text may still show to be the same or the reverse.
_OPEN_TO_WORDING = frozenset({TextRelation.CLOSE, TextRelation.WITHIN, TextRelation.OPEN, TextRelation.APART})

# 在 before a place says where a thing is; before a verb, that somebody is about it.
_PLACE = re.compile(r"[下里上旁内边面间处楼层室柜库房]$|门口$")
_SIDES_OF_THINGS = frozenset("里上下中内外边旁")
#: Content shared by two texts from which they are close, and from which a denial is of the same thing.
CLOSE_SHARE = 0.6
# Verbs that say what a thing is or is set to: it has one such value. "Uses" and "has" can hold of several things.
_FUNCTIONAL = re.compile(
    r"\b(?:is|are|was|equals?|called|named|pinned to|set to|listens? on|located in|scheduled (?:for|on|at)|means|costs?|takes|lasts?|starts?|ends?|expires?|runs? on)\b|"
    r"是|为|叫|改成|换成|等于|设为|定在|位于|[:：=]|端口|版本|到期|截止"
)


@dataclass(frozen=True, slots=True)
class _Side:
    """What is asked of one of two texts, read once for all that it is compared with."""

    text: str
    folded: str
    bare: str
    reworded: str
    script: str
    tokens: tuple[Token, ...]
    content: frozenset[str]
    hard: tuple[Token, ...]
    families: frozenset[str | None]
    polarity: Polarity

    def saying(self, said: tuple[Token, ...]) -> "_Side":
        """The same text with other tokens."""
        return self if said is self.tokens else replace(self, **_sums(said))


def _sums(said: tuple[Token, ...]) -> dict[str, Any]:
    return {
        "tokens": said,
        "content": frozenset(t.text for t in said),
        "hard": tuple(t for t in said if t.hard),
        "families": frozenset(t.family for t in said if t.kind == "number"),
    }


@lru_cache(maxsize=8192)
def _side(text: str) -> _Side:
    folded = fold(text)
    return _Side(
        text, folded, bare=folded.strip(" .。!！"), reworded=in_one_wording(folded), script=script(text),
        polarity=polarity(text), **_sums(tokens(text)),
    )  # fmt: skip


@lru_cache(maxsize=8192)
def _among_others(text: str) -> _Side:
    """The text beside one in another script: an English word in Chinese text is no name, and its other wording not
    another one."""
    side = _side(text)
    return side.saying(tuple(t._replace(kind="word") if t.kind == "name" else t for t in side.tokens))


@lru_cache(maxsize=16384)
def compare_texts(a: str, b: str) -> TextRelation:
    """How text `a` stands to text `b`."""
    found = _compare(a, b)
    if found in _OPEN_TO_WORDING:
        left, right = _side(a), _side(b)
        if left.reworded != left.folded or right.reworded != right.folded:
            again = _compare(left.reworded, right.reworded)
            return again if again in (TextRelation.SAME, TextRelation.OPPOSITE) else found
    return found


def _compare(a: str, b: str) -> TextRelation:
    left, right = _side(a), _side(b)
    if left.bare == right.bare:
        return TextRelation.SAME
    if left.script != right.script:
        left, right = _among_others(a), _among_others(b)
    if "clock" in left.families and "clock" in right.families:
        right = right.saying(_same_half(right.tokens, left.tokens))
    if ("rate" in left.families) != ("rate" in right.families):
        left, right = left.saying(_without_rate(left.tokens)), right.saying(_without_rate(right.tokens))
    if not left.content or not right.content:
        return TextRelation.APART
    flipped = left.polarity.sign != right.polarity.sign or left.polarity.ended != right.polarity.ended
    if left.content == right.content:
        return _one_content(left, right, flipped)
    found = _contents(left, right, flipped)
    return TextRelation.APART if found is not TextRelation.APART and _kept_apart(left, right) else found


def _one_content(left: _Side, right: _Side, flipped: bool) -> TextRelation:
    """Both texts are made of the same tokens."""
    a, b = left.text, right.text
    if other_actor(a, b):
        return TextRelation.APART
    if clauses_oppose(a, b):
        return TextRelation.OPPOSITE
    if steps_differ(a, b, left.tokens, right.tokens):
        return TextRelation.CONFLICT
    if sides_swapped(a, b):
        return TextRelation.OPPOSITE
    if _other_direction(left.tokens, right.tokens, a) or swapped(a, left.tokens, right.tokens):
        return TextRelation.CLOSE
    if years_differ(left.folded, right.folded):
        return TextRelation.CONFLICT
    return TextRelation.OPPOSITE if flipped else TextRelation.SAME


def _contents(left: _Side, right: _Side, flipped: bool) -> TextRelation:
    """By what the texts share and by the facts of either."""
    shared = len(left.content & right.content)
    if years_differ(left.folded, right.folded):
        return TextRelation.CONFLICT if 2 * shared > len(left.content) else TextRelation.APART
    only_left = [t for t in left.hard if not has_fact(right.content, t)]
    only_right = [t for t in right.hard if not has_fact(left.content, t)]
    share = 2 * shared / (len(left.content) + len(right.content))
    if not only_left and not only_right:
        return _soft(left.text, right.text, share, flipped)
    return _hard(left.tokens, right.tokens, only_left, only_right, left.text, share)


def _kept_apart(left: _Side, right: _Side) -> bool:
    """Other words than these show that the texts do not speak of one thing."""
    a, b = left.text, right.text
    if other_actor(a, b):
        return True
    if years_differ(left.folded, right.folded):
        return False
    if chained(a, b):
        return True
    return _other_head(left.tokens, right.tokens) and (
        _numbers_apart(left.tokens, right.tokens) or _several_of_a_kind(a, b, left.tokens, right.tokens)
    )


def _soft(a: str, b: str, share: float, flipped: bool) -> TextRelation:
    """Only plain words differ."""
    if share >= CLOSE_SHARE:
        if flipped:
            return TextRelation.OPPOSITE
        if _tail_differs(tokens(a), tokens(b), a):
            return TextRelation.CONFLICT
        return TextRelation.WITHIN if content(a) < content(b) else TextRelation.CLOSE
    if _tail_differs(tokens(a), tokens(b), a) and not flipped:
        return TextRelation.CONFLICT
    return TextRelation.APART if flipped else TextRelation.OPEN


def _hard(
    left: tuple[Token, ...],
    right: tuple[Token, ...],
    only_left: list[Token],
    only_right: list[Token],
    text: str,
    share: float,
) -> TextRelation:
    """Facts differ: one contrast in the place of the value is a conflict, anything else is another statement."""
    pairs = _contrasts(only_left, only_right) if len(only_left) == len(only_right) else None
    if pairs is None:
        if _tail_differs(left, right, text):
            return TextRelation.CONFLICT
        return TextRelation.OPEN if _tells_more(only_left, only_right) and share > 0 else TextRelation.APART
    rest_left = [t.text for t in left if t not in only_left]
    rest_right = [t.text for t in right if t not in only_right]
    common = set(rest_left) & set(rest_right)
    spare = set(rest_left) ^ set(rest_right)
    if not common or len(spare) > len(common) or not (len(pairs) == 1 or _is_range(pairs, left, right)):
        return TextRelation.APART
    return TextRelation.APART if _names_topic(pairs[0], left, right) else TextRelation.CONFLICT


def _tells_more(only_left: list[Token], only_right: list[Token]) -> bool:
    """Only one text has facts more, and none is a name: wording that the dictionary knows here and not there."""
    return not (only_left and only_right) and all(t.kind in ("number", "concept") for t in (*only_left, *only_right))


def _contrasts(only_left: list[Token], only_right: list[Token]) -> list[tuple[Token, Token]] | None:
    """Every differing fact paired with its rival of the same kind, or None when something has no rival."""
    left, right = list(only_left), list(only_right)
    pairs = []
    for token in list(left):
        rival = next((t for t in right if _rivals(token, t)), None)
        if rival is None:
            return None
        right.remove(rival)
        pairs.append((token, rival))
    return None if right else pairs


def _is_range(pairs: list[tuple[Token, Token]], left: tuple[Token, ...], right: tuple[Token, ...]) -> bool:
    """Several quantities of one kind that stand side by side are one value: 9:00 to 18:00."""
    if len({p[0].family for p in pairs}) != 1:
        return False
    for side, mine in ((0, left), (1, right)):
        places = sorted(mine.index(p[side]) for p in pairs)
        if places[-1] - places[0] != len(places) - 1:
            return False
    return True


def _other_head(left: tuple[Token, ...], right: tuple[Token, ...]) -> bool:
    """Both texts open with something that the other does not mention: they speak of different things."""
    mine, theirs = {t.text for t in left}, {t.text for t in right}
    # A fact may stand first as a value; such contrasts are weighed elsewhere.
    return left[0].text not in theirs and right[0].text not in mine and not left[0].hard and not right[0].hard


_DIRECTION = re.compile(r"\b(?:to|from|than|over|via)\b|[到至飞比去往]")


def _other_direction(left: tuple[Token, ...], right: tuple[Token, ...], text: str) -> bool:
    """Two facts of one kind stand in another order, and not as a list: from A to B is not from B to A."""
    for kind in {t.family or t.kind for t in left if t.hard}:
        mine = [t for t in left if t.hard and (t.family or t.kind) == kind]
        theirs = [t.text for t in right if t.hard and (t.family or t.kind) == kind]
        if len(mine) < 2 or [t.text for t in mine] == theirs:
            continue
        side_by_side = left.index(mine[-1]) - left.index(mine[0]) == len(mine) - 1
        if not side_by_side or _DIRECTION.search(fold(text)[: mine[-1].start]):
            return True
    return False


def _numbers_apart(left: tuple[Token, ...], right: tuple[Token, ...]) -> bool:
    mine, theirs = ([t for t in side if t.kind == "number"] for side in (left, right))
    return any(hard_differences(mine, theirs))


# Nouns of things of which there are several, told apart by the word before them: the billing service, 支付服务.
_KIND = re.compile(
    r"\b(?:services?|servers?|clusters?|databases?|gateways?|teams?|projects?|modules?|apis?|apps?|repos?|branch(?:es)?|queues?|jobs?|"
    r"workers?|scripts?|reports?|invoices?|accounts?|sites?|stores?|offices?|tables?|pipelines?|cards?)\b|"
    r"服务器?|项目|团队|集群|模块|系统|小组|接口|网关|数据库|仓库|分支|队列|脚本|报表|账户|门店|办公室|机房|表(?=[的有用])"
)


def _several_of_a_kind(a: str, b: str, left: tuple[Token, ...], right: tuple[Token, ...]) -> bool:
    """Both texts open with a word that tells one of several such things from the others."""
    kinds = [_KIND.search(fold(text), side[0].start + 1) for text, side in ((a, left), (b, right))]
    if not all(kinds):
        return False
    heads = [fold(t)[s[0].start : k.start()] for t, s, k in zip((a, b), (left, right), kinds, strict=True) if k]
    return kinds[0][0] == kinds[1][0] and all(len(h.split()) <= 2 and len(h) <= 20 for h in heads)  # type: ignore[index]


def _same_half(side: tuple[Token, ...], other: tuple[Token, ...]) -> tuple[Token, ...]:
    """Ten is ten in the evening where the other text says so."""
    said = {t.text for t in other if t.family == "clock"}

    def meant(token: Token) -> Token:
        if token.family != "clock" or token.text in said:
            return token
        minutes = float(token.text.partition("=")[2])
        same = {f"clock={minutes + 720:g}", f"clock={minutes - 720:g}"} & said
        return token._replace(text=same.pop()) if same else token

    return tuple(meant(t) for t in side)


_DAILY = "rate=86400"
_CURRENCIES = frozenset({"usd", "cny", "eur", "gbp", "jpy", "chf", "hkd", "sgd", "twd", "krw", "count"})


def _rivals(a: Token, b: Token) -> bool:
    if a.kind != b.kind:
        return False
    if a.kind == "number" and a.family in _CURRENCIES and b.family in _CURRENCIES:
        return True
    if a.kind in ("number", "concept"):
        return a.family is not None and a.family == b.family
    return a.kind == "identifier" and (_is_version(a.text) and _is_version(b.text) or _shape(a.text) == _shape(b.text))


def _is_version(identifier: str) -> bool:
    return bool(re.fullmatch(r"\d+(?:\.\d+)+.*", identifier))


def _shape(identifier: str) -> str:
    """An identifier without its digits: A7 and A9 are numbered alike."""
    return re.sub(r"\d+", "0", identifier)


def _without_rate(side: tuple[Token, ...]) -> tuple[Token, ...]:
    """Where only one text says how often, that is a word more and no contrast."""
    return tuple(t._replace(kind="word") if t.family == "rate" else t for t in side if t.text != _DAILY)


def _names_topic(pair: tuple[Token, Token], left: tuple[Token, ...], right: tuple[Token, ...]) -> bool:
    """The differing fact opens its text and content follows: it says what is spoken of, not what is said of it."""
    if pair[0].kind == "identifier" and not _is_version(pair[0].text):
        return pair[0] is not left[-1] or pair[1] is not right[-1]
    if pair[0].kind == "number" and pair[0].family not in ("count", "date", "clock"):
        return False  # a measure is of something
    return pair[0] is left[0] and pair[1] is right[0] and len(left) > 2 and len(right) > 2


def _tail_differs(left: tuple[Token, ...], right: tuple[Token, ...], text: str) -> bool:
    """The texts run alike up to a functional verb and differ in all that follows."""
    if not (left and right) or left[0].text != right[0].text:
        return False
    a, b = ([t.text for t in side] for side in (left, right))
    while a and b and a[-1] == b[-1] and a[-1] in _SIDES_OF_THINGS:  # in the garage, in the shed: 车库里, 棚子里
        a, b = a[:-1], b[:-1]
    common = 0
    while common < min(len(a), len(b)) and a[common] == b[common]:
        common += 1
    if common == 0 or common == len(a) or common == len(b):
        return False
    if set(a[common:]) & set(b[common:]) and not _names_alike(left[common:], right[common:]):
        return False
    if len(a) - common > 4 * common + 2 or len(b) - common > 4 * common + 2:
        return False
    between = fold(text)[left[common - 1].start : left[common].start]
    return bool(_FUNCTIONAL.search(between)) or ("在" in between and bool(_PLACE.search(fold(text))))


def _names_alike(left: tuple[Token, ...], right: tuple[Token, ...]) -> bool:
    """Two names of as many parts, some of them the same: J. Smith and K. Smith."""
    return len(left) == len(right) <= 3 and not any(t.kind == "number" for t in (*left, *right))


def is_over(ended: str, other: str) -> bool:
    """The first text says that something is over, and all of that stands in the other, which does not say so."""
    if not polarity(ended).ended or polarity(other).ended:
        return False
    gone = content(without_end(ended))
    return bool(gone) and gone <= content(other)
