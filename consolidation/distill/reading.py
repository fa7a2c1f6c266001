"""Which clauses of a turn are the user's own statements, and how each is meant to hold.

`read` goes through a turn sentence by sentence and lets through only what is stated: no question, no supposition, no
guess, no irony, nothing quoted, translated, played or withdrawn, no order about what the agent may do, nothing unsafe.
"""

import re
from dataclasses import dataclass, replace
from itertools import groupby

from . import conditions, cues, people, secrecy, speech
from .clauses import CODE, QUOTED, Clause
from .folding import squeeze


@dataclass(frozen=True)
class Statement:
    """A clause that states something: of whom, for how long, under which condition, and in which sentence."""

    clause: Clause
    raw: str
    offset: int
    who: str = "user"
    subject: str | None = None
    session: bool = False
    lasting: bool = False
    task: bool = False
    correcting: bool = False
    polite: bool = False
    lead: str = ""
    carried_from: int | None = None
    apart: str | None = None
    apart_span: tuple[int, int] | None = None
    cue: str = ""
    #: Stands after a secret, so that only what a slot holds may be kept of it.
    slots_only: bool = False

    @property
    def text(self) -> str:
        """The clause as rules see it."""
        return self.clause.plain

    @property
    def rest(self) -> str:
        """The sentence from this clause on."""
        return squeeze(self.raw[self.clause.start - self.offset :])

    @property
    def sentence(self) -> str:
        """The whole sentence."""
        return squeeze(self.raw)


@dataclass
class Reading:
    """What a turn holds: its statements, and what it does to what was said before."""

    statements: list[Statement]
    plays: bool = False
    unsaid: bool = False
    retracted: list[str] | None = None


@dataclass
class Memory:
    """Whom a session has named so far; "she" and 「小王」 are looked up here."""

    last: people.About | None = None
    known: dict[str, people.About] | None = None

    def named(self) -> set[str]:
        """The names of the people whom the session has introduced."""
        return set(self.known or ())

    def hear(self, text: str) -> people.About | None:
        """Whom the text is about, remembered for the pronouns to come."""
        known = self.known if self.known is not None else {}
        if somebody := people.introduced(text):
            self.last = known[somebody[0]] = people.About(somebody[1], somebody[0])
            self.known = known
            return self.last
        for person in people.relations(text):
            self.last = person
            if person.subject and person.subject != person.who:
                known[person.subject] = person
        self.known = known
        return people.about(text, self.last, known)


# "Is it odd that I sleep till ten?" asks for a judgement and states the fact.
_PRESUPPOSED = re.compile(
    r"^(?:so |and |hey,? )?(?:is|isn't) it (?:so |that |really |a bit |very )?(?:dumb|weird|odd|strange|bad|wrong|normal|silly|stupid|crazy|sad|funny|embarrassing|unusual|terrible|ridiculous|childish|rude|unhealthy|selfish) that (?=(?:i|my|we|our)\b)|^(?:why do i|how come i) (?:always |still |never )",
    re.I | re.A,
)
_LEAD_IN = re.compile(
    _PRESUPPOSED.pattern
    + r"|^you asked (?:for|about|me)\b[^:]{0,40}:\s*|^(?:fyi|update|background|context|correction)[:：]\s*|^(?:you (?:know|see)|do you know|你知道|你也知道|guess what)[,，]?\s*",
    re.I | re.A,
)
_ORDER = re.compile(
    r"^(?:这次|今天|今晚|以后|那|就)?(?:别|请|帮我|麻烦|给我)(?:订|安排|选|买|坐|找|用|记)?|^(?:so |and )?(?:please |don't )?(?:book|get|use|order|find|choose)\b",
    re.I | re.A,
)
_STANDING = re.compile(
    r"\b(?:prefer|always|usually|book|take|get|put|give|choose|please|never|i (?:like|want|go|fly|drive|sit))\b|优先|喜欢|都|就|偏好|订|坐|选|要",
    re.I | re.A,
)
_PAST_IF = re.compile(
    r"\b(?:if|suppose|imagine|what if|assuming) (?:i|we|my|you) (?:was|were|had|moved|became|lived|ate|got|ever|could|went|quit|\w+ed)\b|\b(?:would|could|might)\b",
    re.I | re.A,
)


#: What a sentence turns to after a supposition or somebody else's word.
_TURNS = re.compile(
    r"(?:but|though|however)\b(?! (?:he|she|they|it)\b)|(?:但是?|不过|可是?)(?![他她它])(?=.{3})", re.I | re.A
)
_ALL_BUT_ME = ("except 我", "except 我自己", "except me", "except myself")


def _unsafe(text: str) -> bool:
    return bool(speech.AUTHORITY.search(text) or speech.SECRET.search(text))


