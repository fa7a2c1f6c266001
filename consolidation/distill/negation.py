"""What is refused, what another thing is preferred to, and what is merely not refused."""

import re

REJECTED = re.compile(
    r"(?:\b(?:over|rather than|instead of|than|not(?: the| a| by the)?|from|no longer|stop(?:ped)?|quit|(?:done|finished|enough|fed up) (?:with|of)|drop(?:ped)?|ditch(?:ed)?)(?: with| using| taking| sending| giving| doing| writing)?(?: me)?(?: the| a| an| all| those| these)?|而不是|不是|多过|胜过|从|比)\s*$",
    re.I | re.A,
)
_NO_ZH = re.compile(
    r"(?<!是)(?<!不)(?:不(?!但|仅|过|错|如|妨|是不|能不)|别|没(?!问题)|从不|讨厌|拒绝|避免|戒|免|受不了)[^，。、]{0,6}$"
)
_NO_EN = re.compile(
    r"\b(?:not|no|never|don't|do not|doesn't|can't|won't|hate|hates|dislike|avoid|without|isn't|ain't|against|anything but|no more|wouldn't|stand)\b(?: \w+){0,4} ?$",
    re.I | re.A,
)
_DOUBLE_NO = re.compile(
    r"不是不|不能不|不反对|不介意|不讨厌|\bnot (?:against|opposed to)\b|\b(?:don't|do not|wouldn't) (?:mind|dislike|hate)\b|\bno problem with\b|\b(?:fine|ok|okay|good) with\b",
    re.I | re.A,
)
_LUKEWARM = re.compile(
    r"(?:不是|并非|并不是|不至于|没有?(?:说|觉得)?(?:我)?)(?:就|很|特别)?(?:不(?:太|怎么|大)?(?:喜欢|爱|想|愿意?|能)|讨厌|反感|受不了)|不(?:讨厌|反感|反对|介意|排斥|拒绝)"
    r"|(?:\bnot|n't) (?:that |to say )?(?:that )?(?:i |we )?(?:\w+ )?(?:don't|do not|dislike|hate|mind|can't stand|against|opposed to|averse to|object to|avoid)\b"
    r"|(?:\bnot|n't) (?:say|claim|mean)(?: that)? (?:i|we) (?:\w+ )?(?:don't|do not|dislike|hate|can't)\b",
    re.I | re.A,
)


def lukewarm(text: str, at: int) -> bool:
    """True when a negative of a negative leads to this place: "I don't mind", 「不是不喜欢」 state no preference."""
    before = re.split(r"但|而是|\b(?:but|i (?:do )?prefer)\b", text[:at])[-1]
    return bool(_LUKEWARM.search(before))


_NOT_FORGOTTEN = re.compile(
    r"(?:别|不要|不能|不可|没有?|莫|勿)(?:再|给)?忘(?:了|记|掉)?|\b(?:don't|do not|never)(?: ever)? forget\b",
    re.I | re.A,
)


def negated(text: str, at: int) -> bool:
    """True when what stands at this place is refused."""
    before = _NOT_FORGOTTEN.sub("", text[max(0, at - 40) : at])
    if _DOUBLE_NO.search(before):
        return False
    return bool(_NO_ZH.search(before) or _NO_EN.search(before))
