"""Turns into notes, where the agent saved none itself; and the notes that a session's end gives."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import Max

from consolidation.distill import MAX_TURN, DraftNote, SpokenTurn, distill, outcome_notes
from consolidation.domain.policy import Policy
from consolidation.models import ConsolidationRun
from memory_app import guardrails
from memory_app.actions.notes import NewNote, Retained, store_note
from memory_app.domain.actor import SYSTEM
from memory_app.models import NoteOrigin, Session, Turn

from .asking import Asking
from .drafting import by_model
from .leases import hold

#: Characters of what the user said that one run distills; a turn counts up to as much as is read of it.
BUDGET = 200_000


def distill_session(run: ConsolidationRun, policy: Policy, asking: Asking) -> None:
    """The session's turns distilled up to its last one, once; and its outcome noted, once. One transaction, and what
    a model is asked is asked before it. Turns beyond the budget are passed over, and the run says how many."""
    session = run.session
    turns = list(session.turns.filter(index__gt=session.distilled_to).order_by("index"))
    drafts: list[tuple[DraftNote, str]] = []
    found: list[tuple[DraftNote, dict[str, Any]]] = []
    if policy.distill != "off" and turns and not _noted(session):
        spoken = _affordable([spoken_of(t) for t in turns])
        run.passed_over = len(turns) - len(spoken)
        # A request to forget changes nothing by itself: its note is held for a person to confirm.
        said = distill(spoken, guard=guard_of(session.workspace.rules), retractions=True)
        drafts += [(draft, NoteOrigin.DISTILLED) for draft in said]
        if policy.distill == "llm":
            found = by_model(asking, spoken, said)
    outcome = [(draft, NoteOrigin.OUTCOME) for draft in _outcome_drafts(session)]
    with transaction.atomic():
        session = Session.objects.select_for_update().get(pk=session.pk)
        hold(run)
        if _noted(session):  # also while a model was thinking: what the agent kept counts, and is not kept twice
            drafts, found = [], []
        drafts += outcome
        by_id = {str(t.pk): t for t in turns}
        for draft, origin in drafts:
            _store(session, draft, origin, by_id.get(str(draft.turn)))
        for draft, entry in found:
            _store_proposed(session, draft, by_id[draft.turn], entry)
        if found:
            asking.save()
        last = session.turns.filter(index__lte=turns[-1].index).aggregate(m=Max("index"))["m"] if turns else None
        if last is not None:
            session.distilled_to = max(session.distilled_to, last)
            session.save(update_fields=["distilled_to"])
    run.session = session


def _noted(session: Session) -> bool:
    return session.notes.filter(origin=NoteOrigin.AGENT).exists()


def _affordable(spoken: list[SpokenTurn]) -> list[SpokenTurn]:
    left = BUDGET
    for place, turn in enumerate(spoken):
        left -= min(len(turn.text), MAX_TURN) if turn.role == "user" else 0
        if left < 0:
            return spoken[:place]
    return spoken


def _outcome_drafts(session: Session) -> list[DraftNote]:
    if session.ended_at is None or not (session.task or session.summary):
        return []
    if session.notes.filter(origin=NoteOrigin.OUTCOME).exists():
        return []
    calls: list[object] = []
    for content in (
        session.turns.filter(tool_calls__isnull=False).order_by("index").values_list("tool_calls", flat=True)
    ):
        calls += content if isinstance(content, list) else [content]
    last = session.turns.order_by("-index").values_list("at", flat=True).first()
    return outcome_notes(session.task, session.outcome, session.summary, calls, last or session.ended_at)


def _store_proposed(session: Session, draft: DraftNote, turn: Turn, entry: dict[str, Any]) -> None:
    """A model's draft as a note like any other; its call's entry says which notes are its own."""
    retained = _store(session, draft, NoteOrigin.DISTILLED, turn)
    entry.setdefault("notes", []).append(str(retained.note.pk))
    if retained.block is not None:
        entry["dropped"] = dict(Counter(entry.get("dropped", {})) + Counter({"blocked": 1}))


def _store(session: Session, draft: DraftNote, origin: str, turn: Turn | None) -> Retained:
    new = NewNote(
        text=draft.text,
        key=draft.key or "",
        value=draft.value,
        condition=draft.condition or "",
        subject=draft.subject or "",
        kind=draft.kind,
        scope=draft.scope,
        said_at=draft.said_at,
        occurred_at=draft.occurred_at,
        confidence=draft.confidence,
        retract=draft.retract,
        turn=turn,
        # What a session's end reports was said in no turn, so there is no quote to look for.
        evidence_role=turn.role if turn else "",
        evidence_quote=draft.quote if turn else "",
        origin=origin,
    )
    return store_note(session, SYSTEM, new)


def spoken_of(turn: Turn) -> SpokenTurn:
    return SpokenTurn(
        id=str(turn.pk), index=turn.index, role=turn.role, text=turn.content, at=turn.at, recalled=turn.recalled
    )


def guard_of(rules: guardrails.RuleSet) -> Callable[[str], str | None]:
    """What the built-in rules that are on say of a draft. The workspace's own rules are asked when it is stored, so that
    what they refuse is seen as a block."""
    built_in = guardrails.RuleSet(off=rules.off)
    return lambda text: guardrails.check(text, "capture", built_in).category
