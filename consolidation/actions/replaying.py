"""A consolidated session decided once more: under another policy, by the rules of today, with today's guardrails or a
language model, each run from the memory that it met. Nothing of it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, Sum
from django.db.models.functions import Length
from django.utils import timezone

from consolidation.distill import distill
from consolidation.domain.decide import decide
from consolidation.domain.decisions import Candidate, Outcome
from consolidation.domain.judging import Verdict
from consolidation.domain.policy import Policy
from consolidation.domain.replaying import NO_NOTE, Replay, Row, Side, counted, ours, refused, would_be
from memory_app import guardrails
from memory_app.actions.content import embed_all
from memory_app.actions.guard import check_fields, released
from memory_app.actions.notes import CHECKED
from memory_app.models import Block, Decision, DecisionStatus, Memory, Note, NoteOrigin, Origin, Session

from .asking import Asking
from .distilling import guard_of, spoken_of
from .gathering import Gathered, gather
from .judging import verdicts_on
from .releasing import RULE as RELEASED
from .trials import candidate_of

#: What decides: the notes as they are by the rules; the turns read again as well; a language model asked as well.
NOTES, TURNS, MODEL = "notes", "turns", "model"
ENGINES = (NOTES, TURNS, MODEL)
#: Which guardrails the notes pass: those of today, or what was found when they were kept and decided.
TODAY, THEN = "today", "then"
RULE_SETS = (TODAY, THEN)
#: So much is gone through while somebody waits for the page.
QUICK_NOTES, QUICK_CHARACTERS = 40, 20_000


def is_quick(session: Session, engine: str) -> bool:
    """Whether the replay takes less than about a second."""
    notes = session.notes.count()
    said = session.turns.aggregate(n=Sum(Length("content")))["n"] or 0 if engine == TURNS else 0
    return engine != MODEL and notes <= QUICK_NOTES and said <= QUICK_CHARACTERS


def replay(
    session: Session, policy: Policy, engine: str = NOTES, rule_set: str = TODAY, asking: Asking | None = None
) -> Replay:
    """What would become of each note of the session, beside what did. With MODEL `asking` says who is asked."""
    past = _past(session)
    allowed, kept_out = _guarded(past, rule_set, policy.rules)
    drafts, gone = _read_again(past, allowed, policy, engine)
    missing = {"vectors": 0}
    sides: dict[str, Side] = dict(kept_out) | dict.fromkeys(gone, NO_NOTE)
    for moment, notes in _together(past, [note for note in allowed if str(note.pk) not in gone]):
        new = [draft for draft in drafts.values() if _of(past, draft) == moment and draft.id not in past.by_id]
        texts = [text for note in notes for text in (note.text, note.evidence_quote) if text]
        texts += [draft.text for draft in drafts.values()]
        gathered = gather(session, notes, embed_all(texts), known_at=moment, rules=policy.rules)
        candidates = [_as_then(drafts.get(one.id, one), past, rule_set) for one in gathered.candidates] + new
        outcome = _outcome(gathered, candidates, policy, moment)
        if asking is not None:
            verdicts = verdicts_on(asking, outcome, replace(gathered, candidates=tuple(candidates)))
            outcome = _outcome(gathered, candidates, policy, moment, verdicts) if verdicts else outcome
        sides |= {one.candidate: would_be(one, past.made) for one in outcome.decisions}
        missing["vectors"] += _without_vector(gathered)
    rows = [
        Row(name, str(past.first[name].pk) if name in past.first else "", past.sides.get(name, NO_NOTE), sides[name])
        for name in [*(str(note.pk) for note in past.notes), *(name for name in sides if name not in past.by_id)]
    ]
    return Replay(tuple(rows), counted((missing | _missing(past, rule_set, engine)).items()))


@dataclass(frozen=True)
class _Past:
    """What the session had and what came of it: notes in the order they were said, each with its first decision or its
    block; the moments at which its runs began."""

    session: Session
    notes: Sequence[Note]
    by_id: Mapping[str, Note]
    first: Mapping[str, Decision]
    blocks: Mapping[str, Block]
    moments: Sequence[datetime]
    sides: Mapping[str, Side]
    made: Mapping[str, str]
    undecided: int
    habits: int


def _past(session: Session) -> _Past:
    decisions = Decision.objects.filter(session=session, origin=Origin.CONSOLIDATION, replaces=None)
    first: dict[str, Decision] = {}
    for decision in decisions.exclude(note=None).exclude(rule=RELEASED).order_by("created_at", "number"):
        first.setdefault(str(decision.note_id), decision)
    blocks = {str(block.note_id): block for block in session.blocks.exclude(note=None).order_by("-created_at")}
    notes = list(
        session.notes.select_related("turn", "team", "user", "workspace", "session").order_by("said_at", "number")
    )
    settled = [note for note in notes if str(note.pk) in first or str(note.pk) in blocks]
    runs = session.runs.exclude(started_at=None).order_by("started_at").values_list("started_at", flat=True)
    sides = {name: refused(block.category, block.rule) for name, block in blocks.items()}
    sides |= {name: _was(decision) for name, decision in first.items()}
    made = {name: str(decision.memory_id) for name, decision in first.items()
            if decision.memory_id and not sides[name].target}  # fmt: skip
    return _Past(
        session, settled, {str(note.pk): note for note in settled}, first, blocks,
        [moment for moment in runs if moment is not None] or [session.consolidated_at or timezone.now()],
        sides, made, len(notes) - len(settled), decisions.filter(note=None).count(),
    )  # fmt: skip


def _was(decision: Decision) -> Side:
    """The decision as it was made, whatever people have ruled since."""
    kept = decision.params.get("proposal") or {
        "action": decision.action, "proposed_action": decision.proposed_action, "before": decision.before,
        "base_version": decision.base_version, "memory": str(decision.memory_id or ""),
    }  # fmt: skip
    hold = str(decision.params.get("hold") or "")
    waited = bool(hold) or decision.status not in (DecisionStatus.APPLIED, DecisionStatus.UNDONE, DecisionStatus.STALE)
    needs = ("curator" if "escalated" in decision.params else decision.needs) if waited else "none"
    return Side(
        kept["action"], waited, needs, decision.rule, hold, target=kept["memory"] if kept["before"] else "",
        proposed=kept["proposed_action"], version=kept["base_version"], confidence=decision.confidence,
        params=ours(decision.params),
    )  # fmt: skip


def _guarded(past: _Past, rule_set: str, rules: guardrails.RuleSet) -> tuple[list[Note], dict[str, Side]]:
    """The notes that the guardrails let through, and what becomes of the others."""
    allowed, kept_out = [], {}
    for note in past.notes:
        name = str(note.pk)
        block = past.blocks.get(name) if name not in past.first else None  # one found at its approval came later
        masked = block is not None and block.category in guardrails.MASKED_CATEGORIES
        if block is not None and (rule_set == THEN or masked):  # what was masked is gone, so nobody can look again
            kept_out[name] = refused(block.category, block.rule)
            continue
        verdict = None
        if rule_set == TODAY:
            fields = {field: getattr(note, field) for field in CHECKED}
            verdict = check_fields(rules, fields, key=note.key).verdict
        if verdict is None or released(note.workspace, note.user, verdict):
            allowed.append(note)
        else:
            kept_out[name] = refused(verdict.category or "", verdict.rule or "")
    return allowed, kept_out


def _as_then(candidate: Candidate, past: _Past, rule_set: str) -> Candidate:
    """The candidate with what the guardrails found when it was decided, where those of today are not wanted."""
    decision = past.first.get(candidate.id)
    if rule_set == TODAY or decision is None:
        return candidate
    found = str(decision.params.get("category") or "unsafe") if decision.rule == "reject.unsafe" else None
    return replace(candidate, blocked=found)


def _read_again(
    past: _Past, notes: Sequence[Note], policy: Policy, engine: str
) -> tuple[dict[str, Candidate], set[str]]:
    """What the rules of today read out of the turns, by note where it was noted then, and the notes that there would
    not be. What an agent or a model has noted stays as it was."""
    if policy.distill == "off":
        return {}, {str(note.pk) for note in notes if note.origin == NoteOrigin.DISTILLED}
    if engine == NOTES or any(note.origin == NoteOrigin.AGENT for note in past.notes):
        return {}, set()
    by_model = {name for name, decision in past.first.items() if decision.engine != "rules"}
    own = {str(n.pk): n for n in notes if n.origin == NoteOrigin.DISTILLED and str(n.pk) not in by_model}
    turns = past.session.turns.filter(~Q(content=""), index__lte=past.session.distilled_to).order_by("index")
    drafts: dict[str, Candidate] = {}
    guard = guard_of(policy.rules)
    for place, draft in enumerate(distill([spoken_of(turn) for turn in turns], guard=guard, retractions=True)):
        if guard(draft.text) is not None:
            continue
        candidate = candidate_of(draft, place, policy.rules)
        same = next((name for name, note in own.items() if name not in drafts and _same(note, candidate)), None)
        if same is not None:
            candidate = replace(candidate, id=same, order=own[same].number)
        drafts[candidate.id] = candidate
    return drafts, set(own) - set(drafts)


def _same(note: Note, draft: Candidate) -> bool:
    keyed = bool(note.key) and (note.key, note.value) == (draft.key, draft.value)
    return (
        draft.evidence is not None
        and note.evidence_quote == draft.evidence.quote
        and (keyed or note.text == draft.text)
    )


def _together(past: _Past, notes: Sequence[Note]) -> list[tuple[datetime, list[Note]]]:
    """The notes that were decided together, by the moment whose memory they met: when their run began."""
    groups: dict[datetime, list[Note]] = {moment: [] for moment in past.moments}
    for note in notes:
        decision = past.first.get(str(note.pk))
        if decision is None:  # it was blocked: the next run would have had it
            moment = next((m for m in past.moments if m >= note.created_at), past.moments[-1])
        else:
            before = [m for m in past.moments if m <= decision.created_at]
            moment = before[-1] if before else past.moments[0]
        groups[moment].append(note)
    return list(groups.items())


def _of(past: _Past, draft: Candidate) -> datetime:
    """The run that would have read the draft's turn."""
    return next((moment for moment in past.moments if moment >= draft.said_at), past.moments[-1])


