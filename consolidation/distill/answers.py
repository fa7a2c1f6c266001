"""Answers to the agent's questions: a claim confirmed, a choice made, a scope cleared up.

What the agent says is never evidence by itself. It only lends its topic to the user's answer.
"""

import re
from dataclasses import dataclass

from . import cues, dates, open_slots
from .choices import CHOICES, LANGUAGE_EN, LANGUAGE_ZH, language
from .clauses import QUOTED

_QUESTION = re.compile(r"[?？]|吗|\b(?:right|correct)\s*[.!?]?$|对吧|是吧")
_OFFER = re.compile(
    r"\b(?:shall|should|can|may|do you want me to|want me to|would you like me to) (?:i|we)?\b(?! (?:remember|save))|要不要我|需要我|要我|我帮(?:你|您)|我来",
    re.I | re.A,
)
_SWAPS = (
    (r"\b(?:so|just to confirm|to confirm|got it|okay|ok|and|let me check|i understand|i see|noted|i believe|it seems|sounds like|am i right that|is it (?:true|correct|right) that|you mean|if i understand correctly|just checking)[,:]?\s+", ""),
    (r"\b(?:do|would|did) you (?:still |usually |always |normally |generally )?", "I "), (r"\bare you\b", "I am"), (r"\bhave you (?:got )?", "I have "), (r"\byou are\b|\byou're\b", "I am"), (r"\byou'd\b", "I would"), (r"\byou've\b", "I have"), (r"\byours\b", "mine"),
    (r"\byour\b", "my"), (r"\byou\b", "I"), (r"(?:您|你)(?:们)?", "我"), (r"(?:所以|那么|那|也就是说|确认一下|我理解|请问|是不是|对吗|对吧|是吧|吗|没错吧|right|correct|isn't it|don't I|am I)(?=\W*$|[\u3400-\u9fff，,]|$)", ""),
)  # fmt: skip
_TOPICS: dict[str, str] = {
    "seat_preference": r"座位|坐哪|靠窗|过道|走道|\bseats?\b|\baisle\b|\bwindow\b", "meal_preference": r"餐|吃什么|饮食|忌口|口味|\bmeals?\b|\bdiet|\beat\b|\bfood\b", "transport_preference": r"怎么去|交通|高铁|飞机|火车|出行方式|\btravel\b|\btrain\b|\bfly\b|\btransport",
    "theme": r"主题|模式|界面|\btheme\b|\bmode\b", "departure_time_preference": r"航班|出发|早班|晚班|\bflight|\bdepart", "room_type": r"房型|房间|大床|双床|\broom\b|\bbed\b", "reply_length": r"简短|详细|长一点|\bshort|\bdetailed|\blong\b", "meeting_tool": r"会议|开会|\bmeeting|\bcall\b|zoom|飞书",
    "check_in": r"入住|\bcheck[- ]?in", "smoking_room": r"烟|\bsmok", "notifications": r"通知|推送|提醒|\bnotif", "meeting_preference": r"开会|会议|\bmeetings?\b", "commute": r"上班|通勤|\bcommut|\bwork\b", "red_eye": r"红眼|\bred[- ]?eye", "checked_bag": r"托运|行李|\bbags?\b|\bluggage\b",
    "seat_area": r"前排|后排|座位|\bfront\b|\bseat", "member_tier": r"会员|等级|\btier\b|\bmember|\bstatus\b", "diet": r"饮食|口味|忌口|\bdiet", "trip_purpose": r"(?:这次|行程|出行).*(?:目的|出差|旅行|玩)|\bpurpose\b|\bbusiness or\b",
}  # fmt: skip


@dataclass(frozen=True)
class Opening:
    """A question whose answer is a bare value: `key` with the note's wording."""

    key: str
    question: re.Pattern[str]
    answer: re.Pattern[str]
    zh: str
    en: str


