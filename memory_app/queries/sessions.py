"""Sessions, turns and notes as they are shown."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Left

from memory_app.domain.errors import NotFound
from memory_app.keyset import Order
from memory_app.models import Agent, Block, Decision, Note, NoteStatus, Session, Speaker, Turn, User, Workspace
from memory_app.queries.teams import foreign_sessions

from .blocks import block_shown
from .named import cut_at, named

ORDER = Order("started_at")
FILTERS = {"user": "user__external_id", "agent": "agent__external_id", "status": "status"}


def sessions(workspace: Workspace, filters: Mapping[str, Any], teams: Iterable[str] | None = None) -> QuerySet[Session]:
    """The workspace's sessions that match every filter; with `teams`, none that is of another team as well."""
    rows = Session.objects.filter(workspace=workspace, **{FILTERS[name]: value for name, value in filters.items()})
    if teams is not None:
        rows = rows.exclude(pk__in=foreign_sessions(teams))
    return rows.select_related("user", "agent").prefetch_related("teams")


def with_opening(rows: "QuerySet[Session]", known_at: datetime | None = None) -> "QuerySet[Session]":
    """The sessions, each with how its user's first words begin (`opening`); of a past moment, those known by then."""
    said = Turn.objects.filter(session=OuterRef("pk"), role=Speaker.USER).order_by("index")
    if known_at is not None:
        said = said.filter(created_at__lte=known_at)
    return rows.annotate(opening=Subquery(said.values(start=Left("content", 120))[:1]))


def holding(workspace: Workspace, q: str) -> Q:
    """Sessions of users or agents whose name has the text, or that have it in their own name, task or summary. Each part
    has an index; names are looked up first, of users those seen last."""
    users, agents = _called(workspace, q)
    found = Q(external_id__icontains=q) | Q(task__icontains=q) | Q(summary__icontains=q)
    return found | Q(user__in=named(users)) | Q(agent__in=named(agents))


def names_cut(workspace: Workspace, q: str) -> int | None:
    """How many names are looked for, where so many have the text that the sessions of some are left out."""
    return cut_at(*_called(workspace, q)) if q else None


def _called(workspace: Workspace, q: str) -> "tuple[QuerySet[User], QuerySet[Agent]]":
    users = User.objects.filter(workspace=workspace, external_id__icontains=q).order_by("-last_seen_at", "pk")
    return users, Agent.objects.filter(workspace=workspace, external_id__icontains=q).order_by("pk")


def get_session(workspace: Workspace, session_id: Any) -> Session:
    """The workspace's session; NotFound when it is unknown or another's."""
    session = sessions(workspace, {}).select_related("workspace", "user", "agent").filter(pk=session_id).first()
    if session is None:
        raise NotFound("There is no such session.")
    return session


def sessions_shown(rows: Sequence[Session]) -> list[dict[str, Any]]:
    """The sessions with their counts, in three statements however many there are."""
    ids = [s.pk for s in rows]
    turns = dict(Turn.objects.filter(session__in=ids).values_list("session").annotate(n=Count("pk")))
    notes: dict[Any, dict[str, int]] = defaultdict(dict)
    for session, status, n in (
        Note.objects.filter(session__in=ids).values_list("session", "status").annotate(n=Count("pk")).order_by()
    ):
        notes[session][status] = n
    decided: dict[Any, dict[str, int]] = defaultdict(dict)
    actions = Decision.objects.filter(session__in=ids).exclude(status="stale").values_list("session", "action")
    for session, action, n in actions.annotate(n=Count("pk")).order_by("session", "action"):
        decided[session][action] = n
    return [_session(s, turns.get(s.pk, 0), notes[s.pk], decided[s.pk]) for s in rows]


def session_shown(session: Session) -> dict[str, Any]:
    return sessions_shown([session])[0]


def _session(session: Session, turns: int, notes: Mapping[str, int], decisions: Mapping[str, int]) -> dict[str, Any]:
    return {
        "id": session.pk,
        "ref": session.ref,
        "user": session.user.external_id,
        "agent": session.agent.external_id if session.agent else None,
        "teams": sorted(team.external_id for team in session.teams.all()),
        "external_id": session.external_id,
        "status": session.status,
        "started_at": session.started_at,
        "last_active_at": session.last_active_at,
        "ended_at": session.ended_at,
        "consolidated_at": session.consolidated_at,
        "task": session.task or None,
        "outcome": session.outcome or None,
        "summary": session.summary or None,
        "metadata": session.metadata,
        "working": session.working,
        "counts": {
            "turns": turns,
            "staged": notes.get(NoteStatus.STAGED, 0),
            "blocked": notes.get(NoteStatus.BLOCKED, 0),
            "decisions": dict(decisions),
        },
    }


def turn_shown(turn: Turn) -> dict[str, Any]:
    return {
        "id": turn.pk,
        "index": turn.index,
        "role": turn.role,
        "content": turn.content,
        "at": turn.at,
        "tool_calls": turn.tool_calls,
        "recalled": turn.recalled,
    }


def notes(session: Session) -> QuerySet[Note]:
    return session.notes.select_related("team").prefetch_related("blocks")


def note_shown(note: Note) -> dict[str, Any]:
    block: Block | None = next(iter(note.blocks.all()), None)
    has_evidence = note.evidence_role or note.evidence_quote or note.anchored is not None
    return {
        "id": note.pk,
        "ref": note.ref,
        "status": note.status,
        "origin": note.origin,
        "text": note.text,
        "key": note.key or None,
        "value": note.value,
        "condition": note.condition or None,
        "subject": note.subject or None,
        "keywords": note.keywords,
        "kind": note.kind,
        "scope": note.scope,
        "team": note.team.external_id if note.team else None,
        "sensitivity": note.sensitivity or None,
        "said_at": note.said_at,
        "occurred_at": note.occurred_at,
        "expires_at": note.expires_at,
        "importance": note.importance,
        "confidence": note.confidence,
        "retract": note.retract,
        "turn": note.turn_id,
        "evidence": _evidence(note) if has_evidence else None,
        "block": block_shown(block) if block else None,
        "created_at": note.created_at,
    }


def _evidence(note: Note) -> dict[str, Any]:
    return {
        "role": note.evidence_role or None,
        "quote": note.evidence_quote or None,
        "start": note.evidence_start,
        "end": note.evidence_end,
        "anchored": note.anchored,
    }
