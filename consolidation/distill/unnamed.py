"""What fits no slot and no shape, but reads as lasting: kept in the user's own words, one note for what belongs together."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import cues, lasting, people, speech, states_en
from .folding import fold, is_chinese, squeeze
from .found import Found
from .persons import said_of_user
from .reading import Statement
from .roles import roles

#: A clause that begins with its own subject says something of its own.
_OWN_SUBJECT = re.compile(
    r"^(?:and |but |so |because |since |as )?(?:(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays|weekends),? )?(?:i|we|my|our|i'm|i've|we're|we've)\b"
    r"|^(?:而且|另外|但是?|不过|因为)?(?:周[一二三四五六日末]|工作日|平时|平常|早上|晚上)?(?:我|咱|家里)",
    re.I | re.A,
)
_ASKS = re.compile(
    r"(?!do not\b|don't\b|have\b|had\b|may\b|what (?:i|we)\b|when (?:i|we|you)\b|is (?:my|our)\b)", re.I | re.A
)
#: "Hold on to that", 「这套你留着」: what was said just before is to be kept.
_BACK = re.compile(
    r"\b(?:hold on to|remember|save|store|memori[sz]e) (?:that|this|it)(?: (?:for|please|in|as|going|from|next)\b[^.]*)?[.! ]*$|\bkeep (?:that|this|it) (?:in mind|on file|for (?:later|next|the next|future))\b"
    r"|\b(?:note|write|jot) (?:that|this|it) down\b"
    r"|(?:这|那)(?:套|个|条|些|点|句|几)?[^，。]{0,6}(?:你|帮我|给我|请)?(?:留着|记住|记下来?|记着|存下来?|存着|记一下|记好)|^(?:你)?(?:帮我|请|麻烦你?|给我)?(?:记一下|记住|记下来?|存一下|留着|记着)(?:吧|啊|哈|了)*$|记住(?:这个|这点|这条|这些)",
    re.I | re.A,
)
_MOODY_ZH = re.compile(
    r"感[觉到受动谢]|觉得|心情|开心|快乐|难过|幸福|震撼|沉浸|象征|代表着?|相信|希望|努力|加油|放松|焦虑|压力|孤独|珍惜|美好|有意义|聊天|陪伴|也是一种|乐趣|先[把将][^。]{1,12}[洗切煮炒蒸焯腌剁]|[蒸煮炒炖焯烤腌][^。]{0,4}\d+分"
)
_TALK_EN = re.compile(
    r"\b(?:wanna|gonna|sloppy|mistaken|my mistake|my bad|misread|misspoke|keep (?:making|going|pushing|fighting|sharing|doing)|difference|connections?|acceptance|speak up|reminders?|(?:for|with|about|to|of) you)\b",
    re.I | re.A,
)
#: A form or a contract that was pasted: a label, what it is, the next label.
_LABELS = re.compile(r"(?:[\u3400-\u9fff]{1,5}[：:][^：:]{1,40}){2}|(?:\b[A-Z][A-Za-z ]{1,20}: [^:]{1,60}){2}")
#: Said of what the agent has just done.
_WAVED = re.compile(
    r"^(?:perfect|great|ok)?,? ?(?:that|this)(?:'s| is) (?:how|what|it|the way|all|fine)\b|\b(?:never ?mind|found it|forget it)\b|^(?:没事|算了)|^我?(?:有点|挺|真|好|也)?想(?!吃素)(?![^，。]*都)",
    re.I | re.A,
)
_GIVEN_UP = re.compile(
    r"^(?:i |we )?(?:left|dropped|ditched|sold|quit|stopped using|gave up|got rid of)\b|^(?:我们?)?(?:早就|已经)?(?:不用|卖了|停了|退了)",
    re.I | re.A,
)
_INSTEAD = re.compile(r"\b(?:now|instead|these days)\b|现在|改成|换成", re.I | re.A)
_NEAR = frozenset({"kin", "pet"})
_CORRECTS = 0.6
#: For how long the words just before it hold.
_HANGS = re.compile(
    r"^(?:每[次回]都?(?:要|得|这样)?|以后都?(?:这样|如此|[按照用](?:这|那)[^，。]{0,4})?|一直都?(?:这样|如此)|都这样|长期|every (?:single )?time|always|for good|from now on|as (?:usual|always|ever))[，,.。!！]*$",
    re.I | re.A,
)
_BACK_BONUS = 2.0
#: What only points at something needs the sentence before it.
_POINTS = re.compile(r"\b(?:it|that|this|those|these|them|one|ones)\b|[这那它]|(?<![其])[他她]", re.I | re.A)
_SHORTEST = {True: 4, False: 10}
_LONGEST = 240


@dataclass(frozen=True)
class Left:
    """A statement that nothing else has kept; `beside` where something of its sentence was kept."""

    st: Statement
    score: float
    beside: bool = False


@dataclass
class Run:
    """Neighbouring clauses that say one thing."""

    statements: list[Statement]
    score: float


def points_back(sentence: str) -> bool:
    """True when the sentence only asks to keep what was said before it."""
    return len(sentence) < 90 and bool(_BACK.search(sentence)) and not speech.UNSAVED.search(sentence)


def kept(left: Sequence[Left]) -> list[Left]:
    """The statements, now that the user has asked to keep them."""
    return [replace(one, score=one.score + _BACK_BONUS) for one in left]


def _enough(left: Left, answering: bool) -> bool:
    """True when the clause may begin a note of its own."""
    held = lasting.reading()
    if speech.ASKING_EN.match(left.st.text) and _ASKS.match(left.st.text):
        return False
    own = bool(_OWN_SUBJECT.search(left.st.text))
    if _LABELS.search(left.st.sentence) or _WAVED.search(left.st.text):
        return False
    if left.beside:
        return own and left.score >= held.sure
    if left.st.correcting and own:
        return left.score >= held.lasting - _CORRECTS
    if own or answering or people.mentions_user(left.st.text):
        return left.score >= held.lasting
    return left.score >= held.sure


def runs(left: Sequence[Left], answering: bool) -> list[Run]:
    """The clauses that read as lasting, each with those that only go on with it, or that it points back at."""
    held = lasting.reading()
    out: list[Run] = []
    for i, one in enumerate(left):
        st, last = one.st, out[-1].statements[-1] if out else None
        near = (
            last is not None and st.clause.sentence == last.clause.sentence and st.clause.place == last.clause.place + 1
        )
        begins = _enough(one, answering)
        if _HANGS.match(st.text) and not near and one.score >= held.beside and i and not left[i - 1].beside:
            before = left[i - 1].st
            if before.clause.sentence == st.clause.sentence and before.clause.place == st.clause.place - 1:
                out.append(Run([before, st], one.score))
                continue
        own = _OWN_SUBJECT.search(st.text)
        if (
            near
            and one.score >= held.beside
            and not (own and begins)
            or (
                begins
                and last is not None
                and st.clause.sentence == last.clause.sentence + 1
                and _POINTS.search(st.text)
                and not people.relations(st.text)
            )
        ):
            out[-1].statements.append(st)
        elif begins:
            out.append(Run([st], one.score))
    return out


_ONCE = re.compile(
    r"\b(?:this time|(?:just|only) this once|(?:for|on|in) (?:just )?this (?:one|trip|flight|chat|report|draft|stay|visit|order|booking|journey)|in this chat only)\b"
    r"|(?:就|只)?(?:这|此|本)(?:次|回|趟|份|张|篇|版|单)(?!开始|起)",
    re.I | re.A,
)
_WISHED = re.compile(
    r"吧|要|就|给|用|按|别|不|只|\b(?:please|want|need|only|just|let's|let us|make|use|keep|no|not|don't|i'd|i'll)\b",
    re.I | re.A,
)


def for_now(left: Sequence[Left]) -> tuple[Found, Statement] | None:
    """What the user says of this time alone, in their own words; only where nothing else of the turn says it."""
    for one in left:
        st = one.st
        said = st.clause.turn.text[st.clause.start : st.clause.end]
        chinese = is_chinese(said)
        rest = _ONCE.sub("", st.text)
        if (
            _ONCE.search(st.text)
            and _WISHED.search(st.text)
            and st.session
            and not (
                one.beside
                or st.task
                or st.who == "other"
                or speech.ORDER.search(st.text)
                or cues.REMINDER.search(st.text)
            )
            and len(rest) >= (4 if chinese else 12)
            and not (_MOODY_ZH if chinese else states_en.MOODY).search(st.text)
            and not re.search(r"\b(?:was|were|did|went|had|got|is)\b|了$|过", rest)
        ):
            text = said_of_user(said, chinese)
            return Found(None, None, text, 0, len(said), scope="session", confidence=0.6), replace(
                st, who="user", subject=None
            )
    return None


def goes_on(fact: Statement, silent: Sequence[tuple[Statement, float]], got: Found) -> list[Statement]:
    """The fact's clause with those right after it that say more of it and that its note does not hold yet."""
    out, held = [fact], lasting.reading()
    for st, score in silent:
        if (
            st.clause.place == out[-1].clause.place + 1
            and score >= held.lasting
            and not _OWN_SUBJECT.search(st.text)
            and squeeze(st.text)[:12] not in squeeze(fold(got.text))
        ):
            out.append(st)
    return out


