"""Statements that the user marks as lasting, but that fit no slot: kept in the user's own words."""

import re

from . import conditions, cues, procedures, speech
from .folding import is_chinese
from .found import Found
from .persons import said_of_user
from .reading import Statement, is_rule
from .says import clean
from .wording import third, wished

_LEAD_LASTING = re.compile(
    r"^(?:请|那|好的?|嗯|还有|另外|而且|然后|对了)?(?:你|请)?(?:以后|今后|往后|从今(?:天|以)?(?:起|后|往后)|从现在(?:起|开始)|每次|一律)[，,]?\s*|^(?:and |so |ok |okay |please )*(?:from now on|going forward|in (?:the )?future|from today on),?\s*",
    re.I | re.A,
)
_ORDER_ZH = re.compile(
    r"^(?:我|我的|我们)?(?:请|都|每次|一律|不要|别|统一|默认|尽量|先|用|由|把|给我|只|凡是|所有|要|必须|麻烦|帮我)|都(?!会|很|是)|一律|统一|必须|不要|别|以内|之内|不超过|最多|至少|提前|直接(?=[发给用写])|尽量"
)
#: Begins no order: who or what a statement is about, what asks, what only joins, and any form that orders nothing.
_NO_VERB = r"(?:i|we|you|he|she|it|they|this|that|these|those|there|the|an?|my|our|your|his|her|their|who|what|which|when|where|why|how|if|is|are|was|were|am|be|been|do|does|did|can|could|will|would|shall|should|may|might|must|has|have|had|in|on|at|for|to|of|by|with|from|and|but|or|so|not|no|yes|because|all|any|some|both|every|each|please|always|never|just|only|mind|[a-z]+(?:ly|ing|ed|[^s\W]s|'[a-z]+))"
#: A verb for what an agent does for people, or any verb with its object right after it.
_ORDER_EN = re.compile(
    rf"^(?:please |always |never |just |only |don't |do not )*(?:(?:use|send|put|write|add|include|run|ask|check|keep|give|show|tell|cc|copy|avoid|skip|start|end|format|sort|round|prefer|make|mark|list|cite|quote|call|email|ping|wait|leave|let|book|attach|save|sign|test|commit|push|review|explain|provide|summari[sz]e)\b|(?!{_NO_VERB}\b)[a-z]+ (?:me|us|it|them|my|our|the|an?|all|every|each|any|no)\b)",
    re.I | re.A,
)
_HABIT_EN = re.compile(
    r"^(?:and |but |so )?(?P<trip>(?:for|on|when|whenever|during) (?:[\w-]+ ){1,5}?)?(?P<said>i (?:always|usually|never|normally|typically|generally|tend to) (?!be\b|been|feel|think|thought|know|knew|remember|forget|hear|mean|wonder|have had|say|said|get to|want|wanted|love|loved|wished|had|have\b|dreamed|hoped|felt|am\b|was\b|find|expect|seem|understand)(?P<v>[a-z]+ [^.!?;\n]{4,80}))",
    re.I | re.A,
)
_HABIT_ZH = re.compile(
    r"^我(?:一般|通常|平时|习惯|总是|从来不?|从不|每天|每周|每晚|每早)(?:都|会|是|在|只|先|早上|晚上|下午|中午)*(?P<v>[\u3400-\u9fffA-Za-z0-9 ]{3,30})$"
)
_WEAK_ZH = re.compile(
    r"一些|一点|我(?:也)?(?:会|能|可以)|希望|我们.*(?:聊|见|一起)|再聊|注意|谨记|可以找|感谢|谢谢|聊天|觉得|感觉|感到|开心|快乐|难过"
)
_WEAK_EN = re.compile(
    r"\b(?:you|your|you're|hope|wish|thank|here for|love|feel|proud|grateful|remember when|us|together)\b", re.I | re.A
)
_NORMATIVE = re.compile(
    r"都|要|必须|一律|不(?:要|准|能|得|许)|别|先|抄送|\b(?:always|must|should|never|needs? to|have to|has to|cc|first|only|before|no)\b",
    re.I | re.A,
)
_POINTING = re.compile(
    r"^(?:it|this|that|these|those|them|me|us|when|how|what|who|why|where|the (?:day|time|trip)|that (?:time|day)|your|you|这|那|你|我们(?:的)?(?:时光|日子)|一下)\b",
    re.I | re.A,
)
_RULE = re.compile(
    r"一律|必须|都要|都得|统一|务必|不准|不得|\b(?:must|always|have to|has to|need to|needs to)\b", re.I | re.A
)
#: What follows says something of its own.
_NEXT = re.compile(
    r",? and (?=(?:i|my|our|we)\b)|[，,；]\s*(?=(?:而且|还有)?(?:我(?!们?(?:都|也)))(?!姐|哥|妈|爸|弟|妹))", re.I | re.A
)
_PLATITUDE = re.compile(
    r"\b(?:important|make a difference|makes a difference|matters?|worth it|possible|you|your|yourself|we all|life)\b",
    re.I | re.A,
)
_KEPT_FOR_TRIPS = re.compile(
    r"都(?:要|得|给我|帮我|请|先|只)?(?:订|预订|买|选|坐|乘|住|走|安排)(?!了|过|好|完|到)(?=[\u3400-\u9fffA-Za-z0-9])"
    r"|(?:订|买|选|坐|乘|住|安排)[\u3400-\u9fff]{0,4}都(?:要|得|必须|只)(?=[\u3400-\u9fffA-Za-z0-9])"
)
_POINTING_ZH = re.compile(r"^(?:这|那|你|一下$|上次|吗|了$)")


