"""What the user announces without saying it: "there's one allergy you have to know about". The answer to come says it."""

import re
from functools import lru_cache

from . import declaring
from .folding import is_chinese

_SOME = r"\b(?:an?|one|some|another|two|three|a few|a couple of|several|certain|new|other)(?: (?!of\b)[\w-]+){0,2}?"
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
            r"\b(?:i|we)(?:'ve| have)?(?: just| recently)? (?:moved(?! (?:to|into|in|from|it|the|my|on)\b)|relocated(?! to))|\b(?:new|another|different) (?:city|town|address)\b|搬(?:了)?(?:新)?家了?(?=$|[，。！])|换(?:了)?(?:个)?城市",
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
            r"\b(?:a|one|another|different) language (?:i'd|i would|i) (?:like|want|prefer)|\banother language\b|换(?:一?[种个])?语言",
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


@lru_cache(maxsize=256)  # asked several times for every clause of a turn
def announced(text: str) -> tuple[str, str] | None:
    """How a value to come would be said, in English and in Chinese; None where nothing is announced."""
    return next(((en, zh) for pattern, en, zh in _TOLD if pattern.search(text)), None)


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


def completed(form: tuple[str, str], answer: str) -> str:
    """What the user states once the announced value is told; empty where the answer is no bare value."""
    value = declaring.bare(answer) or declaring.bare(re.split(r"[,，。.!！]", answer.strip())[0])
    value = re.sub(r"^(?:to|at|in|on|对|在|用|是|叫) ?(?=\w)", "", value)
    return form[1 if is_chinese(value) else 0].format(a=value) if value else ""
