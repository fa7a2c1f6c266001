"""A text as content tokens: concepts, quantities, words, single Chinese characters. Wording that says nothing is left out."""

import re
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from memory_app.domain.words import fold, stem

from .lexicon import concept_spans, family
from .quantities import Span, spans

CJK = r"㐀-䶿一-鿿豈-﫿぀-ヿ가-힯"
_CHARACTER = re.compile(f"[{CJK}]")
_LATIN = re.compile(r"[A-Za-zÀ-ÿ][\w'’.+-]*")
_WORD = re.compile(r"[^\W_" + CJK + r"]+(?:['’][a-z]+)?|[" + CJK + "]")

# Words that carry no fact of their own: articles, pronouns, auxiliaries, and the verbs of liking and wishing whose
# sign `polarity` reads. Negations are not here.
_LIGHT_EN = frozenset(
    """a an the is are was were be been being am of to in on at for by with from as and or but so that this it its
    i me my mine we our us you your he she they them their his her user users user's usually generally normally
    typically mostly often regularly always ever every prefer prefers preferred preferring preference prefs like likes liked liking
    love loves loved enjoy enjoys want wants wanted wish wishes would will shall can could should may must please
    just very really quite still also too only then there here now again rather more most better best has have had
    do does did done doing get gets got use uses used using sit sits keep keeps kept need needs set set's sets go goes
    one's who which when while if please sure yes ok okay well about last lasts take takes make makes made
    i'm i've i'd i'll it's that's we're we've s t re ve d ll m call works work live lives hate hates hated dislike dislikes
    disliked detest detests loathe loathes fan into don't doesn't didn't isn't aren't wasn't won't can't cannot not no
    never without stand switched switch changed change moved move instead longer used again anymore any replaced
    became started start back onwards well own owns owned owning possess possesses allowed permitted allow allows
    forbidden prohibited banned let lets every each per""".split()
)
# The polarity module reads these; as content they would only blur the comparison.
_LIGHT_ZH = re.compile(
    "用户|我们|他们|她们|自己|本人|通常|一般|平时|平常|习惯于?|偏好|偏爱|喜欢|喜爱|热爱|爱好|希望|想要|想|更愿意|愿意|更|比较|优先|首选|请|"
    "还是|一直|总是|每次|经常|常常|基本|都|就|也|很|挺|蛮|特别|非常|最|的|了|着|过|地|得|是|在|有|要|会|能|用|使用|我|你|他|她|"
    "为|以|和|与|跟|及|或|于|对|把|被|给|让|做|坐|吧|呢|啊|呀|嘛|哦|这个|那个|一个|一下|这|那|个|位|以后|今后|从今天起|从现在起|"
    "换成|换到|换了|换用|改成|改为|改用|改到|切到|切换到|切换成|调整为|调整到|提到|提高到|升到|升级到|降到|迁移到|迁到|搬到|变成|又|重新|"
    "由|负责|可以|允许|准许|禁止|不准|不许|拥有|家里|可|"
    "从今以后|从不|不再|不|没有|没|无|别|从不|从来|讨厌|厌恶|反感|爱|按|照|时候|时|讲|说|所有|全部|一律|均|需要|需|须|必须|应当|应该"
)
# Verbs of two characters that say what their one character says: 加盖 is 盖.
_LONG = dict(
    pair.split("=")
    for pair in "加盖=盖 购买=买 支付=付 缴纳=交 居住=住 前往=去 饮用=喝 食用=吃 提交=交 佩戴=戴 驾驶=开 乘坐=坐 抵达=到 返回=回 更换=换 等待=等 寻找=找 观看=看 携带=带 收取=收".split()
)
_LONG_ZH = re.compile("|".join(_LONG))
_ZH_KEEP = re.compile(
    "可乐|可可|自由|理由|许可|可靠|可爱|由来|不锈|无线|无锡|别墅|能源|会计|有限|爱尔兰|时间|时区|时长|说明"
)


_START = attrgetter("start")
NOON = 720  # in minutes
# 以后 says "from now on", but not behind a time of day: 十点以后 is after ten.
_LATER = re.compile(r"(?:之后|以后|过后|一过|后(?=[^面来]))")


class Token(NamedTuple):
    """One piece of content. `kind`: concept, number, identifier, name (a capitalised or Latin word), word, char."""

    kind: str
    text: str
    start: int

    @property
    def hard(self) -> bool:
        """Whether a difference in this token is a difference of fact, however alike the rest is."""
        return self.kind in ("number", "identifier", "name") or (self.kind == "concept" and "." in self.text)

    @property
    def family(self) -> str | None:
        """What it may be contrasted within: a concept's family, a quantity's dimension, or None."""
        if self.kind == "concept":
            return family(self.text)
        if self.kind == "number":
            return self.text.partition("=")[0]
        return None


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[Token, ...]:
    """The content of a text, in order."""
    folded = fold(text)
    found, capitals = _tokens(folded), _capitalised(text)
    if not capitals:
        return found
    return tuple(
        Token("name", word, t.start) if t.kind == "word" and (word := _spelled(folded, t.start)) in capitals else t
        for t in found
    )


