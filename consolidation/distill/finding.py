"""What a statement says, slot by slot: rules of the tables applied to one clause."""

import re
from dataclasses import replace

from . import conditions, cues, dates, departures, negation, people, person_slots, work_slots
from .choices import CHOICES, Choice, Option, language_name
from .folding import in_chinese
from .found import Found, unquoted
from .open_slots import Say, clean, items, spoken_amount
from .reading import Statement
from .tastes import taste_notes
from .wording import third

SAYS: tuple[Say, ...] = (*person_slots.SAYS, *work_slots.SAYS)
ABOUT_A_PERSON = frozenset({
    "name", "home_city", "home_country", "employer", "occupation", "manager", "children", "children_ages", "child_age", "pet", "languages_spoken", "goal", "travel_wish",
    "hobby", "hometown", "birthday", "age", "races_this_year", "member_tier", "relationship", "allergy", "favourite_colour",
})  # fmt: skip
NOW_ONLY = frozenset({"trip_purpose", "current_order"})


_BUYING = re.compile(
    r"[想要打]?[算想要](?:买|换|挑|入手?|配)|(?:买|换|挑|选|配)(?:一?[个台部把双辆件只副]|新)|\b(?:looking for|looking to buy|shopping for|buying|buy|need|want|get)(?: (?:me|us))? (?:an?|some|new) ",
    re.I | re.A,
)


def _in_figures(text: str, m: re.Match[str]) -> str:
    """The text with its sum of money in figures, however it was said: 「六百五」 is 650."""
    number = dates.number(m["num"])
    if number is None or m["num"].isdigit():
        return text
    return f"{text[: m.start('num')]}{dates.plain(number)}{text[m.end('num') :]}"


