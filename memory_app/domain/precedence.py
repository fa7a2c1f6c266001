"""Which value of a slot holds now: session note > profile > user memory > team memory, newest first within one; and
before all of them what the user asks for at this moment (``said_now``).

Only what is about the user counts; a wife's diet is not the user's. A value with a condition holds only where the
question or the session names that condition, and then stands before the unconditioned value of the same scope; a
value whose condition is not named stays out, so that what holds on business trips never becomes the default.
Slots with several values have all of them, newest first.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory_app.domain.conditions import condition_fit
from memory_app.domain.people import subject_of
from memory_app.domain.ranking import Item


@dataclass(frozen=True)
class Effective:
    """The value that a slot has now, the scope it comes from and the memory that says so (None: the profile, or the
    question itself)."""

    value: Any
    scope: str  # request | session | profile | user | team
    memory: str | None


@dataclass(frozen=True)
class Contest:
    """An open decision that would change what a slot holds, and the memory that holds it, if one does."""

    key: str
    current: Any
    proposed: Any
    decision: str
    memory: str | None = None


@dataclass(frozen=True)
class Clarify:
    """A slot that the agent should ask about: the values in question and the decisions that wait."""

    key: str
    options: tuple[Any, ...]
    decisions: tuple[str, ...]


def effective(
    session_items: Iterable[Item],
    profile: Mapping[str, Any],
    user_items: Iterable[Item],
    team_items: Iterable[Item],
    *,
    said: str = "",
    many: frozenset[str] = frozenset(),
) -> dict[str, Effective]:
    """The value of every slot that has one, by key; ``said`` is what question and session say of conditions."""
    layers: list[tuple[str, dict[str, list[tuple[Any, str | None]]]]] = [
        ("session", _slots(session_items, said)),
        ("profile", {key: [(_profile_value(field), None)] for key, field in profile.items()}),
        ("user", _slots(user_items, said)),
        ("team", _slots(team_items, said)),
    ]
    found: dict[str, Effective] = {}
    for key in sorted({key for _, slots in layers for key in slots}):
        scope, values = next((scope, slots[key]) for scope, slots in layers if key in slots)
        value, memory = values[0]
        if key in many:
            value = _distinct(value for _, slots in layers for value, _ in slots.get(key, ()))
        found[key] = Effective(value, scope, memory)
    return found


def said_now(holds: Mapping[str, Effective], wishes: Mapping[str, Any]) -> dict[str, Effective]:
    """What holds, and in its place what the user asks for right now. The profile is the caller's own: no words change it;
    and of what nothing is held the question says enough itself."""
    found = dict(holds)
    for key, one in holds.items():
        wish = _like(wishes.get(key), one.value)
        if wish is not None and wish != one.value and one.scope != "profile":
            found[key] = Effective(wish, "request", None)
    return found


def _like(wish: Any, held: Any) -> Any:
    """The wish as a number where the slot holds one."""
    is_number = isinstance(held, int | float) and not isinstance(held, bool)
    told = re.fullmatch(r"(?:<=)?(\d+)(\.\d+)?", wish) if is_number and isinstance(wish, str) else None
    if told is None:
        return wish
    return float(told[1] + told[2]) if told[2] else int(told[1])


def _profile_value(field: Any) -> Any:
    return field["value"] if isinstance(field, Mapping) and "value" in field else field


def _slots(items: Iterable[Item], said: str) -> dict[str, list[tuple[Any, str | None]]]:
    """The values of one scope by key, the one that holds first."""
    held: list[tuple[int, datetime, str, Item]] = []
    for item in items:
        if not item.key or item.value is None or subject_of(item.subject, ""):
            continue
        fit = condition_fit(item.condition, said)
        if item.condition and fit < 1:
            continue
        held.append((fit, item.updated_at, str(item.id), item))
    found: dict[str, list[tuple[Any, str | None]]] = {}
    for _, _, _, item in sorted(held, key=lambda entry: (-entry[0], -entry[1].timestamp(), entry[2])):
        found.setdefault(item.key, []).append((item.value, str(item.id)))
    return found


def _distinct(values: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        for one in value if isinstance(value, list) else [value]:
            if one not in found:
                found.append(one)
    return found


def clarify(contests: Sequence[Contest]) -> tuple[Clarify, ...]:
    """One entry for each contested slot, its present value first."""
    by_key: dict[str, list[Contest]] = {}
    for contest in contests:
        if contest.key:
            by_key.setdefault(contest.key, []).append(contest)
    return tuple(
        Clarify(
            key,
            tuple(_distinct(value for one in group for value in (one.current, one.proposed) if value is not None)),
            tuple(sorted({one.decision for one in group})),
        )
        for key, group in sorted(by_key.items())
    )
