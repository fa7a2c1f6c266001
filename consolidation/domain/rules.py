"""The rules, in order. Each looks at a situation and either decides or passes on.

The order is the meaning: what must not be kept goes first, then what is only for now, then the comparison with what
is already known, and only what nothing speaks against is promoted.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from .compare import cues, subjects, values
from .compare.polarity import polarity
from .compare.roles import opening
from .compare.tokens import content
from .matching import EVENTLIKE, Relation, subject_of
from .refusing import (
    means,
    reject_deleted,
    reject_guess,
    reject_not_durable,
    reject_other_origin,
    reject_recalled,
    reject_ungrounded,
    reject_unsafe,
    retract,
    review_attribution,
)
from .situation import Draft, Situation, shown
from .slots import STATE, cardinality
from .working_set import Record, is_tombstone

Rule = Callable[[Situation], Draft | None]


# -- what is only for now --------------------------------------------------------------------------------------------


def session_only_working(s: Situation) -> Draft | None:
    """Working state, or asked for this session."""
    c = s.candidate
    if c.kind == "working" or c.scope == "session" or (c.key in STATE and not s.lasting):
        rule = "session_only.this_time" if s.temporary else "session_only.working"
        return Draft("session_only", rule, confidence=0.97, params=s.params())
    return None


def session_only_this_time(s: Situation) -> Draft | None:
    """The user says that it is for this time."""
    return Draft("session_only", "session_only.this_time", confidence=0.95, params=s.params()) if s.temporary else None


def review_bounded(s: Situation) -> Draft | None:
    """It holds until something happens: longer than a session, not for good."""
    if s.candidate.kind in ("episodic", "procedural") or s.lasting or s.from_outcome:
        return None
    if not (cues.is_bounded(s.candidate.text) or (cues.is_bounded(s.clause) and s.candidate.condition is None)):
        return None
    conflict = s.conflicts[0][0] if s.conflicts else None
    if conflict is None and s.candidate.expires_at is not None:
        return None
    return _review(s, "review.for_a_while", conflict)


# -- what others say about the slot ----------------------------------------------------------------------------------


def review_profile(s: Situation) -> Draft | None:
    """The caller's own systems say something else."""
    c = s.candidate
    if c.key is None or c.key not in s.profile or s.statement.subject is not None or c.condition is not None:
        return None
    trusted = s.profile[c.key]
    trusted = trusted.get("value") if isinstance(trusted, dict) else trusted
    if (
        c.value is None
        or values.compare(c.value, trusted) is values.Same.EQUAL
        or cardinality(c.key, s.slots) == "many"
    ):
        return None
    return Draft("review", "review.profile", confidence=0.7, params=s.params(trusted=values.normal(trusted)))


def review_slot_writers(s: Situation) -> Draft | None:
    """The workspace does not let agents write this slot."""
    slot = s.slots.get(s.candidate.key or "")
    if slot is None or "agent" in slot.writers:
        return None
    evidence = s.candidate.evidence
    if "user" in slot.writers and evidence is not None and evidence.role == "user" and evidence.anchored is not False:
        return None
    return Draft("review", "review.slot_writers", confidence=0.7, params=s.params())


def review_slot_value(s: Situation) -> Draft | None:
    """The workspace lists the values of this slot, and this is none of them."""
    slot = s.slots.get(s.candidate.key or "")
    if slot is None or not slot.values or s.candidate.value is None:
        return None
    if any(values.compare(s.candidate.value, allowed) is values.Same.EQUAL for allowed in slot.values):
        return None
    return Draft("review", "review.slot_value", confidence=0.7, params=s.params())


# -- what is already known -------------------------------------------------------------------------------------------


