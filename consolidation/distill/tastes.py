"""Likes, dislikes, allergies, drinks: verbs with an open object, which may be a list, as notes with what they are preferred to and why."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from . import cues, negation
from .found import Found, unquoted
from .open_slots import clean, items
from .reading import Statement

_ADV_ZH = r"(?:真的?|一直|其实|平时|也|都|还|很|非常|特别|最|比较|更|挺|超级?|超|最近|现在|主要|就|从小就|一向|向来|总体|又|越来越|蛮|十分|尤其|可|尤为|总)*"
_ADV_EN = r"(?:really|also|do|just|still|especially|particularly|absolutely|truly|always|usually|generally|actually|mostly|both|rather|totally|mainly|quite|personally|definitely|always have|do really|simply|secretly|much|so)"


@dataclass(frozen=True)
class Taste:
    """A taste as found: `values` in the words that were said, `span` in the text that was searched."""

    key: str
    values: tuple[str, ...]
    span: tuple[int, int]
    zh: str
    en: str


@dataclass(frozen=True)
class _Verb:
    key: str
    pattern: re.Pattern[str]
    zh: str
    en: str


def _verb(key: str, zh: str, en: str, pattern: str) -> _Verb:
    return _Verb(key, re.compile(pattern, re.I | re.A), zh, en)


_EN_OBJECT = r"(?P<v>[^.!?;\n:()—]{2,160})"
_VERBS: tuple[_Verb, ...] = (
    _verb("allergy", "{v}过敏", "Allergic to {v}", r"对(?P<v>[^，。！？；,;]{1,24}?)(?:严重|有点|有些|也|都|会|很|轻度|重度|容易|有)*过敏(?!原)"),
    _verb("allergy", "{v}过敏", "Allergic to {v}", r"(?:^|有|我|他|她|的)(?P<v>(?!季节性?$|会|对|没|不|皮肤|什么|严重|个|(?:真的?|确实|的确|就是|也|很|特别|从小|老是?|容易|轻微|有点)过敏)(?:(?![我你他她有])[\u3400-\u9fff]){1,6})过敏(?:症|史)?(?=$|，|了|的|，)"),
    _verb("allergy", "{v}过敏", "Allergic to {v}", r"\b(?:allergic to|(?:an )?allergy to|allergies to|intolerant to|intolerance to|allergies:) (?P<v>[^.!?;\n:()—]{2,60})"),
    _verb("allergy", "{v}过敏", "Allergic to {v}", r"\b(?:has|have|have got|has got|with|got|developed|'ve got)(?: the| an?| a severe| a bad| a serious| severe)* (?P<v>(?!(?:[a-z]+ )?(?:food|drug|medical|severe|serious|bad) allerg)[a-z]+(?: [a-z]+)?) allerg(?:y|ies)\b"),
    _verb("allergy", "{v}过敏", "Allergic to {v}", r"(?:\b(?:anything with|eating|even a bit of|a bite of|too much|any|the smell of)\s)?(?<![\w-])(?P<v>(?!it\b|that\b|this\b|which\b|he\b|she\b|they\b|what\b)[a-z][a-z' -]{2,30}?)\s(?:always |usually |really )?(?:gives? me (?:\w+ )?(?:hives|rash(?:es)?|welts|cramps|migraines?|a reaction|asthma|an itch)|makes? me (?:itch|swell|sneeze|vomit|throw up|wheeze|break out|come out in)|brings? me out in|makes? my (?:throat|lips|tongue|face|skin) \w+)"),
    _verb("allergy", "{v}过敏", "Allergic to {v}", r"(?:一)?(?:吃了?|喝了?|碰到?了?|沾到?了?|闻到?了?)(?:点|一点|到)?(?P<v>(?!嘴|脸|嗓子|喉咙|皮肤|身上|手|眼|浑身|全身)[\u3400-\u9fff]{1,6}?)(?:我)?(?:就|嘴就|脸就|嗓子就|身上就|皮肤就|会|都会|马上|立马)+(?:起(?:疹|红|荨)|出疹|长疹|发痒|痒|肿|呕吐|吐|拉肚子|喘|打喷嚏|休克|过敏)"),
    _verb("allergy", "{v}过敏", "Allergic to {v}", r"(?<![\w-])(?P<v>(?!it\b|that\b|this\b|which\b|he\b|she\b|they\b|what\b|i\b)[a-z][a-z -]{2,24}?)(?: is what| always| once| twice)* (?:lands?|landed|puts?|sends?|sent) me (?:in|to) (?:the )?(?:hospital|er|emergency(?: room)?|a&e)\b"),
    _verb("allergy", "{v}过敏", "Allergic to {v}", r"\b(?:breaks?|broke|comes?|came) out in (?:an? )?(?:[a-z]+ )?(?:hives|rash(?:es)?|welts|spots|blotches)(?: all over)? (?:from|after|with|when(?:ever)? (?:he|she|they|i) (?:eats?|ha(?:s|ve)|touch(?:es)?)) (?:eating |touching |any )?(?P<v>(?!it\b|that\b|this\b|them\b)[a-z][a-z-]*(?: (?!so\b|and\b|but\b|or\b)[a-z-]+)?)(?=$|[,.;!]| (?:so|and|but|or)\b)"),
    _verb("allergy", "不能吃{v}", "Cannot eat {v}", r"\b(?:can't|cannot|can not|mustn't|must not|is not allowed to|isn't allowed to|unable to) (?:eat|have|tolerate|drink)(?: any)? (?P<v>[^.!?;\n:()—]{2,50})"),
    _verb("allergy", "不能吃{v}", "Cannot eat {v}", r"(?:(?<!怎么)不能|吃不了|不可以|没法)(?:吃|碰|喝|沾)(?P<v>[^，。！？；,;]{1,16})"),
    _verb("allergy", "{v}不耐受", "{v} intolerant", r"(?P<v>乳糖|麸质|酒精|牛奶|麦麸)不耐(?:受)?|\b(?P<v2>lactose|gluten|dairy)[- ]intolerant\b"),
    _verb("dislikes", "不吃{v}", "Does not eat {v}", r"(?<!能)(?<!不得)(?:从)?不(?:怎么|太|大)?(?:爱|能|再|敢|会)?吃(?P<v>(?!荤|肉(?:$|，|的|了|也|都)|素|早饭|午饭|晚饭|早餐|午餐|晚餐|不喝|饭|惯|完|下|饱|到|了|这|那|得|苦头|亏)[^，。！？；,;]{1,16})"),
    _verb("dislikes", "不喝{v}", "Does not drink {v}", r"(?:从|都)?不(?:怎么|太|爱|能|再)?喝(?P<v>(?!了|完|到|下|这|那|得)[^，。！？；,;]{1,12})"),
    _verb("dislikes", "不要放{v}", "No {v}", r"(?:都|一律|不要|别|不)放(?P<v>香菜|葱|蒜|辣椒?|糖|姜|味精|花椒|洋葱|芹菜|香葱|胡椒|芝麻|冰)"),
    _verb("dislikes", "不喜欢{v}", "Dislikes {v}", r"(?:不(?:太|怎么|大|是很|再|是特别)?(?:喜欢|爱(?![人心情护惜好吃喝])|感冒)|讨厌|受不了|反感|厌恶|最烦|很烦|特别烦|忍受不了|接受不了|吃不惯|怕(?=冷|热|吵|辣|黑|高))(?P<v>[^，。！？；,;!?\n]{1,24})"),
    _verb("dislikes", "不喜欢{v}", "Dislikes {v}", rf"\b(?:i|we|he|she|they|who|and|but|my [\w ]{{2,24}}|[A-Z]\w*)(?: {_ADV_EN}| in general)* (?:can't stand|cannot stand|can't bear|hates?|dislikes?|detests?|loathes?|(?:don't|do not|doesn't|does not|didn't)(?: {_ADV_EN}| even)* (?:like|enjoy|care for|love)|(?:am|'m|is|are) not (?:a (?:big |huge )?fan of|fond of|into|keen on)|(?:am|'m) (?:done with(?! (?-i:[A-Z]))|sick of|tired of|over)|no longer (?:likes?|enjoys?)) {_EN_OBJECT}"),
    _verb("dislikes", "不要{v}", "No {v}", r"^(?:and |but |so )?no (?P<v>[a-z][a-z -]{2,30}) for me\b"),
    _verb("dislikes", "不喜欢{v}", "Dislikes {v}", rf"(?:^|, |\bi'm |\bi am |general )(?:not a (?:big |huge )?fan of|can't stand|hates?|no longer into|not into|done with(?! (?-i:[A-Z]))|sick of) {_EN_OBJECT}"),
    _verb("dislikes", "不吃{v}", "Does not eat {v}", r"\b(?:i|we|he|she|they|and|but|who|my \w+)(?: also| really| usually)* (?:don't|do not|doesn't|does not|never|no longer)(?: ever| really)* (?:eats?) (?!meat\b|out\b|much\b|breakfast|lunch|dinner|before|after|late|at\b|anything)(?:any )?" + _EN_OBJECT),
    _verb("dislikes", "不喝{v}", "Does not drink {v}", r"\b(?:i|we|he|she|they|and|but|who|my \w+)(?: also| really)* (?:don't|do not|doesn't|does not|never|no longer)(?: ever| really)* (?:drinks?) (?!much\b|enough|any ?more|at\b|before|after|from)(?:any )?" + _EN_OBJECT),
    _verb("beverage", "喝{v}", "Drinks {v}", r"(?:改喝|只喝|平时喝|一般喝|通常喝|习惯喝|每天(?:早上|都|早晨|上午|下午)*(?:要|会|都)*喝(?:一杯|杯)?|早上喝|开始喝|常喝|都喝|改成喝|换成喝)(?:一?杯)?(?P<v>(?!酒$|水$|点|了|完|什么)[^，。！？；,;]{1,12})"),
    _verb("beverage", "喝{v}", "Drinks {v}", r"\b(?:i|we|he|she|my \w+)(?:'ve| have| now| always| usually| only| mostly|'m| am)* (?:drinks?|drinking|started drinking|switched to drinking|take my coffee|have my coffee|take my tea)(?: only| mostly| now)* (?P<v>(?!from|to\b|much|more|less|too|a lot|enough|any|before|after|alone|socially)[^.!?;\n:()—]{2,40})(?:instead)?"),
    _verb("likes", "喜欢{v}", "Likes {v}", rf"(?:^|我|我们|他|她|家|太太|妻子|老公|妈|爸|儿子|女儿|友|事|，|其中|，|你知道我|来|但|而且|现在|最近|因为|{_ADV_ZH})(?<!不)(?<!不太)(?<!不怎么)(?<!你)(?<!您)(?:喜欢(?:上了?)?|喜爱|热爱|偏爱|偏好|爱(?=吃|喝|看|听|玩|打|跑|逛|弹|唱|跳|读|养|做|上了)|爱上了?|迷上了?|钟爱|酷爱|最爱|痴迷于?|着迷于?)(?P<v>(?!你|您|这|那|它|他|她|被|的|上了?$|了$|什么|哪|不|一(?:个|件|种|只|些|位|点)|和你|跟你|我|就|也|还是$|吗|程度)[^，。！？；,;!?\n：（(]{{1,40}}(?:[、][^，。！？；,;!?\n]{{1,20}})*)"),
    _verb("likes", "最喜欢的{what}是{v}", "Favourite {what} is {v}", r"最(?:喜欢|爱|爱吃|爱喝|爱看|喜欢吃|喜欢喝)的(?P<what>(?!颜色)[\u3400-\u9fff]{0,6}?)是(?P<v>(?!这|那|它|他|她|你|一(?:个|件|种|只|些|位)|因为|在|当|去|可以|能|那些|什么|哪)[^，。！？；,;\n]{1,24})"),
    _verb("likes", "最喜欢的{what}是{v}", "Favourite {what} is {v}", r"\bmy (?:all-time |absolute )?fav(?:ou?rite|e)? (?P<what>(?!colou?r|part|thing|memory|moment|time)[a-z]+(?: [a-z]+)?)(?:'s| is| are)(?: now| still| probably| definitely)* (?P<v>(?!when|that|how|the one|this|it|your|those|these)[^.!?;\n]{2,50})"),
    _verb("likes", "喜欢{v}", "Likes {v}", rf"(?:\b(?:i|we|he|she|they|who|and|but|my [\w ]{{2,24}})(?:'ve| have|'m| am|'s| is)?(?: always| also| both| lately| recently| started to| come to| learned to| been)*|^(?=(?:prefers?|loves|likes|enjoys|adores)\b))(?: {_ADV_EN})* ?(?<!would )(?<!'d )\b(?:love|like|enjoy|adore|loves|likes|enjoys|adores|been enjoying|been loving|enjoying|prefers?|been into|(?<=i)'m (?:really |very |super |so |a bit |quite |totally )*(?:into|fond of|passionate about|keen on|crazy about|a (?:big |huge )?fan of|back into)|(?<=i) am (?:really |very |super |so |quite |totally )*(?:into|fond of|passionate about|keen on|crazy about|a (?:big |huge )?fan of|back into)|(?<=had) a love for|developed a love for|had a love for) {_EN_OBJECT}"),
    _verb("likes", "喜欢{v}", "Likes {v}", r"\b(?:i(?:'m| am) (?:back into|(?:really |very |super )?(?:into|fond of|passionate about|keen on|crazy about)|a (?:big |huge )?fan of)|my love (?:of|for)|i(?:'ve| have)(?: always)? had a love for) (?P<v>[^.!?;\n:()—]{2,60})"),
    _verb("likes", "喜欢{v}", "Likes {v}", r"\b(?P<v>[a-z]+ing(?: [a-z]+)?) is (?:one of )?my fav(?:e|ou?rite)?s?\b"),
)  # fmt: skip

_BAD_OBJECT = re.compile(
    r"^(?:making|make) an? (?:\w+ )?(?:impact|difference)|^helping (?:people|others)|^(?:giving|sharing|spreading) (?:love|joy|back)|^(?:着名|著名|有名|好看|好吃|好玩|不同)的|^(?:it|that|this|those|these|them|they|you|your|yours|how|when|what|why|where|who|the (?:way|idea|pic|photo|sound|look|colou?rs?|details?|fact|one|blue|red|new|chilled)|her|his|him|all|hearing|seeing you|my|me|our|each|every|everything about|if|to (?:see|hear|know|help|check|show|support those|make something|be\b|go\b|think|say)|another|more|some|so|both|exist|exists|everywhere|in|of|for|from|with|at|on|is|are|was|as|i\b|we\b|being|getting|a lot|and\b|or\b|either|nothing|anything|something|there|love and)\b"
    r"|^(?:这|那|它|他|她|你|您|的|了|被|自己|一起|跟你|和你|听你|看你|有|没|不|因为|以后|哪|什么|与否|程度|就|大家|别人|上面|下面|吃的?$|喝的?$|时候)|(?:你|您|这个|那个|这些|那些|这样|那样)|\b(?:you|your|it|this|that pic|pic|photo)\b|[\ue000\ue001]{40,}|\b(?:them|him|her|myself|yourself)\b|^(?:to )?help$|^to$|^the (?!ocean|sea\b|beach|outdoors|theat|mountain|countryside|gym\b|smell|taste|piano|guitar|violin|opera|rain\b|snow\b|cold\b|heat\b|sun\b|aisle|window|quiet|city|forest)|喜欢|的人$",
    re.I | re.A,
)
_CUT_EN = re.compile(
    r"\s*(?:,\s*(?=(?:i|so|but|which|it|he|she|they|we|please|not|though|and (?:i|it|he|she|my|so)|because|especially|since|my|the|what|can|could|that|ok|right|no|do|just|you|usually|always|never|for|in|with|like)\b)|\b(?:because|since i|'cause|though|although|but|when i|when you|if|whenever|so (?:i|please|that)|and (?:i|it|he|she|my|that|so|can|could|please|am|want|hate|don't|can't|doesn't|never|usually|get|will)|which|where|while|than|as (?:it|they|a kid)|;|over|more than|whereas|too much|even more|(?:very|so) much|a lot|the most|most|best|these days|lately|nowadays|right now|any ?more|at all|for now|in general|from now on|instead|too|as well|again|either|either way|first thing|to (?:those|kids)|with similar)\b).*$",
    re.I | re.A,
)
_CUT_ZH = re.compile(r"(?:，|,|因为|所以|但是|不过|作为|而不是|多过|胜过|超过|甚于|的时候|时$|了$|，).*$")
_LEAD_EN = re.compile(r"^(?:the (?=smell of|sound of)|going to (?!the gym)|doing )", re.I | re.A)
_CUT_SHORT = re.compile(r"\b(?:an?|the) \w+$")


def _object(text: str, chinese: bool) -> str:
    text = (_CUT_ZH if chinese else _CUT_EN).sub("", text)
    return clean(text)


def _values(text: str, chinese: bool) -> tuple[str, ...]:
    out: list[str] = []
    parts = [text] if text.startswith("在") else items(text)
    for part in parts:
        part = clean(_LEAD_EN.sub("", part) if not chinese else part)
        if re.match(r"[A-Z][a-z]+ing\b", part):  # a verb that opened its sentence
            part = part[0].lower() + part[1:]
        if not part or _BAD_OBJECT.search(part) or len(part) > (18 if chinese else 60) or len(part.split()) > 9:
            continue
        out.append(part)
    return tuple(out) if len(parts) <= 8 else ()


def _enumerates(rest: str) -> bool:
    """True for "A, B and C", where each part is short: only then do commas belong to the object."""
    parts = re.split(r",\s*(?:and |or )?|\s+and\s+|\s+or\s+", rest)
    return (
        len(parts) > 2 and bool(re.search(r"\b(?:and|or) [\w' -]+$", rest)) and all(len(p.split()) <= 4 for p in parts)
    )


#: What was so once says nothing of what is.
_ONCE = re.compile(
    r"(?:以前|从前|过去|曾经?|原来|小时候|年轻时)(?!就|便)[^，。]{0,6}$|\bused to\b|\bonce\b", re.I | re.A
)


def _no_statement(verb: _Verb, m: re.Match[str], text: str) -> bool:
    """True for "hope and love exist" and for "the things I love": no statement of a taste."""
    if verb.key == "allergy" and re.search(
        r"\b(?:people|those|someone|anyone|folks|everyone|guests?|kids) (?:who|that)\b|有些人|的人",
        text[: m.start() + 1],
        re.I | re.A,
    ):
        return True
    if verb.key in ("likes", "dislikes") and re.search(
        r"\b(?:things?|what|people|those|ones?|stuff|everything|something|anyone|that|which|whatever|all)$",
        text[: m.start()].rstrip(),
        re.I | re.A,
    ):
        return True
    if verb.key in ("likes", "dislikes") and _ONCE.search(text[: m.start("v")]):
        return True
    head = re.match(r"(?:and|but)\b", m.group(0), re.I | re.A)
    return bool(
        head
        and verb.key == "likes"
        and not re.search(r"\b(?:i|we|he|she|they|my|i'm)\b", text[: m.start()], re.I | re.A)
    )


def tastes(text: str, rest: str, chinese: bool) -> Iterator[Taste]:
    """The tastes that a clause states; `rest` is the sentence from the clause on, for English lists with commas."""
    taken: list[tuple[int, int]] = []
    for verb in _VERBS:
        m = verb.pattern.search(text)
        if not m or _no_statement(verb, m, text):
            continue
        groups = m.groupdict()
        group = "v" if groups.get("v") else "v2"
        start, end = m.span(group)
        if any(start < b and a < end for a, b in taken):
            continue
        han = bool(re.search(r"[\u3400-\u9fff]", m[group]))
        spoken = _object(m[group], han)
        whole = False
        if not han and verb.key in ("likes", "dislikes", "allergy"):
            longer = _object(rest[start : start + 160].split(".")[0], False)
            if longer != spoken and longer.startswith(spoken) and (_enumerates(longer) or _CUT_SHORT.search(spoken)):
                whole, spoken, end = not _enumerates(longer), longer, start + len(longer)
        values = (spoken,) if whole and len(spoken) <= 60 else _values(spoken, han)
        if values:
            taken.append((start, end))
            what = (groups.get("what") or "").strip()
            zh = verb.zh.replace("的{what}是", f"的{what}是" if what else "").replace("{what}", what)
            yield Taste(verb.key, values, (m.start(), max(m.end(), end)), zh, verb.en.replace("{what}", what))


_WHY = re.compile(
    r"^(?:因为|由于|医生|大夫|怕|容易|一[吃喝碰闻]|不然|[心肝胃肾膝腰血].{0,4}(?:不好|不行|差|疼)|because\b|since\b|'cause\b|(?:my |the )?(?:doctor|gp|dentist)(?:'s)?\b.{0,30}\b(?:orders|says?|said|advice)"
    r"|(?:bad|weak) (?:liver|stomach|knees?|back|heart)|my (?:liver|stomach|back|knees?|heart)\b|it (?:gives|makes|hurts|upsets)\b)",
    re.I | re.A,
)
_COMMA = re.compile(r"[，,]\s*")


def is_reason(clause: str) -> bool:
    """True when the clause says why the one before it holds."""
    return bool(_WHY.match(clause))


def reason_of(rest: str) -> str:
    """The clauses after the first one of the words that only give its reason, as they were said."""
    kept = []
    for part in _COMMA.split(rest)[1:3]:
        if not is_reason(part.strip()) or len(part) > 60:
            break
        kept.append(part.strip())
    return ", ".join(kept) if rest.isascii() else "，".join(kept)


#: Said of somebody: "my landlady hates noise" is no taste of the user's.
_OF_ANOTHER = re.compile(r"\b(?:hates|loves|likes|dislikes|enjoys|detests|adores)\b", re.A)
_RATHER = re.compile(r"\bprefers? .* (?:to|over) |更(?:喜欢|愿意|爱)", re.I | re.A)
#: One drink or food in the place of another: 「不喝可乐了，改喝乌龙茶」.
INSTEAD_OF = re.compile(
    r"(?:我们?|现在|已经|早就|也|都)*(?:不(?:再)?|戒(?:掉)?)(?P<verb>[喝吃用抽])?了?(?P<v>[^，。了喝吃用抽]{1,10}?)了?，(?:现在|以后|所以)?(?:都|就|只|我)?(?P<how>改[喝吃用]|换成?|只[喝吃用])"
)


def _worded(template: str, shown: str, said: str, key: str) -> str:
    """The taste as a note, with what it is preferred to and from what time on it holds."""
    if key == "likes" and _RATHER.search(said):
        template = template.replace("Likes", "Prefers").replace("喜欢", "更喜欢", 1)
    return template.replace("{v}", shown)


def _given_up(st: Statement) -> str:
    """What the sentence says is no longer drunk or eaten, where it says at once what is instead."""
    m = INSTEAD_OF.search(st.sentence)
    return clean(m["v"]) if m else ""


def taste_notes(st: Statement, chinese: bool, taken: list[tuple[int, int]]) -> Iterator[Found]:
    """The notes of what the user likes, dislikes, drinks and cannot stand, where no other rule has taken the words."""
    for taste in tastes(st.text, st.rest, chinese):
        if any(taste.span[0] < b and a < taste.span[1] for a, b in taken):
            continue
        if not chinese and not st.subject and _OF_ANOTHER.search(st.text[: taste.span[1]]):
            continue
        if taste.key in ("likes", "dislikes") and negation.lukewarm(st.text, taste.span[1]):
            continue
        if (
            st.session
            and not st.lasting
            and taste.key in ("likes", "dislikes", "beverage")
            or st.task
            and taste.key == "likes"
            and cues.TASK.search(st.text)
        ):
            continue
        gone = taste.key == "allergy" and bool(
            re.search(
                r"不(?:会|再)?过敏|不过敏|没有?[^，。]{0,6}过敏|\b(?:not|no longer|n't|never) (?:\w+ )?allerg|\bno (?:\w+ )?allerg|outgrew",
                st.text,
                re.I | re.A,
            )
        )
        if taste.key == "dislikes" and _given_up(st) == taste.values[0]:
            continue
        for value in taste.values:
            value = re.sub(r"不$", "", value) if gone else value
            shown = unquoted(value, st)
            value = shown.removeprefix("to ")
            han = bool(re.search(r"[\u3400-\u9fff]", shown)) or chinese
            zh, en = ("{v}不过敏", "Not allergic to {v}") if gone else (taste.zh, taste.en)
            stored = value.lower() if taste.key == "allergy" and value.istitle() else value
            why = reason_of(st.rest) if taste.key in ("dislikes", "allergy") else ""
            worded = _worded((zh if han else en), shown, st.text, taste.key)
            if (old := _given_up(st)) and taste.key == "beverage" and chinese:
                worded = f"改{worded}，不再{worded[0]}{old}"
            yield Found(
                taste.key,
                f"no_{stored}" if gone else stored,
                f"{worded}{'，' if han else ', '}{why}" if why else worded,
                *taste.span,
                scope="user",
                template=(zh.replace("{v}", "{}"), en.replace("{v}", "{}")),
                confidence=0.8,
            )
