"""What the agent offers to do from now on: with the user's yes it is the user's wish, in the words of the offer."""

import re

from . import cues
from .folding import is_chinese

_LEAD_EN = re.compile(
    r"^(?:.*?[,.:;] )?(?:so |and |then |ok |okay )*(?:shall|should|can|may|could|would it help if|do you want me to|want me to|would you like me to|would you prefer (?:that|if)|how about|what if|is it (?:ok|okay|fine|alright) (?:if|to))(?: i| we)? (?=[a-z])",
    re.I | re.A,
)
_WILL_EN = re.compile(r"^(?:.*?[,.:;] )?(?:so |and |then )*(?:i'll|i will|i can|i could|let me) (?=[a-z])", re.I | re.A)
_WHY_EN = re.compile(
    r",? (?:so that|so (?:you|we|i)\b|to save|because|if you (?:like|want|prefer)|then|ok|okay|right|would that|is that|does that|sound).*$",
    re.I | re.A,
)
_LEAD_ZH = re.compile(
    r"^(?:(?:好的?|可以|明白|行|没问题|收到|那|那么|好嘞)[，,。]?)*(?:(?:要不要|需不需要|是否需要|需要|是否|是不是)?(?:让)?我?(?:就|来|可以|会)?)?(?=以后|今后|每|一直|都|默认|把|给|帮|用|总)"
)
_TAIL_ZH = re.compile(r"[，,]?(?:这样)?(?:好吗|可以吗|行吗|好不好|可不可以|行不行|怎么样|如何|对吧|吗|吧)$")
_EACH = re.compile(r"\b(?:every|each) [a-z]+day\b|\bon [a-z]+days\b", re.I | re.A)
_POINTS = re.compile(r"\b(?:this|that|it|them|those|these|so|same|one)\b|[这那它]|同样|一样", re.I | re.A)
_NAMED = re.compile(
    r"\b(?:my|our|the) ((?:[a-z-]+ )?[a-z-]{3,}s?)\b(?= |$|[.,?!])|(?:我的?|我们的?)?(会议?|回答|回复|报告|周报|邮件|摘要|总结|日程|行程|座位|房间)",
    re.I | re.A,
)
_BOOKED = re.compile(r"\b(?:my|our|your) ((?:[a-z-]+ )?[a-z-]{3,}s)\b", re.I | re.A)


def meant(asked: str, before: str) -> str:
    """The offer with what the user had spoken of in place of "them": "keep my meetings at 25 minutes"."""
    named = _BOOKED.search(before) or _NAMED.search(before)
    if not named or is_chinese(asked) or not (_LEAD_EN.match(asked) or _WILL_EN.match(asked)):
        return asked
    return re.sub(r"\b(?:them|those|it)\b", f"your {named[1] or named[2]}", asked, count=1, flags=re.I)


def standing(asked: str) -> str:
    """What the agent offers to do for good, as an order; empty where it offers nothing, or only for now."""
    text = asked.strip().rstrip("?？ 。.!")
    if not (cues.LASTING.search(text) or _EACH.search(text)) or cues.SESSION.search(text):
        return ""
    if is_chinese(text):
        said = _TAIL_ZH.sub("", text)
        m = _LEAD_ZH.match(said)
        order = said[m.end() :] if m and (said != text or m.group(0)) else ""
        order = re.sub("[您你](?:们)?", "我", order)
    else:
        m = _LEAD_EN.match(text) or _WILL_EN.match(text)
        order = _WHY_EN.sub("", text[m.end() :]) if m else ""
        order = re.sub(r"\bmy (?=\w)", "", order, flags=re.I)  # the agent's own answers
        order = re.sub(r"\byours\b", "mine", re.sub(r"\byour\b", "my", order, flags=re.I), flags=re.I)
        order = re.sub(r"\byou\b", "me", order, flags=re.I)
    return "" if _POINTS.search(order) or len(order) < (5 if is_chinese(text) else 12) else order
