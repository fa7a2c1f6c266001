"""Notes in the making: from what a rule found to a note with its wording and evidence, and how notes replace each other."""

import re
from dataclasses import dataclass, replace

from . import conditions, dates, people, speech, wording
from .clauses import CODE, QUOTED, Clause
from .drafts import DraftNote, Guard
from .finding import booking
from .folding import fold, in_chinese, is_traditional, spaced, to_traditional, visible
from .found import MANY, Found
from .reading import Statement

MAX_NOTES = 200
_AGEING = ("age", "child_age", "children_ages", "children")


@dataclass
class Draft:
    """A note with what later turns may still need to change it."""

    note: DraftNote
    found: Found
    place: int
    chinese: bool
    correcting: bool = False
    at: int = 0


class Drafting:
    """The drafts of one session so far; `place` counts the user's turns."""

    def __init__(self, guard: Guard | None) -> None:
        self.guard = guard
        self.drafts: list[Draft] = []
        self.place = 0
        self._verdicts: dict[str, str | None] = {}

    def refused(self, text: str, evidence: bool = False) -> bool:
        """True when the guard finds the text unsafe; each text is looked at once.

        A guess is no reason in evidence: 「应该是」 corrects here, and whether something is stated was read before.
        """
        if self.guard is None:
            return False
        if text not in self._verdicts:
            self._verdicts[text] = self.guard(text)
        category = self._verdicts[text]
        return category is not None and not (evidence and category == "speculation")

    def rescope(self, drafts: list[Draft], scope: str, clause: Clause | None) -> None:
        for d in drafts:
            if d.found.scope == "user" or d.note.kind in ("procedural", "episodic"):
                continue
            note = replace(d.note, scope=scope)
            if scope == "session":
                note = replace(note, kind="working")
                if d.note.scope != "session":
                    note = replace(note, text=_now(d.note.text, "", d.chinese))
            else:
                note = replace(note, kind="semantic" if note.kind == "working" else note.kind)
                note = replace(note, text=_text(d.found, None, note.condition, None, d.chinese, note.text))
            if clause and clause.turn.id == note.turn and clause.end > note.end:
                note = replace(note, end=clause.end, quote=clause.turn.text[note.start : clause.end])
            d.note = note

    def add(self, found: Found, st: Statement) -> None:
        """Keeps what was found as a draft, unless the guard refuses its words or those it was found in."""
        turn = st.clause.turn
        scope = _scope(found, st)
        condition = _condition(found, st, scope)
        start, end = self._span(found, st, condition)
        chinese = in_chinese(turn.text[st.clause.start : st.clause.end], turn.text)
        subject = _subject(found, st)
        text = visible(_worded(found, st, scope, condition, chinese))
        if (
            not text
            or speech.SECRET.search(fold(f"{text}\n{turn.text[start:end]}"))
            or self.refused(text)
            or self.refused(turn.text[st.offset : st.offset + len(st.raw)], evidence=True)
        ):
            return
        kind = "working" if scope == "session" else found.kind
        note = DraftNote(
            text,
            found.key,
            visible(found.value) if isinstance(found.value, str) else found.value,
            turn.id,
            turn.text[start:end],
            start,
            end,
            turn.at,
            condition,
            subject,
            kind,
            scope,
            found.occurred,
            found.confidence,
            False,
        )
        self._replace_older(Draft(note, found, self.place, chinese, st.correcting, st.clause.start + found.start))

    @staticmethod
    def _span(found: Found, st: Statement, condition: str | None) -> tuple[int, int]:
        if found.wide:
            return st.offset, st.offset + len(st.raw)
        start, end = st.clause.start, st.clause.end
        if found.end > len(st.text):
            end = min(st.offset + len(st.raw), start + found.end)
        if st.apart_span:
            start, end = min(start, st.apart_span[0]), max(end, st.apart_span[1])
        if st.carried_from is not None and condition and not conditions.condition(found.family, st.text):
            start = min(start, st.carried_from)
        return start, end

    def _replace_older(self, new: Draft) -> None:
        key, kept = new.found.key, []
        for old in self.drafts:
            same = old.found.key == key and key is not None and old.note.subject == new.note.subject
            value = str(old.note.value).lower() == str(new.note.value).lower()
            if same and value and old.note.scope == new.note.scope and old.note.condition == new.note.condition:
                if old.place == new.place or key in MANY:
                    return
                continue
            if same and new.found.negative and not old.found.negative and old.place == new.place and key not in MANY:
                return  # what is used now says more than what is not
            if same and value and old.place == new.place and old.note.scope == "session" and new.note.scope == "user":
                continue
            if (
                same
                and value
                and old.place == new.place
                and old.note.scope == "user"
                and old.note.condition == new.note.condition
            ):
                return
            if (
                same
                and key not in MANY
                and old.note.condition == new.note.condition
                and (
                    old.note.scope == new.note.scope
                    or new.correcting
                    and old.place < new.place
                    # What was for this time stays so when something else is said to hold for good.
                    and (value or old.note.scope != "session")
                )
            ):
                if old.place == new.place and not new.correcting and old.at == new.at:
                    return
                continue
            if {old.found.key, key} == {"likes", "dislikes"} and value and old.note.subject == new.note.subject:
                continue
            if key is None and old.note.text == new.note.text:
                return
            kept.append(old)
        if len(kept) < MAX_NOTES:
            self.drafts = [*kept, new]


