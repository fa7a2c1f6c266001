"""Facts about the user that no slot names: what they have, do as a habit, gave up, measure; kept in their own words.

A clause is such a fact when its subject is the user, or something of theirs, and its verb holds for longer than a day:
- a verb of having or being able ("speak", "own", "run a …", 养, 会), with an object that is named, not pointed at;
- a verb of doing, with a measure of habit or time beside it ("at bedtime", "since 2021", 每晚, 两年了);
- a verb of change that leaves a state ("quit", "switched to", 戒了, 换成);
- a property of the user's own ("my blood type is", 「房贷还剩」).
Feelings, requests, errands and what is going on right now have none of these shapes.
"""

import re
from dataclasses import replace

from . import cues, states_en, states_zh, tasting
from .fallback import note
from .folding import is_chinese
from .found import Found
from .reading import Statement
from .reasons import is_reason

_AFTERTHOUGHT = re.compile(
    r"(?:,? (?:btw|by the way|fyi|lol|haha|tbh|though|you know|thanks|ok|okay|too))+$", re.I | re.A
)
# Said of the user instead of by them, as far as `fallback.note` does not do it.
_PERSONS = tuple(
    (re.compile(pattern, re.I | re.A), new)
    for pattern, new in (
        (r"^(?:on )?((?:mon|tues|wednes|thurs|fri|satur|sun)days?),? (?:i|we) (.*)$", r"I \2 on \1"), (r"^we(?=['\s])", "I"), (r"^I've (?:got )?(?=\w)", "I have "), (r"^I'm ", "I am "), (r"^(?:my|our) ", ""),
        (r"^我们?家(?=[一二三四五两\d])", "家里有"), (r"^我们?家(?=[狗猫])", "家里的"), (r"^我们?(?=组|团队|公司|部门|学校|项目组)", "所在"), (r"^我们?店(?!里)", "店里"), (r"^([^我，]{1,12})我(?!们)", r"\1"),
    )
)  # fmt: skip
_LASTED = re.compile(
    r"[\d一二两三四五六七八九十几多半]+\s?(?:个?月|年|天|周)(?:多)?了|还剩|今年|\bfor (?:the (?:last|past) )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|many|several) (?:years|months|weeks)\b|\b(?:years|months) left\b",
    re.I | re.A,
)


def _gone_on(st: Statement, chinese: bool) -> str:
    """The clause with those that go on with it: a figure, a time, an exception, a reason."""
    parts = [p.strip() for p in re.split(r"[，,]\s*", st.rest)]
    words, said, joint = (states_zh, st.text, "，") if chinese else (states_en, st.text, ", ")
    for part in parts[1:4]:
        passing = words.PASSING.search(part)
        if (
            passing
            or len(part) > 60
            or (not chinese and states_en.OWN_SUBJECT.search(part))
            or not (words.GOES_ON.match(part) or is_reason(part) or (chinese and states_zh.GOES_ON.search(part)))
        ):
            break
        said = f"{said}{joint}{part}"
    return said


def _english(text: str) -> bool:
    if states_en.PASSING.search(text) or states_en.MOODY.search(text):
        return False
    for pattern in states_en.STATES:
        m = pattern.match(text)
        if m and not states_en.POINTS.match(m.groupdict().get("v") or ""):
            return True
    m = states_en.DOES.match(text)
    return bool(m and re.search(states_en.HABIT, text, re.I | re.A) and not states_en.POINTS.match(m["v"]))


def _chinese(text: str) -> bool:
    if states_zh.PASSING.search(text):
        return False
    if any(pattern.match(text) for pattern in states_zh.STATES):
        return True
    return bool(states_zh.HABIT.match(text) and re.search(states_zh.SPAN, text))


def fact(st: Statement) -> Found | None:
    """The fact that a clause states of the user or of somebody near, when no slot says it better."""
    chinese = is_chinese(st.text)
    if chinese and tasting.INSTEAD_OF.match(st.rest):
        return None  # what is drunk or eaten instead tells of it
    if st.session or st.task or cues.TASK.search(st.text) or len(st.text) < (4 if chinese else 10):
        return None
    if st.text.endswith("吧") or not (_chinese(st.text) if chinese else _english(st.text)):
        return None
    words, said = states_zh if chinese else states_en, _gone_on(st, chinese)
    kin = words.KIN.match(st.text)
    lead = re.match(words.LEAD, said, re.I | re.A)
    # Whom it is about is the note's subject, and stands before its text.
    start = kin.start("said") if kin and st.subject else lead.end() if lead else 0
    said = _AFTERTHOUGHT.sub("", said[start:])
    for pattern, new in _PERSONS:
        said = pattern.sub(new, said, count=1)
    found = note(said, st, 0, confidence=0.6)
    if found is None or not _LASTED.search(said):
        return found
    # How long something has lasted means nothing without the day on which it was said.
    month = f"{st.clause.turn.at:%Y-%m}"
    return replace(found, text=f"{found.text}（{month}）" if chinese else f"{found.text} (as of {month})")
