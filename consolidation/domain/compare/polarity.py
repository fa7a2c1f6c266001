"""Whether a statement affirms or denies, and whether it is over."""

import re
from dataclasses import dataclass
from functools import lru_cache

from memory_app.domain.words import fold

from .sieve import Sieve

# Fixed expressions that hold a negative word but deny nothing.
_NOT_NEGATIVE = re.compile(
    r"不过(?!敏)|不仅|不但|不只|不光|不错|不超过|不限|不久|不同|不少于|不小心|不好意思|不断|不管|不论|不锈钢|不到|差不多|要不|不得不|"
    r"对不起|无线|无锡|无论|无所谓|没问题|没关系|特别|区别|别名|级别|性别|分别|别墅|个别|非常|除非|"
    r"no more than|not more than|no less than|no later than|no longer than|not only|no problem|no worries|no doubt|not just|"
    r"not sure|why not|if not"
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|non|nothing|isnt|dont|doesnt)\b|n't\b|\bavoids?\b|\brefuses?\b|\b(?:forbidden|prohibited|banned)\b|\bun(?=able\b)|"
    r"不|没有?|无(?=[烟糖法需])|(?<![级性区分个])别(?=[给再用把发])|勿|非(?=吸烟|必要)|从未|未(?=婚)?|拒绝|避免|禁止|免(?=辣)|忌"
)
_DISLIKE = re.compile(
    r"\b(?:dislik\w*|hat(?:e|es|ed|ing)|detest\w*|loath\w*|can(?:'t|not) (?:stand|bear)|cant stand|averse to|sick of|tired of)\b|"
    r"讨厌|厌恶|反感|受不了|恨|嫌弃|厌倦|腻"
)
_STAND = re.compile(r"\bcan(?:'t|not) (?:stand|bear)\b|\bcant stand\b|受不了")
_LIKE = re.compile(
    r"\b(?:lik(?:e|es|ed|ing)|lov(?:e|es|ed|ing)|enjoy\w*|fond of|fan of|keen on|into|ador\w*|crazy about)\b|"
    r"喜欢|喜爱|热爱|酷爱|钟爱|爱(?=[吃喝看听玩上打])|迷上|爱好|爱上"
)
_ENDED = re.compile(
    r"\bused to\b|\bno longer\b|\b(?:not|n't)\b[^.;,]{0,40}\b(?:any ?more|any longer)\b|\bgave up\b|\bgiven up\b|\bquit\b|\bstopped\b|"
    r"\bdone with\b|\bformerly\b|\bgot over\b|\bis over\b|\bcancell?ed\b|"
    r"不再|再也不|戒(?:了|掉)|戒[^，。]{1,4}了|曾经|以前(?!的)|过去(?=喜欢|常|爱)|已经不|早就不|放弃了|停用|取消了|(?:不|没)[^，。；,;]{1,8}了(?![吗么])"
)
_BACK = re.compile(r"\bagain\b|\bback (?:to|into|on)\b|又[^，。]{0,8}了|重新|恢复")
_USED = re.compile(r"\bused to\b")
_SIEVE = Sieve((_NOT_NEGATIVE, _NEGATION, _DISLIKE, _STAND, _LIKE, _ENDED, _BACK, _USED))


def without_end(text: str) -> str:
    """The text without what says that something is over: what is left is what is over."""
    return re.sub(_ENDED.pattern, " ", text.replace("’", "'"), flags=re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Polarity:
    """`sign` is +1 for an affirmation and -1 for a denial; `weak` marks a double negative, which proves little.

    `taste` says that the statement is one of liking or disliking; `ended` that something is over, and `resumed`
    that it is back.
    """

    sign: int
    weak: bool = False
    taste: bool = False
    ended: bool = False
    resumed: bool = False


_PLAIN = Polarity(1)


@lru_cache(maxsize=8192)
def polarity(text: str) -> Polarity:
    """How this text stands to what it is about."""
    folded = fold(text).replace("’", "'")
    if not _SIEVE.of(folded):
        return _PLAIN
    bare = _NOT_NEGATIVE.sub(" ", folded)
    dislikes = len(_DISLIKE.findall(bare))
    negations = len(_NEGATION.findall(_STAND.sub(" ", bare)))
    ended = bool(_ENDED.search(bare)) and not _BACK.search(bare)
    likes = bool(_LIKE.search(bare))
    if _USED.search(bare):
        negations += 1
    total = negations + dislikes
    return Polarity(
        sign=-1 if total % 2 else 1,
        weak=total >= 2 and total % 2 == 0,
        taste=likes or dislikes > 0,
        ended=ended,
        resumed=bool(_BACK.search(bare)),
    )