@lru_cache(maxsize=8192)
def _tokens(folded: str) -> tuple[Token, ...]:
    """The content of a folded text: what is written with a capital is a word like any other."""
    gaps = bytearray(len(folded))
    found: list[Token] = []

    def claim(start: int, end: int) -> bool:
        if gaps.find(1, start, end) >= 0:
            return False
        gaps[start:end] = bytes((1,)) * (end - start)
        return True

    quantities = spans(folded)
    for span in quantities:
        if span.quantity.dimension == "clock" and (m := _LATER.match(folded, span.end)) and claim(*m.span()):
            found.append(Token("concept", "time.after", m.start()))
        counted = _quantity(span)
        # How often is told in two pieces around the verb, and counts once.
        rate = span.quantity.dimension == "rate"
        if claim(span.start, span.end) and not (rate and counted.text in {t.text for t in found}):
            found.append(counted)
    for start, end, concept in concept_spans(folded):
        if claim(start, end) and concept != "light":
            found.append(Token("concept", concept, start))
    chinese = script(folded) == "zh"
    for m in _LONG_ZH.finditer(folded) if chinese else ():
        if claim(m.start(), m.end()) and not _LIGHT_ZH.fullmatch(_LONG[m[0]]):
            found.append(Token("char", _LONG[m[0]], m.start()))
    for light in _light_spans(folded) if chinese else ():
        claim(*light)
    for m in _WORD.finditer(folded):
        if claim(m.start(), m.end()) and (token := _word(m, chinese, folded)) is not None:
            found.append(token)
    found.sort(key=_START)
    return _half_of_day(found) if any(s.quantity.dimension == "clock" for s in quantities) else tuple(found)


_LATE = frozenset({"daypart.afternoon", "daypart.evening", "daypart.night"})


def _half_of_day(found: list[Token]) -> tuple[Token, ...]:
    """Six in the evening is 18:00: the part of the day says which half is meant, and nothing beyond that."""
    clocks = [t for t in found if t.family == "clock"]
    parts = [t for t in found if t.family == "daypart"]
    if len(clocks) != 1 or len(parts) != 1:
        return tuple(found)
    (clock,), (part,) = clocks, parts
    minutes = float(clock.text.partition("=")[2])
    if part.text in _LATE and 60 <= minutes < NOON and not (part.text == "daypart.night" and minutes < NOON / 2):
        minutes += NOON
    elif part.text == "daypart.morning" and minutes >= NOON:
        return tuple(found)
    told = clock._replace(text=f"clock={minutes:g}")
    return tuple(told if t is clock else t for t in found if t is not part)


def _quantity(span: Span) -> Token:
    if span.identifier is not None:
        return Token("identifier", span.identifier, span.start)
    q = span.quantity
    return Token("number", f"{q.dimension}={q.value:g}", span.start)


def _light_spans(folded: str) -> list[tuple[int, int]]:
    kept = {i for m in _ZH_KEEP.finditer(folded) for i in range(*m.span())}
    return [m.span() for m in _LIGHT_ZH.finditer(folded) if not kept.intersection(range(*m.span()))]


@lru_cache(maxsize=8192)
def _capitalised(text: str) -> frozenset[str]:
    """Folded Latin words that are written with a capital although no sentence starts there."""
    out: set[str] = set()
    for m in _LATIN.finditer(text) if text != text.lower() else ():
        inside = m[0][1:] != m[0][1:].lower()
        if inside or (m[0][0].isupper() and _goes_on(text, m.start())):
            out.add(fold(m[0]).strip(".'-"))
    return frozenset(out)


def _goes_on(text: str, place: int) -> bool:
    """No sentence starts at this place."""
    while place and text[place - 1].isspace():
        place -= 1
    return place > 0 and text[place - 1] not in '.!?。！？:：\n"“'


def _spelled(folded: str, start: int) -> str:
    """The word that stands there, as it is written."""
    m = _WORD.match(folded, start)
    return m[0].replace("’", "'").removesuffix("'s") if m else ""


def _word(m: re.Match[str], chinese: bool, folded: str) -> Token | None:
    word = m[0].replace("’", "'")
    if chinese and _CHARACTER.match(word):
        return Token("char", word, m.start())
    if word in _LIGHT_EN or (len(word) == 1 and not _labels(folded, m)):
        return None
    word = word.removesuffix("'s")
    return Token("name", word, m.start()) if chinese else Token("word", stem(word), m.start())


def _labels(folded: str, m: re.Match[str]) -> bool:
    """A lone letter after a word names one of several things: "site b", "service a"."""
    return (
        m[0] != "i"
        and bool(re.search(r"[a-z]\s+$", folded[: m.start()]))
        and m[0] != "a"
        or (m[0] == "a" and bool(re.search(r"[a-z]\s+$", folded[: m.start()])) and _a_is_label(folded, m))
    )


def _a_is_label(folded: str, m: re.Match[str]) -> bool:
    # "service a uses" names a service; "is a teacher" has an article. An article is never before a verb form.
    return bool(
        re.match(r"\s*(?:$|[,.;]|(?:is|was|are|uses?|has|runs?|needs?|listens?|at|on|in)\b)", folded[m.end() :])
    )


@lru_cache(maxsize=16384)
def content(text: str) -> frozenset[str]:
    """The set of content tokens of a text, without their order."""
    return frozenset(t.text for t in tokens(text))


@lru_cache(maxsize=16384)
def script(text: str) -> str:
    """ "zh" when a text has Chinese characters, else "latin"."""
    return "zh" if _CHARACTER.search(text) else "latin"
