"""The rules of what must not be kept: unsafe, not the user's own, guessed, not said, not lasting, deleted, taken back."""

from memory_app.domain.recalled import has_quotation, quotes

from .compare import cues, subjects, values
from .compare.polarity import polarity
from .compare.tokens import content, tokens
from .compare.values import hard_differences
from .decisions import Existing
from .grounding import Grounding
from .matching import Relation, match, subject_of
from .situation import Draft, Situation, shown
from .slots import PASSING, SECRET
from .working_set import Record, record_of


def reject_unsafe(s: Situation) -> Draft | None:
    """A guardrail found something that must not be kept."""
    if s.candidate.blocked is not None:
        by = {"guardrail": s.candidate.found_by} if s.candidate.found_by else {}
        return Draft("reject", "reject.unsafe", confidence=0.98, params=s.params(category=s.candidate.blocked, **by))
    if s.candidate.key and SECRET.search(s.candidate.key) and s.candidate.value not in (None, ""):
        return Draft("reject", "reject.unsafe", confidence=0.98, params=s.params(category="secret", value=""))
    return None


def reject_recalled(s: Situation) -> Draft | None:
    """The text came out of recall: it is no evidence for itself."""
    if s.candidate.recalled or _is_echo(s):
        return Draft("reject", "reject.recalled", confidence=0.98, params=s.params())
    return None


def _is_echo(s: Situation) -> bool:
    """It says what a record says, and the user has said nothing of it: the agent had it from recall, or the user has
    only quoted the record."""
    c = s.candidate
    if c.retract or s.from_outcome:
        return False
    own = c.evidence is not None and bool(c.evidence.quote.strip()) and c.evidence.anchored is not False
    if own and not has_quotation(s.quote):
        return False
    found = s.first(Relation.SAME) if own or c.shown else None
    if found is None:
        return False
    record = found[0]
    return quotes(s.quote, record.content.text) if own else record.ref in c.shown


def reject_other_origin(s: Situation) -> Draft | None:
    """The words are the assistant's, a tool's, the system's, or quoted."""
    if s.from_user:
        return None
    role = s.candidate.evidence.role if s.candidate.evidence else ""
    if role in ("user", "operator", "human"):
        return Draft("reject", "reject.quoted", confidence=0.95, params=s.params())
    return Draft("reject", "reject.not_from_user", confidence=0.95, params=s.params(role=role))


def retract(s: Situation) -> Draft | None:
    """The user wants something forgotten: a person confirms it, an admin when the memory is protected."""
    if not (s.candidate.retract or cues.asks_to_forget(s.candidate.text)):
        return None
    target = _meant_by_retraction(s)
    if target is None:
        return Draft("reject", "reject.nothing_to_retract", confidence=0.7, params=s.params())
    return Draft(
        "review",
        "review.retract",
        target,
        "retract",
        confidence=0.8,
        params=s.params(memory=target.ref, old=shown(target)),
    )


def _meant_by_retraction(s: Situation) -> Record | None:
    wanted = content(s.candidate.text) | content(values.normal(s.candidate.value))
    meant = [(r, m) for r, m in s.matches if s.candidate.value is None or m.why != "other_value"]
    if meant:
        # What says the same goes first, then what shares most words with the request.
        return min(
            meant,
            key=lambda f: (f[1].relation is not Relation.SAME, -len(wanted & content(f[0].content.text)), f[0].ref),
        )[0]
    if s.matches:
        return None  # another value stands there: what was to be forgotten is gone already
    own = [r for r in s.live if r.content.scope == s.candidate.scope]
    named = [r for r in own if (have := content(r.content.text)) and have <= wanted]
    return min(named, key=lambda r: (-len(content(r.content.text)), -s.alike[r.ref], r.ref)) if named else None


def reject_guess(s: Situation) -> Draft | None:
    """It is a guess or something undecided."""
    if s.guess and not s.from_outcome:
        return Draft("reject", "reject.speculation", confidence=0.92, params=s.params())
    return None


def reject_ungrounded(s: Situation) -> Draft | None:
    """The quote does not say it."""
    if s.candidate.origin == "distilled" and s.grounding in (Grounding.AGREED, Grounding.NOT_STATED):
        answered = cues.is_bare_affirmation(s.quote) or not cues.is_hypothetical(s.quote)
        if answered:  # the distiller has read the question that a short answer belongs to
            return None
    match s.grounding:
        case Grounding.ADDED:
            return Draft("reject", "reject.adds_to_quote", confidence=0.9, params=s.params())
        case Grounding.NOT_STATED:
            return Draft("reject", "reject.not_stated", confidence=0.85, params=s.params())
        case Grounding.PARTLY:
            return Draft("review", "review.adds_part", confidence=0.6, params=s.params())
        case Grounding.DENIED:
            return Draft("review", "review.quote_denies", confidence=0.6, params=s.params())
        case Grounding.AGREED:
            return Draft("review", "review.only_agreed", confidence=0.6, params=s.params())
    return None


def review_attribution(s: Situation) -> Draft | None:
    """The quote is about somebody else and the candidate does not say so."""
    if s.other_speaker is None:
        return None
    return Draft(
        "review", "review.attribution", confidence=0.6, params=s.params(person=s.other_speaker.partition(".")[2])
    )


def reject_not_durable(s: Situation) -> Draft | None:
    """Small talk, or one piece of work that was asked for."""
    c = s.candidate
    draft = Draft("reject", "reject.not_durable", confidence=0.9, params=s.params())
    if not c.text.strip() or cues.is_chatter(c.text) or (c.key is None and cues.is_chatter(s.quote)):
        return draft
    if s.lasting or c.kind in ("procedural", "working") or s.from_outcome:
        return None
    if c.key in PASSING:
        return draft
    return draft if cues.is_one_off(c.text) and s.slot_key is None else None


def reject_deleted(s: Situation) -> Draft | None:
    """It was deleted, and this was said before that."""
    if s.first(Relation.SAME) is not None:
        return None
    for memory in s.gone:
        when = memory.deleted_at or memory.updated_at
        if s.candidate.said_at <= when and (means(s, memory) is Relation.SAME or _adds_nothing(s, memory)):
            return Draft("reject", "reject.deleted", confidence=0.95, params=s.params(memory=memory.id))
    return None


def _adds_nothing(s: Situation, memory: Existing) -> bool:
    """The candidate says a part of what was deleted, or tells the same turn again in other words."""
    said, had = content(s.candidate.text) - {"count=1"}, content(memory.text) - {"count=1"}
    record = record_of(memory, s.slots)
    if (
        polarity(s.candidate.text).sign != polarity(memory.text).sign
        or not subjects.same(subject_of(s.statement), subject_of(record.statement))
        or any(hard_differences(tokens(s.candidate.text), tokens(memory.text)))
    ):
        return False
    if said and said <= had:
        return len(said) > 1 or len(had) < 3
    again = s.candidate.said_at == memory.updated_at
    return again and 2 * len(said & had) >= max(1, min(len(said), len(had)))


def means(s: Situation, memory: Existing) -> Relation:
    """How the candidate stands to a memory that is not live."""
    record = record_of(memory, s.slots)
    return match(s.statement, record.statement, 0.0, s.limits).relation
