"""Undo of one change while later ones stay: what they have not touched goes back, what they say remains."""

from collections.abc import Mapping, Sequence
from typing import Any

from memory_app.models import Action, Decision, MemoryState, MemoryVersion

from .content import from_json, only_state

#: Changes of which a part can be taken back. One that made the memory, or wrote several, is whole or nothing.
KEEPABLE = frozenset({Action.OVERRIDE, Action.EDIT, Action.PIN, Action.UNPIN})
SEVERAL = frozenset({Action.MERGE, Action.SPLIT})
#: What is said, with since when and by whom: it goes back together or not at all.
SAID = (
    "text", "key", "value", "condition", "subject", "keywords", "kind", "sensitivity", "confidence", "source", "author",
    "updated_at", "occurred_at",
)  # fmt: skip
#: What follows from the rest and from how the slot is set up now.
FITTED = ("single", "value_key")
GROUPS = (SAID, *((name,) for name in MemoryState.STATE if name not in (*SAID, *FITTED)))
#: Where a later decision keeps what its own undo brings back of this one's.
REBASED = "rebased"


def can_keep(decision: Decision, later: Sequence[Decision]) -> bool:
    """The later decisions can stay while this one is undone."""
    return decision.action in KEEPABLE and not any(one.action in SEVERAL or one.memory_id != decision.memory_id
                                                   for one in later)  # fmt: skip


def before_of(decision: Decision) -> dict[str, Any]:
    """What its undo brings back: what it found, but for what an earlier one had made of it and was undone since."""
    rebased: dict[str, Any] = decision.params.get(REBASED, {})
    return (decision.before or {}) | rebased


def settle_rebased(decision: Decision) -> None:
    """Undone, it holds in `before` what was brought back. Left beside it, that would come back once more, over all that
    was written since, with the next undo of this decision or of one that is made anew from it."""
    params = dict(decision.params)
    rebased = params.pop(REBASED, None)
    if rebased is None or decision.before is None:
        return
    decision.before = decision.before | rebased
    proposal = params.get("proposal")
    if proposal and proposal["before"] is not None and proposal["memory"] == str(decision.memory_id):
        params["proposal"] = proposal | {"before": proposal["before"] | rebased}
    decision.params = params


def untouched_since(decision: Decision, current: Mapping[str, Any]) -> list[str]:
    """The columns that this decision changed and that still are as it left them."""
    own = _version(decision)
    before = before_of(decision)
    found: list[str] = []
    for group in _changed_by(decision, before):
        if own is not None and all(current[name] == getattr(own, name) for name in group):
            found += group
    return found


def rebase(decision: Decision, later: Sequence[Decision]) -> None:
    """Undone later on, the kept decisions bring back what was before this one, not what it had made of it."""
    own = _version(decision)
    before = before_of(decision)
    for group in _changed_by(decision, before):
        restored = {name: before[name] for name in group if name in before}
        for one in sorted(later, key=lambda each: each.result_version or 0):
            one.params = one.params | {REBASED: one.params.get(REBASED, {}) | restored}
            made = _version(one)
            if own is None or made is None or any(getattr(made, name) != getattr(own, name) for name in group):
                break  # what came after this one stands on its words
    for one in later:
        one.save(update_fields=["params"])


def _changed_by(decision: Decision, before: Mapping[str, Any]) -> list[tuple[str, ...]]:
    own, was = _version(decision), only_state(from_json(dict(before)))
    if own is None:
        return []
    return [group for group in GROUPS if any(name in was and was[name] != getattr(own, name) for name in group)]


def _version(decision: Decision) -> MemoryVersion | None:
    return MemoryVersion.objects.filter(memory=decision.memory_id, number=decision.result_version or 0).first()
