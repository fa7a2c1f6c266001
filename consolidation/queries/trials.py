"""What trying a policy has found, with the rows that its ids stand for."""

import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from consolidation.domain.trials import Change
from consolidation.models import PolicyTrial
from memory_app.models import Decision, DecisionStatus, Note, Session, Turn, Workspace

#: Changes that a page shows at once; all of them are counted.
PAGE_SIZE = 100


@dataclass(frozen=True)
class Differing:
    """A note that would have fared otherwise; the rows are None where they are gone, or where there never was a note."""

    change: Change
    session: Session | None
    note: Note | None
    turn: Turn | None
    decision: Decision | None


def find_trial(workspace: Workspace, trial_id: uuid.UUID) -> PolicyTrial | None:
    return PolicyTrial.objects.filter(workspace=workspace, pk=trial_id, replay__isnull=True).first()


def ways(trial: PolicyTrial) -> list[tuple[Change, int]]:
    """How many notes go which way, most first, each way by one of its changes."""
    found = [Change.from_json(_plain(one)) for one in trial.changes]
    seen: dict[tuple[str, ...], Change] = {}
    counts: Counter[tuple[str, ...]] = Counter()
    for change in found:
        way = tuple(f"{fate.action} {fate.status} {fate.needs}" for fate in (change.before, change.after))
        seen.setdefault(way, change)
        counts[way] += 1
    return [(seen[way], count) for way, count in counts.most_common()]


def differing(trial: PolicyTrial, start: int = 0) -> list[Differing]:
    """A page of what differs, each with its session, note and decision."""
    shown = trial.changes[start : start + PAGE_SIZE]
    notes = Note.objects.select_related("turn").in_bulk(_ids(one["note"] for one in shown if ":" not in one["note"]))
    turns = Turn.objects.in_bulk(_ids(one["note"].split(":")[1] for one in shown if ":" in one["note"]))
    sessions = Session.objects.select_related("user").in_bulk(_ids(one["session"] for one in shown))
    made = Decision.objects.filter(note__in=notes).exclude(status=DecisionStatus.STALE)
    decisions = {decision.note_id: decision for decision in made.order_by("created_at", "number")}
    found = []
    for one in shown:
        note = None if ":" in one["note"] else notes.get(uuid.UUID(one["note"]))
        turn = turns.get(uuid.UUID(one["note"].split(":")[1])) if ":" in one["note"] else note.turn if note else None
        found.append(
            Differing(
                change=Change.from_json(_plain(one)),
                session=sessions.get(uuid.UUID(one["session"])),
                note=note,
                turn=turn,
                decision=decisions.get(note.pk) if note else None,
            )
        )
    return found


def _plain(one: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in one.items() if name != "session"}


def _ids(names: Iterable[str]) -> list[uuid.UUID]:
    return [uuid.UUID(name) for name in names]
