"""What the rules look at: one candidate, its own sentence, and the live records it may touch."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from memory_app.domain.words import fold

from .compare import cues, subjects
from .compare.frames import numbers_differ, parallel, pieces
from .compare.polarity import polarity
from .compare.tokens import content, script, tokens
from .compare.values import normal
from .decisions import Action, Candidate, Check, Existing, Slot
from .grounding import Grounding, ground
from .matching import Limits, Match, Relation, Statement, match, slot_of, subject_of
from .policy import Policy
from .slots import infer
from .working_set import Record

_SENTENCE = re.compile(r"[;；:：。!！?？\n]+|(?<=[a-z\d])\.(?=\s|$)")
_CLAUSE = re.compile(
    r"[,，;；。!！?？\n]+|[:：](?!\d)|(?<=[a-z\d])\.(?=\s|$)|\s(?:but|though|although|however|while|whereas)\s|但是?|不过(?!敏)|然而|可是|只是"
)


_OLD = re.compile(
    r"\bfrom (.{1,40}?) (?:over )?to\b|\binstead of (.{1,40}?)(?:[,.;!]|$)|, not (.{1,40}?)(?:[,.;!]|$)|\breplac(?:e|ed|ing) (.{1,40}?) (?:with|by)\b|"
    r"\b(?:left|quit|dropped|ditched|stopped (?:using)?|no longer (?:use|uses|using)|done with|got rid of|gave up|moved off|moved away from) "
    r"(.{1,40}?)(?:[,.;!]|\band\b|\bfor\b|$)|从(.{1,20}?)(?:换|切|改|搬|迁|转|跳槽)|(?<!是)不是(.{1,12}?)(?:[，。,;；了]|$)|(?:不再?用|弃用|停用|告别|离开)(.{1,20}?)(?:了|[，。,;；]|$)|把(.{1,20}?)(?:换成|改成|换掉)"
)


#: How wording found two texts that the user's own words may still tell apart or set against each other.
_OPEN_TO_WORDS = frozenset({"near_text", "other_value", "parallel", "similar"})


@dataclass(frozen=True, slots=True)
class Draft:
    """What a rule says. The runner adds confidence in the evidence, holds and the resulting memory."""

    action: Action
    rule: str
    target: Record | None = None
    proposed_action: str | None = None
    confidence: float = 0.9
    params: Mapping[str, Any] = field(default_factory=dict)
    engine: str = ""  # who says it, when that is not the rule
    wording: str | None = None  # what the target will say, when that is not what the candidate says
    value: Any = None


@dataclass(frozen=True)
class Situation:
    """A candidate with everything that was known when it was decided."""

    candidate: Candidate
    statement: Statement
    live: tuple[Record, ...]
    related: tuple[Record, ...]
    alike: Mapping[str, float]
    gone: tuple[Existing, ...]
    expired: tuple[Existing, ...]
    policy: Policy
    slots: Mapping[str, Slot]
    profile: Mapping[str, Any]
    quote_alike: float | None = None

    @cached_property
    def quote(self) -> str:
        """The user's own sentence, or the text where none is given."""
        evidence = self.candidate.evidence
        return evidence.quote if evidence is not None and evidence.quote.strip() else self.candidate.text

    @cached_property
    def clause(self) -> str:
        """The part of the quote that the candidate is about: the one that shares most content with it."""
        clauses = [c for c in _CLAUSE.split(self.quote) if c and c.strip()]
        if len(clauses) < 2:
            return self.quote
        wanted = content(self.candidate.text) | content(normal(self.candidate.value))
        shares = [len(wanted & content(c)) for c in clauses]
        best = max(shares)
        if best == 0:
            return self.quote
        # Of equal ones the later counts: what is said last is what is meant.
        return clauses[len(shares) - 1 - shares[::-1].index(best)]

    @property
    def from_outcome(self) -> bool:
        """The candidate was written from a session's outcome, not from somebody's words."""
        return self.candidate.origin == "outcome"

    @cached_property
    def from_user(self) -> bool:
        """The source turn is the user's (or an operator's) own words."""
        evidence = self.candidate.evidence
        if evidence is None or self.from_outcome:
            return True
        return evidence.role in ("user", "operator", "human") and not (
            cues.is_quotation(evidence.quote) or self._only_reported
        )

    @property
    def _only_reported(self) -> bool:
        """What the candidate says stands among the words of somebody else that the user repeats, and nowhere else."""
        theirs = content(cues.reported(self.quote))
        if not theirs or subject_of(self.statement) is not None:
            return False
        mine = content(self.candidate.text) | content(normal(self.candidate.value))
        own = content(cues.without_reported(self.quote))
        return bool(mine & theirs) and not mine & theirs & own

    @cached_property
    def grounding(self) -> Grounding:
        """What the quote gives for the text."""
        evidence = self.candidate.evidence
        if evidence is None or self.from_outcome:
            return Grounding.STATED
        alike = self.quote_alike if self.quote_alike is not None else 1.0
        found = ground(self.candidate.text, self.candidate.value, evidence.quote, alike, self.policy.related)
        return Grounding.STATED if found in (Grounding.ADDED, Grounding.PARTLY) and self._held_already(alike) else found

    def _held_already(self, alike: float) -> bool:
        """The quote says what is new, and a record the rest: "make it 320" of "monthly budget is 300 euros"."""
        text, value, quoted = self.candidate.text, self.candidate.value, content(self.quote)
        if self.candidate.key is not None:
            said = content(normal(value))
            held = [
                r.content.text for r in self.live
                if r.content.key == self.candidate.key and (new := said - content(normal(r.content.value))) and new <= quoted
            ]  # fmt: skip
        else:  # and it names what only the record says, so that it is about that
            held = [
                t
                for r in self.related
                if (t := r.content.text) and content(text) - content(t) <= quoted and self._names(t)
            ]
        return any(ground(text, value, f"{self.quote} {old}", alike, 0.0) is Grounding.STATED for old in held)

    @cached_property
    def guess(self) -> bool:
        """The text, or its part of the quote, guesses; or it tells as a fact what is only planned."""
        if cues.is_guess(self.candidate.text) or cues.is_guess(self.clause) or self._unsettled:
            return True
        planned = self.candidate.kind != "working" and cues.is_plan(self.clause)
        return planned and not cues.tells_intent(self.candidate.text)

    @property
    def _unsettled(self) -> bool:
        """The same sentence ends by saying that nothing is settled: "700 or 900, not sure yet"."""
        around = next((s for s in _SENTENCE.split(self.quote) if self.clause.strip() in s), "")
        last = [c for c in _CLAUSE.split(around) if c and c.strip()][1:][-1:]
        return bool(last) and cues.is_guess(last[0]) and not content(cues.beyond_guess(last[0]))

    @cached_property
    def lasting(self) -> bool:
        """The user states a lasting wish for just this."""
        return cues.is_lasting(self.clause) or cues.is_lasting(self.candidate.text)

    @cached_property
    def temporary(self) -> bool:
        """It is for this occasion only, and the same sentence states no lasting wish."""
        if self.candidate.kind == "episodic" or self.from_outcome:
            return False
        if cues.is_temporary(self.candidate.text):
            return not cues.is_lasting(self.candidate.text) and not self._lasting_too
        if cues.is_temporary(self.clause):
            return not self._lasting_too
        around = next((s for s in _SENTENCE.split(self.quote) if self.clause.strip() in s), self.quote)
        return cues.is_temporary(around) and not (
            self.lasting or cues.states_change(self.quote) or cues.is_lasting(around)
        )

    @property
    def _lasting_too(self) -> bool:
        """The clause, or another that adds nothing but "from now on", states that it lasts."""
        mine = content(self.candidate.text) | content(self.clause) | {"time.after"}
        return any(
            cues.is_lasting(clause) and (clause == self.clause or not content(clause) - mine)
            for clause in (self.clause, *_CLAUSE.split(self.quote))
            if clause
        )

    @cached_property
    def change(self) -> bool:
        """The user says outright that something is different now, or was told wrongly."""
        return cues.states_change(self.quote) or cues.states_change(self.candidate.text)

    @cached_property
    def correction(self) -> bool:
        """The user says that what was told before was wrong."""
        return cues.states_correction(self.quote)

    @cached_property
    def other_speaker(self) -> str | None:
        """Whom the quote is about, when that is not whom the candidate is about."""
        found = subjects.other_speaker(self.quote)
        if not found or subject_of(self.statement) is not None or self.candidate.key == "manager":
            return None
        return None if self._names_its_thing else found

    @property
    def _names_its_thing(self) -> bool:
        """The clause speaks of the thing that the text opens with: "my boss agreed, the trip budget is 2,200"."""
        if self.clause == self.quote or not (opening := pieces(self.candidate.text)[:1]):
            return False
        word, clause = opening[0], fold(self.clause).strip()
        if script(word) == "zh":
            return len(word) > 1 and clause.startswith(word) and any(t.kind == "number" for t in tokens(clause))
        return bool(re.search(rf"\b(?:the|our|my|this) (?:\w+ )?{re.escape(word)}(?![a-z])", clause))

    @cached_property
    def slot_key(self) -> str | None:
        """The candidate's slot, or the one that its wording implies."""
        if self.candidate.key:
            return self.candidate.key
        found = infer(self.candidate.text)
        return found.key if found else None

    @cached_property
    def matches(self) -> tuple[tuple[Record, Match], ...]:
        """Every live record that is not about something else; the own scope first, then the most alike."""
        found = [
            (record, m) for record in self.related if (m := self._match(record)).relation is not Relation.UNRELATED
        ]
        own = self.candidate.scope
        order = {"key": 0, "slot": 1, "text": 2}
        found.sort(key=lambda f: (f[0].content.scope != own, order[f[1].by], -self.alike[f[0].ref], f[0].ref))
        scopes = {f[0].content.scope for f in found}
        return tuple(f for f in found if f[0].content.scope == own) if own in scopes else tuple(found)

    @cached_property
    def limits(self) -> Limits:
        """The policy's similarities."""
        return Limits(self.policy.doubtful, self.policy.near_duplicate)

    def _match(self, record: Record) -> Match:
        found = match(self.statement, record.statement, self.alike[record.ref], self.limits)
        return self._as_said(found, record) if found.by == "text" and found.why in _OPEN_TO_WORDS else found

    def _as_said(self, found: Match, record: Record) -> Match:
        """One sentence with one place filled differently takes the other's place, or stands beside it, as the user says."""
        mine, theirs = self.candidate.text, record.content.text
        if found.why == "parallel":
            excluded = cues.is_exclusive(mine) and cues.is_exclusive(theirs)
            if excluded or cues.states_replacement(self.clause) or self._leaves(mine, theirs):
                return replace(found, relation=Relation.CONFLICT, why="other_value")
            changed = cues.states_change(cues.without_beginnings(self.clause))
            return (
                replace(found, relation=Relation.UNSURE) if changed and not cues.states_addition(self.quote) else found
            )
        if found.relation is Relation.UNSURE and self._leaves(mine, theirs):
            return replace(found, relation=Relation.CONFLICT, why="other_value")
        if not parallel(mine, theirs) or numbers_differ(mine, theirs):
            return found
        if cues.states_addition(self.quote):
            return replace(found, relation=Relation.UNRELATED, why="beside")
        if found.relation is Relation.UNSURE and cues.states_change(cues.without_beginnings(self.quote)):
            return replace(found, relation=Relation.CONFLICT, why="other_value")
        return found

    def _names(self, theirs: str) -> bool:
        """The quote names what the record says and the candidate does not."""
        given_up = content(theirs) - content(self.candidate.text)
        return bool(given_up & content(self.quote)) and bool(content(theirs) & content(self.candidate.text))

    def _leaves(self, mine: str, theirs: str) -> bool:
        """The user speaks of a change and names what only the record says: "gave up the paper one, it is on the phone"."""
        given_up = content(theirs) - content(mine)
        gone = cues.states_replacement(self.quote) or polarity(self.quote).ended
        return bool(given_up) and given_up <= content(self.quote) and gone

    def first(self, relation: Relation) -> tuple[Record, Match] | None:
        """The first record in this relation."""
        return next((f for f in self.matches if f[1].relation is relation), None)

    @cached_property
    def conflicts(self) -> tuple[tuple[Record, Match], ...]:
        """Every record that the candidate contradicts; one with the same key stands before those found by wording."""
        found = tuple(f for f in self.matches if f[1].relation is Relation.CONFLICT)
        return tuple(f for f in found if f[1].by == "key") or found

    @cached_property
    def said_old(self) -> frozenset[str]:
        """What the quote names as gone: "from A to B", "instead of A", 从 A 换成 B, 不用 A 了."""
        old = [g for m in _OLD.finditer(fold(self.quote).replace("’", "'")) for g in m.groups() if g]
        return frozenset().union(*(content(o) for o in old)) if old else frozenset()

    def takes_back(self, record: Record) -> bool:
        """The quote sets what the record says against what it says itself: "in June, not in May"."""
        mine, theirs = frozenset(pieces(self.candidate.text)), frozenset(pieces(record.content.text))
        for m in _OLD.finditer(fold(self.quote).replace("’", "'")):
            old = frozenset(pieces(next((g for g in m.groups() if g), "")))
            if old - mine and old - mine <= theirs:
                return True
        return False

    @staticmethod
    def without_old(text: str) -> str:
        """The text without what it names as gone: "takes B instead of A" says B."""
        return _OLD.sub(" ", fold(text).replace("’", "'"))

    def named_old(self, record: Record) -> bool:
        """The quote names this record's value as what was before."""
        held = slot_of(record.statement)
        old = content(normal(held[1] if held else None)) or content(record.content.text)
        new = content(normal(self.candidate.value)) or content(self.candidate.text)
        return bool(old - new) and (old - new) <= content(self.quote)

    @property
    def trust(self) -> float:
        """How much the evidence itself is worth, from 0 to 1."""
        evidence = self.candidate.evidence
        worth = 1.0 if evidence is not None or self.from_outcome else 0.9
        if evidence is not None and evidence.anchored is False:
            worth = 0.45
        if self.grounding not in (Grounding.STATED, Grounding.ADDED, Grounding.PARTLY):
            worth *= 0.85
        given = self.candidate.confidence
        return worth if given is None else worth * min(1.0, max(0.0, given))

    def params(self, **more: Any) -> dict[str, Any]:
        """Values for the reason sentence: never the quote, which the page shows beside it."""
        key = self.candidate.key or self.slot_key
        value = self.candidate.value
        return {"key": key or "", "value": "" if value is None else str(value)[:60]} | more

    def _evidence_checks(self) -> tuple[Check, ...]:
        """What was asked of the quote; nothing of the kind where there is none."""
        if self.from_outcome:
            return (Check("from_outcome", True),)
        if self.candidate.evidence is None:
            return (Check("has_evidence", False),)
        grounded = self.grounding in (Grounding.STATED, Grounding.OPEN)
        return (
            Check("from_user", self.from_user),
            Check("explicit_statement", grounded and not self.guess),
            Check("no_new_facts", grounded),
        )

    def checks(self, draft: Draft) -> tuple[Check, ...]:
        """What was asked on the way to this decision, with each answer."""
        asked = [
            *self._evidence_checks(),
            Check("lasting", not self.temporary),
            Check("safe", self.candidate.blocked is None),
        ]
        if draft.target is not None:
            asked.append(Check("same_identity", True))
            asked.append(Check("newer", self.candidate.said_at > draft.target.said_at))
            if draft.action != "dedupe":
                asked.append(Check("explicit_change", self.change))
                asked.append(Check("not_protected", not draft.target.protected))
        return tuple(asked)


def shown(record: Record) -> str:
    """A record's value, or its text, for a sentence."""
    value = record.content.value
    return (record.content.text if value is None or value == "" else str(value))[:60]
