"""Recorded sessions replayed: opened, spoken, noted, ended and consolidated as they would have been.

Each step looks at what is stored already, so an import that was killed anywhere goes on where it stopped, and one
that is repeated adds nothing.
"""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from consolidation.models import ConsolidationRun, RunStatus
from consolidation.recorded import SessionRecorded, new_note
from memory_app.actions.locks import held
from memory_app.actions.notes import retain_note
from memory_app.actions.sessions import add_turns, open_session
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict
from memory_app.failures import failure_words
from memory_app.models import Decision, Note, NoteOrigin, Origin, Session, User, Workspace

from .ending import LIVE, end_session, retry_failed
from .running import run_consolidation
from .sweeping import take_back

#: Between two looks at a run that another process holds.
PAUSE_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Imported:
    """What is in the store of one line: `new` where this import changed anything."""

    session: Session
    new: bool
    failed: str = ""
    turns: int = 0
    notes: int = 0
    blocked: int = 0
    decisions: Counter[str] = field(default_factory=Counter)


def import_session(workspace: Workspace, actor: Actor, recorded: SessionRecorded) -> Imported:
    """The session whole, ended when it ended and consolidated, whatever part of it was there before.

    Conflict where the stored session is another one than the line tells: it has more turns or notes, or has ended
    with fewer.
    """
    session, changed = _spoken(workspace, actor, recorded)
    changed |= _noted(session, actor, recorded)
    run, ended = _ended(session, actor, recorded)
    changed |= ended or run.status != RunStatus.DONE
    done = finish(run)
    notes = Counter(Note.objects.filter(session=session).values_list("status", flat=True))
    made = Decision.objects.filter(session=session, origin=Origin.CONSOLIDATION).values_list("action", flat=True)
    return Imported(
        session, changed, failure_words(done.error) if done.status == RunStatus.FAILED else "",
        len(recorded.turns), sum(notes.values()), notes["blocked"], Counter(made),
    )  # fmt: skip


@contextmanager
def alone(workspace: Workspace) -> Iterator[None]:
    """No other import into this workspace meanwhile; Conflict where one is under way. A killed one holds nothing."""
    with held(f"import_sessions {workspace.pk}") as mine:
        if not mine:
            raise Conflict("Another import into this workspace is under way.")
        yield


def finish(run: ConsolidationRun) -> ConsolidationRun:
    """The run done or failed, in this process or the one that holds it; earlier runs of its user come first."""
    pause = threading.Event()
    while True:
        run.refresh_from_db()
        if run.status not in LIVE:
            again = run.session.runs.filter(status__in=LIVE).first()
            if again is None:
                return run
            run = again
        live = ConsolidationRun.objects.filter(user=run.user_id, status__in=LIVE)
        take_back(live)
        held = live.filter(status=RunStatus.RUNNING).exists()
        first = live.order_by("session__started_at", "session__number").first()
        if held or first is None or (first.not_before is not None and first.not_before > timezone.now()):
            pause.wait(PAUSE_SECONDS)
        else:
            run_consolidation(first.pk)


def _spoken(workspace: Workspace, actor: Actor, recorded: SessionRecorded) -> tuple[Session, bool]:
    """The session with all its turns, in one transaction: those that are missing are added at its end."""
    turns = recorded.spoken()
    with transaction.atomic():
        session, made = open_session(
            workspace, actor, user=recorded.user, agent=recorded.agent, teams=recorded.teams,
            external_id=recorded.external_id, started_at=recorded.started_at, metadata=recorded.metadata,
        )  # fmt: skip
        session = Session.objects.select_for_update(of=("self",)).select_related("user", "workspace").get(pk=session.pk)
        stored = max(session.turns.count(), session.distilled_to)  # also those that have been forgotten since
        _refuse_other(session, "turns", stored, len(turns))
        if stored < len(turns):
            add_turns(session, actor, turns[stored:])
        session.refresh_from_db()
        return session, made or stored < len(turns)


def _noted(session: Session, actor: Actor, recorded: SessionRecorded) -> bool:
    """All notes of the line staged, or blocked; those that are there stay as they are."""
    stored = session.notes.filter(origin=NoteOrigin.AGENT).count()
    _refuse_other(session, "notes", stored, len(recorded.notes))
    missing = recorded.notes[stored:]
    turns = {turn.index: turn for turn in session.turns.all()} if missing else {}
    for note in missing:
        retain_note(session, actor, new_note(note, recorded, turns))
    return bool(missing)


def _refuse_other(session: Session, what: str, stored: int, told: int) -> None:
    if stored > told:
        raise Conflict(f"{session.ref} has {stored} {what} already, and the line tells {told}.")
    if stored < told and session.ended_at is not None:
        raise Conflict(f"{session.ref} has ended with {stored} {what}, and the line tells {told}.")


def _ended(session: Session, actor: Actor, recorded: SessionRecorded) -> tuple[ConsolidationRun, bool]:
    """The session's last run, and whether it ended only now. It and its user were last seen when it ended."""
    if session.ended_at is not None:
        run = session.runs.order_by("-created_at").first()
        if run is not None:
            return (retry_failed(session, actor) if run.status == RunStatus.FAILED else run), False
    while live := session.runs.filter(status__in=LIVE).first():  # it fell silent, half imported
        finish(live)
    with transaction.atomic():
        run = end_session(
            session, actor, task=recorded.task or "", outcome=recorded.outcome or "", summary=recorded.summary or "",
            at=recorded.over_at,
        )  # fmt: skip
        seen = Session.objects.filter(user=session.user_id).aggregate(at=Max("last_active_at"))["at"]
        User.objects.filter(pk=session.user_id).update(last_seen_at=seen)
    return run, True
