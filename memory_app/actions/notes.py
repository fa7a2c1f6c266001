"""Retaining a candidate note: through the guardrails, to its session's memory, to its audit row."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from memory_app import guardrails
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Invalid
from memory_app.domain.people import whom
from memory_app.domain.retention import starting_importance
from memory_app.domain.words import fold
from memory_app.models import (
    Block,
    Kind,
    Memory,
    MemoryStatus,
    Note,
    NoteStatus,
    Scope,
    Session,
    Speaker,
    Turn,
)

from .audit import audit
from .clock import said_by_now
from .content import TextVector, embed, ensure_slot, fill_slot
from .guard import Checked, check_fields, record_block, refuse_secret, released
from .locks import lock_owner
from .sessions import get_team, open_for_writing, touch
from .versions import add_source, create_memory, slot_occupant, write_version


@dataclass(frozen=True, slots=True)
class NewNote:
    """A note as the agent gives it (CONTRACT: a note). Empty strings and None mean that it says nothing."""

    text: str
    key: str = ""
    value: Any = None
    condition: str = ""
    subject: str = ""
    keywords: tuple[str, ...] = ()
    kind: str = "semantic"
    scope: str = "user"
    team: str | None = None
    said_at: datetime | None = None
    occurred_at: datetime | None = None
    expires_at: datetime | None = None
    importance: float | None = None
    confidence: float | None = None
    retract: bool = False
    turn: Turn | None = None
    evidence_role: str = ""
    evidence_quote: str = ""
    origin: str = "agent"


CHECKED = ("text", "value", "condition", "subject", "keywords", "evidence_quote")


@dataclass(frozen=True, slots=True)
class Retained:
    note: Note
    block: Block | None


def retain_note(session: Session, actor: Actor, new: NewNote) -> Retained:
    """The note, staged and visible to recall in its own session, or blocked with its block. Both are recorded."""
    new, checked = _checked(session, new)
    vector = embed(checked.values["text"]) if checked.allowed else None
    with transaction.atomic():
        lock_owner(session.user_id)
        session = open_for_writing(session.pk, session.workspace)
        retained = _store(session, actor, new, checked)
        if vector is not None and not retained.note.retract:
            stage_in_session(retained.note, vector, actor)
        touch(session, timezone.now())
    return retained


def store_note(session: Session, actor: Actor, new: NewNote) -> Retained:
    """The same for what a session's own turns and end give: stored, but not shown to a session that is over."""
    new, checked = _checked(session, new)
    return _store(session, actor, new, checked)


def stage_in_session(note: Note, vector: TextVector, actor: Actor) -> Memory:
    """The note's session-scope memory: what this session goes by from now on. A note said earlier than what
    fills its slot adds a source and changes nothing. What a person has pinned or written there stays as it is, and the
    note, which is no source of it, waits beside it."""
    state = state_of(note)
    session = note.session
    probe = Memory(workspace=note.workspace, scope=Scope.SESSION, owner=session.pk, **state)
    occupant = slot_occupant(probe)
    if occupant is None:
        memory = create_memory(
            note.workspace, state, vector, actor,
            scope=Scope.SESSION, session=session, user=note.user, confirmed_at=note.said_at,
        )  # fmt: skip
    elif _is_kept(occupant):
        return occupant
    else:
        memory = occupant
        if note.said_at >= occupant.updated_at:
            write_version(occupant, state, vector, actor, None)
    add_source(memory, said_at=note.said_at, note=note)
    return memory


def _is_kept(memory: Memory) -> bool:
    """A session's notes leave it as it is: a person's, or a procedure that was made by a call of its own and not by a note."""
    return memory.of_a_person or (memory.protected and memory.versions.exclude(decision=None).exists())


def archive_session_copy(note: Note, actor: Actor, decision: Any) -> None:
    """The session no longer goes by this note (it was rejected), but by what a person has pinned or written there."""
    copies = Memory.objects.filter(
        scope=Scope.SESSION, owner=note.session_id, status=MemoryStatus.ACTIVE, sources__note=note
    )
    for memory in copies.distinct():
        if not _is_kept(memory):
            write_version(memory, {"status": MemoryStatus.ARCHIVED}, None, actor, decision)


def _checked(session: Session, new: NewNote) -> tuple[NewNote, Checked]:
    refuse_secret("key", new.key)
    new = _normal(new)
    fields = {name: getattr(new, name) for name in CHECKED}
    passed = partial(released, session.workspace, session.user)
    return new, check_fields(session.workspace.rules, fields, key=new.key, passed=passed)


