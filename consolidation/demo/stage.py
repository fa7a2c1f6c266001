"""Plays the demo's scenes through the same actions as the API, each ended and consolidated in its turn."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.db import transaction

from consolidation.actions import end_session, run_consolidation
from memory_app.actions.blocks import keep_block
from memory_app.actions.decisions import Ruling, approve, decline
from memory_app.actions.notes import NewNote, retain_note
from memory_app.actions.sessions import NewTurn, add_turns, open_session
from memory_app.domain.actor import Actor
from memory_app.models import Block, Decision, Membership, Session, Workspace
from memory_app.recall import context_for

from .dating import happening
from .script import Ruled, Scene

AGENT = Actor("key", "demo-agent", "demo agent", "agent")


def play(workspace: Workspace, scenes: Iterable[Scene], now: datetime, told: Callable[[Scene], None]) -> int:
    """How many sessions were added: a scene that is there already is left as it is, so a second time adds none."""
    added = 0
    for scene in scenes:
        added += _play(workspace, scene, now - timedelta(days=scene.days_ago))
        told(scene)
    return added


@transaction.atomic
def _play(workspace: Workspace, scene: Scene, at: datetime) -> int:
    """A scene is there as a whole or not at all: whoever is killed in the middle plays it again from its start."""
    if Session.objects.filter(workspace=workspace, user__external_id=scene.user, external_id=scene.name).exists():
        return 0
    with happening(workspace.slug, at):
        session, _ = open_session(
            workspace,
            AGENT,
            user=scene.user,
            agent=scene.agent,
            teams=scene.teams,
            external_id=scene.name,
            started_at=at,
            metadata={"title": scene.name},
        )
        if scene.asks:
            context_for(workspace, user=scene.user, session=str(session.pk), query=scene.asks, now=at, actor=AGENT)
    last = at + timedelta(minutes=len(scene.turns) - 1)
    with happening(workspace.slug, last):
        _say(session, scene, at)
    if scene.ended:
        with happening(workspace.slug, last + timedelta(minutes=1)):
            run = end_session(session, AGENT, task=scene.task, outcome=scene.outcome, summary=scene.summary)
            run_consolidation(run.pk)
    for number, ruled in enumerate(scene.ruled, 1):
        with happening(workspace.slug, last + timedelta(minutes=1 + 12 * number)):
            _rule(session, ruled)
    return 1


def _rule(session: Session, ruled: Ruled) -> None:
    membership = Membership.objects.select_related("operator").get(
        workspace=session.workspace, operator__username=ruled.by
    )
    actor = Actor("operator", str(membership.operator_id), str(membership.operator), membership.role)
    if ruled.act == "keep":
        keep_block(
            session.workspace, actor, Block.objects.get(session=session, note__text=ruled.text).pk, ruled.comment
        )
        return
    decision = Decision.objects.get(session=session, note__text=ruled.text)
    act = {"approve": approve, "decline": decline}[ruled.act]
    act(session.workspace, actor, decision.pk, Ruling(comment=ruled.comment))


def _say(session: Session, scene: Scene, at: datetime) -> None:
    calls = [{"name": name, "arguments": {}} for name in scene.tools]
    last = len(scene.turns) - 1
    turns = [
        NewTurn(role, content, at + timedelta(minutes=i), calls if calls and i == last else None)
        for i, (role, content) in enumerate(scene.turns)
    ]
    add_turns(session, AGENT, turns)
    for kept in scene.kept:
        said = next((t.at for t in turns if kept.quote in t.content), at)
        new = NewNote(
            text=kept.text,
            key=kept.key,
            value=kept.value,
            condition=kept.condition,
            subject=kept.subject,
            kind=kept.kind,
            scope=kept.scope,
            team=kept.team or None,
            said_at=said,
            evidence_role=kept.role,
            evidence_quote=kept.quote,
        )
        retain_note(session, AGENT, new)
