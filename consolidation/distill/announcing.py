"""What the user announces without saying it: "there's one allergy you have to know about". The answer to come says it."""

import re
from dataclasses import dataclass
from functools import lru_cache

from . import declaring, people
from .folding import is_chinese

#: How many, how bad, of which kind; a word for what it is itself ("a nut allergy") leaves nothing to announce.
_SOME = r"\b(?:an?|one|some|another|two|three|a few|a couple of|several|certain|new|other)(?: (?:more|new|other|food|drug|medical|\w+(?:ous|ere|ain|ate|ious|ish|ly|ty|ild|rong|ad)))*"
#: When something was done, or that nothing was done to anything: "we moved", "we moved last week", but not "we moved the desk".
_LATELY = r"(?=(?: (?:again|house|home|flats?|apartments?|recently|yesterday|today|in (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|fall|winter|the)\w*|(?:last|this|at the|over the|an?|one|two|three|some|a few|a couple of|\d+) (?:night|day|week|weekend|month|year|spring|summer|autumn|fall|winter|holiday|\w{3,6}day)s?(?: ago)?))*\s*(?:$|[.!?,;]|and\b|but\b))"
#: What is announced, how it is announced, and what the value then means.
_TOLD: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern, re.I | re.A), en, zh)
    for pattern, en, zh in (
        (
            rf"{_SOME} (?:allergy|allergies|intolerance)(?! (?:to|test|season|pill|tablet|shot|medic)|[:,] \w)|\ballergic to (?:something|one thing|a few things|some things|certain|two things)|\b(?:something|one thing|things?|foods?|an ingredient)(?: that)? (?:i|i'm) (?:can't|cannot|mustn't|must not|not allowed to|not supposed to) (?:eat|have|touch|drink)"
            r"|有(?:一?[个种些点]|几样|食物|什么)*(?:食物|东西|药物)?过敏(?:的|史)?(?=$|[，,。.!！；要得你])|对(?:一?[个种些样]|几样|有些?)(?:东西|食物|药)?过敏|有(?:些|样|个|几样)?(?:东西|食物)我?(?:不能吃|吃不了|不能碰)",
            "I am allergic to {a}",
            "我对{a}过敏",
        ),
        (
            r"\b(?:something|one thing|things?|foods?|an ingredient)(?: that)? i (?:don't|won't|never|hate to|really don't) (?:eat|like|touch)|\b(?:one|a|some) (?:thing|food|dish) i (?:hate|can't stand)\b|有(?:一?[个些点]|几[个样])?忌口|有(?:些|样|个|几样)?(?:东西|食物|菜)我?(?:不吃|不爱吃|不喜欢)",
            "I don't eat {a}",
            "我不吃{a}",
        ),
        (
            rf"\b(?:i|we)(?:'ve| have)?(?: just| recently| finally)? (?:moved|relocated){_LATELY}|\b(?:an?|another) (?:new|different) address\b|搬(?:了)?(?:新)?家了?(?=$|[，。！])|换(?:了)?(?:个)?城市",
            "I live in {a}",
            "我住在{a}",
        ),
        (
            r"\b(?:changed|switched|new|got a new|started a new|starting a new) (?:jobs?|employers?|compan(?:y|ies))\b(?! at| with)|换(?:了)?(?:份|个)?(?:新)?(?:工作|公司|单位)了?|跳槽|入职新",
            "I work at {a}",
            "我在{a}工作",
        ),
        (
            r"\b(?:switched|changed|new|another|a different)(?: (?:code|text))? (?:editors?|ide)\b(?! to)|换(?:了)?(?:个)?(?:新)?编辑器",
            "I use {a} as my editor",
            "我用{a}写代码，编辑器是{a}",
        ),
        (
            r"\bwhat (?:to|you (?:should|can|could)) call me\b|\b(?:a|another|my) (?:nickname|different name|new name)\b(?! is)|(?:该|怎么)(?:称呼|叫)我|有个(?:小名|昵称|外号)|换个称呼",
            "Call me {a}",
            "叫我{a}",
        ),
        (
            r"\b(?:a|one|another|different) language (?:i'd|i would|i) (?:like|want|prefer)(?! to\b)|\banother language(?= (?:please|from|for|instead|now)\b|\s*(?:$|[.!?,]))|换(?:一?[种个])?语言(?=$|[了吧，。！])",
            "Always reply to me in {a}",
            "以后都用{a}回复我",
        ),
        (
            r"\b(?:a |another |new |different )(?:meeting|video|call|conference) (?:tool|app|platform|software)\b|(?:会议|开会的?)(?:工具|软件)[^，。]{0,4}(?:换|改)了?|换(?:了)?(?:个)?会议(?:工具|软件)",
            "We use {a} for meetings",
            "开会用{a}",
        ),
        (
            r"\b(?:a|another) new (?:pet|animal|family member)\b|\bgot (?:a|another) pet\b|(?:养|领养|添)了?(?:一?[只个])?(?:新)?宠物",
            "I have {a}",
            "我养了{a}",
        ),
        (
            r"\b(?:a|another|one) (?:new |different )?(?:hobby|pastime)\b(?! is|[:,])|(?:有|新)(?:了)?(?:一?个)?(?:新)?爱好",
            "My hobby is {a}",
            "我的爱好是{a}",
        ),
    )
)  # fmt: skip


