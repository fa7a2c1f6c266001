"""A note in the user's own clause, wherever the words of its slot would lose what was said with it.

"On weekdays my working hours are 8 to 4" is no longer what was said as "Working hours 08:00-16:00". So the words of the
clause are counted that neither the slot, its value, its condition nor the cues around them account for; with none left
the slot's words stand, which are the same for everybody, and else the clause, in the third person and without its lead-in.
"""

import re

from . import conditions, cues, people, speech
from .choices import CHOICES
from .clauses import CODE, QUOTED
from .folding import fold, is_chinese, is_traditional, squeeze
from .found import Found
from .reading import Statement
from .third_person import said_of_user

#: Slots whose words already hold what their clause says: dates, ages, steps, orders, who somebody is.
_WHOLE = frozenset({
    "age", "child_age", "children", "children_ages", "birthday", "deadline", "episode", "error_fix", "current_order", "relationship", "name", "goal",
    "travel_wish", "likes", "hobby", "pet", "races_this_year", "occupation", "trip_purpose", "trip_city", "manager",
})  # fmt: skip
_LONGEST = {True: 40, False: 110}
#: Words that carry no content of their own: what they are about stands beside them.
_LIGHT_EN = re.compile(
    r"(?:i|i'[a-z]+|we|we'[a-z]+|me|us|my|our|mine|you|your|it|it's|its|that|that's|this|these|those|they|them|there|the|an?|and|or|but|so|also|too|as|if|then|than|because|though|of|to|for|in|on|at|by|with|from|into|about|up|off|out|over"
    r"|is|are|am|was|were|be|been|being|do|does|did|don't|doesn't|have|has|had|can|can't|could|will|would|won't|should|shall|must|may|might|let|let's|please|just|only|really|very|quite|rather|always|usually|never|normally|generally|mostly|often|still|now|again|ever|even|actually|all|any|some|every|each|one|ones|both|no|not|yes|ok|okay|hi|hey|oh|well|right|thanks|sure"
    r"|want|wants|need|needs|like|likes|love|prefer|prefers|preferred|prefered|wish|hope|use|using|used|take|taking|get|give|book|order|choose|pick|put|make|keep|set|go|going|gone|switch|switched|switching|change|changed|move|moved|stick|stay|try|think|know|say|said|mean|meant|tell|told|thing|things|time|times|way|kind|sort|bit|lot|good|better|best|fine|great|much|more|most|anyway|instead|remember|note|that'll|favou?rite|default|myself|personally|thank|sorry|wait|correction|please|fly|flying|travel|travell?ing|eat|eating|today|tonight|tomorrow)",
    re.I | re.A,
)
_LIGHT_ZH = re.compile(
    r"我们|咱们?|我|你|您|的话|时候|以后|今后|往后|之后|平时|平常|一般|通常|一直|总是|从来|每次|现在|目前|已经|这次|本次|这趟|这回|今天|今晚|暂时|尽量|最好|希望|喜欢|比较|习惯|优先|偏好|更爱|宁愿|倾向|记住|记得|记着|记下|麻烦|可以|能够|应该|需要|安排|预订|预定|选择|使用|保持|设置|统一|默认|一律|全部|还是|就是|都是|改成|改为|换成|换到|切到|改用|座位|位子|位置|出行|出门|直接|说完|讲完|一下|一点|这种|那种|东西|自己|而且|另外|但是|不过|因为|所以|如果|其实|反正|谢谢|好吗|没错|不是|不要|不用|可是|然后|顺便|千万|务必|请问|说过|真的|特别|非常|帮忙"
    r"|[的地得了着过吧呢啊呀哦嘛吗啦哈就都也还要想请帮给把被让叫订买选坐乘搭走住用喝吃写说讲看放开设改换成到是在有会能行好更最很挺太那这个些点里上下中来去为以从和跟与或但而且又再只才先别不没无对向于做搞弄发两一]|酒店|宾馆|行程|路程|旅程|航班|车程"
)
#: When something changed, and from what, tells nothing of how it is.
_CHANGED = re.compile(
    r"\b(?:(?:last|this|next) (?:week|month|year|spring|summer|autumn|fall|winter)|in (?:spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december)|(?:a|an|two|three|four|five|six|ten|\d+|some|few|couple of) (?:days?|weeks?|months?|years?) ago|yesterday|recently|lately|finally|from [A-Z]\w+|(?:left|quit) [A-Z]\w+|two years ago|years ago)\b"
    r"|[上下这去今前]个?(?:周|月|年|星期|礼拜)|刚刚?|最近|昨天|前[天年]|从[^，。]{1,6}(?=搬|换|切|跳|改|迁)|刚从[^，。]{1,6}(?=搬|换|切|跳|改|迁)"
)
#: For which kind of trip, on which days, within what time.
_LIMITS = (
    *(re.compile(pattern, re.I | re.A) for _, pattern, _, _ in conditions._TRAVEL), conditions._HOURS, conditions._DAYS,
)  # fmt: skip
_LEFT_ZH = re.compile(r"[\u3400-\u9fff]{2,}|[A-Za-z]{2,}|\d+")
_TO_WRITE = re.compile(r"^(?:帮我|请|麻烦你?)?(?:记|备注)[^，。：:]{0,4}[：:，,]\s*")
#: "On weekdays my hours are …": when it holds, before what holds.
_WHEN_FIRST = re.compile(
    r"^(?:and |but |so )?(?P<when>(?:on|in|at|for|during|after|before|since|until|from|when|whenever) (?:[\w'-]+ ){0,5}?[\w'-]+),? (?P<said>(?:i|my|we|our)(?:'\w+)?\b(?! (?:and|or)\b)[^,]{6,})$",
    re.I | re.A,
)
#: An order to the agent is a wish of the user.
_ORDERED = re.compile(
    r"^(?:please |just |always |so |and )*(?:book|get|give|find|order|reserve|buy|choose|pick)(?: (?:me|us))? (?=(?:an?|the|only|no|non-?[a-z]+|[a-z]+s)\b)",
    re.I | re.A,
)
#: Whom somebody reaches, tells or calls goes without saying in a note about the user.
_TO_ME = re.compile(r"(联系|联络|通知|提醒|告诉|回复|回答|找)我(?!们|的)")
_CALLS_ME = re.compile(r"打(?:电话)?给我(?!们|的)")
_NOT_ALONE = re.compile(
    rf"^(?:it|it's|they|he|she)\b(?! (?:has|must|should))|\b(?:you|your|yours|that(?= (?:is|was|one|i|we)\b|$|[,.])|that's|this one|those|them|which|said|meant)\b|[你您]|这样|那样|[这那]个|说错|错了|^(?:yes|no|ok|sure)\b|[{QUOTED + CODE}]",
    re.I | re.A,
)


