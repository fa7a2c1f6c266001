"""Candidates and memories in few words, a similarity without a model, and a guard without detectors."""

import collections
import re
from datetime import UTC, datetime, timedelta
from typing import Any

from consolidation.domain.decide import decide
from consolidation.domain.decisions import Candidate, Evidence, Existing, Outcome
from consolidation.domain.policy import Policy

NOW = datetime(2026, 10, 5, 12, tzinfo=UTC)
SAID = datetime(2026, 9, 9, 10, tzinfo=UTC)
BEFORE = datetime(2026, 6, 1, 10, tzinfo=UTC)


def dice(a: str, b: str) -> float:
    """How many neighbouring characters two texts share."""
    left, right = (
        collections.Counter(t[i : i + 2] for i in range(len(t) - 1))
        for t in (re.sub(r"[\s_-]+", "", text.casefold()) for text in (a, b))
    )
    total = sum(left.values()) + sum(right.values())
    return 2 * sum((left & right).values()) / total if total else float(a == b)


def luhn_guard(text: str) -> str | None:
    """Finds a card number and nothing else."""
    for m in re.finditer(r"\d{13,19}", re.sub(r"[ -]", "", text)):
        digits = [int(c) for c in reversed(m[0])]
        doubled = [sum(divmod(2 * d, 10)) for d in digits[1::2]]
        if (sum(digits[::2]) + sum(doubled)) % 10 == 0:
            return "payment"
    return None


def note(
    text: str, quote: str | None = None, *, id: str = "c1", role: str = "user", minutes: int = 0, **more: Any
) -> Candidate:
    """A candidate that the user said in these words."""
    said = more.pop("said_at", SAID + timedelta(minutes=minutes))
    evidence = more.pop("evidence", Evidence(role, quote if quote is not None else text))
    return Candidate(id=id, text=text, said_at=said, evidence=evidence, **more)


def memory(text: str, *, id: str = "m1", **more: Any) -> Existing:
    """An active memory from June."""
    return Existing(id=id, text=text, updated_at=more.pop("updated_at", BEFORE), **more)


def run(notes: list[Candidate], memories: list[Existing] | None = None, **more: Any) -> Outcome:
    """What is decided now, under the default policy unless one is given."""
    return decide(
        notes, memories or [], more.pop("now", NOW), more.pop("policy", Policy()), more.pop("slots", {}),
        more.pop("similarity", dice), **more,
    )  # fmt: skip