_NAME = r"(?:just |please |call me |叫我|就叫|叫)?(?P<v>[\u3400-\u9fff·]{1,5}|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)(?:吧|就好|就行|即可| please| is fine| works)?$"
_OPEN = tuple(
    Opening(key, re.compile(question, re.I | re.A), re.compile(answer, 0 if "A-Z" in answer else re.I | re.A), zh, en)
    for key, question, answer, zh, en in (
        ("preferred_name", r"怎么称呼|如何称呼|叫(?:你|您)什么|\bwhat (?:should|shall|can|do) (?:i|we) call you|\bhow should i (?:address|call) you", _NAME, "希望被称呼为 {}", "Wants to be called {}"),
        ("name", r"(?:你|您)(?:叫什么|的(?:名字|姓名))|贵姓|\b(?:what's|what is|may i have|can i have) your (?:full )?name", _NAME, "姓名是 {}", "Name is {}"),
        ("home_city", r"(?:住在?|常住|家在)(?:哪|什么)|[您你][^，。]{0,6}哪个城市|\bwhere do you live|\bwhich city (?:do|are) you|\bwhere are you based|\bhome city", r"(?:我)?(?:住)?(?:在)?(?:I live in |In )?(?P<v>[\u3400-\u9fff]{2,6}|[A-Z][\w-]+(?: [A-Z]\w+)?)$", "住在 {}", "Lives in {}"),
        ("allergy", r"过敏|\ballerg", r"(?:有[，,]?|yes,? |对|是|it's |i'm allergic to |to )?(?P<v>(?!没|无|不|no\b|none|yes$|有$)[\u3400-\u9fff]{1,6}|[a-z]+(?: [a-z]+)?)(?:过敏)?$", "{}过敏", "Allergic to {}"),
        ("dislikes", r"忌口|不(?:吃|喜欢)(?:什么|的)|\bdislike|\bavoid|\bdon't (?:eat|like)", r"(?:不吃|不要|no |i don't like )?(?P<v>(?!没|无|不|no$|none|nothing)[\u3400-\u9fff]{1,6}|[a-z]+(?: [a-z]+)?)$", "不吃{}", "Dislikes {}"),
        ("children_ages", r"(?:孩子|娃|宝宝|双胞胎|女儿|儿子|小朋友|他|她)们?(?:今年|现在)?(?:多大|几岁)|\bhow old (?:is|are) (?:(?:the|your) (?:\w+ )?(?:kids?|child(?:ren)?|boys?|girls?|sons?|daughters?|twins|baby|little ones?|younger|older|eldest|youngest|other|second)|they|he|she)\b", rf"(?:今年|现在|刚|快|they're |they are |both |all |she's |he's |almost |nearly )?(?P<v>{dates.NUMBER}(?:(?:,| and|和|、)\s?{dates.NUMBER})*)(?: years? old| now)?(?:岁)?(?:了)?$", "孩子 {} 岁", "Children aged {}"),
        ("employer", r"在哪(?:家公司)?(?:工作|上班)|哪家公司|\bwhere do you work|\bwhich company", r"(?:在|at |for )?(?P<v>[A-Z][\w&]+(?: [A-Z]\w+)?|[\u3400-\u9fff]{2,10})$", "在 {} 工作", "Works at {}"),
        ("primary_language", r"(?:编程|开发|主力)语言|用什么语言写|\b(?:programming|main|primary) language|\bwhat language do you (?:code|program|write)", r"(?:用)?(?P<v>Python|Rust|Go|TypeScript|JavaScript|Java|Kotlin|Swift|Ruby|PHP|C\+\+|C#|Scala|Elixir|C)$", "主力语言是 {}", "Main language is {}"),
    )
)  # fmt: skip


def is_question(text: str) -> bool:
    """True when the agent's turn asks something."""
    return bool(_QUESTION.search(text.strip()[-200:]))


def affirmed(text: str) -> bool:
    """True when the user's answer begins with a yes."""
    return bool(cues.AFFIRM.search(text.strip())) and not re.search(r"^(?:no|not)\b|^不", text.strip(), re.I | re.A)


def denied(text: str) -> bool:
    """True when the user's answer begins with a no."""
    return bool(cues.DENY.search(text.strip()))


def last_question(text: str) -> str:
    """The last asking sentence of the agent's turn."""
    parts = [p for p in re.split(r"(?<=[?？。.!！\n])\s*", text) if p.strip()]
    return next((p for p in reversed(parts) if is_question(p)), text if is_question(text) else "")


