"""Orders for good with all that belongs to them, and what is to be otherwise this once."""

import re
from collections.abc import Sequence
from dataclasses import replace

from . import cues, errands, fallback, people, speech, unnamed
from .folding import is_chinese
from .found import Found
from .persons import said_of_user
from .reading import Statement
from .referring import Referring

#: Goes on with an order: how else, how long, what not.
_MORE = re.compile(
    r"^(?:而且|并且|也|再|还|然后|但)?(?:别|不要|不用|不能|不超过|要|都要|也要|得|尽量|控制|最多|至少|语气|口吻|答案|字数|格式|标题|客气|随意|随便|正式|简单|详细)|^[^我，]{1,8}(?:一?[点些]|就行|就好|即可)$"
    r"|^(?:(?:and|but|then),? )*(?:no|not|never|only|max|at most|with|without|keep|don't|do not|under|plain|leave|make|use|max\.?)\b(?! (?:i|we)\b)",
    re.I | re.A,
)
_OWN = re.compile(
    r"我(?!们?的)|今[天晚]|现在|这[次回]|^先|\b(?:i|i'm|my|we|our|today|tonight|now|this time)\b", re.I | re.A
)
#: What an order is about, told before it: 「你以后给我出的题，…」.
_TOPIC_ZH = re.compile(
    r"^(?:你|请)?(?:以后|今后|平时|每次|所有|凡是)?[^，]{0,8}(?:给|帮|替|为)我[^，]{1,6}的[\u3400-\u9fff]{1,4}$|^(?:以后|今后|平时|每次)[^，]{1,10}的[\u3400-\u9fff]{1,4}$"
)
_WHENEVER_ZH = re.compile(r"^(?:你|请)?(?:以后|今后|往后|平时|每次)(?:请|都)?(?:帮|给|替|为)我[^，]{2,10}$")
_ORDERS_ZH = re.compile(r"一定|必须|都|务必|统一|一律|要(?!是|不要)|别|不要|不能")
_HANGS_ON = re.compile(
    r"\b(?:that|this|it|them|those)[.!]?$|(?:这个|那个|这样|这些|它)$|^(?:so |and |but )?(?:that's|it's|this is) (?:our|my|the|a) [\w' -]{3,30}$|^(?:这|那)(?:就)?是(?:我们?的)?[^，]{2,10}$",
    re.I | re.A,
)
_MADE = re.compile(r"先(?:写|查|做|发|给|来|讲|看)|提醒|\b(?:first|remind)\b", re.I | re.A)
_MOODY = re.compile(r"累|开心|难过|心情|天气|\b(?:tired|happy|sad|weather|feel\w*|great|nice)\b", re.I | re.A)


def _joined(first: str, more: str, chinese: bool) -> str:
    said = said_of_user(more, chinese)
    return f"{first}，{said}" if chinese else f"{first}, {said[:1].lower()}{said[1:]}"


class Ordering(Referring):
    """Drafts that keep an order together with what goes on with it."""

    def ordered(self, st: Statement, after: Sequence[Statement]) -> list[Statement]:
        """The statements that make one order for good, beginning with this one; none where it is no such order."""
        if st.who not in ("user", "you"):
            return []
        if topic := self._about(st, after):
            return topic
        if not fallback.orders(st.text) or not (got := fallback.standing(st)):
            return []
        more = self.going_on(st, after)
        self.add(self.with_more(got, st, more), st)
        return [st, *more]

    def _about(self, st: Statement, after: Sequence[Statement]) -> list[Statement]:
        """An order whose topic stands in a clause of its own before it."""
        if not after or after[0].clause.place != st.clause.place + 1:
            return []
        more = self.going_on(st, after) if _WHENEVER_ZH.match(st.text) else []
        order = after[0]
        if _TOPIC_ZH.match(st.text) and _ORDERS_ZH.search(order.text) and not _OWN.search(order.text):
            more = [order, *self.going_on(order, after[1:])]
        if not more:
            return []
        text = said_of_user(re.sub("^(?:你|请)?(?:以后|今后)?", "", st.text), True)
        found = Found(None, None, text, 0, len(st.text), scope="user", confidence=0.65)
        self.add(self.with_more(found, st, more), st)
        return [st, *more]

    @staticmethod
    def going_on(st: Statement, after: Sequence[Statement]) -> list[Statement]:
        """The clauses right after an order that go on with it."""
        out: list[Statement] = []
        for one in after:
            last = out[-1] if out else st
            near = one.clause.place == last.clause.place + 1 and one.clause.sentence == last.clause.sentence
            if not near or not _MORE.search(one.text) or _OWN.search(one.text) or errands.errand(one):
                break
            out.append(one)
        return out

    @staticmethod
    def with_more(got: Found, st: Statement, more: Sequence[Statement]) -> Found:
        """What was found, with the words of those clauses."""
        text, chinese = got.text, is_chinese(st.text) or any(is_chinese(one.text) for one in more)
        for one in more:
            text = _joined(text, one.clause.said, chinese)
        end = more[-1].clause.end - st.clause.start if more else got.end
        return replace(got, text=text, end=end)

    def hangs_on(self, st: Statement) -> bool:
        """True when the clause only points at what the note before it says, and has become a part of it."""
        last = self.drafts[-1] if self.drafts else None
        if last is None or last.place != self.place or last.at < st.offset or last.note.turn != st.clause.turn.id:
            return False
        if not _HANGS_ON.search(st.text) or st.session or speech.ORDER.search(st.text) or last.note.scope != "user":
            return False
        if last.found.key or last.note.kind != "semantic" or not 0 <= st.clause.start - last.note.end <= 40:
            return False
        text = _joined(last.note.text, st.clause.said, last.chinese)
        if not self.refused(text) and len(text) < 240:
            turn = st.clause.turn
            quote = turn.text[last.note.start : st.clause.end]
            last.note = replace(last.note, text=text, end=st.clause.end, quote=quote)
        return True

    def this_once(self, silent: Sequence[Statement]) -> None:
        """Keeps what is to be otherwise this once, in the user's own words, beside what they said to hold for good."""
        here = [d for d in self.drafts if d.place == self.place]
        if not any(d.note.scope == "user" for d in here) or any(d.note.scope == "session" for d in here):
            return
        now = [st for st in silent if st.session and not st.lasting and st.who in ("user", "you")]
        if not now or not any(unnamed.WISHED.search(st.text) for st in now):
            return
        now = [st for st in now if st.clause.sentence == now[0].clause.sentence]
        first, last = now[0].clause, now[-1].clause
        said = first.turn.text[first.start : last.end]
        plain = " ".join(st.text for st in now)
        chinese = is_chinese(said)
        if _MADE.search(plain) or _MOODY.search(plain) or speech.ORDER.search(plain) or len(said) > 120:
            return
        bare = re.sub(r"只是|就是|就|只|也|但|啊|\W", "", cues.SESSION.sub("", plain))
        if errands.asks(now[0].text) or len(bare) < (3 if chinese else 8):
            return
        if last.place - first.place >= len(now) or people.relations(plain) and not unnamed.WISHED.search(now[-1].text):
            return
        text = said_of_user(said, chinese)
        if len(text) >= (4 if chinese else 10):
            found = Found(None, None, text, 0, last.end - first.start, scope="session", confidence=0.6)
            self.add(found, replace(now[0], subject=None, who="user"))
