"""What is to be done once, now: "find us a guesthouse in Whitby", 「帮我查一下…」. It says nothing lasting."""

import re

from . import cues
from .reading import Statement

_DO = (
    "book|find|get|plan|write|draft|set up|take|put|move|add|remove|cancel|order|reserve|schedule|send|call|ring|phone|make|give|show|tell|help|look|check|search|recommend|suggest|turn|convert|redo|"
    "try|fix|print|list|sort|compare|translate|pick|choose|explain|summari[sz]e|rewrite|shorten|update|change|rename|delete|create|build|run|open|start|stop|pull|push|buy|sign|split|fill|read|tidy|arrange|organi[sz]e|prepare|calculate|count|work out|figure out|reply to|answer the|remind|do the|set the|set an?|address"
)
_ENGLISH = re.compile(
    rf"^(?:(?:ok|okay|so|and|then|now|right|great|good|perfect|also|thanks|please|just|first|hi|hey|first of all|for now|could you|can you|would you|i need you to|i want you to|let's),? )*(?:{_DO})\b(?! (?:in mind|it short))|^(?:i (?:want|need)|i'd like|we need|looking for) (?:an?|some|the|one|two|three|four|five|\d+|ideas|help)\b.*\b(?:plan|list|ideas?|recipe|summary|draft|table|gift|route|itinerary|schedule|playlist|menu|email|hotel|flight|quote)s?\b",
    re.I | re.A,
)
_CHINESE = re.compile(
    r"^(?:那|好|现在|先|再|然后|顺便|另外|对了|今天|明天|下周|这周)*(?:请|麻烦)?(?:你)?(?:再)?(?:帮我|给我|替我|帮忙|麻烦你?)(?!记|留意)|^(?:那|好|现在|先|再|顺便)*(?:把|将)[^，]{1,14}(?:发|写|改|加|删|换|查|列|做|整理|翻译|提)|^(?:推荐|写|查|搜|列|拟|做|排|安排|规划|订|点|来|找|算|翻译|总结|解释|画|出)(?:一?[下个份篇首张点些几]|几[个道条]|十|\d)|^(?:邀请函|信|邮件|通知|报告)(?:写给|发给)"
)
_STANDING = re.compile(
    r"\b(?:whenever|if|when|unless|except|every|each|any|all|everything|anything|never|always|only|instead of|not)\b|每|都|一律|以后|今后|往后|如果|要是|只|凡是|所有|别|不要|不用",
    re.I | re.A,
)


def errand(st: Statement) -> bool:
    """True when the clause only asks for something to be done now."""
    return not (st.lasting or st.session) and asks(st.text)


def asks(text: str) -> bool:
    """True when the words ask for something to be done, whenever that is."""
    if cues.LASTING.search(text) or cues.REMEMBER.search(text) or _STANDING.search(text):
        return False
    return bool(_ENGLISH.match(text) or _CHINESE.match(text))