_CLAIM = re.compile(
    r"^.*?\b(?:i (?:take it|understand|gather|see|assume|believe|noted?|have noted|conclude)|it (?:looks like|seems|appears)|sounds like|from your \w+|according to your \w+|you mentioned|you said)(?: (?:that|i|it|so))*,?\s+(?=you)"
    r"|^.*?(?:看来|看起来|这么说|也就是说|据我了解|我了解到|从您?你?的\w{1,6}看|我注意到|我理解)[，,]?(?=[您你])",
    re.I | re.A,
)
_CONFIRMS = re.compile(
    r"^(?:yes|yep|yeah|right|correct|exactly|that's right|true|indeed)\b|^(?:对|没错|是的|正确|嗯[,，]?对|确实)(?![^，。,]{0,3}吗)",
    re.I | re.A,
)


def claim_confirmed(said: str, answer: str) -> str:
    """What the agent claimed of the user without asking, as the user's own statement, once the user says that it is right."""
    if not _CONFIRMS.match(answer.strip()):
        return ""
    claims = [p for p in re.split(r"(?<=[。.!！\n])\s*", said) if _CLAIM.match(p)]
    if not claims:
        return ""
    return as_statement(_CLAIM.sub("", claims[-1].strip()))


def scope_asked(question: str) -> str | None:
    """ "session" or "user" when the question only asks for how long something holds."""
    session, lasting = bool(cues.SESSION.search(question)), bool(cues.LASTING.search(question))
    if session == lasting:
        return "either" if session else None
    return "session" if session else "user"


def scoped(answer: str) -> bool:
    """True when the answer itself says for how long it holds."""
    return bool(cues.SESSION.search(answer) or cues.LASTING.search(answer))


def scope_answered(question: str, answer: str) -> str | None:
    """How long the thing in question holds, after the user's answer; None when the answer does not tell."""
    session, lasting = bool(cues.SESSION.search(answer)), bool(cues.LASTING.search(answer))
    if session != lasting:
        return "session" if session else "user"
    asked = scope_asked(question)
    if asked in ("session", "user"):
        if affirmed(answer):
            return asked
        if denied(answer):
            return "user" if asked == "session" else "session"
    return None


def is_offer(question: str) -> bool:
    """True when the agent offers to do something now, rather than asking who the user is."""
    return bool(_OFFER.search(question)) and not re.search(
        r"记住|记下|保存|\b(?:remember|save|note|keep|store)\b", question, re.I | re.A
    )


def as_statement(question: str) -> str:
    """The agent's question turned into what the user would state by saying yes."""
    text = question.strip().rstrip("?？ 。.")
    for pattern, new in _SWAPS:
        text = re.sub(pattern, new, text, flags=re.I | re.A)
    return re.sub(r"^[\s,，]+|[\s,，]+$", "", text)


def topics(question: str) -> set[str]:
    """The slots that the question is about, so that a bare "aisle" can answer it."""
    found = {key for key, pattern in _TOPICS.items() if re.search(pattern, question, re.I | re.A)}
    return found | {c.key for c in CHOICES if any(o.pattern.search(question) for o in c.options)}


def slot_named(text: str) -> str | None:
    """The slot that the text calls by its name: "my seat preference", 我的座位偏好."""
    said = re.sub(r"[\s_-]+", " ", text.lower())
    named = [key for key in {*_TOPICS, *(c.key for c in CHOICES)} if re.search(rf"\b{key.replace('_', ' ')}s?\b", said)]
    if named:
        return max(named, key=len)
    about = (
        topics(text) if re.search(r"偏好|喜好|习惯|设置|\bpreferences?\b|\bsettings?\b", text, re.I | re.A) else set()
    )
    own = {key for key in about if key in _TOPICS}
    return min(own, key=lambda key: (not key.endswith("preference"), key)) if own else None


