"""One session as it was and what became of it: turns, notes, blocks, decisions and runs."""

import uuid
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from consolidation.models import ConsolidationRun, RunStatus
from memory_app.models import (
    Block,
    Decision,
    DecisionStatus,
    MemorySource,
    Note,
    NoteStatus,
    Session,
    Turn,
    Workspace,
)

#: Turns that a page shows at once.
WINDOW = 300


@dataclass(frozen=True)
class Entry:
    """A row of the workbench: a note with its decision, or one of the two alone."""

    note: Note | None
    decision: Decision | None

    @property
    def anchor(self) -> str:
        if self.note is not None:
            return f"c-{self.note.number}"
        assert self.decision is not None
        return f"d-{self.decision.number}"


@dataclass(frozen=True)
class Workbench:
    session: Session
    turns: tuple[Turn, ...]
    turn_count: int
    entries: tuple[Entry, ...]
    blocks: tuple[Block, ...]
    sources: Mapping[Any, int]
    run: ConsolidationRun | None

    @property
    def decisions(self) -> list[Decision]:
        return [entry.decision for entry in self.entries if entry.decision is not None]

    @property
    def waiting_notes(self) -> int:
        return sum(1 for e in self.entries if e.decision is None and e.note is not None)


def find_session(workspace: Workspace, session_id: uuid.UUID) -> Session | None:
    """The workspace's session; None where there is none."""
    found = Session.objects.filter(workspace=workspace, pk=session_id)
    return found.select_related("workspace", "user", "agent").first()


def workbench_of(session: Session, around: int | None = None) -> Workbench:
    """The session with the window of its turns that holds turn `around`, and with every note and decision."""
    turns = session.turns.order_by("index")
    count = turns.count()
    first = 0
    if count > WINDOW and around is not None:
        first = max(0, min(around - WINDOW // 3, count - WINDOW))
    entries = entries_of(session)
    return Workbench(
        session=session,
        turns=tuple(turns.filter(index__gt=first)[:WINDOW]),
        turn_count=count,
        entries=entries,
        blocks=tuple(session.blocks.select_related("turn", "note").order_by("created_at", "number")),
        sources=source_counts([e.decision for e in entries if e.decision is not None]),
        run=last_run(session),
    )


def entries_of(session: Session) -> tuple[Entry, ...]:
    """Notes in the order they were said, each with its newest decision; then decisions that no note caused."""
    notes = session.notes.exclude(status=NoteStatus.BLOCKED).select_related("turn")
    decisions = Decision.objects.filter(session=session).select_related("user", "team", "memory", "workspace")
    by_note: dict[Any, Decision] = {}
    others = []
    for decision in decisions.order_by("created_at", "number"):
        if decision.note_id is None:
            if decision.status != DecisionStatus.STALE:
                others.append(decision)
        elif decision.note_id not in by_note or decision.status != DecisionStatus.STALE:
            by_note[decision.note_id] = decision
    found = []
    for note in notes.order_by("said_at", "number"):
        own = by_note.get(note.pk)
        if own is not None:
            own.note, own.session = note, session
        found.append(Entry(note, own))
    return tuple(found) + tuple(Entry(None, other) for other in others)


def entry_of(decision: Decision) -> Entry:
    """The row of this decision."""
    return Entry(decision.note, decision)


def source_counts(decisions: list[Decision]) -> dict[Any, int]:
    """How many sources that still count each memory of these decisions has, by its id."""
    counts: dict[Any, int] = defaultdict(int)
    ids = {d.memory_id for d in decisions if d.memory_id}
    rows = MemorySource.objects.filter(memory__in=ids, withdrawn_at=None)
    for memory_id in rows.values_list("memory_id", flat=True):
        counts[memory_id] += 1
    return counts


def last_run(session: Session) -> ConsolidationRun | None:
    """The session's run that lives, else its last one."""
    return session.runs.order_by("-created_at").first()


def is_live(run: ConsolidationRun | None) -> bool:
    return run is not None and run.status in (RunStatus.PENDING, RunStatus.RUNNING)
