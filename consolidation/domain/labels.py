"""What a person's ruling says was right: the case it makes, and how an answer to that case is judged."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .decisions import CHANGES

#: Rulings, by what the person did.
CONFIRMED, CHANGED, EDITED, DECLINED, UNDONE, RELEASED, KEPT = (
    "confirmed", "changed", "edited", "declined", "undone", "released", "kept",
)  # fmt: skip
#: Those that say that the product was wrong.
OVERRULED = (CHANGED, EDITED, DECLINED, UNDONE, RELEASED)
#: What leaves long-term memory as it is.
LEAVES = ("reject", "session_only")
ASKS = "review"
RIGHT, HARMFUL, MISSED, OTHER = "right", "harmful", "missed", "other"


@dataclass(frozen=True, slots=True)
class Ruled:
    """A decision that a person has settled: how, what had been proposed, and what they made of it."""

    status: str  # approved | declined | undone
    proposed: str
    action: str
    target: str = ""
    other_target: bool = False
    edited: Collection[str] = ()
    reason_code: str = ""


@dataclass(frozen=True, slots=True)
class Expected:
    """What would be right. `action` is the word for it; any of `accepted` is right, aimed at `target` where it confirms
    or changes a memory."""

    ruling: str
    action: str
    accepted: tuple[str, ...]
    target: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"accepted": list(self.accepted)}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "Expected":
        return cls(found["ruling"], found["action"], tuple(found["accepted"]), found["target"])


def expected_of(ruled: Ruled) -> Expected:
    """Approved: that action on that memory. Declined: nothing is remembered; what was declined as known already may be
    confirmed instead. Undone: not that again without a person being asked."""
    if ruled.status == "declined":
        known = ("dedupe",) if ruled.reason_code == "duplicate" else ()
        return Expected(DECLINED, "reject", (*LEAVES, *known))
    if ruled.status == "undone":
        others = LEAVES if ruled.action in CHANGES else tuple(sorted(CHANGES))
        return Expected(UNDONE, ASKS, (ASKS, *others))
    changed = bool(ruled.proposed) and (ruled.proposed != ruled.action or ruled.other_target)
    ruling = CHANGED if changed else EDITED if ruled.edited else CONFIRMED
    target = ruled.target if ruled.action in ("dedupe", "override") else ""
    return Expected(ruling, ruled.action, (ruled.action,), target)


def judged(expected: Expected, action: str, waits: bool, target: str) -> str:
    """The outcome of an answer. A change that waits for a person does no harm, and where a person should be asked it is
    as good as a question."""
    astray = bool(expected.target) and action == expected.action and target != expected.target
    asks = waits or action == ASKS
    if (action in expected.accepted and not astray) or (asks and ASKS in expected.accepted):
        return RIGHT
    if asks:
        return OTHER
    if action in CHANGES:
        return HARMFUL
    return MISSED if CHANGES & set(expected.accepted) else OTHER


def judged_block(blocks: bool, should: bool) -> str:
    """The outcome of a guardrail's answer: let through, or kept out without need."""
    if blocks == should:
        return RIGHT
    return HARMFUL if should else MISSED