def whole(got: Found, on: list[Statement]) -> tuple[Found, Statement]:
    """The fact with what is said on about it."""
    first, last = on[0], on[-1]
    said = first.clause.turn.text[first.clause.start : last.clause.end]
    more = first.clause.turn.text[on[1].clause.start : last.clause.end]
    joint = "，" if is_chinese(said) else ", "
    text = f"{got.text}{joint}{said_of_user(more, is_chinese(said)) if is_chinese(said) else more}"
    return replace(got, text=text, end=last.clause.end - first.clause.start, scope="user"), first


#: Why, what follows of it, how it was once: told beside what lasts, and no part of it.
_BESIDES = re.compile(
    r"^(?:and )?(?:gets?|makes?|keeps?|otherwise|or else|that way|it's|(?:it|they)(?: just| always)? (?:is|are|was|makes?|gets?|keeps?|gives?|hurts?|upsets?|causes?|helps?|feels?|tastes?|smells?|looks?)|last time|the last time|so that|so|because|cause|no matter|trust|honestly|anyway|but that)\b"
    r"|^(?:不然|否则|要不|多了|少了|省得|免得|上次|上回|以前|之前|别等|闻着|看着|读起来|听着|吃着|用着|不去|太|所以|反正|别的|怕)",
    re.I | re.A,
)


