"""What another policy would have made of the same notes: two outcomes of decide(), compared note by note."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .decisions import Decided, Outcome


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of a note: the decision, whether it waits, for whom, and by which rule or hold. `action` is "none"
    where there would be no note at all."""

    action: str
    waits: bool = False
    needs: str = "none"
    rule: str = ""
    hold: str = ""
    target: str = ""

    @property
    def status(self) -> str:
        """As a decision has it: pending where it waits, else applied."""
        return "pending" if self.waits else "applied"


NO_NOTE = Fate("none")


@dataclass(frozen=True, slots=True)
class Change:
    """A note whose fate differs."""

    note: str
    before: Fate
    after: Fate

    def to_json(self) -> dict[str, Any]:
        """Names and ids only: no word of the note."""
        return {"note": self.note, "before": asdict(self.before), "after": asdict(self.after)}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "Change":
        return cls(found["note"], Fate(**found["before"]), Fate(**found["after"]))


def changes(before: Outcome, after: Outcome) -> list[Change]:
    """Every note that one of the two decides otherwise, or does not have."""
    old, new = _fates(before.decisions), _fates(after.decisions)
    found = []
    for note in [*old, *(note for note in new if note not in old)]:
        was, would_be = old.get(note, NO_NOTE), new.get(note, NO_NOTE)
        if _seen(was) != _seen(would_be):
            found.append(Change(note, was, would_be))
    return found


def _seen(fate: Fate) -> tuple[str, bool, str, str]:
    """What a person would notice: not by which rule the same comes about."""
    return fate.action, fate.waits, fate.needs, fate.target


def _fates(decided: Iterable[Decided]) -> dict[str, Fate]:
    return {
        one.candidate: Fate(
            one.action, one.hold, one.needs, one.rule, one.hold_reason or "" if one.hold else "", one.target or ""
        )
        for one in decided
    }
