"""Things that happened, or are fixed to happen, on a date that can be resolved."""

import re
from dataclasses import dataclass
from datetime import datetime

from . import dates
from .open_slots import clean

_PAST_EN = re.compile(
    r"\b(?:went|got|had|was|were|did|met|saw|ran|took|made|gave|bought|sold|moved|started|finished|began|lost|won|broke|left|flew|drove|came|attended|visited|joined|passed|failed|released|shipped|deployed|launched|graduated|married|presented|completed|signed|adopted|applied|rolled back|crashed|resolved|solved|fixed|cancelled|canceled|returned|refunded|arrived|hosted|organi[sz]ed|volunteered|celebrated|painted|wrote|published|quit|hired|promoted|been|upgraded|migrated|hiked|climbed|ran|recovered|injured|hurt|fell|helped|received|delivered|closed|opened|ended|switched|contacted|registered|enrolled|interviewed)\b",
    re.I | re.A,
)
_PLAIN_WAS = re.compile(r"\b(?:it|that|this|there|which|everything|the weather|what) (?:was|were)\b", re.I | re.A)
_WHO_EN = re.compile(r"\b(?:i|we|i've|we've|my|our|the)\b", re.I | re.A)
_FUTURE_EN = re.compile(
    r"\b(?:i(?:'m| am)|we(?:'re| are)) (?:going to (?:an? |the |my )?|having|flying|travel(?:l)?ing|moving|getting|starting|attending|seeing|visiting|meeting|hosting|presenting|leaving|giving|running|putting together|taking|doing|speaking|organi[sz]ing)|\b(?:i|we) (?:have|'ve got|start|leave|fly|move|graduate|arrive) |\bmy [\w' -]{3,40} (?:is|are|starts?|takes place) (?:on |next |in )|\b(?:i'll|we'll|i will|we will) (?:be (?:in|at|on|travel)|have|fly|attend|visit|move|start|present)",
    re.I | re.A,
)
_PAST_ZH = re.compile(
    r"了(?!解)|过(?!敏|道|程|期|来|分|于|去)|已经|失败|完成|解决|回滚|参加|去的|刚|是在|拿到|收到|办完|宕机|故障"
)
_FUTURE_ZH = re.compile(
    r"(?:我|我们|公司|团队|项目|孩子|女儿|儿子)?(?:们)?(?:要|得|会|将|将要|准备|约了|有|需要|安排了|计划好)(?!不要|求|是)|(?:复查|手术|考试|面试|出差|婚礼|体检|答辩|毕业|搬家|上线|入职|生日|出发|结婚|订婚|领证|开业|入住|开学|演出|比赛)"
)
_BOOKED = re.compile(
    r"^(?:and |so |ok,? )?(?:(?:i|we)(?:'ve| have)? )?(?:just |finally |already )?(?:booked|reserved|got tickets|bought tickets)\b|(?:订|买|约|抢|报)(?:好|到)?了",
    re.I | re.A,
)
_VAGUE = re.compile(
    r"\bhere's\b|\bhere is\b|\b(?:pic|photo|picture|selfie)s?\b|^(?:and |but |so )?(?:it|that|this|a friend|they|he|she|you)\b|\b(?:painted|made|did|saw|tried|wrote|took|got) (?:it|them|that|this)\b|\bmade me\b|\bsince\b",
    re.I | re.A,
)
_DAILY_ZH = re.compile(
    r"(?:昨天|昨晚|前天|昨日)(?:晚上|早上|下午|上午|中午)?(?:我|我们)?(?:又|还|也|去)?(?:跑步|散步|做了|吃了|喝了|看了|睡|逛|买了|聊|休息|慢跑|运动|锻炼|在准备)"
)
_ASIDE = re.compile(
    r"(?:太[\u3400-\u9fff]{1,2}了|生日|岁|天气|心情|累|聊|再见|晚饭|感觉|见$|聊天|睡|吃饭)|\b(?:talk|chat|see you|catch you|weather|tired|slept|sleep|since we|last time we)\b",
    re.I | re.A,
)
_REASON = re.compile(r"^(?:原因是?|因为|由于|because|due to|the (?:reason|cause) (?:is|was))", re.I | re.A)
_KEEP_ZH = re.compile(r"^(?:记得|记住|另外|对了|其实|话说|说起来|然后|而且|还有|不过|但是?|嗯|哦|啊|我|们|，)+")
_FILLER_EN = re.compile(
    r"^(?:and|but|so|well|also|hey|hi|yeah|yes|oh|by the way|btw|actually|anyway|then|guess what)[, ]+", re.I | re.A
)
_REFUND = re.compile(r"退款|\brefund", re.I | re.A)
_DONE = re.compile(
    r"解决|处理好|办好|到账|完成|搞定|\b(?:resolved|done|settled|solved|processed|completed|went through)\b",
    re.I | re.A,
)


