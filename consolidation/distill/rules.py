"""Turns to draft notes by rules: deterministic, in English, Chinese and both mixed.

`distill` reads a session turn by turn. `reading` lets only the user's own statements through, `finding` matches them
with the slot tables, `own_words` keeps what reads as lasting in the user's own words, `answering` handles short replies to
the agent. This module holds what spans turns: corrections, clarifications, retractions, and the making of notes.

A request to delete ("forget that") makes no note: it drops the drafts of this session that it names. With
`retractions=True` it also yields a draft with `retract=True` when the request names the slot.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby

from . import answers, conditions, cues, episodes, lasting, own_words, passing, people, procedures, speech
from .clauses import Clause, clauses, masked
from .drafting import Draft
from .drafts import DraftNote, Guard, SpokenTurn
from .finding import find
from .folding import fold, is_chinese
from .found import Found
from .reading import Memory, Reading, Statement, read
from .referring import Referring


class _Session(Referring):
    """One session while it is being read."""

    def __init__(self, guard: Guard | None, retractions: bool) -> None:
        super().__init__(guard)
        self.retractions = retractions
        self.memory = Memory(None, {})
        self.playing = False
        self.read: dict[int, float] = {}
        self.left: list[own_words.Left] = []

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
            if own_words.points_back(statements[0].sentence):
                if self.left or self.drafts == before:
                    self.left = own_words.kept(self.left or earlier)
            else:
                self._sentence(statements)
        if answered != before:
            self.left = [replace(one, beside=True) for one in self.left]
        self._unnamed(question)
        if self.drafts == before:
            self._except(turn, plain)
        self._corrected(plain)
        self.said = fold(plain)

    def _corrected(self, plain: str) -> None:
        """Drops what this turn says instead of: "it's cashews, not peanuts", 「是腰果，不是花生」."""
        keys = {d.found.key for d in self.drafts if d.place == self.place and d.found.key}
        said = plain.lower()

        def denied(one: Draft) -> bool:
            value = str(one.note.value or "").lower()
            named = re.escape(value.rstrip("s"))
            return bool(value and re.search(rf"(?:不是|并非|not(?: the| an?| to)? |isn't |wasn't ){named}", said))

        self.drafts = [d for d in self.drafts if d.place == self.place or d.found.key not in keys or not denied(d)]

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
        text = _TO_FORGET.sub("", _THAT_FACT.sub("", _AWAY.sub("", text.rstrip(" 。.!！"))))
        turn = SpokenTurn("", 0, "user", text, _EPOCH)
        clause = Clause(turn, 0, len(text), text, 0, 0)
        return find(Statement(clause, text, 0, lasting=True))

    # --- one statement ---------------------------------------------------------------------------------------
    def _sentence(self, statements: list[Statement]) -> None:
        """All statements of one sentence; what fits no slot is only kept when the whole sentence fits none."""
        first = statements[0]
        if any(st.slots_only for st in statements):
            for st in statements:
                for found in [f for f in find(st) if f.licensed]:
                    self.add(found, st)
            return
        if first.who in ("user", "you") and (p := procedures.procedure(first.sentence, is_chinese(first.sentence))):
            self.add(Found(p.key, p.value, p.text, 0, 0, kind="procedural", wide=True, condition=p.condition), first)
            return
        spoke = {st.clause.place for st in statements if self._speaks(st)}
        silent = [st for st in statements if st.clause.place not in spoke]
        self.left += [own_words.Left(st, self._score(st), bool(spoke)) for st in silent]

    def _speaks(self, st: Statement) -> bool:
        before = len(self.drafts), self.drafts[-1:]
        return self._state(st) or (len(self.drafts), self.drafts[-1:]) != before

    def _score(self, st: Statement) -> float:
        """How lasting the clause reads; less than anything where it is only to be done now, however it sounds."""
        if passing.errand(st):
            return _PASSING
        score = self.read.get(st.clause.end, _PASSING)
        if own_words.marked(st):
            return max(score, lasting.reading().sure)
        asked = _ASKED if cues.REMEMBER.search(st.sentence) else 0.0
        return score + asked + (_LASTING if st.lasting else 0.0)

    def _unnamed(self, question: str) -> None:
        """Keeps what no rule has named, but what reads as lasting."""
        asked = answers.last_question(fold(question))
        held_now = any(d.place == self.place and d.note.scope == "session" for d in self.drafts)
        self.left = own_words.contrasted(self.left, held_now)
        for run in own_words.once_each(own_words.runs(self.left, bool(question))):
            if not self._goes_on(run, asked) and (got := own_words.note(run, asked)):
                for found, st in self._named_in(run) or [got]:
                    self.add(found, st)
        if now := own_words.for_now(self.left):
            self.add(*now)

    def _named_in(self, run: own_words.Run) -> list[tuple[Found, Statement]]:
        """What a slot saw in a clause that it could not take for a wish, and that reads as lasting now."""
        (first, *more) = run.statements
        if more:
            return []
        return [(replace(f, licensed=True), st) for f, st in self.pending if st.clause == first.clause]

    def _goes_on(self, run: own_words.Run, asked: str) -> bool:
        """True when the run is nothing new: more of the note of the turn before, or what was given up for this turn's."""
        if any(d.place == self.place for d in self.drafts) and own_words.gives_up(run):
            return True
        last = self.drafts[-1] if self.drafts else None
        said = run.statements[0].clause.turn.text
        if asked and (answers.is_offer(asked) or not answers.affirmed(said)):
            return False
        if last is None or last.place != self.place - 1 or last.note.scope != "user":
            return False
        more = own_words.more(run)
        text = f"{last.note.text}，{more}" if last.chinese else f"{last.note.text}, {more}"
        if not more or self.refused(text):
            return False
        last.note = replace(last.note, text=text)
        return True

    def _state(self, st: Statement) -> bool:
        """True when the clause said something about a slot, new or not."""
        chinese = is_chinese(st.clause.said)
        if self.same_again(st, chinese) or self.bare_correction(st, chinese):
            return True
        if self.only_now(st):
            return True
        found = find(st) or self.otherwise(st) or self.same_of_another(st)
        for f in found:
            if not f.licensed:
                self.pending.append((f, st))
                continue
            self.add(self.apart(f, st), st)
            if f.others and (other := people.together(st.text)):
                self.add(f, replace(st, who=other.who, subject=other.subject))
        if re.match(r"^(?:\W*)not (?:me|mine)\b|^不是我", st.text, re.I | re.A):
            self._not_me()
        elif not any(f.licensed for f in found):
            self._else(st, chinese)
        return any(f.licensed for f in found)

    def _else(self, st: Statement, chinese: bool) -> None:
        """What no slot holds, but what stands for itself: "I don't mind", an event with a date."""
        if self.indifferent(st, chinese):
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

    def _not_me(self) -> None:
        if self.drafts and self.drafts[-1].note.subject:
            last = self.drafts[-1]
            self.drafts = [
                d
                for d in self.drafts
                if d is last
                or not (d.found.key == last.found.key and not d.note.subject and d.note.value == last.note.value)
            ]


_PASSING = -9.0
#: How much more lasting a clause reads beside a wish to keep something, and one that says itself that it lasts.
_ASKED, _LASTING = 1.0, 0.5
_TO_FORGET = re.compile(
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
