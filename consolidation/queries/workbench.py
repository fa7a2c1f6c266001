"""One session as it was and what became of it: turns, notes, blocks, decisions and runs. However much it holds, a page
reads a part of each."""

import re
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from consolidation.models import ConsolidationRun, RunStatus
from memory_app.domain.actor import Actor
from memory_app.models import (
    Action,
    Block,
    Decision,
    DecisionStatus,
    MemorySource,
    Needs,
    Note,
    NoteStatus,
    Session,
    Turn,
    Workspace,
)
from memory_app.models.decision import OPEN, DecisionQuerySet
from memory_app.queries.counting import counted
from memory_app.queries.sessions import with_opening

#: Turns that a page shows at once; notes and blocks that stand beside them; rows of the workbench.
WINDOW, BESIDE, PAGE_SIZE = 100, 100, 30
#: Decisions that one stroke approves.
AT_ONCE = 100
#: What a row shows of its decision.
SHOWN = ("user", "team", "memory", "workspace")
ANCHOR = re.compile(r"([cd])-([0-9]{1,17})")
#: Rows, the moment by which they are in order, and the letter of their anchors.
List = tuple[QuerySet[Any], str, str]


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
class Entries:
    """A page of rows; its neighbours are named by the anchor that they begin with, or there are none."""

    rows: tuple[Entry, ...]
    next: str = ""
    previous: str = ""


@dataclass(frozen=True)
class Workbench:
    """`beside` are the notes of the turns that are shown, each with what was decided on it; beside the first turns also
    those of no turn. `blocks` alike."""

    session: Session
    turns: tuple[Turn, ...]
    entries: Entries
    beside: tuple[tuple[Note, str], ...]
    blocks: tuple[Block, ...]
    cut: bool  # more notes or blocks belong there than stand beside
    sources: Mapping[Any, int]
    run: ConsolidationRun | None
    counts: Mapping[str, int]  # turns, candidates, blocks, undecided: of all there is

    @property
    def decisions(self) -> list[Decision]:
        return [entry.decision for entry in self.entries.rows if entry.decision is not None]


def find_session(workspace: Workspace, session_id: uuid.UUID) -> Session | None:
    """The workspace's session, with how its user's first words begin (`opening`); None where there is none."""
    found = with_opening(Session.objects.filter(workspace=workspace, pk=session_id))
    return found.select_related("workspace", "user", "agent").first()