def dedupe(s: Situation) -> Draft | None:
    """A record says this already: it is confirmed, and its wording stays."""
    found = s.first(Relation.SAME)
    if found is None:
        return None
    record, how = found
    rule, confidence = {
        "same_value": ("dedupe.same_value", 0.97),
        "same_text": ("dedupe.same_text", 0.97),
        "part": ("dedupe.part_of", 0.85),
    }.get(how.why, ("dedupe.same_meaning", 0.85))
    if how.by != "key" and rule == "dedupe.same_value":
        rule, confidence = "dedupe.same_meaning", 0.9
    return Draft("dedupe", rule, record, confidence=confidence, params=s.params(memory=record.ref, old=shown(record)))


def reject_stale(s: Situation) -> Draft | None:
    """It contradicts a record and was said before it."""
    for record, _ in s.conflicts:
        if s.candidate.said_at < record.said_at:
            return Draft(
                "reject", "reject.stale", record, confidence=0.92, params=s.params(memory=record.ref, old=shown(record))
            )
    return None


def review_protected(s: Situation) -> Draft | None:
    """It contradicts a memory that only an admin may change."""
    for record, _ in s.conflicts:
        if record.protected:
            proposed = "override" if s.change else None
            return _review(s, "review.protected", record, proposed, confidence=0.8)
    return None


def review_unsure(s: Situation) -> Draft | None:
    """It is close to a record, and nothing shows whether it says the same."""
    if s.conflicts:
        return None
    found = s.first(Relation.UNSURE)
    return _review(s, "review.unsure", found[0]) if found else None


def review_double_negative(s: Situation) -> Draft | None:
    """A double negative proves too little to change a record."""
    if s.conflicts and polarity(s.candidate.text).weak:
        return _review(s, "review.double_negative", s.conflicts[0][0])
    return None


def review_ends_later(s: Situation) -> Draft | None:
    """It has an end and contradicts a record that has none: replacing it would lose what holds afterwards."""
    if s.candidate.expires_at is None:
        return None
    for record, _ in s.conflicts:
        if record.content.expires_at is None:
            return _review(s, "review.for_a_while", record)
    return None


def override(s: Situation) -> Draft | None:
    """It contradicts one record, is newer, and says that something has changed."""
    if not s.conflicts:
        return None
    ended = s.statement.ended or polarity(s.candidate.text).ended or s.takes_back(s.conflicts[0][0])
    if not (s.change or ended or s.policy.override_without_change_word):
        return None
    record, how = _meant_by_change(s)
    if record is None or how is None or s.candidate.said_at <= record.said_at:
        return None
    rule = "override.correction" if s.correction else "override.ended" if ended else "override.explicit_change"
    if not (s.change or ended):
        rule = "override.newer"
    confidence = {"key": 0.95, "slot": 0.9}.get(how.by, 0.8) - (0.15 if rule == "override.newer" else 0.0)
    return Draft("override", rule, record, confidence=confidence, params=s.params(memory=record.ref, old=shown(record)))


def _meant_by_change(s: Situation) -> tuple[Record | None, Any]:
    if len(s.conflicts) == 1:
        return s.conflicts[0]
    named = [f for f in s.conflicts if s.named_old(f[0])]
    return named[0] if len(named) == 1 else (None, None)


def review_conflict(s: Situation) -> Draft | None:
    """It contradicts a record, and nothing says which holds."""
    if not s.conflicts:
        return None
    record = s.conflicts[0][0]
    if len(s.conflicts) > 1:
        return _review(s, "review.several", record)
    return _review(s, "review.conflict", record)


def review_names_old(s: Situation) -> Draft | None:
    """It says that something gave way, and a record under another name holds just that."""
    if not s.change or s.matches:
        return None
    gone = _gave_way(s) or _names_a_part(s)
    if gone is not None:
        return gone
    said = content(s.quote) | content(s.candidate.text)
    new = content(values.normal(s.candidate.value))
    for record in s.live:
        if (
            record.content.scope != s.candidate.scope
            or record.content.kind == "episodic"
            or not _same_person(s, record)
        ):
            continue
        parts = values.parts(record.content.value)
        if len(parts) > 1 and any((p := content(part)) and p <= said and not p <= new for part in parts):
            return _review(s, "review.part_changed", record)
    return None


