"""Short answers with what the agent had asked.

"Which editor do you use?" – "Zed." says "I use Zed": several wordings of the same statement are offered, most telling
first, and which of them says something of a slot is for the grammars to find. What no slot holds stands under its topic:
44 to "What shoe size do you take?" is a shoe size. Nothing here knows a slot.
"""

import re
from collections.abc import Iterator

from .folding import is_chinese

#: What an answer begins and ends with beside its value.
_AROUND = re.compile(
    r"^(?:(?:yes|yeah|yep|well|oh|it's|it is|that'd be|i'd say|just|mostly|only|usually|probably not|嗯|对|是的?|有|就|主要)[,，. ]\s*)+|(?:[,，]? (?:please|thanks|thank you|sadly|actually|i'm afraid|of course|for now|these days))+$|[。.!！]+$|(?:吧|呀|啊|哈|的?哦|谢谢)$",
    re.I | re.A,
)
_PLACE = re.compile(r"^(?:at|in|from|for|to|on|in the|by) (?=\w)", re.I | re.A)
_LEAD_EN = re.compile(
    r"^(?:(?:and|so|but|ok|okay|great|sure|got it|of course|right|noted|thanks|hi|hello|sorry|just checking|by the way|before i \w+)[,:. ]+)+",
    re.I | re.A,
)
_ENGLISH: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern + r"\??$", re.I | re.A), forms)
    for pattern, forms in (
        (r"what do you do(?: for (?:a living|work)| professionally)?", ("I am a {low}", "I work as a {low}")),
        (r"what(?: do you (?:do|like to do)|'s your thing| do you enjoy)? (?:for fun|to relax|in your (?:spare|free) time|on weekends|outside work)", ("My hobby is {low}", "I like {low}")),
        (r"(?:where|which company|who)(?: do)? you work(?: for| at)?(?: now)?|where are you (?:working|employed)(?: now)?|who(?:'s| is) your employer", ("I work at {a}",)),
        (r"where (?:do you live|are you (?:based|living|at home|located))(?: now| these days)?|which (?:city|town|country) (?:do you live|are you(?: based)?) in", ("I live in {a}",)),
        (r"(?:where are you|where do you come) from(?: originally)?", ("I am from {a}",)),
        (
            r"(?:do you have |have you got |are there )?any (?:food |known |other )?(?:allergies|allergens)(?: i should know(?: about)?| to know about)?",
            ("I am allergic to {a}",),
        ),
        (r"(?:do you have |have you got )?any pets", ("I have {a}",)),
        (r"(?:how old|what age) are you", ("I am {a}",)),
        (r"how many (?P<n>[\w ]+?) do you (?P<v>have|own|speak|keep)", ("I {v} {a} {n}",)),
        (r"do you (?:have|own|keep) (?:any|an?) [\w ]+", ("I have {a}",)),
        (r"(?:what|which)(?:'s| is| are)(?: it)? your (?P<n>[\w' -]+?)(?: (?:now|these days|at the moment))?", ("My {n} is {a}", "My {n} are {a}")),
        (r"(?:when|what time)(?:'s| is| are| does) (?:your|the|our) (?P<n>[\w' -]+?)(?: (?:start|begin|now|at))?", ("My {n} is at {a}", "The {n} is at {a}", "My {n} is {a}")),
        (r"how (?:long|big|many minutes) (?:are|is|should|do you (?:want|like)|shall|may|can)(?: i (?:make|keep|book|set))? (?:your|the|our) (?P<n>[\w' -]+?)(?: (?:be|to be|take|last|run))?", ("My {n} are {a}", "Keep my {n} to {a}")),
        (r"(?:what|which) (?P<n>[\w' -]+?) (?:do|does|should|shall|would|will|can|may) (?:you|i|we) (?P<v>[\w' -]+?)(?: (?:with|in|on|for|by|at))?(?: (?:now|these days|then|normally|usually))?", ("I {v} {a}", "I use {a} as my {n}", "My {n} is {a}", "I {v} {a} {n}")),
        (r"(?:what|which) (?P<n>[\w' -]+?) (?:are|is) you(?:r \w+)? (?:on|using|at|in|running)(?: now)?", ("I am on {a}", "I use {a} as my {n}", "My {n} is {a}", "I use {a}")),
        (r"(?:what|which) (?P<n>[\w' -]+?) does (?:the |your |our )?(?P<s>[\w' -]+?) (?P<v>use|run on|listen on|have|need)s?", ("The {s} uses {a}", "The {s} {v}s {a}", "The {s} {n} is {a}")),
        (r"what (?:do|can't|don't|shouldn't|mustn't|should|do you usually|would) you (?:usually |normally |always )?(?P<v>(?!do\b|mean|think|want|need|say|(?:like|love|prefer) to\b)[\w' -]+?)(?: (?:these days|now|then))?", ("I {v} {a}",)),
        (r"what are you (?P<v>using|driving|drinking|reading|learning|studying|allergic to|training for)(?: now| these days| instead)?", ("I am {v} {a}", "I use {a}")),
    )
)  # fmt: skip
_ASIDE_ZH = re.compile(
    r"^(?:(?:好的?|明白|请问|那|那么|对了|另外|顺便问一?下|想问一?下|好嘞|收到)[，,：:。 ]*)+|(?:呢|呀|啊|吗|来着)+$"
)
_WH_ZH = re.compile(
    r"什么(?P<n>(?!时候|时间)[\u3400-\u9fffA-Za-z]{1,8})?|什么(?:时候|时间)|哪(?:一)?(?:里|儿|家公司|家单位|个城市|座城市|个|家|款|种|门|位|国|天|年)(?P<n2>[\u3400-\u9fffA-Za-z]{1,6})?|几点(?:钟)?|多少(?:钱)?|几(?=[个只岁口位条台辆])|多(?:大|久|高|长|远)|谁"
)
_OF_WORK = re.compile(r"(?:做|是做|从事)(?:什么|哪[行方]面?的?)(?:工作|职业|行业|的)?(?:的)?$|什么(?:工作|职业)")
_FUN = re.compile(r"爱好|喜欢(?:做|干)什么|业余")
_NOT_BARE = re.compile(r"\b(?:i|i'm|we|my|our|you|it's|he|she|they)\b|[我咱您你他她它]|[?？吗]", re.I | re.A)
_NONE = re.compile(
    r"^(?:no|nope|none|nothing|never|not|any|either|whatever|both|neither|yes|yeah|sure|ok(?:ay)?|maybe|没|不|无|都|随便|是|对|好|可以|行|有)\b|^(?:没有?|不[^，]?|无|都[行可]|随便|是的?|对|好的?|可以|行|有)$",
    re.I | re.A,
)
_LONGEST = {True: 12, False: 40}
_LONGEST_PART = {True: 6, False: 20}


