"""What refers to a note that was made before: the same again, another value for it, only now or at other times."""

import re
from dataclasses import replace

from . import answers, conditions, cues, open_slots
from .answering import Answering
from .choices import LANGUAGE_EN, LANGUAGE_ZH, language, language_name
from .dates import number
from .drafting import Draft
from .finding import find
from .folding import is_chinese
from .found import MANY, Found
from .reading import Statement
from .third_person import said_of_user
from .work_slots import _TOPIC_LANGUAGE

_NAMES = {
    "meal_preference": ("餐食", "meals"), "seat_preference": ("座位", "seats"), "room_type": ("房型", "rooms"), "transport_preference": ("交通方式", "transport"),
    "departure_time_preference": ("出发时间", "departure times"), "diet": ("饮食", "diet"), "dislikes": ("饮食", "food"), "allergy": ("饮食", "food"), "theme": ("主题", "themes"), "meeting_tool": ("会议工具", "meeting tools"),
}  # fmt: skip


def _within(text: str, situation: str) -> str:
    """The note's text with where or when it holds."""
    if situation.lower() in text.lower():
        return text
    said = said_of_user(situation, is_chinese(text))
    return f"{said}{text}" if is_chinese(text) else f"{text} {said[:1].lower()}{said[1:]}"


def _of_trips(found: Found, condition: str | None) -> Found:
    """What was found, for those trips and for good."""
    return replace(found, condition=condition, scope="user", licensed=True) if condition else found


def _of(name: str, text: str, before: str, old: str, new: str) -> str:
    """What a note says of one project, said of the one with that name."""
    known = before.removeprefix("project:")
    said = re.sub(rf"(?<![\w-]){re.escape(known)}(?![\w-])", name, text.replace(old, new), flags=re.I)
    if name in said:
        return said
    return f"{name} {said}" if is_chinese(text) else f"{name[:1].upper()}{name[1:]}: {said[:1].lower()}{said[1:]}"


_LANGUAGE = re.compile(rf"{LANGUAGE_ZH}|\b(?:{LANGUAGE_EN})\b", re.I | re.A)


def _same_kind(last: Draft, said: str, chinese: bool) -> Found | None:
    """Another sum or language for the slot of the note, where the words name one and no other slot."""
    key, template = last.found.key or "", last.found.template[0 if chinese else 1].replace("{v}", "{}")
    if (
        key.endswith("budget")
        and (m := re.search(open_slots.AMOUNT, said, re.I | re.A))
        and (value := open_slots.amount(m))
    ):
        unit = str(last.note.value).split(" ")[1:]
        value = value if " " in value or not unit else f"{value} {unit[0]}"
        return replace(
            last.found, value=value, text=template.format(open_slots.spoken_amount(value, chinese)), end=len(said)
        )
    named = {language(m[0]) for m in _LANGUAGE.finditer(said)} - {None}
    if key.endswith("_language") and key != "primary_language" and len(named) == 1 and len(said) < 40:
        code = named.pop() or ""
        return replace(last.found, value=code, text=template.format(language_name(code, chinese)), end=len(said))
    return None