_CHOSEN = frozenset(choice.key for choice in CHOICES)


#: Slots whose pattern runs over the name of what they are told of, such as a project.
_NAMED = frozenset({
    "project_database", "service_port", "timeout", "review_language", "commit_language", "docs_language", "email_language", "deploy_window",
})  # fmt: skip


def _covered(found: Found, text: str, condition: str | None) -> str:
    """The clause with what the note's slot accounts for blanked."""
    told = found.key in _NAMED or (found.key in _CHOSEN and is_chinese(text))
    spans = [] if told else [(found.start, min(found.end, len(text)))]
    for cue in (cues.LASTING, cues.SESSION, cues.PREFERENCE, cues.REMEMBER, cues.CORRECTION, cues.AFFIRM):
        spans += [m.span() for m in cue.finditer(text)]
    spans += [m.span() for m in _CHANGED.finditer(text)]
    if condition:
        spans += [m.span() for pattern in _LIMITS for m in pattern.finditer(text)]
    for start, end in spans:
        text = text[:start] + "\n" * (end - start) + text[end:]
    return text


def lost(found: Found, text: str, note: str, condition: str | None, chinese: bool) -> list[str]:
    """The words of the clause that the note in its slot's words would not hold."""
    rest = _covered(found, text, condition)
    held = note.lower()
    if chinese:
        return [w for w in _LEFT_ZH.findall(_LIGHT_ZH.sub("\n", rest)) if w.lower() not in held]
    found_words = [w for w in re.findall(r"[a-z][a-z'-]*|\d+", rest, re.I) if not _LIGHT_EN.fullmatch(w)]
    return [w for w in found_words if w.lower()[:4] not in held]


#: What the agent is to say to the user, or to hand them.
_DOES_FOR = re.compile(
    r"^(?P<when>always |never )?(?P<do>tell|ask|warn|remind|notify|alert|give|send) the user (?!up\b|a hand|the time|how\b|what\b|why\b|where\b)",
    re.I | re.A,
)
_TO_BE = {"tell": "to be told ", "ask": "to be asked ", "warn": "to be warned ", "remind": "to be reminded ", "notify": "to be notified ", "alert": "to be alerted "}  # fmt: skip


def wished(text: str) -> str:
    """What the agent is to tell or give the user, as the wish that it is."""

    def wish(m: re.Match[str]) -> str:
        when = (m["when"] or "").lower()
        return f"{when[:1].upper()}{when[1:]}{'w' if when else 'W'}ants {_TO_BE.get(m['do'].lower(), '')}"

    return text if text.lower().startswith("never give") else _DOES_FOR.sub(wish, text)


def third(said: str, chinese: bool) -> str:
    """The words said of the user, without what leads in to them and without what they are said to hold for."""
    if m := cues.REMEMBER.match(said) or cues.CONVENTION.match(said):
        said = said[m.end() :]
    said = cues.FROM_NOW_ON.sub("", _TO_WRITE.sub("", said))
    if chinese:
        said = fold(said) if is_traditional(said) else said  # the note's own characters come back with its words
        said = re.sub(r"就(?=[订坐乘要用选买走住改换])", "", said)
        return said_of_user(_TO_ME.sub(r"\1", _CALLS_ME.sub("打电话", said)), True)
    said = re.sub(r"^it(?:'s| is) (?=[a-z]+ for\b)", "", said, flags=re.I)
    said = _WHEN_FIRST.sub(lambda m: f"{m['said']} {m['when'][:1].lower()}{m['when'][1:]}", said)
    said = speech.POLITELY.sub("", said)
    return wished(said_of_user(_ORDERED.sub("I want ", said), False))


def _alone(st: Statement, key: str) -> bool:
    """True when the clause says whom it is about, so that nothing else need stand before it."""
    return st.who in ("user", "you") or key in _NAMED or bool(st.subject and people.relations(st.text)[:1])


def own(found: Found, st: Statement, note: str, condition: str | None, chinese: bool) -> str:
    """The clause as a note, where `note`, in the words of its slot, would lose some of it; else nothing."""
    text = st.text
    if (
        not found.alone
        or found.key is None
        or found.key in _WHOLE
        or (found.kind not in ("semantic", "working") and found.key not in _NAMED)
        or st.clause.sentence == 0
        or found.end <= found.start
        or found.end > len(text)
        or len(text) > _LONGEST[chinese]
        or not _alone(st, found.key)
        or people.together(text)
        or not (lost(found, text, note, condition, chinese) or (found.condition or "\n") in text)
    ):
        return ""
    said = squeeze(st.clause.said)
    said = said if len(said) == len(text) else text
    if _NOT_ALONE.search(said):
        return ""
    words = third(said, chinese)
    return words if len(words) >= (4 if chinese else 8) else ""