def _trimmed(run: Run) -> Run:
    while len(run.statements) > 1 and _BESIDES.search(run.statements[-1].text):
        run = Run(run.statements[:-1], run.score)
    return run


#: Goes on with a list whose beginning stands elsewhere.
_ONE_MORE = re.compile(
    r"(?:and )?(?:also|plus|like|such as|along with|as well as)\b|还有|另外还|比如|例如|以及|像是|包括", re.I | re.A
)


_WH = re.compile(
    r"\b(?:which|what|where|when|who|how|whose)\b|哪|什么|怎么|多少|几|谁|多(?:大|久|远|长|高)", re.I | re.A
)
_EMPTY_EN = re.compile(
    r"\b(?:(?:what|where|when|who|how)'s|which|what|where|when|who|how|whose|is|are|was|were|do|does|did|you|your|yours|the|a|an|of|to|for|in|at|on|i|me|my|we|us|it|that|this|should|shall|would|can|could|will|usually|normally|like|prefer|want|need|have|has|got|be|been|now|then|so|ok|and|or|please|any|one|ones|kind|sort|many|much|often|long|old|there|them|they|she|he|her|his|him|still|anything|something|else|know|use|take|happened|about|with|go|get|make|add)\b",
    re.I | re.A,
)
_EMPTY_ZH = re.compile(
    r"请问|您|你|我|的|了|吗|呢|是|在|要|用|有|给|帮|会|能|想|需要|平时|一般|通常|现在|今年|哪(?:里|儿|个|家|位|种|天|一?)|什么(?:时候)?|怎么|多(?:大|久|少|远|长|高)|几(?:个|点|位|次|号|天)?|谁|吧|还|都|也|就|那|这|一|个|喝|吃|走|住|做|叫"
)
_WHOLE = re.compile(
    r"\b(?:i|i'm|i've|we|my|our|she|he|they|it|it's|she's|he's|there|no|yes)\b|我|咱|他|她|它|家", re.I | re.A
)


