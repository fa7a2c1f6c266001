"""What fits no slot and no shape, but reads as lasting: kept in the user's own words, one note for what belongs together."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import conditions, cues, dates, lasting, negation, people, procedures, short_answers, speech, tastes
from .folding import is_chinese
from .found import Found
from .passing import passing
from .reading import Statement
from .third_person import said_of_user
from .word_roles import roles
from .wording import third

#: A clause that begins with its own subject says something of its own.
_OWN_SUBJECT = re.compile(
    r"^(?:and |but |so |because |since |as )?(?:(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays|weekends),? )?(?:i|we|my|our|i'm|i've|we're|we've)\b"
    r"|^(?:and |but )?(?:since|after|before|in|on|at|when|during|for|from|every|most) (?:[\w'-]+ ){1,7}(?:i|we)\b"
    r"|^(?:而且|另外|但是?|不过|因为)?(?:周[一二三四五六日末]|工作日|平时|平常|早上|晚上)?(?:我|咱|家里)",
    re.I | re.A,
)
#: Another time, and so another fact: "weekdays I take the train, Saturdays I drive".
_APART = re.compile(
    r"^(?:and |but )?(?:on |at )?(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekdays|weekends|otherwise|elsewhere)\b"
    r"|^(?:而|但|不过)?(?:周[一二三四五六日末]|工作日|平时|其他时候)[^，。]{0,3}我",
    re.I | re.A,
)
#: About something else of the user's than the clause before it.
_OWN_TOPIC = re.compile(
    r"^(?:and |but |so )?(?:i|i'm|i've|we|we're)\b|^(?:and )?(?:my|our) (?!whole|only|other|own)(?!.*\b(?:there|it|that|them|then|too|both)\b)[a-z' -]{2,30}? (?:is|are|was|has|have|always|never|ends?|goes|go|starts?|runs?|comes?|costs?|takes?|needs?|[a-z]+s)\b|^(?:而且|另外)?(?:我的?|我们的?)?(?!.*[这那])[^我他她它，。]{2,7}?是(?!因为|从|不|在)[^，。]{2,}$",
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
#: "Thanks, Mel": whom the user speaks to.
_CALLED = re.compile(
    r"^(?:thanks|thank you|hi|hey|hello|bye|wow|yes|yeah|sorry|aw|oh)(?: [a-z]+)*, (?-i:[A-Z])[a-z]+[!. ]*$",
    re.I | re.A,
)
_GIVEN_UP = re.compile(
    r"^(?:i |we |i)?(?:left|dropped|ditched|sold|quit|'m done with|stopped using|gave up|got rid of)\b|^(?:我们?)?(?:早就|已经)?(?:不用|卖了|停了|退了)",
    re.I | re.A,
)
_INSTEAD = re.compile(r"\b(?:now|instead|these days)\b|现在|改成|换成", re.I | re.A)
_NEAR = frozenset({"kin", "pet"})
_CORRECTS = 0.6
_BACK_BONUS = 2.0
#: What only points at something needs the sentence before it.
_POINTS = re.compile(r"\b(?:it|that|this|those|these|them|one|ones)\b|[这那它]|(?<![其])[他她]", re.I | re.A)
#: A question about the user, not about the thing in hand.
_OF_USER = re.compile(r"\b(?:you|your|yours)\b|[您你]|家里", re.I | re.A)
#: Its own year or season, and so an event of its own.
_DATED = re.compile(
    r"\b(?:in (?:19|20)\d\d|(?:last|next|this) (?:year|month|week|spring|summer|autumn|fall|winter))\b|(?:19|20)\d\d ?年|[去今明后前]年|[上下这]个?月",
    re.I | re.A,
)
_LASTED = re.compile(
    r"[\d一二两三四五六七八九十几多半]+\s?(?:个?月|年|天|周)(?:多)?了|还剩|\bfor (?:the (?:last|past) )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|many|several) (?:years|months|weeks)\b|\b(?:years|months) left\b",
    re.I | re.A,
)
_SHORTEST = {True: 4, False: 8}
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


_ALWAYS = re.compile(
    r"(?:and |but |so )?(?:please )?(?:always|never) (?!(?:on|in|at|before|after|for|with|the|an?|to|again|mind|[a-z]+(?:s|ed|ing))\b)[a-z]+ ",
    re.I | re.A,
)


def marked(st: Statement) -> bool:
    """True when the user says themselves that it is to last: "remember that …", "we agreed …", "from now on …"."""
    asked = cues.REMEMBER.search(st.text)
    if asked and asked.start() <= 12:
        return len(st.text) - asked.end() > _SHORTEST[is_chinese(st.text)] and not _BACK.search(st.text)
    orders = speech.POLITELY.match(st.text) or _ALWAYS.match(st.text)
    if cues.CONVENTION.search(st.text) or st.lasting and orders:
        return True
    return bool(cues.FROM_NOW_ON.match(st.text)) and not st.text.startswith("以后")  # which often only means "then"


def _enough(left: Left, answering: bool) -> bool:
    """True when the clause may begin a note of its own."""
    held = lasting.reading()
    if marked(left.st):
        return left.score >= held.sure
    if speech.ASKING_EN.match(left.st.text) and _ASKS.match(left.st.text):
        return False
    if _CALLED.search(left.st.sentence) and left.st.sentence.endswith(left.st.text):
        return False
    own = bool(_OWN_SUBJECT.search(left.st.text))
    if left.beside:
        return own and left.score >= held.sure
    if left.st.correcting and own:
        return left.score >= held.lasting - _CORRECTS
    if own or answering or people.mentions_user(left.st.text):
        return left.score >= held.lasting
    return left.score >= held.sure


#: Asks for something to be done, after naming what it is for: 「年夜饭给我列个菜单」; or only says what is coming up.
_REQUEST = re.compile(
    r"^[^，。]{0,8}?(?:给我|帮我|替我|帮忙)(?:列|写|做|排|查|找|订|买|看|推荐|安排|规划|设计|想|出|算|起草|整理|翻译)|^(?:出门|出差|出去|旅游|出行)[一两三四五六七八九十几\d]+天$"
)


def _sets_the_scene(st: Statement) -> bool:
    """True for a request, or what is coming up, that only leads to what lasts."""
    return not (st.lasting or marked(st) or cues.LASTING.search(st.text)) and bool(_REQUEST.search(st.text))


def runs(left: Sequence[Left], answering: bool) -> list[Run]:
    """The clauses that read as lasting, each with those that only go on with it."""
    held = lasting.reading()
    out: list[Run] = []
    for one in (one for one in left if not _sets_the_scene(one.st)):
        st, last = one.st, out[-1].statements[-1] if out else None
        near = (
            last is not None and st.clause.sentence == last.clause.sentence and st.clause.place == last.clause.place + 1
        )
        begins = _enough(one, answering)
        if (
            near
            and one.score >= held.beside
            and last is not None
            and not (begins and one.score >= held.sure and _OWN_TOPIC.search(st.text))
            and not (begins and (_APART.search(st.text) or (_DATED.search(st.text) and _DATED.search(last.text))))
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
    r"\b(?:this time|this once|(?:just|only) (?:for )?(?:today|tonight)|(?:for|in|on|with) (?:just )?this (?!(?:kind|sort|type|reason|purpose|matter|country|city|town|company|team|project|job|role|house|flat|office|school|world|year|way|point|case|stuff)s?\b)[a-z]+|for (?:today|tonight|now)(?! on))\b"
    r"|(?:就|只)?(?:这|此|本)一?(?:次|回|趟|份|张|篇|版|单|封|期|章|节|集|幕|顿|餐)(?!开始|起)|今[天晚](?=就|只|先|要|别|不用|用|给)",
    re.I | re.A,
)
WISHED = re.compile(
    r"吧|要|就|给|用|写|按|别|不|只|先|控制|保持|以内|\b(?:want|need|only|just|let's|let us|make|use|keep|give|put|no|not|don't|i'd|i'll)\b",
    re.I | re.A,
)
_REDONE = re.compile(
    r"(?:写|来|做|列|出|画|回|发|讲)[一两几](?:则|个|份|篇|段|封|句|道|张|条|版)|改|翻译|译成|润色|缩写|检查|看看|查一?下|\b(?:fix|translate|check|correct|proofread)\b",
    re.I | re.A,
)


def said_apart(st: Statement) -> bool:
    """True when a clause before this one says that it holds this time alone: "this once, …"."""
    return bool(st.session and st.cue and st.cue not in st.text and _ONCE.fullmatch(st.cue.strip()))


def contrasted(left: Sequence[Left], session: bool) -> list[Left]:
    """The statements; what holds "normally" beside something that holds this time needs little else to be kept."""
    held = lasting.reading()
    if not session and not any(one.st.session for one in left):
        return list(left)
    return [
        replace(one, score=max(one.score, held.lasting))
        if one.st.lasting and not one.st.session and one.score >= held.beside
        else one
        for one in left
    ]


def for_now(left: Sequence[Left]) -> tuple[Found, Statement] | None:
    """What the user says of this time alone, in their own words; only where nothing else of the turn says it."""
    for one in left:
        st = one.st
        said = st.clause.turn.text[st.clause.start : st.clause.end]
        chinese = is_chinese(said)
        rest = _ONCE.sub("", st.text)
        if (
            (_ONCE.search(st.text) and WISHED.search(st.text) or said_apart(st))
            and not _REDONE.search(st.text)
            and not (
                one.beside
                or st.task
                or st.who == "other"
                or speech.ORDER.search(st.text)
                or cues.REMINDER.search(st.text)
            )
            and len(rest) >= (4 if chinese else 12)
            and not (_MOODY_ZH if chinese else cues.MOODY_EN).search(st.text)
            and not re.search(
                r"\b(?:was|were|did|went|had|got|is)\b|了$|过|[让使]我|到这[里儿]?$|[这那]个", rest, re.I | re.A
            )
        ):
            text = said_of_user(said, chinese)
            return Found(None, None, text, 0, len(said), scope="session", confidence=0.6), replace(
                st, who="user", subject=None
            )
    return None


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


_MORE = {True: 14, False: 32}


def gives_up(run: Run) -> bool:
    """True when the run only says what is no longer so."""
    return bool(_GIVEN_UP.search(run.statements[0].text))


def more(run: Run) -> str:
    """A few words without a subject of their own, such as go on with what was said a turn before; else nothing."""
    first, last = run.statements[0], run.statements[-1]
    said = first.clause.turn.text[first.clause.start : last.clause.end]
    chinese = is_chinese(said)
    plain = " ".join(st.text for st in run.statements)
    if len(plain) > _MORE[chinese] or any(st.session for st in run.statements) or short_answers.whole(plain):
        return ""
    text = dates.resolved(said_of_user(said, chinese), first.clause.turn.at, chinese) or ""
    return text if chinese else text[:1].lower() + text[1:]


def note(run: Run, asked: str = "") -> tuple[Found, Statement] | None:
    """The run as a note about the user; None for what is too short, too long, an order about the agent or only for now."""
    first, last = run.statements[0], run.statements[-1]
    turn = first.clause.turn
    said = turn.text[first.clause.start : last.clause.end]
    chinese = is_chinese(said)
    plain = " ".join(st.text for st in run.statements)
    if (
        any(st.session and not st.lasting for st in run.statements)
        or speech.ORDER.search(plain)
        or cues.REMINDER.search(plain)
        or negation.lukewarm(plain, len(plain))
        or len(said) > _LONGEST
        or (len(said) < _SHORTEST[chinese] and not _OF_USER.search(asked))
        or (first.who == "other" and not people.mentions_user(plain) and not _NEAR & (roles(f"{turn.text} {asked}")))
    ):
        return None
    if passing(plain, run.score, asked) or (chinese and tastes.INSTEAD_OF.match(first.rest)):
        return None
    # Talk of feelings and of what things stand for reads like something lasting, and tells nothing about anybody.
    if (_MOODY_ZH if chinese else cues.MOODY_EN).search(plain) and run.score < lasting.reading().sure:
        return None
    asked = asked if first.clause.sentence == 1 else ""
    bare = short_answers.with_topic(said_of_user(plain, chinese), first.text, asked)
    for cue in (cues.CONVENTION, cues.LASTING, cues.SESSION, cues.AFFIRM, cues.DENY):
        bare = cue.sub("", bare)
    held = re.findall(r"[\u3400-\u9fff]|[A-Za-z]{2,}|\d+", bare)
    if len(held) < (2 if chinese or re.search(r"\d", bare) or _OWN_SUBJECT.search(first.text) else 3):
        return None  # for how long something holds, and not what
    text = short_answers.with_topic(
        people.called(third(said, chinese), people.About(first.who, first.subject), first.text, chinese),
        first.text,
        asked,
    )
    dated = dates.resolved(text, turn.at, chinese)
    if not dated or len(text) < _SHORTEST[chinese] or re.search(r"的(?:规矩|规定|流程|习惯|要求|说法)$", text):
        return None
    text = dated
    if _LASTED.search(said):
        # How long something has lasted means nothing without the month in which it was said.
        text = f"{text}（{turn.at:%Y-%m}）" if chinese else f"{text} (as of {turn.at:%Y-%m})"
    end = last.clause.end - first.clause.start
    topic = procedures.topic(plain) if any(st.lasting or marked(st) for st in run.statements) else None
    found = Found(topic and topic[0], text if topic else None, text, 0, end, scope="user", confidence=0.6)
    if topic:
        found = replace(found, kind="procedural")
    if any(st.lasting for st in run.statements):
        found = replace(found, condition=conditions.of_trip(plain) or conditions.of_trip(first.lead))
    return found, replace(first, who="user", subject=None, session=False)
