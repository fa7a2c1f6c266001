"""Short replies to the agent: what a yes confirms, what a bare value chooses, for how long what was said holds."""

import re
from dataclasses import replace

from . import answers, cues, offers, open_slots, people, short_answers, speech
from .choices import language_name
from .clauses import Clause
from .drafting import Drafting
from .drafts import Guard, SpokenTurn
from .finding import find
from .folding import fold, is_chinese, squeeze
from .found import Found
from .reading import Statement
from .third_person import said_of_user


class Answering(Drafting):
    """Drafts that also grow from answers; `pending` holds what an answer may still license."""

    def __init__(self, guard: Guard | None) -> None:
        super().__init__(guard)
        self.pending: list[tuple[Found, Statement]] = []
        self.said = ""

    def answer(self, turn: SpokenTurn, plain: str, question: str) -> None:
        """Keeps what the user's turn means as an answer to what the agent had said just before it."""
        if claim := answers.claim_confirmed(fold(question), plain):
            self._claimed(claim, turn)
        if len(plain) > 80 or answers.is_question(plain) and not re.search("吧", plain):
            return
        asked = fold(answers.last_question(question))
        if not asked or speech.ROLE_PLAY.search(asked):
            return
        scope = answers.scope_answered(asked, plain)
        asked = offers.meant(asked, self.said)
        claims = self._claims(asked, turn)
        # A no turns round the scope of what was asked about, and says nothing of what the answer adds.
        own_scope = None if answers.denied(plain) and not answers.scoped(plain) else scope
        whole = Clause(turn, 0, len(turn.text), squeeze(plain), 0, 0, raw=plain)
        st = Statement(
            whole,
            plain,
            0,
            session=own_scope == "session",
            lasting=own_scope == "user",
            correcting=answers.denied(plain),
        )
        if answers.affirmed(plain) and not speech.GUESSING.search(plain):
            offer = answers.is_offer(asked) and scope != "user"
            for f in claims:
                self.add(
                    replace(
                        f,
                        start=0,
                        end=len(plain),
                        licensed=True,
                        scope="session" if offer and f.scope is None else f.scope,
                    ),
                    st,
                )
            if claims or self._offered(st, asked):
                return
        elif self._chosen(st, asked, plain):
            return
        if scope:
            self.rescope([d for d in self.drafts if d.place == self.place - 1], scope, None)
            for f, earlier in self.pending:
                self.add(
                    replace(f, licensed=True), replace(earlier, session=scope == "session", lasting=scope == "user")
                )

    def _offered(self, st: Statement, asked: str) -> bool:
        """True when the agent had offered something for good, which the user's yes makes a wish of theirs."""
        order = offers.standing(asked)
        unsafe = speech.AUTHORITY.search(order) or speech.REPORTED.search(order) or speech.SECRET.search(order)
        if not order or unsafe or st.session or self.refused(order):
            return False
        text = said_of_user(order, is_chinese(order))
        whole = len(st.clause.turn.text)
        self.add(Found(None, None, text, 0, whole, scope="user", confidence=0.65), replace(st, lasting=True))
        return True

    def _claimed(self, text: str, turn: SpokenTurn) -> None:
        """Keeps what the agent had gathered of the user, in a slot or as a fact, now that the user confirms it."""
        if speech.REPORTED.search(text) or speech.AUTHORITY.search(text) or (self.guard and self.guard(text)):
            return
        said = Statement(Clause(replace(turn, text=text), 0, len(text), text, 0, 0), text, 0, lasting=True)
        answer = Clause(turn, 0, len(turn.text), squeeze(turn.text), 0, 0, raw=turn.text)
        words = Found(None, None, said_of_user(text, is_chinese(text)), 0, len(text), confidence=0.6)
        found = find(said) or [words]
        for f in found:
            self.add(replace(f, start=0, end=len(turn.text), scope="user"), replace(said, clause=answer, raw=turn.text))

    def _claims(self, asked: str, turn: SpokenTurn) -> list[Found]:
        """What the user would state by a yes to the question."""
        text = answers.as_statement(asked)
        clause = Clause(replace(turn, text=text), 0, len(text), text, 0, 0)
        if (
            _OPEN_ASKED.search(asked)
            or speech.REPORTED.search(text)
            or speech.AUTHORITY.search(text)
            or (self.guard and self.guard(text))
        ):
            return []
        both = {f.key for f in find(Statement(clause, text, 0, lasting=True)) if not f.negative}
        return [
            f
            for f in find(Statement(clause, text, 0, lasting=True))
            if f.key in both and (f.kind != "episodic" or f.key == "service_port")
        ]

    def _chosen(self, st: Statement, asked: str, plain: str) -> bool:
        """True when a bare value answered the question: "Aisle, please." """
        before = len(self.drafts), self.drafts[-1:]
        chinese = is_chinese(plain) if re.search(r"[\u3400-\u9fffA-Za-z]", plain) else is_chinese(asked)
        wanted = answers.topics(asked)
        session = (
            bool(cues.SESSION.search(asked))
            and not cues.LASTING.search(asked)
            or (answers.is_offer(asked) and not cues.LASTING.search(asked))
        )
        own = st
        if not (st.session or st.lasting) and session:
            st = replace(st, session=True)
        if speech.GUESSING.search(plain):
            return False
        named = find(st)
        for f in named:
            if f.key in wanted:
                self.add(replace(f, licensed=True), st)
        for key in sorted(wanted - {f.key for f in named if f.key}):
            if (token := answers.bare(key, plain)) and (worded := answers.choice_words(key, token, chinese)):
                self.add(Found(key, token, worded[0], 0, len(plain), worded[1]), st)
                break
        amount = _amount(asked, plain, chinese)
        if not amount and (len(self.drafts), self.drafts[-1:]) == before and self._declared(own, asked, plain):
            return True
        if other := amount or _opened(asked, plain, chinese):
            near = people.relations(answers.as_statement(asked))
            self.add(other, replace(st, who=near[0].who, subject=near[0].subject) if near else st)
        return (len(self.drafts), self.drafts[-1:]) != before

    def _declared(self, st: Statement, asked: str, plain: str) -> bool:
        """True when the question and its bare answer say together what a slot holds: "Which editor?" "Zed." """
        for text in short_answers.declared(asked, plain):
            turn = replace(st.clause.turn, text=text)
            said = Statement(Clause(turn, 0, len(text), text, 0, 0), text, 0, lasting=True)
            # The language of one word more often names a thing than a wish.
            found = [f for f in find(said) if f.kind != "episodic" and not f.negative and f.key != "reply_language"]
            if self.refused(text) or not found:
                continue
            errand = _ERRAND.search(asked) and not cues.LASTING.search(asked)
            scope = "session" if st.session or errand and not st.lasting else None
            for f in found:
                self.add(replace(f, start=0, end=len(plain), licensed=True, scope=f.scope or scope), st)
            return True
        return False


