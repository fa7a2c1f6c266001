"""The earliest or latest time at which the user travels."""

import re

from . import dates

_LIMIT = re.compile(
    r"\b(?:not|never|no|nothing|don't|just not|anything)\b[^,.;]{0,24}?\b(?P<en>before|earlier than|until|after|later than)\b(?P<rest>[^,.;]{2,24})|(?:不|别)(?:要|能|想|订|坐|安排|接受)?(?:早|晚)?(?P<zh>早于|晚于)(?P<rest2>[^，。]{2,10})|(?P<rest3>[^，。]{0,6}[点:]\S{0,3})(?:之|以)?(?P<zh2>前|后)(?:的)?(?:航班|飞机|车|机票|高铁)?[^，。]{0,4}(?:不要|别|不坐|不订|不行|不考虑)|(?:不要|别|不坐|不订|不考虑)(?:订|坐|选|安排|买)?(?P<rest4>[^，。]{1,8}[点:]\S{0,3})(?:之|以)?(?P<zh3>前|后)(?:的)?(?:航班|飞机|车|机票|高铁)?",
    re.I | re.A,
)
_FLYING = re.compile(
    r"航班|飞|机票|起飞|高铁|车次|出发|\b(?:flights?|fly|departures?|depart|train|take ?off)\b", re.I | re.A
)


def limit(said: str, sentence: str, chinese: bool) -> tuple[str, str, int, int] | None:
    """Value, text and span of "not before six" where the sentence speaks of flights."""
    m = _LIMIT.search(said)
    if not m or not _FLYING.search(sentence):
        return None
    side = (m["en"] or m["zh"] or m["zh2"] or m["zh3"]).lower()
    before = side in ("before", "earlier than", "until", "早于", "前")
    clock = dates.clock(m["rest"] or m["rest2"] or m["rest3"] or m["rest4"] or "", evening=not before)
    if not clock:
        return None
    word = "before" if before else "after"
    text = f"不要 {clock[0]} {'之前' if before else '之后'}的航班" if chinese else f"No flights {word} {clock[0]}"
    return f"not {word} {clock[0]}", text, m.start(), m.end()
