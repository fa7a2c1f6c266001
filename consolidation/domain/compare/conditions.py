"""When or for what a statement holds: the given condition, or the one that its wording states."""

import re
from functools import lru_cache

from memory_app.domain.words import fold

from .frames import parallel
from .lexicon import concepts
from .quantities import spans
from .sieve import Sieve
from .tokens import content

_CONDITIONAL = frozenset({"trip.business", "trip.family", "trip.long", "trip.short", "week.weekday", "week.weekend"})
_CLAUSE = re.compile(
    r"\b(?:when(?:ever)?|while|if|unless|except(?: for)?|as long as|during|in case of|for (?:flights|trips|meetings|projects?|calls|routes|legs)|on (?:flights|trips)|"
    r"on (?=(?:business|family|work|long|short)\b))\s*(?P<en>[^,.;:]+)|"
    r"(?P<zh>(?:如果|若|当|除了|除非)[^，。；,;]{1,16}?(?:时候?|的话|外|以外)?(?=[，。；,;]|$)|[^，。；,;]{1,12}?(?:的时候|期间|(?<![平同有随按准及临当小暂届顿几])时(?=[，,]|[^间区长刻常]))|[^，。；,;的]{2,8}以内的?(?:出行|行程|航班|路程))"
)
_PROJECT = re.compile(
    r"\bproject: ?(?P<a>[\w-]+)|\b(?:for|on|in) project (?P<e>[\w-]+)|\bin the (?P<b>[\w-]+) project\b|\bthe (?P<c>[\w-]+) project\b|(?P<d>[^\s，。的在里个]{1,8}?)项目(?!经理)"
)
_GENERIC_PROJECT = frozenset("this that the a my our new 这 那 本 该 新 这个 那个 我的 我们 整个 开源 团队".split())


# One such day of many is a date, not a case: the last working day of the month.
_SINGLE = re.compile(
    r"\b(?:first|second|third|last|final|next) (?:working day|workday|weekday|business day|weekend)\b|(?:最后|第)[一二三]?个?(?:工作日|周末)"
)


def normal(condition: str | None) -> str | None:
    """One spelling for a condition that a caller gave: case, width, spaces, dashes and plural do not matter."""
    if condition is None:
        return None
    folded = re.sub(r"[\s_\-]+", "_", fold(str(condition)).strip())
    return re.sub(r"s\b", "", folded) or None


@lru_cache(maxsize=4096)
def inferred(text: str) -> str | None:
    """The condition that the text itself states, as a comparable token; None when it holds always."""
    folded = fold(text).replace("’", "'")
    stated = _SIEVE.of(folded)
    if stated:
        folded = _SINGLE.sub(" ", folded)
    found = {c for c in concepts(folded) if c in _CONDITIONAL}
    if not stated:
        return "+".join(sorted(found)) or None
    found |= {f"under:{q}" for q in _limits(folded)}
    if not found and (m := _PROJECT.search(folded)):
        name = next(g for g in m.groups() if g)
        if name not in _GENERIC_PROJECT:
            found.add(f"project:{name}")
    if not found and (m := _CLAUSE.search(folded)):
        clause = (m["en"] or m["zh"] or "").strip()
        found.add(
            "when:" + (" ".join(sorted(concepts(clause) or content(clause))) or re.sub(r"[\s，。]+", " ", clause))
        )
    return "+".join(sorted(found)) or None


_LIMIT = re.compile(
    r"(?:trips?|flights?|journeys?|rides?|legs?)[^,.;]{0,24}\b(?:under|shorter than|less than|below|within|up to|over|longer than|more than)\b|"
    r"\b(?:under|shorter than|less than|over|longer than|more than)\b[^,.;]{0,16}(?:trips?|flights?|journeys?|rides?)|"
    r"(?:出行|出差|行程|旅行|航程|飞行|路程|航班|车程)[^，。；]{0,10}(?:以内|以下|不到|不超过|少于|超过|以上)|(?:以内|以下|不到|不超过|少于|超过|以上)[^，。；]{0,8}的?(?:出行|出差|行程|旅行|航程|航班|车程)"
)
_SIEVE = Sieve((_SINGLE, _LIMIT, _PROJECT, _CLAUSE))
_OVER = re.compile(r"\b(?:over|longer than|more than)\b|(?<!不)超过|以上|多于")


def _limits(folded: str) -> list[str]:
    """Limits of length of a trip: "under a week", 三小时以内."""
    if not _LIMIT.search(folded):
        return []
    side = "over" if _OVER.search(folded) else "under"
    return [f"{side}:{s.quantity.value:g}" for s in spans(folded) if s.quantity.dimension == "duration"]


def of(condition: str | None, text: str) -> str | None:
    """The given condition, or else what the text states, in one comparable spelling."""
    return normal(condition) if condition is not None else inferred(text)


@lru_cache(maxsize=8192)
def known(condition: str | None, text: str) -> frozenset[str]:
    """Every comparable spelling of the condition: the given one and what the text states."""
    return frozenset(c for c in (normal(condition), inferred(text)) if c)


def clause_content(condition: str) -> frozenset[str]:
    """The concepts that an inferred free clause ("when …") is made of."""
    return frozenset(condition.removeprefix("when:").split(" ")) if condition.startswith("when:") else frozenset()


_CASES = ("where.", "season.", "meal.", "daypart.", "day.", "week.", "person.")


_TIMES = ("day.", "week.", "date=", "clock=")


def other_times(a: str, b: str) -> bool:
    """One sentence with a day or hour of another kind: the last Friday, the last working day."""
    if not parallel(a, b):
        return False
    mine, theirs = ({t for t in content(text) if t.startswith(_TIMES)} for text in (a, b))
    left, right = ({re.split("[.=]", t)[0] for t in side} for side in (mine - theirs, theirs - mine))
    return bool(left) and bool(right) and not left & right


def other_case(mine: tuple[str, str], theirs: tuple[str, str]) -> bool:
    """Both texts name when, where or for whom their value holds, and name different ones: tea in winter, tea in summer."""
    a, b = _cases(*mine), _cases(*theirs)
    for family in {t.partition(".")[0] for t in a}:
        left, right = ({t for t in side if t.startswith(f"{family}.")} for side in (a, b))
        if left and right and not left & right:
            return True
    return False


@lru_cache(maxsize=8192)
def _cases(text: str, value: str) -> frozenset[str]:
    """The cases that the text names, unless such a case is the value itself."""
    said = content(value)
    named = frozenset(t for t in content(text) if t.startswith(_CASES))
    return frozenset(t for t in named if not (t in said and all(o.startswith(t.partition(".")[0]) for o in said)))
