"""What "it" and "them" stand for: the thing that the user spoke of just before, and what they used to think of it."""

import re

_VERBS_EN = r"loved?|liked?|hated?|enjoy(?:ed)?|adored?|eat|ate|drink|drank|drinking|eating|have|had|take|use|play|stand|bear|into|about|to|of"
_THING_EN = re.compile(
    rf"\b(?:i|we|i've|i'd|i'm)\b[^,.]*?\b(?:{_VERBS_EN}) (?:eating |drinking |playing |using |the (?=taste|smell) ?)?(?P<v>(?!it\b|them\b|to\b|that\b|this\b|when\b|all\b|my\b|every\b|more\b|like\b|love\b|hate\b|enjoy\b|eat\b|drink\b|play\b|use\b|have\b|be\b)[a-z][a-z' -]{{2,28}}?)(?= (?:when|until|till|but|since|as|for|so|every|all|more|before|a lot|back|once)\b|$)",
    re.I | re.A,
)
_PRONOUN_EN = re.compile(
    r"\b(?P<verb>love|like|hate|stand|enjoy|adore|eat|drink|touch|bear|prefer|avoid|have) (?P<it>it|them)\b",
    re.I | re.A,
)
_USED_TO_EN = re.compile(
    r"^(?:(?:and|but|so|well|oh),? )*(?:(?:as a kid|years ago|back then|once),? )?(?:i|we)(?: really| always)? used to (?:really |absolutely )?(?:love|like|hate|enjoy|adore|be (?:into|crazy about|fond of|allergic to)|drink|eat|can't stand|dislike)\b|^(?:i|we) (?:once|formerly) (?:loved|liked|hated|enjoyed)\b|^(?:i|we)(?:'ve| have)? (?:always )?(?:been drinking|been eating|drank|ate) [\w' ]+ (?:all my life|for (?:years|ages|decades)|until)",
    re.I | re.A,
)
_THING_ZH = re.compile(
    r"(?:最?爱|喜欢|讨厌|离不开|迷|不(?=吃|喝)|天天|每天|常|只|一直|顿顿)(?P<verb>[吃喝玩看用听打])?(?P<v>[\u3400-\u9fffA-Za-z]{1,8}?)(?:的|了)?$"
)
_PRONOUN_ZH = re.compile(
    r"(?P<verb>受不了|讨厌|不爱|不喜欢|喜欢|爱上|不(?:再|想|敢|能|会|怎么|太)?[吃喝碰玩用]|戒)(?P<it>它们?|这个|(?=了?$))"
)
_BARE_ZH = re.compile(
    r"(?:不过|但是?|可是?)?我?(?:现在|如今|最近|这两年|一点儿?|早就?|都|也|已经|再也|完全|反而|却|就|可|倒|是|很|特别){0,5}$"
)
_USED_TO_ZH = re.compile(
    r"^(?:我|我们)?(?:以前|从前|过去|曾经|小时候|原来|之前)(?!.*(?:现在|如今|改|换|搬|戒|后来))[^，。]{0,6}(?:爱|喜欢|讨厌|迷|离不开|(?:不|天天|每天|常|总|只|顿顿)[吃喝])"
)


def thing(text: str) -> str:
    """What a clause about likes and habits is about; empty where it names nothing."""
    m = (_THING_EN if text.isascii() else _THING_ZH).search(text)
    return m["v"].strip() if m else ""


def used_to(text: str) -> bool:
    """True when the clause only tells what was liked, eaten or drunk once."""
    return bool((_USED_TO_EN if text.isascii() else _USED_TO_ZH).search(text))


def resolved(text: str, before: str) -> str:
    """The clause with that thing in place of the pronoun; as it is where it has none."""
    if not before:
        return text
    if m := _PRONOUN_EN.search(text):
        return f"{text[: m.start('it')]}{before}{text[m.end('it') :]}"
    if re.search(r"[\u3400-\u9fff]", before) and (m := _PRONOUN_ZH.search(text)) and _BARE_ZH.match(text[: m.start()]):
        return f"{text[: m.start('it')]}{before}{text[m.end('it') :]}"
    return text