def _gave_way(s: Situation) -> Draft | None:
    """The quote names what a record without a key says as what was before: "switched from A to B"."""
    for record in s.live:
        have = content(record.content.text)
        keyless = record.content.key is None and s.candidate.key is None
        if not (keyless and have and have <= s.said_old and _same_person(s, record)):
            continue
        if record.content.scope != s.candidate.scope or record.content.kind != s.candidate.kind:
            continue
        if have & content(s.candidate.text) or s.candidate.said_at <= record.said_at:
            continue
        if record.protected or not _same_opening(s.candidate.text, record.content.text):
            return _review(s, "review.names_old", record)
        params = s.params(memory=record.ref, old=shown(record))
        return Draft("override", "override.explicit_change", record, confidence=0.75, params=params)
    return None


def _names_a_part(s: Situation) -> Draft | None:
    """The quote says that a thing gave way, and a record without a key speaks of just that: "takes warfarin every
    evening" and "switched from warfarin to apixaban". What else the record says may still hold."""
    old = s.said_old - content(s.without_old(s.candidate.text))
    if not old or s.candidate.key is not None:
        return None
    for record in s.live:
        if (
            record.content.key is None
            and old <= content(record.content.text)
            and _same_person(s, record)
            and record.content.scope == s.candidate.scope
            and record.content.kind == s.candidate.kind
            and s.candidate.said_at > record.said_at
        ):
            return _review(s, "review.names_old", record)
    return None


def _same_opening(a: str, b: str) -> bool:
    """Both texts open with the same verb: "uses A", "uses B"; 用 A, 用 B."""
    return opening(a) is not None and opening(a) == opening(b)


def _same_person(s: Situation, record: Record) -> bool:
    return subjects.same(subject_of(s.statement), subject_of(record.statement))


def _review(
    s: Situation, rule: str, record: Record | None, proposed: str | None = None, confidence: float = 0.6
) -> Draft:
    params = s.params(memory=record.ref, old=shown(record)) if record else s.params()
    if s.correction and s.conflicts:
        params["correction"] = True
    return Draft("review", rule, record, proposed, confidence=confidence, params=params)


# -- what nothing speaks against -------------------------------------------------------------------------------------


def promote(s: Situation) -> Draft:
    """Nothing speaks against keeping it."""
    for memory in s.expired:
        if means(s, memory) in (Relation.SAME, Relation.CONFLICT):
            return Draft("promote", "promote.after_expiry", confidence=0.9, params=s.params(memory=memory.id))
    for memory in s.gone:
        if is_tombstone(memory) and means(s, memory) is Relation.SAME:
            return Draft("promote", "promote.said_again", confidence=0.8, params=s.params(memory=memory.id))
    one_of_several = s.statement.many and s.candidate.key and s.candidate.key not in EVENTLIKE
    if one_of_several and any(r.content.key == s.candidate.key for r in s.live):
        return Draft("promote", "promote.another_value", confidence=0.9, params=s.params())
    beside = _beside(s)
    if beside is not None:
        return Draft("promote", "promote.other_condition", confidence=0.9, params=s.params(memory=beside.ref))
    return Draft("promote", "promote.durable", confidence=0.9, params=s.params())


def _beside(s: Situation) -> Record | None:
    """A record of the same slot that holds for something or somebody else."""
    if s.candidate.key is None:
        return None
    plain = replace(s.statement, condition=None, subject=None)
    return next((r for r in s.live if r.content.key == s.candidate.key and r.content.scope == plain.scope), None)


ORDER: tuple[Rule, ...] = (
    reject_unsafe,
    reject_recalled,
    reject_other_origin,
    retract,
    reject_guess,
    reject_not_durable,
    session_only_working,
    reject_ungrounded,
    session_only_this_time,
    review_attribution,
    reject_deleted,
    review_bounded,
    review_profile,
    review_slot_writers,
    review_slot_value,
    dedupe,
    reject_stale,
    review_unsure,
    review_protected,
    review_double_negative,
    review_ends_later,
    override,
    review_conflict,
    review_names_old,
    promote,
)
