"""Sessions and what is said in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from memory_app import guardrails
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Forbidden, NotFound
from memory_app.domain.languages import language_of
from memory_app.domain.recalled import is_recalled
from memory_app.models import Agent, Block, Session, SessionStatus, Team, Turn, User, Workspace

from .audit import audit
from .clock import said_by_now
from .guard import blocks_of_turn, masked, refuse_secret
from .indexing import enter_turns


@dataclass(frozen=True, slots=True)
class NewTurn:
    role: str
    content: str
    at: datetime | None = None
    tool_calls: Any = None


def get_user(workspace: Workspace, external_id: str) -> User:
    """The workspace's user of this name, made where it is new. Invalid when the name holds a secret."""
    refuse_secret("user", external_id)
    user, _ = User.objects.get_or_create(workspace=workspace, external_id=external_id)
    return user


def get_team(workspace: Workspace, external_id: str, actor: Actor) -> Team:
    """The workspace's team of this name, made where it is new. Forbidden outside a key's own teams."""
    refuse_secret("team", external_id)
    if actor.teams is not None and external_id not in actor.teams:
        raise Forbidden(f"This key may not use the team {external_id}.")
    team, _ = Team.objects.get_or_create(workspace=workspace, external_id=external_id)
    return team


def open_session(
    workspace: Workspace,
    actor: Actor,
    *,
    user: str,
    agent: str | None = None,
    teams: Sequence[str] = (),
    external_id: str | None = None,
    started_at: datetime | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> tuple[Session, bool]:
    """The session, and whether it is new: an `external_id` that this user already has gives that session."""
    refuse_secret("external_id", external_id)
    refuse_secret("agent", agent)
    with transaction.atomic():
        owner = get_user(workspace, user)
        if external_id is not None:
            known = Session.objects.filter(workspace=workspace, user=owner, external_id=external_id).first()
            if known is not None:
                return known, False
        started = said_by_now("started_at", started_at) or timezone.now()
        session = Session(
            workspace=workspace,
            user=owner,
            agent=Agent.objects.get_or_create(workspace=workspace, external_id=agent)[0] if agent else None,
            external_id=external_id,
            started_at=started,
            last_active_at=started,
            metadata=masked(workspace.rules, dict(metadata or {})),
        )
        try:
            with transaction.atomic():
                session.save(force_insert=True)
        except IntegrityError:  # another request with this external_id was faster
            return Session.objects.get(workspace=workspace, user=owner, external_id=external_id), False
        session.teams.set([get_team(workspace, name, actor) for name in dict.fromkeys(teams)])
        User.objects.filter(pk=owner.pk, last_seen_at__lt=started).update(last_seen_at=started)
        audit(workspace, actor, "session.open", session)
        session.refresh_from_db(fields=["number"])
        return session, True


def open_for_writing(session_id: Any, workspace: Workspace) -> Session:
    """The session, locked, for as long as the transaction lasts; Conflict once it has ended, NotFound once erased."""
    session = Session.objects.select_for_update().filter(pk=session_id, workspace=workspace).first()
    if session is None:
        raise NotFound("There is no such session.")
    if session.ended_at is not None:
        raise Conflict("The session has ended; open a new one.", session=str(session.pk))
    if session.status == SessionStatus.CONSOLIDATING:
        session.status = SessionStatus.OPEN  # the run goes on with what it has; the next one takes what comes now
    return session


def touch(session: Session, at: datetime) -> None:
    """Marks activity; a session that was consolidated for being idle is open again."""
    session.status = SessionStatus.OPEN
    session.last_active_at = max(session.last_active_at, at, timezone.now())
    session.save(update_fields=["status", "last_active_at", "language"])


def add_turns(session: Session, actor: Actor, turns: Sequence[NewTurn]) -> list[Turn]:
    """The turns, stored in order, word for word but for what the guardrails mask."""
    turns = [replace(turn, at=said_by_now(f"turns.{i}.at", turn.at)) for i, turn in enumerate(turns)]
    prepared = [_prepare(session.workspace.rules, turn) for turn in turns]
    with transaction.atomic():
        session = open_for_writing(session.pk, session.workspace)
        # Earlier turns may have been forgotten; their places are not taken again.
        last = max(session.turns.aggregate(last=Max("index"))["last"] or 0, session.distilled_to)
        stored, blocks = [], []
        for index, (turn, content, tool_calls, findings, excerpt) in enumerate(prepared, start=last + 1):
            row = Turn(
                workspace_id=session.workspace_id,
                session=session,
                index=index,
                role=turn.role,
                content=content,
                tool_calls=tool_calls,
                at=turn.at or timezone.now(),
                recalled=is_recalled(turn.role, content),
            )
            stored.append(row)
            blocks += blocks_of_turn(session.workspace, row, findings, excerpt)
        Turn.objects.bulk_create(stored)
        enter_turns(stored, session)
        Block.objects.bulk_create(blocks)
        session.language = session.language or _language(stored)
        touch(session, max(t.at for t in stored))
        User.objects.filter(pk=session.user_id).update(last_seen_at=timezone.now())
        audit(session.workspace, actor, "turns.add", session, count=len(stored), masked=len(blocks))
    return stored


def _language(turns: Sequence[Turn]) -> str:
    """The language of the first of these turns in which the user says something."""
    return next((found for t in turns if t.role == "user" and (found := language_of(t.content))), "")


def _prepare(rules: guardrails.RuleSet, turn: NewTurn) -> tuple[NewTurn, str, Any, tuple[guardrails.Finding, ...], str]:
    content = guardrails.mask(turn.content, rules)
    calls, found = guardrails.mask_json(turn.tool_calls, rules) if turn.tool_calls is not None else (None, ())
    excerpt = guardrails.excerpt(turn.content, content.text, content.findings) if content.findings else ""
    return turn, content.text, calls, (*content.findings, *found), excerpt


def put_working(session: Session, actor: Actor, working: Mapping[str, Any]) -> Session:
    """The session's working memory, replaced whole."""
    value = masked(session.workspace.rules, dict(working))
    with transaction.atomic():
        session = open_for_writing(session.pk, session.workspace)
        session.working = value
        session.save(update_fields=["working"])
        touch(session, timezone.now())
        audit(session.workspace, actor, "working.put", session)
    return session