_ADVERBS = r"always|usually|never|normally|typically|generally|often|mostly|rarely|seldom|sometimes|only|also|still|just|really|now|currently|even"
_SAYS_HABIT = re.compile(rf"^(?P<lead>(?:(?:{_ADVERBS}),? )*)(?P<verb>[a-z]+(?:'t|'m|'ve|'d|'ll)?)\b", re.I | re.A)
_IRREGULAR = {"am": "is", "'m": "is", "are": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't", "aren't": "isn't", "go": "goes", "i've": "has"}  # fmt: skip
_NO_ENDING = re.compile(
    r"(?:can|could|will|would|may|might|must|should|shall|cannot|was|were|had|did|went|got|took|made|said|saw|came|bought|ate|flew|drove|thought|found|knew|left|kept|began|ran|wrote|stood|told|sold|met|paid|quit|gave|became|grew|wore|spoke|rode|chose|held|taught|drank|slept|woke|sat|lost|won|sent|set|put|let|cut|is|has|does|not|to|the|an?|my|no|if|when|for|on|in|at)$|.*(?:ed|ing|ly|n't|'d|'ll)$",
    re.I | re.A,
)
_VERBS_STILL = re.compile(r"(?:need|feed|exceed|proceed|bring|sing|ring|cling|fly|rely|reply|apply|supply|comply)$")
_STATES = re.compile(r"(?:want|need|prefer|like|love|hate|dislike|enjoy|have|own|live|tend|speak)$", re.I | re.A)
_HABITUAL = re.compile(
    r"\b(?:usually|normally|typically|generally|often|mostly|rarely|seldom|sometimes)\b", re.I | re.A
)


def _ending(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if _NO_ENDING.match(verb) and not _VERBS_STILL.match(verb):
        return verb
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|z|ch|sh|o)$", verb) else "s")


def _third_person(text: str, own: bool) -> str:
    """What the user does, said of them; an order to the agent ("always book …") keeps its form.

    `own` where "I" stood before it. Without it a verb is the user's own when it is a state or a habit.
    """
    m = _SAYS_HABIT.match(text)
    if not m or not (own or _STATES.match(m["verb"]) or _HABITUAL.search(m["lead"])):
        return text
    return m["lead"] + _ending(m["verb"].lower()) + text[m.end() :]


def _neutral(text: str, chinese: bool) -> str:
    """The statement without its first person and its politeness."""
    if chinese:
        text = re.sub(r"^(?:请|麻烦|[帮给]我的?|我的|我们的|我们|我)+(?=[\u3400-\u9fffA-Za-z0-9])", "", text)
        text = re.sub(r"^((?:平时|一般|通常|常|经常|总是)*)(?:也|还)(?!是|有|没)", r"\1", text)
        of = "的" if text.startswith("的") else ""  # somebody's own, who is named before it
        return of + (clean(third(text.removeprefix(of), True)) or clean(text))
    bare = re.sub(r"^(?:please |that |and |so )+", "", text, flags=re.I | re.A)
    if re.search(r"\b(?:i|we)'", bare, re.I | re.A):
        return said_of_user(bare, False)
    text = re.sub(r"^(?:i )+", "", bare, flags=re.I | re.A)
    text = _third_person(text, text != bare)
    text = re.sub(r"\bmy\b", "their", re.sub(r"\b(?:me|I)\b", "the user", text), flags=re.I | re.A)
    text = clean(text)
    return wished(text[:1].upper() + text[1:])


def note(said: str, st: Statement, start: int, kind: str | None = None, confidence: float = 0.65) -> Found | None:
    """The words as a note about the user, in the third person; None for what is too short, too long or an errand."""
    chinese = is_chinese(said)
    text = _neutral(said, chinese)
    if re.search(r"[这那]$|\bdo it$", said):
        return None
    if len(text) < (4 if chinese else 8) or len(text) > 200 or speech.ORDER.search(said) or cues.REMINDER.search(said):
        return None
    named = procedures.topic(said)
    if named and _NORMATIVE.search(said):
        return Found(named[0], text, text, start, start + len(said), kind="procedural", confidence=confidence)
    return Found(None, None, text, start, start + len(said), kind=kind or "semantic", confidence=confidence)


def remembered(st: Statement) -> Found | None:
    """What follows 「记住」 or "remember that", when no slot says it better."""
    m = cues.REMEMBER.search(st.rest)
    if not m or cues.REMINDER.search(st.sentence) or m.start() > 12:
        return None
    said = st.rest[m.end() :].strip(" ,，:：.。")
    if _PLATITUDE.search(said):
        return None
    if not said or _POINTING.match(said) or _POINTING_ZH.match(said):
        return None
    said = _NEXT.split(said)[0]
    return note(said, st, st.rest.find(said), confidence=0.7)


def agreed(st: Statement) -> Found | None:
    """What a team decided or holds to: 「团队约定：…」, "we agreed that …"."""
    m = cues.CONVENTION.search(st.rest)
    if not m or m.start() > 16:
        return None
    said = st.rest[m.end() :].strip(" ,，:：.。")
    kind = "procedural" if _NORMATIVE.search(said) else None
    return note(said, st, st.rest.find(said), kind) if said else None


_ALWAYS_ZH = re.compile(
    r"^(?:所以|因此|那)?(?:我们?的?)?[\u3400-\u9fffA-Za-z ]{1,28}(?:一律|统一)(?:要|得|请)?(?:用|写|发|放|按|走|订|标|算|换|改|说|列)|^(?:我的?)?[\u3400-\u9fffA-Za-z]{1,8}(?:都|一律|统一)(?:给我|帮我|要|得|请)(?:用|写|发|放|按|走|订|标|算|换|改|说|列)"
    r"|^(?:给|跟|对|和)(?!我|你|您)[^，。我]{1,12}?(?:一律|统一|都|总是|必须|就|要)(?:要|得|是|写)?(?=用|随意|随便|客气|正式|礼貌|说|叫|称|按|走|别|不|简|详|轻松)"
)
_EACH = re.compile(
    r"\b(?:after|before|for|with|on|in|at) (?:every|each|any)\b|\bevery (?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.I | re.A,
)
_STARTS = re.compile(
    r"(?:and |so |also |please )?(?:if|when|whenever|for (?:any|every|all)|any|every|anything|everything)\b|(?:以后|今后|那|凡|只要|每次|任何|如果|要是)?[\u3400-\u9fff]{0,10}(?:超过|低于|高于|少于|多于|以上|以下|不足)|凡是?|只要|每次",
    re.I | re.A,
)


#: What is not to be done any more.
_ENDS = re.compile(
    r"(?:and |also |so |ok )*(?:please |can you |could you )?stop (?!being\b)[a-z]+ing (?:[\w']+ ){2,}[\w']+$"
    r"|(?:请)?[^，。别不]{2,12}(?:里|中|上|时|的时候|后面|前面|末尾|开头)(?:请)?(?:别|不要|不用)再[^，。]{3,}",
    re.I | re.A,
)


#: A clause that orders by itself, whatever stands beside it.
_BY_ITSELF = re.compile(
    r"^(?:(?:and|but|so|also|plus|oh),? )*(?:please |from (?:now|here|today) on,? |going forward,? )+(?:always |never |don't |do not |only )?[a-z]+ |^(?:(?:and|but|so|also),? )*(?:always|never) [a-z]+ "
    r"|^(?:(?:and|but|so|also),? )*(?:please )?[a-z]+ .*\b(?:from (?:now|here|today) on|going forward|in (?:the )?future)$"
    r"|^(?:还有|另外|而且|然后|对了|请|那)?(?:你|请)?(?:以后|今后|往后|每次|一律)|^(?:所以|因此|那|而且)?[^，我]{2,28}?(?:一律|统一)(?=要|得|请|用|写|发|放|按|标|列)",
    re.I | re.A,
)


def orders(text: str) -> bool:
    """True when the clause is an order for good on its own, so that it needs no word from those beside it."""
    return bool((_BY_ITSELF.match(text) or _POLITELY.match(text)) and cues.LASTING.search(text))


_JOINED = re.compile(
    r"^(?:(?:and|but|so|also|plus|oh)\b,? ?)+(?=(?:please|always|never|only|don't|give|use|keep|put|make|send|write|answer|reply|show)\b)|^(?:所以|因此)(?=.*(?:一律|统一))",
    re.I | re.A,
)


#: A wish put as a question; what it wishes for holds for good where it says so.
_POLITELY = re.compile(
    r"^(?:(?:and|so|also|oh),? )*(?:can|could|would|will) you (?:please |kindly |also |just )*", re.I | re.A
)


#: A question for the agent's knowledge.
_TOLD = re.compile(r"(?:explain|tell me (?:about|what|how|why|which|who)|describe|define|show me how)\b", re.I | re.A)


def _led(said: str, start: int, st: Statement, chinese: bool) -> Found | None:
    """What follows "from now on", where it is an order or a rule."""
    if chinese:
        orders = bool(_ORDER_ZH.search(said))
    else:
        orders = bool(_ORDER_EN.match(said) or re.match(r"(?:i|my|our|we|all|every|no|the)\b", said, re.I | re.A))
    return note(said, st, start) if orders and len(said) >= 3 else None


_NO_DAY_ZH = re.compile(r"(?:别|不要)(?:在|于)?(?:周|星期)[一二三四五六日天末]")


def _order_zh(text: str, st: Statement) -> bool:
    if st.who in ("user", "you") and (_NO_DAY_ZH.match(text) or _ALWAYS_ZH.search(text) and not st.task):
        return True
    trip = conditions.of_trip(text) or conditions.of_trip(st.lead)
    return bool(trip and _KEPT_FOR_TRIPS.search(text) and st.who == "user")


def _order_en(text: str, st: Statement) -> bool:
    always = re.match(r"(?:please )?(?:always|never) [a-z]+", text, re.I | re.A)
    return bool(_ORDER_EN.match(text) and (always or _EACH.search(text) or cues.STRONG.search(text)))


def standing(st: Statement) -> Found | None:
    """A standing order or habit: 「以后周报都周四发」, "always run the linter first", "I never check bags"."""
    text = _JOINED.sub("", st.text)
    chinese = is_chinese(text) or _ALWAYS_ZH.search(text) is not None
    if (asked := _POLITELY.match(text)) and cues.LASTING.search(text):
        wish = text[asked.end() :]
        return note(wish, st, 0) if _ORDER_EN.match(wish) and not _TOLD.match(wish) else None
    if not st.session and st.clause.place == 0 and is_rule(st.sentence) and _STARTS.match(text):
        return note(st.rest, st, 0, "procedural")
    if not st.session and _ENDS.match(text):
        return note(text, st, 0)
    if (_WEAK_ZH if chinese else _WEAK_EN).search(text) or st.session:
        return None
    if procedures.topic(text) and _RULE.search(text):
        return note(text, st, 0)
    if lead := _LEAD_LASTING.match(text):
        return _led(text[lead.end() :], lead.end(), st, chinese)
    if (_order_zh if chinese else _order_en)(text, st):
        return note(text, st, 0)
    m = (_HABIT_ZH if chinese else _HABIT_EN).match(text)
    if m and st.who == "user":
        if chinese:
            return note(m.group(0), st, 0, confidence=0.55)
        if not m["trip"] or conditions.of_trip(m["trip"]):
            return note(m["said"], st, 0, confidence=0.55)
    return None