def bare(answer: str) -> str:
    """The value that an answer consists of, without what stands around it; empty where it is more than that."""
    said = answer.strip()
    for _ in range(2):
        said = _AROUND.sub("", said).strip()
    chinese, parts = is_chinese(said), re.split(r"[，,]\s*", said)
    if not said or len(said) > _LONGEST[chinese] or _NOT_BARE.search(said) or _NONE.search(said):
        return ""
    if re.search(r"[.。;；!！]\s*\S", said) or len(parts) > 1 and any(len(p) > _LONGEST_PART[chinese] for p in parts):
        return ""
    return said


def declared(question: str, answer: str) -> Iterator[str]:
    """What the user states by answering, in several wordings; none where the question is not open or the answer not bare."""
    value = bare(answer)
    if not value:
        return
    if is_chinese(question):
        yield from _chinese(question.strip().rstrip("?？。 "), value)
        return
    asked = _LEAD_EN.sub("", question.strip())
    asked = re.split(r"[,:] (?=(?:what|which|where|when|how|who|do you)\b)", asked, flags=re.I)[-1].rstrip("? ")
    placed = _PLACE.sub("", value)
    for pattern, forms in _ENGLISH:
        if m := pattern.match(asked):
            groups = {k: v or "" for k, v in m.groupdict().items()}
            low = re.sub(r"^(?:an? )", "", placed)
            low = low[:1].lower() + low[1:] if low[1:2].islower() else low
            for form in forms:
                yield form.format(a=placed, low=low, **groups)