@dataclass(frozen=True)
class Announced:
    """How a value to come would be said, in English and in Chinese, and of whom."""

    en: str
    zh: str
    who: str = "user"
    subject: str | None = None


_USERS = re.compile(
    r"(?:(?:.*\b)?(?:i|we|i've|we've|i'd|i'm|we're)\b(?: (?:have|am|are|would|do|just|also|still|now|got|use|need|want|'?d|\w+ly))*(?: (?:an?|one|some|another|my|our))?|(?:.*\b)?there(?:'s| is| are)(?: (?:also|just|only))*|(?:.*\b)?you (?:should|need to|have to|must|ought to)(?: also)? know(?: (?:about|of|that))?|(?:and|but|so|also|oh|well|hey|hi|please|ok|okay| )*)\s*"
    r"|(?:我们?|咱们?|另外|还|也|其实|对了|最近|刚|前阵子|[上这]个?[周月]|[今去]年|已经|又|都|就|你|要|得|需要|想|知道|跟|说|讲|一下|告诉|先|是|嗯|哦|啊| )*(?:吃[\u3400-\u9fff]{0,2})?",
    re.I | re.A,
)


def _whose(before: str) -> tuple[str, str | None]:
    """Of whom it is announced, by what stands before it in its clause: "other" for somebody who is none of the user's."""
    if near := people.relations(before):
        return near[-1].who, near[-1].subject
    return ("user" if _USERS.fullmatch(before) else "other"), None


@lru_cache(maxsize=256)  # asked several times for every clause of a turn
def announced(text: str) -> Announced | None:
    """What is announced, and of whom; None where nothing is."""
    for pattern, en, zh in _TOLD:
        if m := pattern.search(text):
            return Announced(en, zh, *_whose(re.split(r"[.!?。！？,，;；:：\n]", text[: m.start()])[-1]))
    return None


#: Only announces, and says nothing else: "I have an allergy you should know of".
_ONLY = re.compile(
    r"\b(?:there(?:'s| is| are)|i(?:'ve| have)(?: got)?|you (?:should|need to|have to|must|ought to) know)\b[^:]*$|有(?:件事|一?[个些点种样]|食物|东西)",
    re.I | re.A,
)


def only_announces(text: str) -> bool:
    """True when the clause says that there is something, and not what."""
    return bool(_ONLY.search(text) and announced(text) and ":" not in text and "：" not in text)


#: Asks for what was announced, and for nothing that follows of it.
_FOR_IT = re.compile(
    r"\b(?:which|where|what(?:'s)?(?: is| are)? (?:it|they|that|those|the|your)|what(?:'s| is| are) (?:it|they|that)|what (?:kind|sort|exactly|should i (?:leave|avoid|skip|watch|look|call)|do i (?:need|have)|are you|do you (?:use|go by|work))|to what|who)\b|\bwhat\?|\b(?:go ahead|tell me|such as)\b|什么|哪|谁|怎么称呼|避开|请讲|请说|您说|你说",
    re.I | re.A,
)
_FOR_ELSE = re.compile(
    r"\b(?:first|about|for (?:what|which)|what for|plans?|next|why|when|for)\?|\bfor which\b|做什么|为什么|怎么样",
    re.I | re.A,
)


def asked_for(question: str) -> bool:
    """True when the question asks for the very thing that was announced."""
    return bool(_FOR_IT.search(question)) and not _FOR_ELSE.search(question)


def completed(form: Announced, answer: str) -> str:
    """What the user states once the announced value is told; empty where the answer is no bare value."""
    value = declaring.bare(answer) or declaring.bare(re.split(r"[,，。.!！]", answer.strip())[0])
    value = re.sub(r"^(?:to|at|in|on|对|在|用|是|叫) ?(?=\w)", "", value)
    return (form.zh if is_chinese(value) else form.en).format(a=value) if value else ""