class _Groups(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


def booking(family: str, st: Statement) -> bool:
    """True when the choice only serves an order that is being placed now."""
    return st.task and not st.lasting and family == "travel" and not cues.PREFERENCE.search(st.text)


def _licence(st: Statement) -> bool:
    return bool(st.session or st.lasting or st.correcting or cues.WISH.search(st.text) or conditions.of_travel(st.text))


def _say(rule: Say, text: str, chinese: bool, st: Statement) -> Found | None:
    m = rule.pattern.search(text)
    if not m or (rule.context and not rule.context.search(st.sentence)):
        return None
    if rule.key == "relationship":
        return _relationship(rule, m, chinese, st)
    if rule.key == "deadline":
        return _deadline(rule, m, chinese, st)
    if rule.key == "budget" and not st.session and not st.lasting and _BUYING.search(st.sentence):
        return None  # what one thing may cost
    value = rule.value(m) if rule.value else clean(m["v"])
    if value is None or value == "" or (isinstance(value, str) and len(value) > 120):
        return None
    if rule.key in person_slots.PLACES and person_slots.PARTICLE_ZH.match(str(value)):
        return None
    groups = _Groups({k: clean(v) for k, v in m.groupdict().items() if v})
    shown = str(value)
    if rule.key.endswith("_language") and rule.key != "primary_language":
        shown = language_name(shown, chinese)
    elif rule.key.endswith("budget"):
        shown = spoken_amount(shown, chinese)
    elif rule.value is None or rule.key in ABOUT_A_PERSON:
        shown = unquoted(shown, st)
    if rule.key == "project_stack":
        shown = shown.replace(";", "、" if chinese else ", ")
    groups["v"] = re.sub(r"\bmy\b", "their", shown) if not chinese else shown
    if rule.key == "contact_time":
        told = third(m["v"], chinese)
        groups |= {"v_zh": told if "联" in told else f"联系时间：{told}", "v_en": told}
    if rule.key == "notifications":
        clock = str(value).removeprefix("off after ")
        groups |= {"v_zh": f"{clock} 之后不发通知", "v_en": f"No notifications after {clock}"}
    if "{svc}" in rule.zh:
        service = conditions.of_service(text)
        groups["svc"] = f"{service} " if service else ""
    template = (rule.zh if chinese else rule.en).format_map(groups)
    template = template[:1].upper() + template[1:] if not chinese else template
    if rule.key.endswith("budget") and " " not in str(value):  # a bare figure means little without the words around it
        template = third(_in_figures(text, m), chinese)
        if rule.key == "hotel_budget" and not _HOTEL.search(template):
            template = f"酒店{template}" if chinese else f"Hotel: {template[:1].lower()}{template[1:]}"
    scope = rule.scope or ("user" if rule.key in ABOUT_A_PERSON else None)
    return Found(rule.key, value, template, m.start(), m.end(), rule.conditions, rule.kind, scope, rule.told, not rule.wish or _licence(st), rule.wide, rule.others, False, rule.confidence, _project(rule, text), template=(rule.zh, rule.en))  # fmt: skip


_HOTEL = re.compile(r"酒店|住|宾馆|旅馆|民宿|房|\b(?:hotel|room|lodging|accommodation|stay)", re.I | re.A)
_PROJECT_ON = re.compile(
    r"^(?:and |but )?(?:the |our )?(?P<p>(?!it\b|that\b|this\b|everything|database|db\b|project|app\b|production|we\b|i\b)[A-Za-z][\w-]+)(?: project| service| app)?(?:'s| is| are| runs?| stays?| sits| lives| remains?)(?: now| still| all| already)? (?:on|with) ",
    re.I | re.A,
)


def _project(rule: Say, text: str) -> str | None:
    """The project whose database the clause names: "Orders stays on Postgres"."""
    m = _PROJECT_ON.match(text) if rule.key == "project_database" else None
    return f"project:{m['p'].lower()}" if m else None


def _relationship(rule: Say, m: re.Match[str], chinese: bool, st: Statement) -> Found | None:
    """Who somebody is to the user."""
    somebody = people.introduced(st.text)
    if not somebody or somebody[1] == "manager":
        return None
    name, relation = somebody
    text = f"{name}是用户的{people.display(relation, True)}" if chinese else f"{name} is the user's {relation}"
    return Found("relationship", relation, text, m.start(), m.end(), scope="user", confidence=rule.confidence)


def _deadline(rule: Say, m: re.Match[str], chinese: bool, st: Statement) -> Found | None:
    """A deadline with its date resolved; one without a date is none."""
    when = dates.find(m["v"], st.clause.turn.at, chinese, ahead=True)
    if not when:
        return None
    day = f"{when.start:%Y-%m-%d}" if when.grain == "day" else when.label.removeprefix("in ").removeprefix("on ")
    start, end = m.start("v") + when.span[0], m.start("v") + when.span[1]
    start += 3 if m.string[start : start + 3].lower() in ("on ", "by ", "in ") else 0
    before, gap = (
        " " if c.isascii() and c.isalnum() else "" for c in (m.string[start - 1 : start], m.string[end : end + 1])
    )
    text = third(f"{m.string[:start]}{before}{day}{gap}{m.string[end:]}", chinese)
    return Found(rule.key, day, text, m.start(), m.end(), others=rule.others, template=(rule.zh, rule.en))


_EITHER = re.compile(
    r"都(?:行|可以|好|无所谓)|随便|无所谓|\beither\b|\bboth (?:are )?(?:fine|ok)|\bdon't mind\b", re.I | re.A
)


def _within_longer(m: re.Match[str], option: Option, named: list[tuple[Option, re.Match[str]]]) -> bool:
    """True when the words are only the end of another value's: 「金会员」 in 「白金会员」."""
    return any(o is not option and x.start() < m.start() and m.end() <= x.end() for o, x in named)


def _options(choice: Choice, text: str) -> list[tuple[Option, re.Match[str], bool]]:
    found: list[tuple[Option, re.Match[str], bool]] = []
    named = [(option, m) for option in choice.options for m in option.pattern.finditer(text)]
    for option in choice.options:
        for m in (one for own, one in named if own is option and not _within_longer(one, option, named)):
            if any(m.start() < o.end() and o.start() < m.end() for _, o, _ in found) or negation.REJECTED.search(
                text[: m.start()]
            ):
                continue
            if choice.key != "red_eye" and negation.lukewarm(text, m.start()):
                continue
            negated = negation.negated(text, m.start()) and not (
                choice.key in ("notifications", "flight_stops", "checked_bag", "reply_length")
                or choice.key == "smoking_room"
                and option.value == "no"
                or option.value in ("vegetarian", "omnivore", "any", "no_emoji")
                and re.match(r"不|没|(?:no|don't|never)\b", m.group(0), re.I | re.A)
            )
            found.append((option, m, negated))
            break
    return sorted(found, key=lambda f: f[1].start())


#: Names the tool as one: "our meeting tool is …", 「开会软件是…」.
_TOOL_IS = re.compile(r"(?:meeting|会议|开会)[^，。,]{0,6}(?:tool|app|工具|软件)", re.I | re.A)


def _instead(st: Statement, words: str) -> Statement:
    return replace(st, clause=replace(st.clause, plain=f"要{words}"))


def _choice(choice: Choice, st: Statement, chinese: bool) -> Found | None:
    text = st.text
    found = _options(choice, text)
    if not found or (choice.context and not (st.correcting or choice.context.search(st.sentence))):
        return None
    wanted = [f for f in found if not f[2]]
    if len(wanted) > 1 and (
        _EITHER.search(text)
        or re.search(r"或者?|还是|\bor\b", text[wanted[0][1].start() : wanted[1][1].end()], re.I | re.A)
    ):
        return None
    option, m, negative = (wanted or found)[0]
    if not _plausible(choice, option, st, negative):
        return None
    token = option.value
    licensed = choice.strong or _licence(st) or (choice.key == "meeting_tool" and bool(_TOOL_IS.search(text)))
    now = st.session and not st.lasting or booking(choice.conditions, st)
    if choice.key == "red_eye":
        token = "never" if negative else "acceptable"
        if not negative and not re.search(
            r"可以|能|没问题|行|接受|不介意|不是不|\b(?:fine|ok|okay|mind|acceptable|take|good)\b", text, re.I | re.A
        ):
            return None
    elif negative and choice.key == "smoking_room":
        # Who wants no smoking room wants the other one.
        return _choice(replace(choice, options=choice.options[:1]), _instead(st, choice.options[0].zh), chinese)
    elif negative:
        token = f"not_{token}"
    zh = choice.zh_not if negative else choice.zh_now if now else choice.zh
    en = choice.en_not if negative else choice.en_now if now else choice.en
    shown = (zh.format(option.zh) if chinese else en.format(option.en)).strip()
    shown = shown if chinese else shown[:1].upper() + shown[1:]
    scope = "session" if choice.key in NOW_ONLY else "user" if choice.key in ABOUT_A_PERSON else None
    return Found(
        choice.key,
        token,
        shown,
        m.start(),
        m.end(),
        choice.conditions,
        scope=scope,
        told=choice.told,
        licensed=licensed,
        negative=negative,
        template=(zh, en),
    )


# "Two of the 22 are vegan" is no word about the user.
_SOME = re.compile(
    r"\b(?:\w+|\d+) of (?:the|them|us|our|my|those|these)\b|\b(?:guests?|people|attendees|kids|of them)\b|(?:其中|有)(?:[一二两三四五六七八九十几\d]+)(?:个|位|人|名)",
    re.I | re.A,
)


#: What is to be done once more, in another language.
_AGAIN = re.compile(r"\b(?:do|redo|try|repeat|say|give me) (?:it|that|this|the same)\b", re.I | re.A)
_OF_ONE = frozenset({"allergy", "dislikes", "likes"})


_PUPILS = re.compile(r"班[上里]|学[生员]|\b(?:class|pupils?|students?)\b", re.I | re.A)


def _left_out(text: str, st: Statement) -> frozenset[str]:
    """The slots that the clause says nothing of, although its words look like it."""
    out: set[str] = set()
    if _SOME.search(text):
        out |= _OF_ONE
    if _AGAIN.search(text) and not st.lasting:
        out.add("reply_language")
    if _PUPILS.search(text):
        out |= {"child_age", "children_ages", "children"}
    return frozenset(out)


def _plausible(choice: Choice, option: Option, st: Statement, negative: bool) -> bool:
    text = st.text
    if _SOME.search(text) and choice.key in ("meal_preference", "diet", "member_tier"):
        return False
    if choice.key in ("relationship", "member_tier", "commute") and negative:
        return False
    if choice.key == "commute" and re.match(r"(?:请|麻烦|你)?(?:[帮给替]我?|看看|查)", text):
        return False
    if choice.key == "meeting_tool" and negative and not re.search(r"会|议|视频|通话|meet|call", text, re.I):
        return False
    if choice.key == "meal_preference" and re.search(
        r"\b(?:people|those|someone|anyone|folks|guests?) (?:who|that)\b|的人", text, re.I | re.A
    ):
        return False
    if choice.key == "reply_length" and re.search(r"推荐|[部本首篇][^，。]{0,6}[片书歌文]", st.sentence):
        return False
    if option.value == "meat":
        return not negative and bool(
            st.session or re.search(r"了$|现在|又|\b(?:now|again|any ?more)\b", text, re.I | re.A)
        )
    if choice.key == "meal_preference" and negative:
        return False
    if option.value == "omnivore":
        return st.who != "you"
    if choice.key == "relationship":
        return st.who == "user" and not people.introduced(text)
    if choice.key == "trip_purpose":
        return st.session
    return not (
        choice.key == "departure_time_preference"
        and re.search(r"\b(?:not|never|no) (?:before|earlier|until)\b", text, re.I | re.A)
    )


def find(st: Statement) -> list[Found]:
    """Everything that the clause says about slots; where rules overlap, the more specific one stands."""
    chinese = in_chinese(st.clause.said, st.clause.turn.text)
    text = st.text
    out: list[Found] = []
    taken: list[tuple[int, int]] = []
    for rule in SAYS:
        if rule.wide and st.clause.start != st.offset and rule.pattern.search(text) is None:
            continue
        got = (_say(rule, st.sentence, chinese, st) if rule.wide and st.clause.start == st.offset else None) or _say(
            rule, text, chinese, st
        )
        if got and rule.key in ("languages_spoken", "pet") and not re.search(r"叫|named|called|, my ", str(got.value)):
            out += [
                replace(got, value=v, text=(rule.zh if chinese else rule.en).format(v=v)) for v in items(str(got.value))
            ]
        elif (
            got
            and not any(o.key == got.key for o in out)
            and not (rule.key == "budget" and any(o.key == "hotel_budget" for o in out))
        ):
            out.append(got)
    for choice in CHOICES:
        if (got := _choice(choice, st, chinese)) and not any(o.key == got.key for o in out):
            out.append(got)
    if late := departures.limit(text, st.sentence, chinese):
        key = "departure_time_preference"
        out = [o for o in out if o.key != key] + [Found(key, *late, "travel")]
    out = _without_overlaps(out, text)
    taken = [(o.start, o.end) for o in out if not o.wide]
    out += taste_notes(st, chinese, taken)
    left_out = _left_out(text, st)
    kept = [o for o in out if o.key not in left_out]
    return [replace(o, alone=len(kept) == 1) for o in kept if _fits_speaker(o, st)]


_STRONGER = (
    "child_age",
    "hotel_budget",
    "preferred_name",
    "review_language",
    "commit_language",
    "docs_language",
    "email_language",
    "commute",
    "red_eye",
    "meeting_tool",
    "contact_time",
    "standup_time",
    "deploy_policy",
    "max_drive",
    "children_ages",
)


def _without_overlaps(found: list[Found], text: str) -> list[Found]:
    order = sorted(found, key=lambda f: (f.key not in _STRONGER, f.start))
    kept: list[Found] = []
    for f in order:
        if f.key == "reply_language" and any(
            k.key and k.key.endswith("_language") and k.key != "primary_language" for k in kept
        ):
            continue
        if f.key == "age" and any(k.key == "child_age" for k in kept):
            continue
        if any(
            f.start < k.end
            and k.start < f.end
            and k.key in _STRONGER
            and not (f.wide or k.wide and k.key != "contact_time")
            for k in kept
        ):
            continue
        kept.append(f)
    return sorted(kept, key=lambda f: f.start)


_OF_PROJECTS = frozenset({"project_database", "service_port", "timeout"})


def _fits_speaker(found: Found, st: Statement) -> bool:
    """True when a clause about that person can say this: no orders by others, nothing about strangers or the agent."""
    if st.who == "user":
        return True
    if st.who == "you":
        # What stands behind a colon is no longer said of the agent: "for any flight you look up: aisle".
        return found.told or st.polite or bool(re.search(r"[:：]", st.text[: found.start]))
    if found.key == "preferred_name":
        return bool(re.search(r"[叫喊呼]我|\bcalls? me\b", st.text, re.I | re.A))
    if st.who == "other" and found.key in _OF_PROJECTS:
        return not re.search(r"\b(?:he|she|his|her)\b|[他她]", st.text, re.I | re.A)  # a project's name is no person's
    return st.who != "other" and found.others and not found.told