def opened(question: str, answer: str) -> tuple[str, str, str, str] | None:
    """Slot, value and wording when a bare value answers an open question."""
    said = answer.strip(" .。!！，,")
    if len(said) > 40 or QUOTED in said or is_question(said):
        return None
    for opening in _OPEN:
        if opening.question.search(question) and (m := opening.answer.match(said)):
            value = open_slots.clean(m["v"])
            if opening.key == "children_ages":
                value = ",".join(
                    dates.plain(dates.number(n) or 0) for n in re.findall(dates.NUMBER, value, re.I | re.A)
                )
            if value and not cues.AFFIRM.match(value) and not cues.DENY.match(value):
                return opening.key, value, opening.zh, opening.en
    if re.search(r"语言|\blanguage\b", question, re.I | re.A) and (
        m := re.match(rf"(?:用)?(?P<v>{LANGUAGE_ZH}|{LANGUAGE_EN})(?:吧|就好| please)?$", said, re.I | re.A)
    ):
        return "reply_language", language(m["v"]) or "", "偏好{}回复", "Wants replies in {}"
    return None


def amount_answered(question: str, answer: str) -> str | None:
    """The cap that answers a question about a budget."""
    if not re.search(
        r"预算|花多少|价位|价格|上限|最高|\bmaximum\b|\bprice\b|\bper night\b|\bbudget|\bcap\b|\bspend|\blimit",
        question,
        re.I | re.A,
    ):
        return None
    if cues.SESSION.search(answer) and cues.LASTING.search(answer):
        return None  # one sum for now and another one for good: no bare answer
    m = re.search(open_slots.AMOUNT, answer, re.I | re.A)
    return open_slots.amount(m) if m and dates.number(m["num"]) else None


_BARE: dict[str, tuple[tuple[str, str], ...]] = {
    "seat_preference": (("aisle", r"过道|走道|\baisle\b"), ("window", r"窗|\bwindow\b")),
    "departure_time_preference": (("morning", r"早|上午|\b(?:morning|early)\b"), ("afternoon", r"下午|\bafternoon\b"), ("evening", r"晚|\b(?:evening|late)\b")),
    "meeting_preference": (("morning", r"早上|上午|\bmornings?\b"), ("afternoon", r"下午|\bafternoons?\b"), ("online", r"线上|\bonline\b|\bremote\b"), ("in_person", r"线下|当面|\bin person\b")),
    "transport_preference": (("high_speed_rail", r"高铁|动车|\bhigh[- ]speed\b"), ("train", r"火车|\btrains?\b"), ("plane", r"飞机|\b(?:plane|fly|flying|flight)\b"), ("car", r"自驾|开车|\b(?:car|drive|driving)\b")),
    "check_in": (("late", r"晚|\blate\b"), ("early", r"早|\bearly\b")), "smoking_room": (("no", r"无烟|禁烟|\bnon-?smoking\b"), ("yes", r"(?<!无)烟|\bsmoking\b")),
    "theme": (("dark", r"深|暗|黑|\bdark\b"), ("light", r"浅|亮|\blight\b")), "reply_length": (("short", r"短|简|\b(?:short|brief|concise)\b"), ("long", r"详|长|\b(?:long|detailed)\b")),
    "room_type": (("king", r"大床|\b(?:king|double|queen)\b"), ("twin", r"双床|\btwin\b"), ("suite", r"套房|\bsuite\b")),
    "commute": (("bike", r"骑车|自行车|\b(?:bike|cycle)\b"), ("metro", r"地铁|\b(?:metro|subway|tube)\b"), ("car", r"开车|\b(?:car|drive)\b"), ("bus", r"公交|\bbus\b"), ("walk", r"走路|步行|\bwalk\b")),
}  # fmt: skip


def bare(key: str, answer: str, longest: int = 30) -> str | None:
    """The value that a single word stands for once the question has named the slot; None when it is not clear."""
    if len(answer) > longest:
        return None
    found = [token for token, pattern in _BARE.get(key, ()) if re.search(pattern, answer, re.I | re.A)]
    return found[0] if len(found) == 1 else None


def choice_words(key: str, token: str, chinese: bool) -> tuple[str, str] | None:
    """The note's wording for a value of a choice, and its family of conditions."""
    for choice in CHOICES:
        if choice.key == key:
            option = next((o for o in choice.options if o.value == token), None)
            if option:
                text = choice.zh.format(option.zh) if chinese else choice.en.format(option.en)
                return (text if chinese else text[:1].upper() + text[1:]), choice.conditions
    return None