@dataclass(frozen=True)
class Episode:
    """An event: its date, the note's text, a value that tells it from others."""

    when: dates.When
    text: str
    value: str


def is_reason(clause: str) -> bool:
    """True when the clause only says why the one before it happened."""
    return bool(_REASON.match(clause))


def _value(said: str, when: dates.When) -> str:
    if _REFUND.search(said) and _DONE.search(said):
        return "refund resolved"
    day = when.start.strftime({"month": "%Y-%m", "year": "%Y"}.get(when.grain, "%Y-%m-%d"))
    if "回滚" in said or re.search(r"\brolled back|\brollback", said, re.I | re.A):
        return f"rollback {day}"
    if "医院" in said or re.search(r"\bhospital", said, re.I | re.A):
        return f"hospital {'check ' if re.search('复查|检查|体检|check', said) else ''}{day}"
    return f"{clean(said)[:60]} {day}"


def _is_ahead(said: str) -> bool:
    """True when the first verb looks forward: "we're getting married"."""
    future, past = _FUTURE_EN.search(said), _PAST_EN.search(said)
    return bool(future and (not past or future.start() < past.start()))


def episode(said: str, reason: str, at: datetime, chinese: bool) -> Episode | None:
    """The event that a clause reports, with its date resolved; None when it is no event or has no firm date."""
    ahead = bool(_FUTURE_ZH.search(said)) and not _PAST_ZH.search(said) if chinese else _is_ahead(said)
    booked = bool(_BOOKED.search(said))
    when = dates.find(said, at, chinese, ahead or booked)
    if (
        not when
        or _ASIDE.search(said)
        or _VAGUE.search(said)
        or _DAILY_ZH.search(said)
        or when.grain == "year"
        and not re.search(r"\d{4}", said[when.span[0] : when.span[1]])
        and ahead
    ):
        return None
    if "was one of" in said:
        return None
    if chinese:
        if not (_PAST_ZH.search(said) if when.past else booked or _FUTURE_ZH.search(said)) or len(said) < 6:
            return None
    else:
        past = (
            not re.search(r":\s", said)
            and _PAST_EN.search(said)
            and not _PLAIN_WAS.search(said)
            and _WHO_EN.search(said)
            and when.past
        )
        if not (past or ((booked or _FUTURE_EN.search(said)) and not when.past)) or len(said.split()) < 4:
            return None
    return Episode(when, _text(said, reason, when, chinese), _value(said, when))


def _text(said: str, reason: str, when: dates.When, chinese: bool) -> str:
    start, end = when.span
    if chinese:
        rest = _KEEP_ZH.sub("", (said[:start] + said[end:]).strip(" ，,"))
        rest = re.sub(
            r"^(?:晚上|早上|下午|上午)?(?:我们?)?(?:那次|那笔|的|那个|，|去)?(?=[\u3400-\u9fff])",
            lambda m: "去" if m.group(0).endswith("去") else "",
            rest,
        )
        rest = re.sub(r"(?<=[\u3400-\u9fff])我们?(?=[\u3400-\u9fff])", "", rest) if start and end < len(said) else rest
        over = "了" if re.search(r"[退卖丢坏停断辞戒换搬离走]了$", rest) else ""
        return f"{when.label} {clean(rest)}{over}" + (f"，{reason}" if reason else "")
    before = re.sub(r"\b(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day$", "", said[:start].rstrip(" ,"), flags=re.I)
    before = re.sub(r"\b(?:about|around|just|on)$", "", before.rstrip(" ,"))
    after = re.sub(r"^'s ", "", said[end:]).lstrip(" ,")
    rest = _FILLER_EN.sub("", f"{before} {after}".strip())
    rest = re.sub(
        r"^(?:i've|i have|i'm|i am|i|we've|we have|we're|we are|we)\s+(?:just |also |even |finally |really )*(?=\w)",
        "",
        rest,
        flags=re.I | re.A,
    )
    rest = re.sub(r"\bmy\b", "their", rest, flags=re.I | re.A)
    rest = re.sub(r" {2,}", " ", rest).strip(" ,.")
    return f"{rest[:1].upper()}{rest[1:]} {when.label}" + (f", {reason}" if reason else "")
