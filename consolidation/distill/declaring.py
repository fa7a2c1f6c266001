"""An open question and a bare answer as one statement: "Which editor do you use?" – "Zed." says "I use Zed".

Several wordings of the same statement are offered, most telling first; which of them says something of a slot is for the
grammars to find. Nothing here knows a slot.
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