def _condition(found: Found, st: Statement, scope: str) -> str | None:
    """When it holds; a journey of this session is no condition beside the session."""
    condition = (
        found.condition
        or conditions.condition(found.family, st.text)
        or (conditions.condition(found.family, st.lead) if found.family == "travel" and st.lead else None)
    )
    if found.family in ("service", "project") and not condition:
        condition = conditions.condition(found.family, st.sentence)
    condition = condition or st.apart
    return None if scope == "session" and condition in ("business_trip", "family_trip", "weekend") else condition


def _subject(found: Found, st: Statement) -> str | None:
    return (
        None
        if st.who in ("user", "you") or found.key in ("children", "children_ages", "manager", "preferred_name")
        else st.subject
    )


def _worded(found: Found, st: Statement, scope: str, condition: str | None, chinese: bool) -> str:
    """The note's words: whom it is about, when it holds, and of what changes with time the month."""
    turn = st.clause.turn
    cue = st.cue if scope == "session" else None
    subject = _subject(found, st)
    who = people.display(subject, chinese, st.who, st.text) if subject else None
    text = _text(found, cue, condition, who, chinese)
    words = wording.own(found, st, text, condition, chinese)
    if words and scope == "user":
        words = dates.resolved(words, turn.at, chinese) or ""
    if words:
        within = condition and conditions.condition(found.family, st.text) == condition
        said = replace(found, text=words, family="" if within else found.family)
        text = _text(said, None if cue and cue in st.text else cue, condition, None, chinese)
    if st.apart and st.apart != condition:
        text = f"{text}，{st.apart.removeprefix('except ')}除外" if chinese else f"{text} {st.apart}"
    if is_traditional(turn.text):
        text = to_traditional(text, turn.text)
    if found.key in _AGEING:
        text = f"{text}（{turn.at:%Y-%m}）" if chinese else f"{text} (as of {turn.at:%Y-%m})"
    return re.sub(" {2,}", " ", spaced(_restored(text, st))).replace(QUOTED, "").replace(CODE, "").strip()[:300]


_LONGEST_NAME = 16


def _restored(text: str, st: Statement) -> str:
    """The text with short quotations, which are names and titles, in place of what masks them."""
    said = st.clause.turn.text[st.offset : st.offset + len(st.raw)]
    quoted = {m.end() - m.start(): said[m.start() : m.end()] for m in re.finditer(f"{QUOTED}+", st.raw)}
    return re.sub(f"{QUOTED}+", lambda m: quoted.get(len(m[0]), "") if len(m[0]) <= _LONGEST_NAME else "", text)


def _scope(found: Found, st: Statement) -> str:
    if found.scope:
        return found.scope
    if st.lasting or found.kind in ("procedural", "episodic"):
        return "user"
    if st.session:
        return "session"
    return "session" if booking(found.family, st) else "user"


_NOW_ZH = ("这次", "本次", "今天", "今晚", "明天", "此次", "这趟", "这回", "暂时")


def _now(text: str, cue: str, chinese: bool) -> str:
    """The note's text limited to now, with the user's own word for it."""
    if chinese:
        word = next((w for w in _NOW_ZH if w in cue), "这次")
        return text if text.startswith(_NOW_ZH) else word + text
    word = re.sub(r"^(?:just |only )?(?:for )?", "", cue.strip().lower())
    if word and word in text.lower():
        return text
    return f"{text} ({word})" if word else f"{text} (this time only)"


def _joint(text: str) -> str:
    """Nothing before a verb ("dislikes coriander"), "is" before what somebody is ("vegan"), else a colon."""
    if re.match(
        r"(?!(?:seats|replies|meetings|flights|rooms)\b)(?:[a-z]{2,}s|is|was|has|have|can't|cannot|never|ran|went|had|moved)\b",
        text,
        re.I,
    ):
        return ""
    if re.match(
        r"(?:allergic|not allergic|aged|vegan|vegetarian|pescatarian|single|married|engaged|divorced|[a-z]+ intolerant|\w+ member)\b",
        text,
        re.I,
    ):
        return " is"
    return ":"


def _text(
    found: Found, cue: str | None, condition: str | None, who: str | None, chinese: bool, base: str | None = None
) -> str:
    text = base or found.text
    if (
        condition
        and not base
        and (found.family == "travel" or condition.startswith("except "))
        and (said := conditions.spoken(condition, chinese))
        and said not in text
    ):
        text = f"{said}{text}" if chinese else f"{text} {said}"
    if who and not base and found.key != "relationship":
        gap = " " if chinese and who.isascii() else ""
        text = (
            f"{who}{gap}{text}" if chinese else f"{who[:1].upper()}{who[1:]}{_joint(text)} {text[:1].lower()}{text[1:]}"
        )
    if cue is not None and found.scope != "user":
        text = _now(text, cue, chinese)
    return text