class Referring(Answering):
    """Drafts that what is said later takes up."""

    def apart(self, found: Found, st: Statement) -> Found:
        """What was found, with where or when it holds, if its sentence's neighbour holds at another place or time."""
        rival = next((d for d in self.drafts if d.found.key == found.key and d.place == self.place), None)
        if rival is None or found.key in MANY or found.condition or str(rival.note.value) == str(found.value):
            return found
        here, there = conditions.situation(st.text), conditions.situation(rival.note.quote)
        if found.family == "travel" and (conditions.of_travel(st.text) or conditions.of_travel(st.lead)):
            return found
        if here == there or st.correcting or rival.note.subject != st.subject:
            return found
        if there and not rival.note.condition:
            rival.note = replace(rival.note, condition=there, text=_within(rival.note.text, there))
        return replace(found, condition=here, text=_within(found.text, here)) if here else found

    def only_now(self, st: Statement) -> bool:
        """True when the clause only says that what its sentence has said holds now: "…, just this paragraph"."""
        bare = re.sub(r"\W+|只是|就|也|just|only|for|please|in", "", cues.SESSION.sub("", st.text), flags=re.I)
        said = [d for d in self.drafts if d.place == self.place and d.at >= st.offset]
        if bare or not st.session or st.lasting or not said:
            return False
        self.rescope(said, "session", st.clause)
        return True

    def otherwise(self, st: Statement) -> list[Found]:
        """What the slot of the note before holds at other times, on other trips: 「今天开会用 A，平时还是 B」."""
        if not self.drafts or st.who not in ("user", "you"):
            return []
        last = self.drafts[-1]
        if last.place < self.place - 1:
            return []
        condition = conditions.opposed(st.text, last.note.condition) if self._beside(last, st) else None
        if not condition and (not (st.lasting or st.session) or (last.note.scope == "session") == st.session):
            return []
        if condition and last.note.scope == "session":
            return []
        if found := find(replace(st, correcting=True)):
            same = [f for f in found if f.key == last.found.key and f.value != last.note.value]
            return [_of_trips(f, condition) for f in same]
        chinese, key = is_chinese(st.text), last.found.key or ""
        said = cues.SESSION.sub("", cues.LASTING.sub("", st.text)).strip()
        if not condition and (other := _same_kind(last, said, chinese)):
            return [other]
        token = answers.bare(key, said, 60 if condition else 30)
        if not token or token == last.note.value or not (worded := answers.choice_words(key, token, chinese)):
            return []
        return [_of_trips(Found(key, token, worded[0], 0, len(st.text), worded[1]), condition)]

    def _beside(self, last: Draft, st: Statement) -> bool:
        """True when the note was made of the words just before these, and is about trips."""
        return last.place == self.place and last.found.family == "travel"

    _ELLIPSIS = re.compile(
        r"^(?:and |but |while )?(?:the )?(?P<of>[a-z][\w-]*)(?: (?:project|service|api|app|team|one))?(?:'s)?(?:,| is the one on| is on| runs on| runs| is| uses| listens on| has| on| gets) (?:port )?(?P<v>[\w.+#-]+(?: [A-Z][\w.]+)?)$"
        r"|^(?:而|但)?(?P<of2>[\u3400-\u9fffA-Za-z][\u3400-\u9fff\w-]*?)(?:这个|那个)?(?:项目|服务|系统|那边)?(?:的)?(?:则|就|的)?(?:是|用的?是?|在|跑在|用)(?P<v2>[A-Za-z0-9][\w.+# -]*?)(?:端口)?$",
        re.I | re.A,
    )

    def same_of_another(self, st: Statement) -> list[Found]:
        """The slot of the note just before for another project: 「orders 用 A，reports 用 B」 says of both what they use."""
        last, m = self.drafts[-1] if self.drafts else None, self._ELLIPSIS.match(st.text)
        if not m or last is None or last.place != self.place or last.found.family not in ("project", "service"):
            return []
        name, value = (m["of"] or m["of2"]).lower(), m["v"] or m["v2"]
        before, old = last.note.condition, str(last.note.value)
        if not before or value.isdigit() != old.isdigit() or not value.isdigit() and value.islower() != old.islower():
            return []
        condition = conditions.named(name, before)
        if condition == before or name in ("it", "that", "this", "which", "everything"):
            return []
        text = _of(name, last.note.text, before, old, value)
        return [replace(last.found, value=value, text=text, start=0, end=len(st.text), condition=condition)]

    def same_again(self, st: Statement, chinese: bool) -> bool:
        """「commit message 也是」, 「以后都这样」: the value of the note before, for another slot or for good."""
        if not cues.SAME_AGAIN.search(st.text) or not self.drafts or len(st.text) > 60:
            return False
        last = self.drafts[-1]
        for key, topic, zh, en in _TOPIC_LANGUAGE:
            if (
                re.search(rf"(?<![a-z]){topic}", st.text, re.I | re.A)
                and isinstance(last.note.value, str)
                and (last.found.key or "").endswith("_language")
                and language_name(last.note.value, False) != last.note.value
            ):
                shown = language_name(last.note.value, chinese)
                self.add(
                    Found(
                        key, last.note.value, (zh if chinese else en).replace("{v}", shown), 0, len(st.text), told=True
                    ),
                    st,
                )
                return True
        if (
            last.place >= self.place - 1
            and (st.lasting or st.session)
            and not cues.TASK.search(st.text)
            and not find(st)
        ):
            self.rescope([last], "user" if st.lasting else "session", st.clause)
            return True
        return False

    _BARE = re.compile(
        r"^(?:不对|不是|错了|我?[说打写记讲]错了|更正|口误|笔误|typo|oops|my bad|no|nope|sorry|actually|wait|correction|i meant|i mean|scratch that|make it|rather)?[，,:：\s]*(?:应该是|其实是|改成|是|it's|it is|it should be|should be|make it|i meant|i said|(?=(?:in|at|to|on) (?-i:[A-Z])))\s*(?:in |at |to |on )?(?P<v>[^，。,;]{1,24})$",
        re.I | re.A,
    )

    def bare_correction(self, st: Statement, chinese: bool) -> bool:
        """「说错了，应该是 3000」: the same slot with another value, when the clause names no slot itself."""
        earlier = [d for d in self.drafts if d.place >= self.place - 2]
        m = self._BARE.match(st.text)
        if not st.correcting or not m or not earlier or find(st):
            return False
        last, value = earlier[-1], re.split(r",? not |，?不是|，?而不是", open_slots.clean(m["v"]))[0].strip()
        key = last.found.key
        if self._other_count(last, value, st):
            return True
        if not key or last.found.template == ("{}", "{}") or re.search(r"[你您]|\byou\b", value):
            return False
        if key == "name" and len(value) == 1 and str(last.note.value).endswith(value):
            return True
        new, shown = value, value
        if key.endswith("budget"):
            amount = re.search(open_slots.AMOUNT, value, re.I | re.A)
            unit = str(last.note.value).split(" ")[1:]
            if not amount or not (got := open_slots.amount(amount)):
                return False
            new = got if " " in got or not unit else f"{got} {unit[0]}"
            shown = open_slots.spoken_amount(new, chinese)
        elif key.endswith("_language") and key != "primary_language":
            code = language(value)
            if not code:
                return False
            new, shown = code, language_name(code, chinese)
        template = last.found.template[0 if chinese else 1]
        text = template.replace("{v}", "{}").format(shown) if "{v}" in template or "{}" in template else shown
        self.add(
            replace(last.found, value=new, text=text, start=0, end=len(st.text)),
            replace(st, who="user" if not last.note.subject else st.who, subject=last.note.subject),
        )
        return True

    _COUNT = re.compile(
        r"(?:\d+(?:\.\d+)?|[零一二两三四五六七八九十百]+)\s?(?P<zh>[只个岁条头辆张口位间台本次名杯斤])|\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?: (?P<en>[a-z]+))?",
        re.I | re.A,
    )

    def _other_count(self, last: Draft, value: str, st: Statement) -> bool:
        """「打错了，是两只」: the note's one count of the same thing is another one."""
        text = re.sub(r"\s*[(（].*", "", last.note.text)  # without the date that it is told as of
        said, held = self._COUNT.fullmatch(value), list(self._COUNT.finditer(text))
        if not said or len(held) != 1 or (said["zh"] or "") != (held[0]["zh"] or ""):
            return False
        if said["en"] and said["en"].lower() != (held[0]["en"] or "").lower():
            return False
        old = held[0][0] if said["zh"] or said["en"] else held[0][0].split()[0]
        told, count = (
            str(last.note.value),
            number(re.sub(r"[\u3400-\u9fff]$", "", value) if said["zh"] else value.split()[0]),
        )
        new = f"{count:g}" if told.isdigit() and count is not None else told.replace(old, value)
        self.drafts.remove(last)
        self.add(
            replace(last.found, value=new, text=text.replace(old, value), start=0, end=len(st.text)),
            replace(st, who="user" if not last.note.subject else st.who, subject=last.note.subject),
        )
        return True

    _ANY = re.compile(
        r"^(?:我|我们|我自己|本人)?(?:的话)?(?:就|都|则)?(?:随便|都行|都可以|无所谓|不挑|没要求|什么都行)$|^(?:and |but )?(?:i(?:'m| am) (?:fine|ok|okay|good|easy) with (?:anything|whatever|any)|i don't (?:mind|care)|anything (?:works|is fine|goes) for me|any(?:thing)? for me)$",
        re.I | re.A,
    )

    def indifferent(self, st: Statement, chinese: bool) -> bool:
        if not self._ANY.match(st.text) or not self.drafts or self.drafts[-1].place != self.place:
            return False
        last = self.drafts[-1]
        if last.found.key not in _NAMES or last.note.subject == st.subject:
            return False
        zh, en = _NAMES[last.found.key]
        text = f"{zh}无要求" if chinese else f"No preference for {en}"
        self.add(Found(last.found.key, "any", text, 0, len(st.text)), replace(st, who="user", subject=None))
        return True