def _asked(clause: Clause, sentence: str, last: bool) -> bool:
    """True when the clause asks; in a sentence that ends with a question mark the last clause does."""
    text = clause.plain
    if speech.POLITE_REQUEST.search(text):
        return False
    if speech.ASKING_ZH.search(text) or (clause.asked and speech.TAG_QUESTION.search(text)):
        return True
    return (clause.asked and last) or bool(
        speech.ASKING_EN.match(text)
        and (clause.asked or not text.lower().startswith(("have ", "had ", "do ", "may ", "when ", "what a", "how ")))
    )


def _whole_sentence_asks(sentence: str, asked: bool) -> bool:
    if _PRESUPPOSED.match(sentence):
        return False
    if speech.POLITE_REQUEST.search(sentence):
        return False
    return asked and bool(speech.ASKING_EN.match(sentence) or speech.TAG_QUESTION.search(sentence.rstrip()))


def _turn_gate(plain: str, sentences: list[tuple[str, list[Clause]]]) -> tuple[int, Reading]:
    """How many sentences of the turn count, and what the turn does as a whole."""
    reading = Reading([])
    if speech.UNSAVED.search(plain):
        reading.unsaid = bool(speech.UNSAYING.search(plain)) and len(plain) < 90
        return 0, reading
    for i, (text, _parts) in enumerate(sentences):
        if speech.ROLE_PLAY.search(text) and not speech.ROLE_PLAY_OVER.search(text):
            reading.plays = True
            return i, reading
        material, preface = speech.MATERIAL.search(text), _PREFACE.match(text)
        if material and not (preface and material.end() < preface.end() - 20):
            refers_back = not re.search(r"[:：]", text) and re.search(
                r"这|上面|那|\babove\b|\b(?:this|that|it)(?= (?:in|into|to|for me|as|sentence|text|paragraph|line|message)\b|\W*$)",
                text,
                re.I | re.A,
            )
            return (0 if refers_back else i), reading
    return len(sentences), reading


def read(parts: list[Clause], plain: str, memory: Memory) -> Reading:
    """The statements of a turn."""
    sentences = []
    for _, group in groupby(parts, key=lambda c: c.sentence):
        own = list(group)
        sentences.append((plain[own[0].start : own[-1].end], own))
    if begins := secrecy.kept_after([text for text, _ in sentences]):
        sentences = sentences[begins:]
    rest = plain[sentences[0][1][0].start :] if begins else plain
    count, reading = _turn_gate(rest, sentences)
    correcting = False
    secret = ""
    for raw, own in sentences[:count]:
        text, last = squeeze(raw), secret
        secret = text if speech.TELLS_SECRET.search(text) else ""
        asked_to = speech.RETRACTION.search(text) and not speech.FORGETFUL.search(text)
        if asked_to and not re.search(r"\b(?:cache|branch|file|table|column)s?\b|缓存|分支|文件", text, re.I | re.A):
            reading.retracted = [*(reading.retracted or []), text]
            continue
        correcting = correcting or bool(cues.CORRECTION.search(text))
        said = _sentence(raw, own, memory, correcting)
        reading.statements += _after_secret(said, last) if last else said
    return reading


def _after_secret(said: list[Statement], secret: str) -> list[Statement]:
    """What may be read of the sentence right after one that told a secret."""
    if secrecy.told_in_words(secret):
        return []
    apart = [st for st in said if not secrecy.points_at_secret(st.text)]
    return [replace(st, slots_only=not secrecy.read_on(st.text, st.sentence)) for st in apart]


#: "Put this in my file: …", 「记住以下两点：…」: what stands after it is meant to last; it says nothing itself. How something
#: is done stays with its steps.
_PREFACE = re.compile(
    r"(?=[^:：]{0,120}(?:\b(?:remember|notes?|file|record|log|diary|profile|rules?|things|facts|preferences|know)\b|记|备注|备忘|规矩|几件事|[两三几]点))"
    r"(?![^:：]*(?:\bhow\b|\bsteps?\b|流程|步骤|怎么|规程))[^:：]{4,120}[:：]\s*(?=\S[^:：]{5,}$)",
    re.I | re.A,
)


def _after_preface(raw: str, own: list[Clause]) -> tuple[str, list[Clause]] | None:
    """What stands after a preface, with its clauses; None where there is none."""
    first = own[0].start
    if not (m := _PREFACE.match(raw)):
        return None
    begins = first + m.end()
    rest: list[Clause] = []
    for clause in own:
        if clause.end <= begins:
            continue
        if (cut := begins - clause.start) > 0:
            cut_raw = clause.raw[cut:]
            clause = replace(clause, start=begins, raw=cut_raw, plain=squeeze(cut_raw))
        rest.append(replace(clause, place=len(rest)))
    return (raw[m.end() :], rest) if rest else None


