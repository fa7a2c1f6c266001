"""What people's rulings say about the policy: a confidence from which changes should wait, or need not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

#: A wrong memory that is recalled costs more than a look at a right one: as much as so many looks. Our own choice, and
#: so is the number of rulings below which nothing is advised: fewer say nothing about the next ones.
COST = 4
FEWEST = 5
STEP = 0.05


@dataclass(frozen=True, slots=True)
class Ruled:
    """A change that consolidation decided. `held`: it waited for being uncertain; `overruled`: a person declined it,
    undid it or made something else of it. Of what was applied at once, silence counts as agreement."""

    confidence: float
    held: bool
    overruled: bool


@dataclass(frozen=True, slots=True)
class Advice:
    """Another value of the policy's `certain`, and what it would have done: raised, so many wrong and so many right
    changes more would have waited; lowered, so many fewer."""

    certain: float
    raised: bool
    wrong: int
    right: int


def advise(ruled: Iterable[Ruled], certain: float) -> Advice | None:
    """The threshold that would have cost people least; None where the one in force did, or too little was ruled on.
    Of thresholds that cost the same, the nearest to the one in force: people have ruled on nothing beyond."""
    known = list(ruled)
    best: Advice | None = None
    gain = 0
    steps = (round(step * STEP, 2) for step in range(1, round(1 / STEP) + 1))
    for threshold in sorted(steps, key=lambda one: abs(one - certain)):
        raised = threshold > certain
        moved = _moved(known, certain, threshold)
        wrong = sum(one.overruled for one in moved)
        right = len(moved) - wrong
        worth = COST * wrong - right if raised else right - COST * wrong
        enough = wrong >= FEWEST if raised else right >= FEWEST
        if enough and worth > gain:
            best, gain = Advice(threshold, raised, wrong, right), worth
    return best


def _moved(ruled: Sequence[Ruled], certain: float, threshold: float) -> list[Ruled]:
    """Those that would wait under the threshold and do not now, or the other way about."""
    if threshold > certain:
        return [one for one in ruled if not one.held and certain <= one.confidence < threshold]
    return [one for one in ruled if one.held and threshold <= one.confidence < certain]
