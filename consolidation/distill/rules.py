"""Turns to draft notes by rules: deterministic, in English, Chinese and both mixed.

`distill` reads a session turn by turn. `reading` lets only the user's own statements through, `finding` matches them
with the slot tables, `fallback` keeps what the user marks as lasting in other words, `answers` handles short replies to
the agent. This module holds what spans turns: corrections, clarifications, retractions, and the making of notes.

A request to delete ("forget that") makes no note: it drops the drafts of this session that it names. With
`retractions=True` it also yields a draft with `retract=True` when the request names the slot.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby

from . import answers, conditions, cues, episodes, fallback, lasting, people, procedures, says, speech, states, unnamed
from .answering import Answering
from .choices import language, language_name
from .clauses import Clause, clauses, masked
from .dates import number
from .drafting import Draft
from .drafts import DraftNote, Guard, SpokenTurn
from .finding import find
from .folding import fold, is_chinese
from .found import Found
from .reading import Memory, Reading, Statement, read
from .says_work import _TOPIC_LANGUAGE


class _Session(Answering):
    """One session while it is being read."""

    def __init__(self, guard: Guard | None, retractions: bool) -> None:
        super().__init__(guard)
        self.retractions = retractions
        self.memory = Memory(None, {})
        self.playing = False
        self.read: dict[int, float] = {}
        self.left: list[unnamed.Left] = []

    def hear(self, turn: SpokenTurn, question: str) -> None:
        """Reads one turn of the user; `question` is what the agent asked just before it."""
        self.place += 1
        plain = masked(turn.text)
        if self.playing:
            self.playing = not speech.ROLE_PLAY_OVER.search(plain)
            return
        parts = clauses(turn, plain)
        self.read = dict(zip((c.end for c in parts), lasting.scores(parts, fold(question)), strict=True))
        reading = read(parts, plain, self.memory)
        self.playing = reading.plays
        self._take_back(turn, reading)
        answered = self.drafts[:]
        if question and not reading.plays and not reading.unsaid:
            self.answer(turn, plain, question)
        self.pending = []
        before = self.drafts[:]
        earlier, self.left = self.left, []
        for _, group in groupby(reading.statements, key=lambda s: s.clause.sentence):
            statements = list(group)
            if unnamed.points_back(statements[0].sentence):
                if self.left or self.drafts == before:
                    self.left = unnamed.kept(self.left or earlier)
            else:
                self._sentence(statements)
        if answered != before:
            self.left = [replace(one, beside=True) for one in self.left]
        self._unnamed(question)
        if self.drafts == before:
            self._except(turn, plain)

    def _except(self, turn: SpokenTurn, plain: str) -> None:
        """What a turn of its own takes out of the note before it: 「虾除外」, "except prawns"."""
        parts = clauses(turn, plain)
        said = next((c.plain for c in parts if conditions.exception(c.plain, "")), "")
        if not said or not self.drafts or self.drafts[-1].place != self.place - 1 or len(said) > 40:
            return
        last = self.drafts[-1]
        joint = "，" if last.chinese else ", "
        text = f"{last.note.text}{joint}{said}"
        if not self.refused(text):
            last.note = replace(last.note, text=text)

    def _take_back(self, turn: SpokenTurn, reading: Reading) -> None:
        """Drops what the user unsays; a deletion by name may be handed on as a draft that retracts."""
        if reading.unsaid:
            self.drafts = [d for d in self.drafts if d.place != self.place - 1]
        for text in reading.retracted or []:
            named = self._named(text)
            kept = [d for d in self.drafts if not d.note.retract]
            words = [d for d in kept if isinstance(d.note.value, str) and d.note.value.lower() in text.lower()]
            keys = {f.key for f in named} or {key for key in [answers.slot_named(text)] if key}
            latest = max((d.place for d in kept), default=0)
            gone = [d for d in kept if (d in words if words else d.found.key in keys if keys else d.place == latest)]
            self.drafts = [d for d in self.drafts if d not in gone]
            if not named and keys:
                named = [Found(key, None, text.strip(), 0, len(text)) for key in sorted(keys, key=str)]
            for found in named if self.retractions else []:
                if self.refused(found.text) or self.refused(text, evidence=True):
                    continue
                note = DraftNote(
                    found.text, found.key, found.value, turn.id, turn.text, 0, len(turn.text), turn.at, retract=True
                )
                self.drafts.append(Draft(note, found, self.place, is_chinese(text)))

    def _named(self, text: str) -> list[Found]:
        text = _ASKED.sub("", _THAT_FACT.sub("", _AWAY.sub("", text.rstrip(" 。.!！"))))
        turn = SpokenTurn("", 0, "user", text, _EPOCH)
        clause = Clause(turn, 0, len(text), text, 0, 0)
        return find(Statement(clause, text, 0, lasting=True))

    # --- one statement ---------------------------------------------------------------------------------------
    def _sentence(self, statements: list[Statement]) -> None:
        """All statements of one sentence; what fits no slot is only kept when the whole sentence fits none."""
        first = statements[0]
        if first.who in ("user", "you") and (p := procedures.procedure(first.sentence, is_chinese(first.sentence))):
            self.add(Found(p.key, p.value, p.text, 0, 0, kind="procedural", wide=True, condition=p.condition), first)
            return
        spoke = {st.clause.place for st in statements if self._speaks(st)}
        if not spoke and not self.pending:
            for st in statements:
                if st.who in ("user", "you"):
                    for rule in (fallback.remembered, fallback.agreed, fallback.standing):
                        if got := rule(st):
                            self.add(self._on_trips(got, st), st)
                            self._facts([s for s in statements if s.clause.start >= st.clause.start + got.end], True)
                            return
        self._facts([st for st in statements if st.clause.place not in spoke], bool(spoke))

    def _speaks(self, st: Statement) -> bool:
        before = len(self.drafts), self.drafts[-1:]
        return self._state(st) or (len(self.drafts), self.drafts[-1:]) != before

    def _facts(self, statements: list[Statement], beside: bool) -> None:
        """Keeps the facts in these statements; what states none is left for the trained reading."""
        silent, facts = [], []
        for st in statements:
            if st.who != "you" and (got := states.fact(st)):
                facts.append((st, got))
            else:
                silent.append(st)
        for st, got in facts:
            on = unnamed.goes_on(st, [(s, self.read.get(s.clause.end, -9.0)) for s in silent], got)
            self.add(replace(got, scope="user"), st) if len(on) < 2 else self.add(*unnamed.whole(got, on))
            silent = [s for s in silent if s not in on]
        beside = beside or bool(facts)
        self.left += [unnamed.Left(st, self.read.get(st.clause.end, -9.0), beside) for st in silent]

    def _unnamed(self, question: str) -> None:
        """Keeps what no rule has named, but what reads as lasting."""
        asked = answers.last_question(fold(question))
        for run in unnamed.once_each(unnamed.runs(self.left, bool(asked))):
            if got := unnamed.note(run, asked):
                self.add(*got)
        if now := unnamed.for_now(self.left):
            self.add(*now)

    @staticmethod
    def _on_trips(got: Found, st: Statement) -> Found:
        """A standing order with the kind of trip that it is for, said in it or just before it."""
        own = conditions.of_trip(got.text)
        before = "travel" if not own and conditions.of_trip(st.lead) else got.family
        return replace(got, scope="user", condition=got.condition or own, family=before)

    def _state(self, st: Statement) -> bool:
        """True when the clause said something about a slot, new or not."""
        chinese = is_chinese(st.clause.said)
        if self._same_again(st, chinese) or self._bare_correction(st, chinese):
            return True
        found = find(st)
        for f in found:
            if not f.licensed:
                self.pending.append((f, st))
                continue
            self.add(f, st)
            if f.others and (other := people.together(st.text)):
                self.add(f, replace(st, who=other.who, subject=other.subject))
        if re.match(r"^(?:\W*)not (?:me|mine)\b|^不是我", st.text, re.I | re.A):
            self._not_me()
        elif not any(f.licensed for f in found):
            self._else(st, chinese)
        return any(f.licensed for f in found)

    def _else(self, st: Statement, chinese: bool) -> None:
        """What no slot holds, but what stands for itself: "I don't mind", an event with a date."""
        if self._indifferent(st, chinese):
            return
        if st.who == "user":
            reason = next((c for c in re.split(r"[，,]", st.rest)[1:2] if episodes.is_reason(c.strip())), "")
            if (
                not episodes.is_reason(st.text)
                and not st.task
                and (e := episodes.episode(st.text, reason.strip(), st.clause.turn.at, chinese))
            ):
                self.add(
                    Found(
                        "episode",
                        e.value,
                        e.text,
                        0,
                        len(st.text) + (len(reason) + 1 if reason else 0),
                        kind="episodic",
                        scope="user",
                        occurred=e.when.start,
                        confidence=0.7,
                    ),
                    st,
                )

    def _same_again(self, st: Statement, chinese: bool) -> bool:
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
        r"^(?:不对|不是|错了|我?[说打写记讲]错了|更正|口误|笔误|typo|oops|my bad|no|nope|sorry|actually|wait|correction|i meant|i mean|scratch that|make it|rather)?[，,:：\s]*(?:应该是|其实是|改成|是|it's|it is|it should be|should be|make it|i meant|i said)\s*(?P<v>[^，。,;]{1,24})$",
        re.I | re.A,
    )

    def _bare_correction(self, st: Statement, chinese: bool) -> bool:
        """「说错了，应该是 3000」: the same slot with another value, when the clause names no slot itself."""
        earlier = [d for d in self.drafts if d.place >= self.place - 2]
        m = self._BARE.match(st.text)
        if not st.correcting or not m or not earlier or find(st):
            return False
        last, value = earlier[-1], re.split(r",? not |，?不是|，?而不是", says.clean(m["v"]))[0].strip()
        key = last.found.key
        if self._other_count(last, value, st):
            return True
        if not key or last.found.template == ("{}", "{}") or re.search(r"[你您]|\byou\b", value):
            return False
        if key == "name" and len(value) == 1 and str(last.note.value).endswith(value):
            return True
        new, shown = value, value
        if key.endswith("budget"):
            amount = re.search(says.AMOUNT, value, re.I | re.A)
            unit = str(last.note.value).split(" ")[1:]
            if not amount or not (got := says.amount(amount)):
                return False
            new = got if " " in got or not unit else f"{got} {unit[0]}"
            shown = says.spoken_amount(new, chinese)
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

    def _indifferent(self, st: Statement, chinese: bool) -> bool:
        if not self._ANY.match(st.text) or not self.drafts or self.drafts[-1].place != self.place:
            return False
        last = self.drafts[-1]
        if last.found.key not in _NAMES or last.note.subject == st.subject:
            return False
        zh, en = _NAMES[last.found.key]
        text = f"{zh}无要求" if chinese else f"No preference for {en}"
        self.add(Found(last.found.key, "any", text, 0, len(st.text)), replace(st, who="user", subject=None))
        return True

    def _not_me(self) -> None:
        if self.drafts and self.drafts[-1].note.subject:
            last = self.drafts[-1]
            self.drafts = [
                d
                for d in self.drafts
                if d is last
                or not (d.found.key == last.found.key and not d.note.subject and d.note.value == last.note.value)
            ]


_NAMES = {
    "meal_preference": ("餐食", "meals"), "seat_preference": ("座位", "seats"), "room_type": ("房型", "rooms"), "transport_preference": ("交通方式", "transport"),
    "departure_time_preference": ("出发时间", "departure times"), "diet": ("饮食", "diet"), "dislikes": ("饮食", "food"), "allergy": ("饮食", "food"), "theme": ("主题", "themes"), "meeting_tool": ("会议工具", "meeting tools"),
}  # fmt: skip
_ASKED = re.compile(
    r"^(?:please |pls |and |also )*(?:forget|delete|remove|erase|drop|clear|scrub|wipe)(?: (?:the )?(?:fact|note|memory|bit|part))?(?: that| about(?: how)?)? (?=(?:i|we|my|our)\b)",
    re.I | re.A,
)
_AWAY = re.compile(r"(?:都)?(?:给)?(?:我)?(?:删掉|删除|删了|删去|清除|抹掉|去掉|撤回|移除|清空)(?:吧|了)?$")
_THAT_FACT = re.compile(r"(?:的)?(?:这|那)(?:件|个|条|回)?(?:事(?:情|儿)?|信息|记录|话|点)?(?:吧|了)?$")
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def distill(turns: Sequence[SpokenTurn], guard: Guard | None = None, retractions: bool = False) -> list[DraftNote]:
    """The notes that the user's own words in these turns give, in the order in which they were said."""
    session = _Session(guard, retractions)
    question = ""
    for turn in sorted(turns, key=lambda t: t.index):
        if turn.recalled or not turn.text:
            continue
        if turn.role == "assistant":
            question = turn.text[-2000:]
        elif turn.role == "user":
            session.hear(turn, question)
            question = ""
    return [d.note for d in session.drafts]