def workbench_of(session: Session, around: int | None = None, at: str = "") -> Workbench:
    """The page of its rows that begins with the anchor `at`, and the window of its turns that holds turn `around`, else
    those that the page speaks of."""
    counts = _counts(session)
    entries = entries_page(session, at)
    if around is None and at:
        around = next((e.note.turn.index for e in entries.rows if e.note is not None and e.note.turn is not None), None)
    turns, first = session.turns.order_by("index"), 0
    if counts["turns"] > WINDOW and around is not None:
        first = max(0, min(around - WINDOW // 3, counts["turns"] - WINDOW))
    shown = tuple(turns.filter(index__gt=first)[:WINDOW])
    whole = len(shown) == counts["turns"]
    of_turns = Q(turn__in=[turn.pk for turn in shown])
    beside = Q() if whole else of_turns if first else of_turns | Q(turn=None)
    notes = list(_notes(session).filter(beside).order_by("said_at", "number")[: BESIDE + 1])
    blocks = list(
        session.blocks.filter(beside).select_related("turn", "note").order_by("created_at", "number")[: BESIDE + 1]
    )
    return Workbench(
        session=session,
        turns=shown,
        entries=entries,
        beside=_decided(notes[:BESIDE]),
        blocks=tuple(blocks[:BESIDE]),
        cut=max(len(notes), len(blocks)) > BESIDE,
        sources=source_counts(e.decision for e in entries.rows if e.decision is not None),
        run=last_run(session),
        counts=counts,
    )


def _counts(session: Session) -> dict[str, int]:
    notes = _notes(session)
    undecided = ~Exists(Decision.objects.filter(note=OuterRef("pk")))
    return counted(session.workspace, {
        "turns": session.turns.all(), "candidates": notes, "blocks": session.blocks.all(),
        "undecided": notes.filter(undecided),
    })  # fmt: skip


def _notes(session: Session) -> "QuerySet[Note]":
    return session.notes.exclude(status=NoteStatus.BLOCKED)


def _loose(session: Session) -> DecisionQuerySet:
    """Decisions of the session that no note caused."""
    return Decision.objects.filter(session=session, note=None).exclude(status=DecisionStatus.STALE)


def _decided(notes: Sequence[Note]) -> tuple[tuple[Note, str], ...]:
    decided = _newest(Decision.objects.filter(note__in=[note.pk for note in notes]).only("note", "action", "status"))
    return tuple((note, decided[note.pk].action if note.pk in decided else "") for note in notes)


def entries_page(session: Session, at: str = "") -> Entries:
    """Notes in the order they were said, each with its newest decision; then decisions that no note caused. A page begins
    with the row of the anchor; with the first one where there is no such row, or where all of them fit on one page."""
    lists: tuple[List, List] = ((_notes(session).select_related("turn"), "said_at", "c"),
                                (_loose(session).select_related(*SHOWN), "created_at", "d"))  # fmt: skip
    first = _named(lists, at)
    rows, earlier = _from(lists, first, PAGE_SIZE + 1), _before(lists, first, PAGE_SIZE)
    if earlier and len(earlier) + len(rows) <= PAGE_SIZE:
        rows, earlier = list(reversed(earlier)) + rows, []
    entries = _entries(session, rows)
    following = entries[PAGE_SIZE].anchor if len(entries) > PAGE_SIZE else ""
    previous = _entries(session, earlier[-1:])
    return Entries(entries[:PAGE_SIZE], following, previous[0].anchor if previous else "")


def _named(lists: Iterable[List], at: str) -> Note | Decision | None:
    """The row of this anchor."""
    found = ANCHOR.fullmatch(at)
    rows = next((rows for rows, _field, letter in lists if letter == found[1]), None) if found else None
    return rows.filter(number=int(found[2])).first() if found and rows is not None else None


def _from(lists: Iterable[List], first: Note | Decision | None, most: int) -> list[Note | Decision]:
    """The row and those after it, the one list after the other."""
    found: list[Note | Decision] = []
    for rows, field, _letter in lists:
        if isinstance(first, rows.model):
            at, number = getattr(first, field), first.number
            rows = rows.filter(Q(**{f"{field}__gt": at}) | Q(number__gte=number), **{f"{field}__gte": at})
            first = None
        if first is None:
            found += rows.order_by(field, "number")[: most - len(found)]
    return found


def _before(lists: Sequence[List], first: Note | Decision | None, most: int) -> list[Note | Decision]:
    """Those before the row, the nearest first."""
    found: list[Note | Decision] = []
    begun = first is None
    for rows, field, _letter in reversed(lists):
        if not begun and isinstance(first, rows.model):
            at = getattr(first, field)
            rows = rows.filter(Q(**{f"{field}__lt": at}) | Q(number__lt=first.number), **{f"{field}__lte": at})
            begun = True
        if begun and first is not None:
            found += rows.order_by(f"-{field}", "-number")[: most - len(found)]
    return found


def _entries(session: Session, rows: Sequence[Note | Decision]) -> tuple[Entry, ...]:
    """Each row with what belongs to it, in two statements."""
    notes = [row.pk for row in rows if isinstance(row, Note)]
    decided = _newest(Decision.objects.filter(note__in=notes).select_related(*SHOWN)) if notes else {}
    found = []
    for row in rows:
        note, decision = (row, decided.get(row.pk)) if isinstance(row, Note) else (None, row)
        if decision is not None:
            decision.note, decision.session = note, session
        found.append(Entry(note, decision))
    return tuple(found)


def _newest(decisions: DecisionQuerySet) -> dict[Any, Decision]:
    """By their notes: the newest that is not out of date, else the newest."""
    found: dict[Any, Decision] = {}
    for decision in decisions.order_by("created_at", "number"):
        if decision.note_id not in found or decision.status != DecisionStatus.STALE:
            found[decision.note_id] = decision
    return found


def entry_of(decision: Decision) -> Entry:
    """The row of this decision."""
    return Entry(decision.note, decision)


@dataclass(frozen=True)
class Fates:
    """The decisions that the workbench of a session shows: how many by action that nobody declined, how many of all wait,
    and of these how many propose nothing."""

    by_action: Mapping[str, int]
    waiting: int
    to_choose: int


def fates_of(session_id: Any) -> Fates:
    """One statement, however many they are."""
    by_action: dict[str, int] = defaultdict(int)
    waiting = to_choose = 0
    rows = _shown(session_id).order_by()
    for action, proposes, status, count in rows.values_list("action", "proposed_action", "status").annotate(
        Count("pk")
    ):
        if status != DecisionStatus.DECLINED:
            by_action[action] += count
        if status in OPEN:
            waiting += count
            to_choose += count if proposes_nothing(action, proposes) else 0
    return Fates(by_action, waiting, to_choose)


def proposes_nothing(action: str, proposed: str) -> bool:
    return action == Action.REVIEW and proposed in ("", Action.REVIEW)


def to_approve(
    session_id: Any, actor: Actor, may_approve: Callable[[list[Decision]], list[Decision]]
) -> tuple[list[Decision], bool]:
    """The first that wait, propose something and are this person's to approve, as many as one stroke approves; and
    whether there are more. `may_approve` says it of a part at a time: whose own proposal each is, no statement knows."""
    found: list[Decision] = []
    for part in _parts_to_approve(session_id, actor):
        found += may_approve(part)
        if len(found) > AT_ONCE:
            break
    return found[:AT_ONCE], len(found) > AT_ONCE


def _parts_to_approve(session_id: Any, actor: Actor) -> Iterator[list[Decision]]:
    """Those of the session for this role, the first ones first, in parts of one more than one stroke approves."""
    rows = _shown(session_id).waiting().select_related(*SHOWN, "note").order_by("created_at", "number")
    rows = rows.exclude(action=Action.REVIEW, proposed_action__in=("", Action.REVIEW))
    if not actor.at_least("admin"):
        rows = rows.exclude(needs=Needs.ADMIN)
    part = list(rows[: AT_ONCE + 1])
    while part:
        yield part
        if len(part) <= AT_ONCE:
            return
        at, number = part[-1].created_at, part[-1].number
        part = list(rows.filter(Q(created_at__gt=at) | Q(number__gt=number), created_at__gte=at)[: AT_ONCE + 1])


def _shown(session_id: Any) -> DecisionQuerySet:
    """The decisions of the session that are not out of date, but for those on a note that is shown nowhere."""
    found = Decision.objects.filter(session=session_id).exclude(status=DecisionStatus.STALE)
    return found.exclude(note__status=NoteStatus.BLOCKED)


def source_counts(decisions: Iterable[Decision]) -> dict[Any, int]:
    """How many sources that still count each memory of these decisions has, by its id."""
    ids = {d.memory_id for d in decisions if d.memory_id}
    rows = MemorySource.objects.filter(memory__in=ids, withdrawn_at=None).order_by()
    return dict(rows.values_list("memory").annotate(Count("pk")))


def last_run(session: Session) -> ConsolidationRun | None:
    """The session's run that lives, else its last one."""
    return session.runs.order_by("-created_at").first()


def is_live(run: ConsolidationRun | None) -> bool:
    return run is not None and run.status in (RunStatus.PENDING, RunStatus.RUNNING)
