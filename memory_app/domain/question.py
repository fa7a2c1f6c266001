"""What a question looks for, whom and when it is about, and what it is merely going to do with the answer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cached_property

from memory_app.domain.concepts import asked_fields, is_avoidance
from memory_app.domain.dates import NamedTime, intersect, named_times, without
from memory_app.domain.people import asks_who, people_in
from memory_app.domain.words import fold, in_dictionary, is_identifier, is_stop_word, segments, words

ACTION_WEIGHT = 0.2  # of the words that say what to do with the answer
CHARACTER_WEIGHT = 0.25  # of a single Chinese character: it is in many words
PAIR_WEIGHT = 0.5  # of two neighbouring characters that no dictionary joins
GENERIC_WEIGHT = 0.3  # of words that say how someone stands to a thing, not which thing
_GENERIC = frozenset(
    "like prefer love favourit favorit enjoy usual usualli normal general alway often still currently current know rememb "
    "suggest recommend recent last work look find give show 喜欢 偏好 习惯 平时 通常 一般 爱 经常 记得 推荐 建议 最近 上次 之前 目前 "
    "处理 进行 继续 happen 发生 相关 对应 东西 情况 事情 知道 这次 本次".split()
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")

# The longer phrase stands before the words that it begins with.
_SMALL_TALK = re.compile(
    r"\b(?:(?:sounds|looks) (?:good|great|fine|right|perfect)|works for me|makes sense|no (?:worries|problem)|my pleasure|"
    r"never mind|appreciate (?:it|that|your help)|much appreciated|talk (?:to you )?(?:soon|later)|thank you|see you|take care|"
    r"(?:have|enjoy) (?:a|your) (?:good |nice |great |lovely )?(?:day|one|evening|weekend|night|time|trip)|"
    r"happy (?:new year|birthday|holidays|friday)|nice to (?:meet|see) you|for (?:now|your help|the help|everything)|"
    r"hope you(?:'re| are)? (?:are |have |had |slept |feel |doing |had a |have a )*(?:well|good|fine|great|nice)|slept well|"
    r"good (?:morning|afternoon|evening|night|day|one|work|luck|job)|how are you|how'?s it going|what'?s up|well done|got it|"
    r"how (?:are|is) (?:things|everything)|will do|very much|a lot|so much|that'?s|"
    r"hello|hi|hey|yo|thanks?|thx|ta|cheers|bye|goodbye|later|morning|ok(?:ay)?|great|cool|nice|perfect|awesome|sure|yes|yeah|"
    r"no|nope|please|welcome|sorry|congrats|haha+|lol|there|everyone|all|friend|mate|folks|today|fine|brilliant|lovely|"
    r"excellent|wonderful|fantastic|noted|roger)\b|"
    r"你好|您好|大家好|早上好|早安|上午好|中午好|下午好|晚上好|晚安|周末愉快|新年快乐|生日快乐|节日快乐|哈喽|嗨|嘿|在吗|在不在|在忙吗|"
    r"谢谢|谢啦|多谢|感谢|非常|辛苦|有劳|再见|拜拜|回见|再聊|回聊|回头聊|改天聊|下次聊|(?:明天|回头|改天|晚点|一会儿?)见|先这样|就这样|"
    r"好的|好滴|好嘞|好呀|好吧|可以|没问题|行|收到|了解|懂了|明白|知道|没事|没关系|不用了|不客气|别客气|麻烦|对不起|抱歉|恭喜|加油|"
    r"哈+|嗯+|哦+|啦|早|好|棒|赞|厉害|不错|完美|太|吃了吗|最近好吗|今天|怎么样"
)
# Making something out of the answer. What is made is not what is looked for.
_MAKE = (
    r"(?:draft|write|compose|make|create|generate|prepare|produce|design|send|put together|turn|summari[sz]e|translate|"
    r"plot|draw|format|reply|post|publish|fill in|set up|build|add|include|insert)"
)
_LINK = r"(?:with|about|on|using|based on|covering|showing|from|for|of|where|that (?:says|shows|lists)|saying|listing)"
_MADE = re.compile(
    rf"^(?:(?:please|can you|could you|would you|help me|i want to|i need to|let's|now)\s+)*(?P<action>{_MAKE}\b.{{0,60}}?)"
    rf"\s+{_LINK}\s+(?P<asked>.+)$"
)
_GIVEN = re.compile(
    r"^(?:using|based on|according to|given|following|going by|as per|per|with|from)\s+(?P<asked>.+?),\s*(?P<action>.+)$"
)
_PUT = re.compile(
    r"^(?:please\s+)?(?:put|add|insert|include|write|copy|paste)\s+(?P<asked>.+?)\s+(?P<action>(?:in|into|to|on)\s+(?:the|a|my|our)\s.+)$"
)
# A past settling of the matter: what such words describe is what is looked for.
_SETTLED = re.compile(
    r"\b(?:we|i|they|you)\s+(?:have\s+|had\s+|already\s+|just\s+|last\s+)*(?:decided|agreed|picked|chose|chosen|settled|selected|"
    r"discussed|measured|found|noted|wrote down|recorded|planned|set|fixed|approved|confirmed|signed|concluded|talked|"
    r"mentioned|defined|got|saw|used|made)\b|\b(?:agreed|decided|chosen|approved|confirmed|previous|earlier|last)\b|"
    r"\b(?:decision|conclusion|outcome|result|agreement)s?\b"
)
_MAKE_ZH = r"(?:写|做|画|发|起草|拟|生成|创建|制作|整理|准备|出|建|编|翻译|总结|设计|安排|回复|回|填|更新|导出|开|搞|弄|给.{1,8}?(?:写|发|做|回))"
_SETTLE_ZH = (
    r"(?:确定|决定|敲定|谈定|选定|商定|议定|约定|说定|选好|定好|谈好|说好|谈妥|谈拢|定下来?|选出|讨论|谈|聊|测|得出|记录|记下|规划|拍板|"
    r"通过|签|选|定|用|提到?|说)"
)
_SETTLED_ZH = re.compile(
    rf"(?:上次|上回|之前|先前|我们|咱们|我|已经|刚才|{{time}})?.{{0,6}}{_SETTLE_ZH}(?:过|了|下来|下|好)?的".replace(
        "{time}", "那"
    )
)
_OUTCOME_ZH = re.compile(r"结论|决定|决议|结果|方案|选型")
_GIVEN_ZH = re.compile(
    rf"^(?:请|麻烦)?(?:根据|按照?|依照|依据|参照|参考|基于|照着?|用|拿)(?P<asked>.+?)[,，、;；\s]+(?P<action>.*{_MAKE_ZH}.*)$"
)
_GIVEN_ZH_TIGHT = re.compile(
    rf"^(?:请|麻烦)?(?:根据|按照?|依照|依据|参照|参考|基于|照着?|用|拿)(?P<asked>.+?的.{{1,6}}?)(?P<action>(?:帮我|给|来|去|,)?{_MAKE_ZH}.+)$"
)
_PUT_ZH = re.compile(
    r"^(?:请|麻烦|帮我)*[把将](?P<asked>.+?)(?P<action>(?:写|放|填|加|贴|记|发|做|整理|翻译|导|抄|录|插)(?:进|入|到|成|给|在|为|出).*)$"
)
_ACT_ZH = re.compile(rf"^(?:请|麻烦|现在|然后)*(?:帮我|帮忙|替我|给我|为我)?{_MAKE_ZH}")

_LATEST = re.compile(
    r"\b(?:most recent(?:ly)?|latest|newest|the last time|last time|last)\b(?!\s+(?:week|month|year|night|\d|two|three|few|name))|"
    r"最近一次|最近的一|最新|上一次|上次|上回|最后一次"
)
_TOLD = re.compile(r"\b(?:tell|told|say|said|mention|mentioned)\b|说|讲|告诉|提到|提过|聊")
_OWN = re.compile(r"\b(?:i|my|me|mine|i'[a-z]+)\b|我(?!们)")
_KINDS = (
    ("procedural", re.compile(
        r"\bhow (?:do|can|should|to|does|would) (?!i (?:like|feel|take my|prefer|look))|\bsteps?\b|\bprocess\b|\bprocedure|\bworkflow\b|"
        r"\bplaybook\b|\brunbook\b|\binstructions?\b|\bwhat (?:should|do) (?:i|we) do (?:when|if)\b|^(?:can|may|must|should) |"
        r"步骤|流程|咋(?!样|了|回事|没|会|不|是)|怎么(?!样|了|回事|没|会|不|是|[^的,，。]{1,6}的[?？]?$)|如何|操作|手册|办法|方法|可以.{0,12}吗|能不能|允许|要谁审批")),
    ("episodic", re.compile(
        r"\bwhen did\b|\bwhat happened\b|\blast time\b|\bwhat went wrong\b|\bwho (?:approved|said|asked|called|wrote|did)\b|\bthe time\b|"
        r"\bdid (?:i|we|they|he|she)\b|\b(?:broke|failed|said|visited)\b|那次|那回|上次|上回|那天|发生了|后来|什么时候.{0,10}[的了过]|谁.{0,4}的$|怎么.{1,6}的$|"
        r"(?:发现|聊|谈|说|做|去|出|坏|报)了?(?:过|了)?什么")),
    ("semantic", re.compile(
        r"\bprefer|\bfavou?rite|\bdo i (?:like|usually|normally|use|want)|\busually\b|\bmy (?:usual|default)\b|\bpreference|\bwhat (?:is|are) my\b|"
        r"喜欢|偏好|习惯|平时|一般|通常|爱[吃喝看听]|我的.{1,8}是")),
)  # fmt: skip


# "What I really want to know is": what was said before it is not the question.
_REALLY = re.compile(
    r"(?:真正|实际上?|其实|本来|我)(?:我)?(?:那个)?(?:真正|是)?(?:想要?|要|的)?(?:问题?|问|说|知道|了解|搞清楚|弄清楚|弄明白)(?:一下)?的?(?:问题)?(?:就?是)?(?:这个)?\s*[:：,，]"
    r"|\b(?:what i (?:really |actually )?(?:want|wanted|meant|need) to (?:ask|know) (?:is|was)|my (?:real |actual )?question is|"
    r"i (?:really |actually )(?:want|wanted) to (?:ask|know))[:,]?"
)
_ANOTHER = re.compile(
    r"[,，。;；]?\s*(?:另外|还有|顺便(?:问一?下)?|此外)[,，:：]?|[?？]+\s*(?=\S)|[,;.]\s*(?:and )?also,?\s|"
    r"\b,? and (?=(?:what|when|where|who|which|how|why|do|does|did|is|are|can)\b)"
)
_ASKS = re.compile(
    r"[?？吗呢啥咋]|什么|哪|谁|多少|几|怎|如何|为何|是否|\b(?:what|when|where|who|whose|which|how|why)\b"
)
# What these ask for is a measure; no answer says "how long", and every other text with "long" in it would be one.
_MEASURES = re.compile(
    r"\b(?:how (?:long|far|often|many|much|old|tall|big|large|high|deep|soon|early|late|fast|heavy)|what time)\b"
)
RAMBLING = 60  # characters; a longer query is searched for the sentences that ask


@dataclass(frozen=True)
class Part:
    """One of the things asked at once; its vector is that of ``asked``."""

    asked: str
    terms: Mapping[str, float]
    concepts: frozenset[str]


@dataclass(frozen=True)
class Question:
    """A question understood; ``terms`` weighs each search word, ``parts`` are what is asked one by one."""

    text: str  # folded, without what was said around the question
    language: str  # "zh" | "en"
    intent: str  # recall | prepare | how_to | what_happened | preference | small_talk
    asked: str
    action: str
    keywords: tuple[str, ...]
    terms: Mapping[str, float]
    identifiers: tuple[str, ...]
    parts: tuple[Part, ...]
    since: datetime | None = None
    until: datetime | None = None
    past: bool = False  # the bounds lie before today: what happened outside them is not asked about
    latest: bool = False
    subjects: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    settled: bool = False
    about_user: bool = False  # the user's own things are asked about
    known: bool = True  # it has a word that is known to be one; of what has none, a vector says nothing
    who: bool = False  # a person is asked for
    told: bool = False  # what was said or settled is asked for: the time that is named may be when
    only_time: bool = False  # a time is all that is said of what is asked for
    avoids: bool = False  # what must not be, or is to be kept away from, is asked for
    pieces: frozenset[str] = frozenset()  # characters that stand inside of its longer words alone
    times: tuple[NamedTime, ...] = field(default=(), compare=False)

    @cached_property
    def wide(self) -> tuple[frozenset[str], ...]:
        """The fields of life of each part that has several."""
        return tuple(part.concepts for part in self.parts if len(part.concepts) > 1)

    @property
    def small_talk(self) -> bool:
        """True where nothing is asked at all."""
        return self.intent == "small_talk"


def understand(query: str, now: datetime, zone: tzinfo | None = None) -> Question:
    """The question in a query; times are spans in ``zone`` (default: the zone of ``now``)."""
    folded = re.sub(r"\s+", " ", fold(query)).strip()
    language = "zh" if _CJK.search(folded) else "en"
    focus = _focus(folded)
    times = tuple(named_times(focus, now, zone))
    asked, action = _split(focus)
    parts = _parts(asked, action, now, zone) or (Part(focus, {}, frozenset()),)
    terms: dict[str, float] = {}
    for part in parts:
        for word, weight in part.terms.items():
            terms[word] = max(weight, terms.get(word, 0.0))
    settled = bool(_SETTLED.search(focus) or _SETTLED_ZH.search(focus) or _OUTCOME_ZH.search(focus))
    kinds = frozenset(kind for kind, pattern in _KINDS if pattern.search(focus))
    since, until = intersect(iter(times))
    return Question(
        text=focus,
        language=language,
        intent=_intent(folded, action, kinds, terms, bool(times)),
        asked=asked,
        action=action,
        keywords=_keywords(terms),
        terms=terms,
        identifiers=_identifiers(without(focus, list(times))),
        parts=parts,
        since=since,
        until=until,
        past=bool(times) and all(time.past for time in times),
        latest=bool(_LATEST.search(focus)),
        subjects=people_in(focus),
        kinds=kinds,
        settled=settled,
        about_user=bool(_OWN.search(focus)),
        known=any(weight >= GENERIC_WEIGHT and weight != PAIR_WEIGHT for weight in terms.values()),
        who=asks_who(focus),
        told=settled or bool(_TOLD.search(focus)),
        only_time=bool(times) and not _tells(without(focus, list(times))),
        avoids=is_avoidance(focus),
        pieces=_pieces(terms, focus),
        times=times,
    )


def _focus(folded: str) -> str:
    """The query without what was said around the question."""
    asking = []
    for passage in re.split(r"另外[,，]?", folded):
        marks = list(_REALLY.finditer(passage))
        if marks and len(passage) - marks[-1].end() > 3:
            asking.append(passage[marks[-1].end() :].strip())
            continue
        sentences = [sentence for sentence in re.split(r"(?<=[。!！?？.])\s*", passage) if sentence.strip()]
        asked = [sentence for sentence in sentences if _ASKS.search(sentence)]
        asking.append("".join(asked) if len(passage) > RAMBLING and asked else passage)
    return " 另外,".join(part for part in asking if part) or folded


def _parts(asked: str, action: str, now: datetime, zone: tzinfo | None) -> tuple[Part, ...]:
    """The questions asked at once, each with its words; what is to be done with the answer counts little."""
    found = []
    for part in _ANOTHER.split(asked):
        text = part.strip(" ,，。;；")
        terms = _terms(text, action, now, zone)
        fields = asked_fields(text)
        # "What time do I get up" has no word to look for, and a field of life.
        if fields or any(weight > ACTION_WEIGHT for weight in terms.values()):
            found.append(Part(text, terms, fields))
    return tuple(found[:6])


def _split(folded: str) -> tuple[str, str]:
    """What is looked for and what is to be done with it; the second is empty where a question only asks."""
    for pattern in (_PUT_ZH, _GIVEN_ZH, _GIVEN_ZH_TIGHT, _GIVEN):
        if found := pattern.match(folded):
            return found["asked"].strip(), found["action"].strip()
    for pattern in (_PUT, _MADE):
        found = pattern.match(folded)
        # Without a settled matter, or something of ours, the thing made may itself be what rules are kept about.
        if found and (
            _SETTLED.search(found["asked"]) or re.search(r"\b(?:my|our|where|what|which|who)\b", found["asked"])
        ):
            return found["asked"].strip(), found["action"].strip()
    clauses = [clause.strip() for clause in re.split(r"[,，;；。!！]", folded) if clause.strip()]
    acts = [clause for clause in clauses if _ACT_ZH.match(clause) and not _SETTLED_ZH.search(clause)]
    rest = [clause for clause in clauses if clause not in acts]
    if acts and rest and any(_SETTLED_ZH.search(clause) or _OUTCOME_ZH.search(clause) for clause in rest):
        return "，".join(rest), "，".join(acts)
    return folded, ""


def _terms(asked: str, action: str, now: datetime, zone: tzinfo | None) -> dict[str, float]:
    terms: dict[str, float] = {}
    for part, weight in ((asked, 1.0), (action, ACTION_WEIGHT)):
        plain = without(part, [time for time in named_times(part, now, zone) if not time.explicit])
        for word in words(_MEASURES.sub(" ", plain)):
            if is_stop_word(word):
                continue
            terms[word] = max(terms.get(word, 0.0), weight * _own_weight(word))
    return terms


def _pieces(terms: Mapping[str, float], text: str) -> frozenset[str]:
    """The single characters among the terms that no word of the question consists of: 轮 where 轮胎 is asked about."""
    alone = {word for word in segments(text) if len(word) == 1}
    return frozenset(word for word in terms if len(word) == 1 and _CJK.match(word)) - alone


def _tells(text: str) -> bool:
    """Whether a text has a word that says which thing is meant."""
    return any(not is_stop_word(word) and word not in _GENERIC for word in words(text))


def is_generic(word: str) -> bool:
    """True for a word that says how someone stands to a thing ("like", 「喜欢」), and not to which thing."""
    return word in _GENERIC


def _own_weight(word: str) -> float:
    if word in _GENERIC:
        return GENERIC_WEIGHT
    if not _CJK.match(word):
        return 1.0
    return CHARACTER_WEIGHT if len(word) == 1 else 1.0 if in_dictionary(word) else PAIR_WEIGHT


def _identifiers(text: str) -> tuple[str, ...]:
    """The exact names in a text that no date explains; a part of a longer one is not asked for by itself."""
    whole: dict[str, None] = {}
    for run in re.findall(r"[a-z0-9][a-z0-9._/#:@+-]*", text):
        found = [word for word in words(run.rstrip(".:,/-")) if is_identifier(word)]
        if found and (len(found[0]) > 2 or not found[0].isdigit()):
            whole[found[0]] = None
    return tuple(whole)


def _keywords(terms: Mapping[str, float]) -> tuple[str, ...]:
    """The words worth showing: those looked for, before single characters and what is done with the answer."""
    strong = [word for word, weight in terms.items() if weight >= 1.0]
    shown = [
        word for word in strong if not any(word != other and word in other for other in strong if _CJK.match(word))
    ]
    return tuple((shown or list(terms))[:12])


def _intent(folded: str, action: str, kinds: frozenset[str], terms: Mapping[str, float], timed: bool) -> str:
    left = _SMALL_TALK.sub(" ", folded)
    says_nothing = not any(not is_stop_word(word) for word in words(left)) and len(folded) <= 60
    if says_nothing and not (timed and _ASKS.search(left)):  # "what did I do today" asks
        return "small_talk"
    if action:
        return "prepare"
    for kind, intent in (("procedural", "how_to"), ("episodic", "what_happened"), ("semantic", "preference")):
        if kind in kinds:
            return intent
    return "recall"