def _sentence(raw: str, own: list[Clause], memory: Memory, correcting: bool) -> list[Statement]:
    if len(own) > 1 and speech.SECRET.search(squeeze(raw)):
        out: list[Statement] = []
        for run, slots_only in secrecy.beside_secret(own):
            cut = raw[run[0].start - own[0].start : run[-1].end - own[0].start]
            out += [replace(st, slots_only=slots_only) for st in _sentence(cut, run, memory, correcting)]
        return out
    prefaced = None if _unsafe(squeeze(raw)) else _after_preface(raw, own)
    if prefaced:
        raw, own = prefaced
    text = squeeze(raw)
    if text.count(QUOTED) + text.count(CODE) > 0.7 * len(text) or _whole_sentence_asks(text, own[0].asked):
        for clause in own:
            memory.hear(clause.plain)
        return []
    if speech.IRONY.search(text) or cues.REMINDER.match(text) or _unsafe(text):
        return []
    out = []
    hangs = False
    kinds = {found for c in own if (found := conditions.of_trip(c.plain))}
    carry = Statement(own[0], raw, own[0].start, lasting=bool(prefaced) or len(kinds) > 1)
    for place, clause in enumerate(own):
        said = _LEAD_IN.sub("", clause.plain)
        if said != clause.plain:
            clause = replace(clause, plain=said, start=clause.start + len(clause.plain) - len(said))
        mood = _mood(clause, text, place == len(own) - 1 and not _PRESUPPOSED.match(text))
        person = memory.hear(clause.plain)
        if apart := conditions.exception(clause.plain, squeeze(raw[clause.end - own[0].start :])):
            if apart in _ALL_BUT_ME:
                break  # what holds for everybody else says nothing of the user
            apart_span = (clause.start, clause.end)
            if out:
                out[-1] = replace(out[-1], apart=apart, apart_span=apart_span)
            else:
                carry = replace(carry, apart=apart, apart_span=apart_span)
            continue
        if mood == "stop":
            hangs = True
        elif hangs and _TURNS.match(clause.plain):
            hangs = False
        if hangs:
            continue
        if conditions.leads(clause.plain):
            carry = replace(carry, lead=clause.plain, carried_from=clause.start)
        if mood == "skip":
            continue
        carry = _state(clause, carry, person, correcting)
        out.append(carry)
    return out


def _mood(clause: Clause, sentence: str, last: bool) -> str:
    """ "say" for a statement, "skip" for a clause that is none, "stop" where the rest of the sentence hangs on it."""
    text = clause.plain
    if speech.REPORTED.search(text) or speech.FICTION.search(text) or cues.REMINDER.search(text):
        return "stop"
    if speech.CONDITIONAL.search(text):
        standing = (
            conditions.of_travel(text)
            and not clause.asked
            and not _PAST_IF.search(sentence)
            and _STANDING.search(sentence)
        )
        return "say" if standing else "stop"
    if _asked(clause, sentence, last):
        return "skip"
    if speech.GUESSING.search(text):
        return "skip"
    return "say"


#: All that is not meant by "this once".
_ELSE = re.compile(
    r"\b(?:everything|all|anything|everyone) else\b|\bthe rest\b|\botherwise\b|^(?:其他|其它|其余|别的|剩下|余下)",
    re.I | re.A,
)


def _state(clause: Clause, carry: Statement, person: people.About | None, correcting: bool) -> Statement:
    """The clause with what it says itself and what the clauses before it in its sentence lend it."""
    text = clause.plain
    session, lasting = cues.SESSION.search(text), cues.LASTING.search(text)
    strong = cues.STRONG.search(text)
    if lasting and carry.session and not session:
        lasting = cues.LASTING.search(cues.RATE.sub("", text))
    always = bool(lasting) or not session and conditions.standing(text)
    always = always or not session and carry.session and bool(_ELSE.search(text))
    if session and lasting:
        session, lasting = (None, lasting) if strong else (session, None)
        always = bool(lasting)
    new = replace(carry, clause=clause, correcting=correcting, polite=bool(speech.POLITE_REQUEST.search(text)))
    if session or always:
        new = replace(new, session=bool(session), lasting=always, cue=session.group(0) if session else "")
    if cues.TASK.search(text):
        new = replace(new, task=True)
    if person:
        new = replace(new, who=person.who, subject=person.subject)
    elif carry.who == "you" or _ORDER.search(text) or carry.who == "other" and clause.place == 0:
        new = replace(new, who="user", subject=None)
    return new