def _chinese(question: str, value: str) -> Iterator[str]:
    asked = _ASIDE_ZH.sub("", question)
    asked = re.split(r"[，,：:]", asked)[-1]
    asked = re.sub(r"[您你](?:们)?", "我", asked)
    if _OF_WORK.search(asked):
        yield f"我是{value}"
        yield f"我的职业是{value}"
        return
    if _FUN.search(asked):
        yield f"我的爱好是{value}"
        return
    if not (m := _WH_ZH.search(asked)):
        return
    name = m["n"] or m["n2"] or ""
    before, after = asked[: m.start()], asked[m.end() :]
    value = re.sub(r"^(?:在|用|是|叫|对|住)", "", value)
    after = after[1:] if after and value.endswith(after[0]) else after
    yield f"{before}{value}{after}"
    if name:
        yield f"{before}{value}{name}{after}"
        yield f"{name}用{value}"
        yield f"我的{name}是{value}"


_OPEN = re.compile(
    r"\b(?:which|what|where|when|who|how|whose)\b|哪|什么|怎么|多少|几|谁|多(?:大|久|远|长|高)", re.I | re.A
)
_EMPTY_EN = re.compile(
    r"\b(?:(?:what|where|when|who|how)'s|which|what|where|when|who|how|whose|is|are|was|were|do|does|did|you|your|yours|the|a|an|of|to|for|in|at|on|i|me|my|we|us|it|that|this|should|shall|would|can|could|will|usually|normally|generally|typically|like|prefer|want|need|have|has|got|be|been|now|then|so|ok|and|or|please|any|one|ones|kind|sort|many|much|often|long|old|there|them|they|she|he|her|his|him|still|anything|something|else|know|use|take|happened|about|with|go|get|make|add|currently|may|help|assist)\b",
    re.I | re.A,
)
_EMPTY_ZH = re.compile(
    r"请问|(?:您|你)们?|我|的|了|吗|呢|是|在|要|用|有|给|帮|会|能|想|需要|希望|应该|打算|大概|平时|一般|通常|现在|今年|哪(?:里|儿|个|家|位|种|天|一?)|什么(?:时候)?|怎么|多(?:大|久|少|远|长|高)|几(?:个|点|位|次|号|天|码)?|谁|吧|还|都|也|就|那|这|一|个|喝|吃|走|住|做|叫|穿"
)
_SENTENCE = re.compile(
    r"\b(?:i|i'm|i've|we|she|he|they|it|it's|she's|he's|there|no|yes)\b|\b(?:my|our|the|her|his|their) [\w ]{2,24}?(?:'s|is|are|was|were|has|have|does|do|can|[a-z]{2,}(?<!s)s)\b(?! of\b)|我|咱|他|她|它|家",
    re.I | re.A,
)
_LONGEST_QUESTION = {True: 20, False: 70}


def whole(said: str) -> bool:
    """True when the words have a subject of their own."""
    return bool(_SENTENCE.search(said))


def topic(asked: str) -> str:
    """What an open question asks about, in a few words; empty where that is not plain."""
    question = re.split(r"[,，]\s*", asked.strip().rstrip("?？ "))[-1]
    chinese = is_chinese(question)
    if (
        not _OPEN.search(question)
        or re.search(r"\d|[。.!！:：]", question)
        or len(question) > _LONGEST_QUESTION[chinese]
    ):
        return ""
    if chinese:
        left = _EMPTY_ZH.sub("", question).strip()
        return left if 2 <= len(left) <= 6 else ""
    words = _EMPTY_EN.sub(" ", question).split()
    return " ".join(words) if 1 <= len(words) <= 4 and all(w.isalpha() for w in words) else ""


def with_topic(text: str, said: str, asked: str) -> str:
    """The answer's words under what was asked about; as they are where they are a sentence of their own."""
    if not asked or whole(said) or not (about := topic(asked)) or about in text:
        return text
    if is_chinese(about):
        return f"{about}：{text}"
    low = text[1:2].islower() and not said[:1].isupper()
    return f"{about[:1].upper()}{about[1:]}: {text[:1].lower() + text[1:] if low else text}"