def _normal(new: NewNote) -> NewNote:
    if new.kind == Kind.WORKING and new.scope != Scope.SESSION:
        new = replace(new, scope=Scope.SESSION)
    if new.scope == Scope.TEAM and not new.team:
        raise Invalid.field("team", "is needed for a note of scope team.")
    if new.turn is not None and not new.evidence_role:
        new = replace(new, evidence_role=new.turn.role)
    return new


def _store(session: Session, actor: Actor, new: NewNote, checked: Checked) -> Retained:
    note = _note(session, actor, new, checked)
    note.save(force_insert=True)
    note.refresh_from_db(fields=["number"])
    block = None
    if checked.verdict is not None:
        block = record_block(
            session.workspace, checked.verdict, field=checked.field or "text",
            session=session, user=session.user, note=note, turn=note.turn,
        )  # fmt: skip
    audit(session.workspace, actor, f"note.{note.status}", note, session=str(session.pk))
    return Retained(note, block)


def _note(session: Session, actor: Actor, new: NewNote, checked: Checked) -> Note:
    values = checked.values
    turn, start, end, anchored = _anchor(session, new, values["evidence_quote"])
    said_at = said_by_now("said_at", new.said_at) or (turn.at if turn else None) or _last_said(session)
    return Note(
        workspace=session.workspace,
        session=session,
        user=session.user,
        team=get_team(session.workspace, new.team, actor) if new.team else None,
        status=NoteStatus.STAGED if checked.allowed else NoteStatus.BLOCKED,
        origin=new.origin,
        key=new.key,
        kind=new.kind,
        scope=new.scope,
        text=values["text"],
        value=values["value"],
        condition=values["condition"],
        subject=whom(values["subject"]),
        keywords=list(values["keywords"]),
        evidence_quote=values["evidence_quote"],
        evidence_role=new.evidence_role or (turn.role if turn else ""),
        evidence_start=start,
        evidence_end=end,
        anchored=anchored,
        turn=turn,
        said_at=said_at,
        occurred_at=new.occurred_at,
        expires_at=new.expires_at,
        importance=new.importance,
        confidence=new.confidence,
        retract=new.retract,
        sensitivity=guardrails.sensitivity(values["text"], values["value"]) or "",
        recalled=turn.recalled if turn else False,
    )


def _last_said(session: Session) -> datetime:
    last = session.turns.order_by("-index").values_list("at", flat=True).first()
    return last or timezone.now()


def _anchor(session: Session, new: NewNote, quote: str) -> tuple[Turn | None, int | None, int | None, bool | None]:
    """The turn that holds the quote and where: offsets in the masked turn. Without a quote only the turn, if given."""
    if not quote:
        return new.turn, None, None, None
    turns = [new.turn] if new.turn is not None else list(session.turns.order_by("-index")[:200])
    for turn in turns:
        if new.evidence_role and new.turn is None and turn.role != new.evidence_role:
            continue
        start = turn.content.find(quote)
        if start >= 0:
            return turn, start, start + len(quote), True
    folded = fold(quote)
    for turn in turns if folded else ():
        if len(fold(turn.content)) == len(turn.content):
            start = fold(turn.content).find(folded)
            if start >= 0 and (not new.evidence_role or turn.role == new.evidence_role):
                return turn, start, start + len(folded), True
    return new.turn, None, None, False


def importance_of(note: Note) -> float:
    """As its agent says, or from what is known: the user's own words, and for an episode how the session's task went."""
    if note.importance is not None:
        return note.importance
    own_words = note.evidence_role == Speaker.USER and bool(note.anchored)
    outcome = note.session.outcome if note.kind in (Kind.EPISODIC, Kind.PROCEDURAL) else ""
    return starting_importance(note.text, confirmed=own_words, outcome=outcome)


def state_of(note: Note) -> dict[str, Any]:
    """The content of a memory that says what the note says."""
    slot = ensure_slot(note.workspace, note.key)
    expires = note.expires_at
    if expires is None and slot is not None and slot.expires_after is not None:
        expires = note.said_at + slot.expires_after
    state = {
        "text": note.text,
        "key": note.key,
        "value": note.value,
        "condition": note.condition,
        "subject": note.subject,
        "keywords": note.keywords,
        "kind": note.kind,
        "sensitivity": note.sensitivity,
        "importance": importance_of(note),
        "confidence": note.confidence,
        "source": "session",
        "updated_at": note.said_at,
        "occurred_at": note.occurred_at,
        "expires_at": expires,
    }
    return fill_slot(state, slot)
