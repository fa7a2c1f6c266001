"""Tastes as notes: what is liked, disliked, drunk or not borne, with what it is preferred to and why."""

import re
from collections.abc import Iterator

from . import cues, negation
from .found import Found, unquoted
from .reading import Statement
from .reasons import reason_of
from .says import clean
from .tastes import tastes

_CUP = re.compile(r"\b(?:take|have|drink) my (coffee|tea)\b", re.I | re.A)
#: Said of somebody: "my landlady hates noise" is no taste of the user's.
_OF_ANOTHER = re.compile(
    r"\b(?:hates|loves|likes|dislikes|enjoys|detests|adores|can't stand)\b(?<!I can't stand)", re.A
)
_RATHER = re.compile(r"\bprefers? .* (?:to|over) |更(?:喜欢|愿意|爱)", re.I | re.A)
#: One drink or food in the place of another: 「不喝可乐了，改喝乌龙茶」.
INSTEAD_OF = re.compile(
    r"(?:我们?|现在|已经|早就|也|都)*(?:不(?:再)?|戒(?:掉)?)(?P<verb>[喝吃用抽])?了?(?P<v>[^，。了喝吃用抽]{1,10}?)了?，(?:现在|以后|所以)?(?:都|就|只|我)?(?P<how>改[喝吃用]|换成?|只[喝吃用])"
)
_WHEN_ZH = re.compile(
    r"(?:(?:下午|晚上|上午|早上|中午|夜里)?[^，。我]{0,8}(?:以后|之后|以前|之前|点后|点前)|睡前|空腹)(?=我?(?:就|都|从)?不)"
)


def _worded(template: str, shown: str, said: str, key: str) -> str:
    """The taste as a note, with what it is preferred to and from what time on it holds."""
    if key == "likes" and _RATHER.search(said):
        template = template.replace("Likes", "Prefers").replace("喜欢", "更喜欢", 1)
    text = template.replace("{v}", shown)
    when = _WHEN_ZH.match(said) if key == "dislikes" else None
    return f"{when[0]}{text}" if when else text


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
            if (cup := _CUP.search(st.text)) and taste.key == "beverage" and cup[1] not in shown:
                stored, worded = f"{stored} {cup[1]}", f"{worded} {cup[1]}"
            yield Found(
                taste.key,
                f"no_{stored}" if gone else stored,
                f"{worded}{'，' if han else ', '}{why}" if why else worded,
                *taste.span,
                scope="user",
                template=(zh.replace("{v}", "{}"), en.replace("{v}", "{}")),
                confidence=0.8,
            )