def _amount(asked: str, plain: str, chinese: bool) -> Found | None:
    """A bare amount as the budget that was asked for."""
    amount = answers.amount_answered(asked, plain)
    if not amount:
        return None
    key = "hotel_budget" if re.search(r"酒店|住宿|每晚|\bhotel|\broom|\bnight", asked, re.I | re.A) else "budget"
    shown = open_slots.spoken_amount(amount, chinese)
    text = f"预算上限 {shown}" if chinese else f"Budget cap is {shown}"
    return Found(key, amount, text, 0, len(plain), "travel", template=("预算上限 {}", "Budget cap is {}"))


#: What is to be had this once is asked for this once.
_ERRAND = re.compile(
    r"\b(?:should|shall|can|may|do you want me to) (?:i |we )?(?:book|order|get|reserve|buy|find|look|search|put|send|pick)\b|[要想]?(?:订|买|点|约|查)(?:哪|什么|几)|这次|本次",
    re.I | re.A,
)
_NO_VALUE = re.compile(r"\b(?:no|not|none|nothing|never|god|i|me|what|which)\b|[没无不我]|什么|哪", re.I | re.A)
_OPEN_ASKED = re.compile(r"什么|哪[个种些]|\b(?:what|which)\b", re.I | re.A)


def _opened(asked: str, plain: str, chinese: bool) -> Found | None:
    """A bare word as the answer to an open question."""
    got = answers.opened(asked, plain)
    if not got and (first := answers.opened(asked, re.split(r"[，。！]|[,.!] ", plain.strip())[0])):
        # An age alone needs no more words, and tells of anybody; a no is no value.
        got = None if first[0] == "children_ages" or _NO_VALUE.search(first[1]) else first
    if not got:
        return None
    key, value, zh, en = got
    shown = language_name(value, chinese) if key == "reply_language" else value
    scope = "user" if key != "reply_language" else None
    return Found(key, value, (zh if chinese else en).format(shown), 0, len(plain), scope=scope, template=(zh, en))