def _topic(asked: str, chinese: bool) -> str:
    """What an open question asks about, in a word or two; empty where that is not plain."""
    question = asked.strip().rstrip("?？ ")
    if not _WH.search(question) or re.search(r"\d|[,，。.!！:：]", question) or len(question) > (16 if chinese else 60):
        return ""
    if chinese:
        left = _EMPTY_ZH.sub("", question).strip()
        return left if 2 <= len(left) <= 6 else ""
    words = _EMPTY_EN.sub(" ", question).split()
    return " ".join(words) if 1 <= len(words) <= 3 and all(w.isalpha() for w in words) else ""


def _words(run: Run) -> set[str]:
    text = " ".join(st.text for st in run.statements).lower()
    return set(re.findall(r"[a-z]{3,}|\d+", text)) | {
        text[i : i + 2] for i in range(len(text) - 1) if not text[i : i + 2].isascii()
    }


def once_each(found: list[Run]) -> list[Run]:
    """The runs without those that another one of the turn repeats, or takes the place of."""
    out: list[Run] = []
    for i, run in enumerate(found):
        own, after = _words(run), found[i + 1 :]
        if any(len(own & _words(other)) >= 0.6 * len(own) for other in after) or (
            after and _GIVEN_UP.search(run.statements[0].text) and _INSTEAD.search(after[0].statements[0].text)
        ):
            continue
        out.append(run)
    return out


def note(run: Run, asked: str = "") -> tuple[Found, Statement] | None:
    """The run as a note about the user; None for what is too short, too long, an order about the agent or only for now."""
    run = _trimmed(run)
    first, last = run.statements[0], run.statements[-1]
    turn = first.clause.turn
    said = turn.text[first.clause.start : last.clause.end]
    chinese = is_chinese(said)
    plain = " ".join(st.text for st in run.statements)
    if (
        any(st.session and not st.lasting for st in run.statements)
        or speech.ORDER.search(plain)
        or cues.REMINDER.search(plain)
        or not _SHORTEST[chinese] <= len(said) <= _LONGEST
        or (_ONE_MORE.match(first.text) and not _OWN_SUBJECT.search(first.text))
        or (first.who == "other" and not people.mentions_user(plain) and not _NEAR & (roles(f"{turn.text} {asked}")))
    ):
        return None
    # Talk of feelings and of what things stand for reads like something lasting, and tells nothing about anybody.
    if (
        _TALK_EN.search(plain)
        or (_MOODY_ZH if chinese else states_en.MOODY).search(plain)
        and run.score < lasting.reading().sure
    ):
        return None
    bare = said_of_user(plain, chinese)
    for cue in (cues.LASTING, cues.SESSION, cues.AFFIRM, cues.DENY):
        bare = cue.sub("", bare)
    if len(re.findall(r"[\u3400-\u9fff]|[A-Za-z]{2,}|\d+", bare)) < 2:
        return None  # for how long something holds, and not what
    text = said_of_user(said, chinese)
    if len(text) < _SHORTEST[chinese] or re.search(r"的(?:规矩|规定|流程|习惯|要求|说法)$", text):
        return None
    if asked and not _WHOLE.search(first.text) and (topic := _topic(asked, is_chinese(asked))) and topic not in text:
        text = (
            f"{topic}：{text}"
            if chinese
            else f"{topic[:1].upper()}{topic[1:]}: {text[:1].lower() + text[1:] if text[1:2].islower() and not first.text[:1].isupper() else text}"
        )
    end = last.clause.end - first.clause.start
    found = Found(None, None, text, 0, end, scope="user", confidence=0.6)
    return found, replace(first, who="user", subject=None, session=False)
