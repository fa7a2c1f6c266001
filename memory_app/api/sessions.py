"""Sessions, and what is said, noted and held in mind in them."""

from typing import Any
from uuid import UUID

from ninja import Query, Router, Status

from memory_app.actions.notes import NewNote, retain_note
from memory_app.actions.sessions import NewTurn, add_turns, open_session, put_working
from memory_app.auth import ASKS, TALKS, CallerRequest
from memory_app.domain.errors import UNFIT, UNKNOWN_REFERENCE, Invalid
from memory_app.keyset import Order
from memory_app.models import Session, Turn
from memory_app.queries import sessions as shown
from memory_app.queries.blocks import block_shown
from memory_app.queries.decisions import ORDER as DECISION_ORDER
from memory_app.queries.decisions import decision_shown, decisions
from memory_app.schemas.decisions import DecisionShown
from memory_app.schemas.listing import Asked, Listed, SessionsAsked
from memory_app.schemas.problems import refuses
from memory_app.schemas.sessions import (
    NoteGiven,
    NoteKept,
    NoteShown,
    SessionGiven,
    SessionShown,
    TurnPlaces,
    TurnsGiven,
    TurnShown,
    WorkingGiven,
)

from .lists import each, listed

router = Router(tags=["Sessions"])


@router.post(
    "",
    auth=TALKS,
    response={201: SessionShown, 200: SessionShown},
    summary="Open a session",
    openapi_extra=refuses(UNFIT),
)
def post_session(request: CallerRequest, body: SessionGiven) -> Status[Any]:
    """A new session; with an `external_id` that this user already has, that session (200)."""
    caller = request.auth
    caller.may_touch(*body.teams)
    session, made = open_session(caller.workspace, caller.actor, **body.model_dump())
    session = caller.may_enter(shown.get_session(caller.workspace, session.pk))
    request.concerns = session.user_id
    return Status(201 if made else 200, shown.session_shown(session))


@router.get("", auth=ASKS, response=Listed[SessionShown], summary="List sessions")
def get_sessions(request: CallerRequest, asked: Query[SessionsAsked]) -> dict[str, Any]:
    rows = shown.sessions(request.auth.workspace, asked.filters(), request.auth.teams)
    return listed(request, rows, shown.ORDER, asked, shown.sessions_shown)


@router.get("/{session_id}", auth=ASKS, response=SessionShown, summary="Read a session")
def get_session(request: CallerRequest, session_id: UUID) -> dict[str, Any]:
    return shown.session_shown(_session(request, session_id))


@router.post(
    "/{session_id}/turns", auth=TALKS, response={201: TurnPlaces}, summary="Add turns", openapi_extra=refuses(UNFIT)
)
def post_turns(request: CallerRequest, session_id: UUID, body: TurnsGiven) -> Status[Any]:
    """Stored in order, word for word, but with secrets, payment data and personal identifiers masked first."""
    session = _session(request, session_id)
    turns = [NewTurn(t.role, t.content, t.at, t.tool_calls) for t in body.turns]
    stored = add_turns(session, request.auth.actor, turns)
    return Status(201, {"turns": [{"id": turn.pk, "index": turn.index} for turn in stored]})


@router.get("/{session_id}/turns", auth=ASKS, response=Listed[TurnShown], summary="List turns")
def get_turns(request: CallerRequest, session_id: UUID, asked: Query[Asked]) -> dict[str, Any]:
    rows = Turn.objects.filter(session=_session(request, session_id))
    return listed(request, rows, Order("index"), asked, each(shown.turn_shown))


@router.post(
    "/{session_id}/notes",
    auth=TALKS,
    response={201: NoteKept},
    summary="Keep a note",
    openapi_extra=refuses(UNKNOWN_REFERENCE, UNFIT),
)
def post_note(request: CallerRequest, session_id: UUID, body: NoteGiven) -> Status[Any]:
    """A candidate for memory. What the guardrails refuse is recorded as blocked, and is no error."""
    session = _session(request, session_id)
    request.auth.may_touch(body.team)
    retained = retain_note(session, request.auth.actor, _new_note(session, body))
    block = block_shown(retained.block) if retained.block else None
    return Status(201, {"id": retained.note.pk, "status": retained.note.status, "block": block})


@router.get("/{session_id}/notes", auth=ASKS, response=Listed[NoteShown], summary="List notes")
def get_notes(request: CallerRequest, session_id: UUID, asked: Query[Asked]) -> dict[str, Any]:
    rows = shown.notes(_session(request, session_id))
    return listed(request, rows, Order("number"), asked, each(shown.note_shown))


@router.put("/{session_id}/working", auth=TALKS, response=dict[str, Any], summary="Replace working memory")
def put_working_memory(request: CallerRequest, session_id: UUID, body: WorkingGiven) -> dict[str, Any]:
    """Working memory as it is stored now: replaced whole, masked."""
    session = _session(request, session_id)
    stored = put_working(session, request.auth.actor, body.model_dump(exclude_unset=True))
    return dict(stored.working or {})


@router.get("/{session_id}/decisions", auth=ASKS, response=Listed[DecisionShown], summary="List a session's decisions")
def get_decisions(request: CallerRequest, session_id: UUID, asked: Query[Asked]) -> dict[str, Any]:
    session = _session(request, session_id)
    rows = decisions(session.workspace, {"session": session.pk}, request.auth.teams)
    return listed(request, rows, DECISION_ORDER, asked, each(decision_shown))


def _session(request: CallerRequest, session_id: UUID) -> Session:
    session = request.auth.may_enter(shown.get_session(request.auth.workspace, session_id))
    request.concerns = session.user_id
    return session


def _new_note(session: Session, body: NoteGiven) -> NewNote:
    fields = body.model_dump(exclude={"turn", "evidence"})
    for name in ("key", "condition", "subject"):
        fields[name] = fields[name] or ""
    fields["keywords"] = tuple(body.keywords)
    if body.turn is not None:
        fields["turn"] = Turn.objects.filter(session=session, pk=body.turn).first()
        if fields["turn"] is None:
            raise Invalid.field("turn", "is not a turn of this session.", UNKNOWN_REFERENCE)
    if body.evidence is not None:
        fields |= {"evidence_role": body.evidence.role, "evidence_quote": body.evidence.quote}
    return NewNote(**fields)
