"""How a candidate stands to a record: the same, in conflict, unsure, or about something else.

Similarity of vectors is evidence only: it can make a pair worth a person's look, it never makes two texts the same.
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from memory_app.domain.slots import default_cardinality
from memory_app.domain.words import fold

from .compare import conditions, subjects, values
from .compare.frames import numbers_differ, parallel, share_half, told_in_both_languages, untranslated
from .compare.polarity import Polarity, polarity
from .compare.roles import within_list
from .compare.texts import TextRelation, compare_texts, is_over
from .compare.tokens import content, script, tokens
from .compare.values import Same, hard_differences
from .slots import OF_RELATIONS, OPPOSITES, infer

#: Slots whose values are told in whole sentences, a little differently each time.
LOOSE = frozenset({"goal", "travel_wish"})
EVENTLIKE = frozenset({"episode", "fact", "note", "hobby"})


class Relation(Enum):
    """What the candidate is to the record."""

    SAME = "same"
    CONFLICT = "conflict"
    UNSURE = "unsure"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class Statement:
    """What is compared of a candidate or a record."""

    text: str
    key: str | None
    value: Any
    condition: str | None
    subject: str | None
    kind: str
    scope: str
    team: str | None
    many: bool
    day: str | None = None  # the day of an event
    ended: bool = False  # the caller knows that it is over


@dataclass(frozen=True, slots=True)
class Match:
    """The relation, how it was found ("key", "slot" or "text"), and why in one stable word."""

    relation: Relation
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class Limits:
    """From which similarity two texts are worth a person's look, and from which a shorter text may be a record's."""

    doubtful: float
    near_duplicate: float


_UNRELATED = Match(Relation.UNRELATED, "text", "other_topic")


def subject_of(statement: Statement) -> str | None:
    """Whom the statement is about; a relation inside a slot about relations is not another subject."""
    if statement.subject is None and statement.key in OF_RELATIONS:
        return None
    return subjects.of(statement.subject, statement.text)


def match(candidate: Statement, record: Statement, similarity: float, limits: Limits) -> Match:
    """How the candidate stands to the record."""
    if not _reachable(candidate, record):
        return _UNRELATED
    if not subjects.same(subject_of(candidate), subject_of(record)):
        return Match(Relation.UNRELATED, "text", "other_subject")
    mine, theirs = slot_of(candidate), slot_of(record)
    keyless = candidate.key is None and record.key is None and candidate.kind == record.kind
    if keyless and within_list(candidate.text, record.text) and _conditions_agree(candidate, record):
        return Match(Relation.SAME, "text", "part")
    if candidate.key is not None and record.key is not None:
        return _both_keyed(candidate, record)
    if (candidate.kind == "episodic") != (record.kind == "episodic"):
        return Match(Relation.UNRELATED, "text", "other_kind")
    if mine is not None and theirs is not None and _compatible(mine[0], theirs[0]):
        return _same_slot(candidate, record, mine, theirs, similarity, limits)
    if not _conditions_agree(candidate, record):
        return Match(Relation.UNRELATED, "text", "other_condition")
    found = _by_text(candidate, record, similarity, limits)
    if mine is not None and theirs is not None and found.relation is not Relation.SAME:
        return _UNRELATED  # two known slots that differ; wording alone does not join them
    return found


def slot_of(statement: Statement) -> tuple[str, Any] | None:
    """The slot and value that the statement has or that its wording implies."""
    inferred = infer(statement.text)
    if statement.key is None:
        return inferred
    value = statement.value
    if value is None and inferred is not None and _compatible(inferred.key, statement.key):
        value = inferred.value
    return statement.key, value


def _reachable(candidate: Statement, record: Statement) -> bool:
    if record.scope == "session":
        return False
    if candidate.scope == "team":
        return record.scope == "team" and (candidate.team == record.team or record.team is None)
    return True


def _compatible(a: str, b: str) -> bool:
    return a == b or OPPOSITES.get(a) == b or {a, b} == {"budget", "hotel_budget"}


# -- both have a key -------------------------------------------------------------------------------------------------


def _both_keyed(candidate: Statement, record: Statement) -> Match:
    if candidate.key == record.key or OPPOSITES.get(candidate.key or "") == record.key:
        return _keyed(candidate, record)
    return Match(Relation.UNRELATED, "key", "other_key")


def _keyed(candidate: Statement, record: Statement) -> Match:
    same_condition = _keyed_conditions(candidate, record)
    if same_condition is False:
        return Match(Relation.UNRELATED, "key", "other_condition")
    relation = _by_value(candidate, record, slot_of(candidate), slot_of(record), "key")
    if same_condition is True or relation.relation is Relation.UNRELATED:
        return relation
    # Neither names a condition, but the wording of one does: one record cannot stand for both.
    if relation.relation is Relation.SAME and conditions.inferred(record.text) is None:
        return relation
    return Match(Relation.UNSURE, "key", "condition_in_text")


def _keyed_conditions(candidate: Statement, record: Statement) -> bool | None:
    """True: the same; False: another condition; None: the given ones agree and the wording does not."""
    if candidate.condition is not None and record.condition is not None:
        return conditions.normal(candidate.condition) == conditions.normal(record.condition)
    mine = conditions.known(candidate.condition, candidate.text)
    theirs = conditions.known(record.condition, record.text)
    if candidate.condition is None and record.condition is None:
        return True if _conditions_agree(candidate, record) else None
    return bool(mine & theirs)


def _conditions_agree(candidate: Statement, record: Statement) -> bool:
    mine = conditions.known(candidate.condition, candidate.text)
    theirs = conditions.known(record.condition, record.text)
    if mine == theirs or mine & theirs:
        return True
    return _says_anyway(mine - theirs, record.text) and _says_anyway(theirs - mine, candidate.text)


def _says_anyway(left_over: frozenset[str], other_text: str) -> bool:
    """A free clause ("when reviewing code") is no condition if the other text names the same things."""
    have = content(other_text)
    return all(bool(c := conditions.clause_content(condition)) and c <= have for condition in left_over)


# -- the same slot, by key or by wording -----------------------------------------------------------------------------


def _same_slot(
    candidate: Statement,
    record: Statement,
    mine: tuple[str, Any],
    theirs: tuple[str, Any],
    similarity: float,
    limits: Limits,
) -> Match:
    if not _conditions_agree(candidate, record):
        return Match(Relation.UNRELATED, "slot", "other_condition")
    if mine[1] is None or theirs[1] is None:
        return _by_text(candidate, record, similarity, limits)
    if _other_topic(candidate, record, mine, theirs):
        return Match(Relation.UNRELATED, "slot", "other_topic")
    return _by_value(candidate, record, mine, theirs, "slot")


def _other_topic(candidate: Statement, record: Statement, mine: tuple[str, Any], theirs: tuple[str, Any]) -> bool:
    """Both texts name what the value belongs to, and name different things: a training budget, a trip budget."""
    if conditions.other_case((candidate.text, values.normal(mine[1])), (record.text, values.normal(theirs[1]))):
        return True
    if mine[0] in ("likes", "dislikes", "allergy") or script(candidate.text) != script(record.text):
        return False
    slot_words = content(mine[0].replace("_", " "))
    a = content(candidate.text) - values.words_of(mine[1]) - slot_words
    b = content(record.text) - values.words_of(theirs[1]) - slot_words
    a, b = (frozenset(t for t in side if "=" not in t and "." not in t and len(t) > 1) for side in (a, b))
    return bool(a) and bool(b) and not a & b and not a & values.words_of(theirs[1])


def _by_value(
    candidate: Statement, record: Statement, mine: tuple[str, Any] | None, theirs: tuple[str, Any] | None, by: str
) -> Match:
    my_value, their_value = (mine or ("", None))[1], (theirs or ("", None))[1]
    if my_value is None or their_value is None:
        return _without_value(candidate, record, by)
    same = values.compare(my_value, their_value)
    if same is Same.DIFFERENT:  # a bare number has the unit that its text gives it
        measured = values.measured(my_value, candidate.text), values.measured(their_value, record.text)
        same = Same.EQUAL if values.compare(*measured) is Same.EQUAL else same
    if by == "slot" and candidate.key is None:  # the wording's slot says how many values it takes
        candidate = _taking(candidate, default_cardinality((mine or ("", None))[0]) == "many")
    if by == "slot" and record.key is None:
        record = _taking(record, default_cardinality((theirs or ("", None))[0]) == "many")
    other_number = by == "slot" and same is Same.EQUAL and numbers_differ(candidate.text, record.text)
    if other_number and all(hard_differences(tokens(candidate.text), tokens(record.text))):
        return Match(Relation.UNSURE, by, "other_number")
    return (_many if candidate.many and record.many else _one)(candidate, record, same, by)


def _taking(statement: Statement, many: bool) -> Statement:
    return statement if statement.many == many else replace(statement, many=many)


def _without_value(candidate: Statement, record: Statement, by: str) -> Match:
    found = compare_texts(candidate.text, record.text)
    if found is TextRelation.SAME:
        return Match(Relation.SAME, by, "same_text")
    if candidate.many and found is not TextRelation.CONFLICT:
        return Match(Relation.UNRELATED, by, "other_value")
    return Match(Relation.CONFLICT, by, "other_value")


def _stand(statement: Statement) -> Polarity:
    found = polarity(statement.text)
    if statement.ended:
        return Polarity(-1, taste=found.taste, ended=True)
    if not found.taste and statement.key in ("likes", "dislikes"):
        return Polarity(-1 if statement.key == "dislikes" else 1, taste=True, ended=found.ended)
    return found


def _flips(candidate: Statement, record: Statement) -> bool:
    """The texts affirm and deny the same thing, or one says that it is over."""
    mine, theirs = _stand(candidate), _stand(record)
    if mine.ended != theirs.ended and _shares_value(candidate, record):
        return True
    return mine.sign != theirs.sign and (mine.taste == theirs.taste) and _shares_value(candidate, record)


def _shares_value(candidate: Statement, record: Statement) -> bool:
    """What is denied is what is affirmed: the words of the value stand in both texts, or nothing else does."""
    a, b = content(candidate.text), content(record.text)
    given = candidate.value if candidate.value is not None else record.value
    if given is None:
        return bool(a & b)
    # A value such as "no" is a denial by itself: the wording may affirm the reverse and mean the same.
    return bool(values.words_of(given) & a & b) or a == b


def _other_bound(candidate: Statement, record: Statement) -> bool:
    """One text sets a least and the other a most."""
    mine, theirs = ({t for t in content(s.text) if t.startswith("limit.")} for s in (candidate, record))
    return bool(mine) and bool(theirs) and not mine & theirs


def _one(candidate: Statement, record: Statement, same: Same, by: str) -> Match:
    if same is Same.EQUAL and candidate.kind == "procedural" and values.reordered(candidate.value, record.value):
        return Match(Relation.CONFLICT, by, "other_value")
    if same is Same.EQUAL:
        if _flips(candidate, record) or _other_bound(candidate, record):
            return Match(Relation.CONFLICT, by, "opposite")
        return Match(Relation.SAME, by, "same_value")
    if same in (Same.PART, Same.WHOLE) and compare_texts(candidate.text, record.text) is TextRelation.SAME:
        return Match(Relation.SAME, by, "same_text")
    if same is Same.DIFFERENT and fold(candidate.text) == fold(record.text):
        return Match(Relation.SAME, by, "same_text")
    return Match(Relation.CONFLICT, by, "opposite" if same is Same.OPPOSITE else "other_value")


def _denied_of(candidate: Statement, record: Statement) -> bool:
    """What the candidate says is not so, or over, is what the record speaks of: "no parrot" and "a parrot named Kiwi"."""
    denied = content(values.normal(candidate.value))
    return bool(denied) and denied <= content(record.text) and _flips(candidate, record)


def _many(candidate: Statement, record: Statement, same: Same, by: str) -> Match:
    if same is Same.EQUAL:
        if OPPOSITES.get(candidate.key or "") == record.key and record.key is not None:
            return Match(Relation.CONFLICT, by, "opposite")
        if _flips(candidate, record):
            return Match(Relation.CONFLICT, by, "opposite")
        if candidate.key in EVENTLIKE and not _same_event(candidate, record):
            return Match(Relation.UNRELATED, by, "other_event")
        return Match(Relation.SAME, by, "same_value")
    if same is Same.OPPOSITE or (same is Same.DIFFERENT and _denied_of(candidate, record)):
        return Match(Relation.CONFLICT, by, "opposite")
    if same is Same.PART:
        return _part(candidate, record, by)
    found = compare_texts(candidate.text, record.text)
    if found is TextRelation.SAME and not _flips(candidate, record) and _same_event(candidate, record):
        return Match(Relation.SAME, by, "same_text")
    if candidate.key in LOOSE and _mostly_same(candidate, record):
        return Match(Relation.SAME, by, "near_text")
    if found is TextRelation.OPPOSITE or (found is TextRelation.CONFLICT and candidate.key == "fact"):
        return Match(Relation.CONFLICT, by, "opposite" if found is TextRelation.OPPOSITE else "other_value")
    if by == "slot" and untranslated(candidate.text, record.text):
        return Match(Relation.UNSURE, by, "other_language")
    if candidate.day and candidate.day == record.day and share_half(candidate.text, record.text):
        return Match(Relation.UNSURE, by, "same_day")
    return Match(Relation.UNRELATED, by, "other_value")


def _mostly_same(candidate: Statement, record: Statement) -> bool:
    """Most of what the shorter text says stands in the other, no fact differs, and both affirm or both deny."""
    mine, theirs = (content(s.text) - content((s.key or "").replace("_", " ")) for s in (candidate, record))
    if min(len(mine), len(theirs)) < 3 or polarity(candidate.text).sign != polarity(record.text).sign:
        return False
    left, right = hard_differences(tokens(candidate.text), tokens(record.text))
    return not left and not right and 5 * len(mine & theirs) >= 3 * min(len(mine), len(theirs))


def _part(candidate: Statement, record: Statement, by: str) -> Match:
    """The candidate says a part of the record: already held if the record lists it, else a wider statement."""
    against = _stand(candidate).sign != _stand(record).sign or OPPOSITES.get(candidate.key or "") == record.key
    listed = len(values.parts(record.value if record.value is not None else record.text)) > 1
    if against:
        return Match(Relation.UNSURE, by, "part_opposite")
    return Match(Relation.SAME, by, "part") if listed else Match(Relation.UNRELATED, by, "wider")


def _same_event(candidate: Statement, record: Statement) -> bool:
    if candidate.day and record.day and candidate.day != record.day:
        return False
    mine, theirs = (
        {t for t in content(s.text) if "=" in t and not t.startswith(("date=", "rate="))} for s in (candidate, record)
    )
    return not (mine and theirs) or mine == theirs


# -- by the words alone ----------------------------------------------------------------------------------------------


def _by_text(candidate: Statement, record: Statement, similarity: float, limits: Limits) -> Match:
    if candidate.day and record.day and candidate.day != record.day:
        return Match(Relation.UNRELATED, "text", "other_event")
    found = compare_texts(candidate.text, record.text)
    if found is TextRelation.SAME:
        if candidate.ended != record.ended:
            return Match(Relation.CONFLICT, "text", "opposite")
        return Match(Relation.SAME, "text", "same_text")
    if found is TextRelation.OPPOSITE:
        return Match(Relation.CONFLICT, "text", "opposite")
    if found is TextRelation.CONFLICT and candidate.kind == "episodic":
        return Match(Relation.UNRELATED, "text", "other_event")  # two events do not contradict each other
    if found is TextRelation.CONFLICT:
        return Match(Relation.CONFLICT, "text", "other_value")
    if found is TextRelation.WITHIN and similarity >= limits.near_duplicate:
        return Match(Relation.SAME, "text", "near_text")
    if found in (TextRelation.WITHIN, TextRelation.CLOSE):
        return Match(Relation.UNSURE, "text", "near_text")
    if (
        found is TextRelation.APART
        and similarity >= limits.doubtful
        and conditions.other_times(candidate.text, record.text)
    ):
        return Match(Relation.UNSURE, "text", "parallel")
    if found in (TextRelation.OPEN, TextRelation.APART) and is_over(candidate.text, record.text):
        return Match(Relation.UNSURE, "text", "ended")
    if found in (TextRelation.OPEN, TextRelation.APART) and parallel(candidate.text, record.text):
        return Match(Relation.UNRELATED, "text", "parallel")
    if found is TextRelation.OPEN and _close(candidate.text, record.text, similarity, limits):
        return Match(Relation.UNSURE, "text", "similar")
    if found is TextRelation.APART and similarity >= limits.doubtful and _denies(candidate, record):
        return Match(Relation.UNSURE, "text", "similar")
    return _UNRELATED


def _close(mine: str, theirs: str, similarity: float, limits: Limits) -> bool:
    """So alike that somebody should look, or told in two languages, where vectors say little."""
    near = limits.doubtful - (0.1 if share_half(mine, theirs) else 0.0)
    return similarity >= near or told_in_both_languages(mine, theirs)


def _denies(candidate: Statement, record: Statement) -> bool:
    """One text affirms and the other denies: close in meaning, they say the same or the reverse."""
    return polarity(candidate.text).sign != polarity(record.text).sign