def _outcome(
    gathered: Gathered, candidates: Sequence[Candidate], policy: Policy, moment: datetime,
    verdicts: Mapping[str, Verdict] | None = None,
) -> Outcome:  # fmt: skip
    return decide(
        candidates, gathered.existing, now=moment, policy=policy, slots=gathered.slots,
        similarity=gathered.similarity, profile=gathered.profile, verdicts=verdicts,
    )  # fmt: skip


def _without_vector(gathered: Gathered) -> int:
    """Memories that could be compared by their words only: the version of then has no vector of today's embedder."""
    ours_now = {vector.model for name, vector in gathered.vectors.items() if name in _texts(gathered)}
    known = (gathered.vectors.get(one.text) for one in gathered.existing)
    return sum(1 for vector in known if vector is None or vector.values is None or vector.model not in ours_now)


def _texts(gathered: Gathered) -> set[str]:
    return {note.text for note in gathered.notes.values()}


def _missing(past: _Past, rule_set: str, engine: str) -> dict[str, int]:
    """How much could not be restored or was left out, by its name."""
    met = {one["memory"] for decision in past.first.values() for one in decision.neighbours if "note" not in one}
    there = Memory.objects.filter(pk__in=met).count() if met else 0
    turns: dict[str, Any] = past.session.turns.aggregate(n=Count("pk", filter=Q(content="")))
    modelled = sum(1 for decision in past.first.values() if decision.engine != "rules")
    return {
        "erased": len(met) - there,
        "turns": turns["n"] if engine == TURNS else 0,
        "masked": sum(1 for block in past.blocks.values() if block.category in guardrails.MASKED_CATEGORIES)
        if rule_set == TODAY
        else 0,
        "model": modelled if engine != MODEL else 0,
        "undecided": past.undecided,
        "habits": past.habits,
    }
