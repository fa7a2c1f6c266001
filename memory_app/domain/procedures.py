"""Which procedures are offered: those that fit the task and have mostly worked, the best of both first."""

from collections.abc import Sequence
from dataclasses import replace

from memory_app.domain.ranking import Item, Ranked

LEAST_SUCCESS = 0.7
#: The rule by which one that fails waits to be archived.
FAILING = "archive.failing"
#: A procedure that nobody has tried counts as one that just works often enough; few tries count for little.
PRIOR_TRIES = 2


def success_rate(success: int, failure: int) -> float | None:
    """The share of tries that went well; None: nobody has tried it."""
    tried = success + failure
    return success / tried if tried else None


def fails(success: int, failure: int) -> bool:
    """Whether it has been tried and worked too seldom to be offered."""
    rate = success_rate(success, failure)
    return rate is not None and rate < LEAST_SUCCESS


def trust(item: Item) -> float:
    """How far its successes speak for it, drawn towards LEAST_SUCCESS while it has been tried little."""
    tried = item.success_count + item.failure_count
    return (item.success_count + PRIOR_TRIES * LEAST_SUCCESS) / (tried + PRIOR_TRIES)


def offered(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The same, with failing procedures left out and the others in the order of fit × success, on the places that
    procedures had."""
    checked = [_gated(one) for one in ranked]
    places = [at for at, one in enumerate(checked) if _is_offered(one)]
    best = sorted((checked[at] for at in places), key=lambda one: (-round(one.score * trust(one.item), 6), one.item.id))
    for at, one in zip(places, best, strict=True):
        checked[at] = one
    return checked


def _is_offered(one: Ranked) -> bool:
    return one.item.kind == "procedural" and one.left_out is None


def _gated(one: Ranked) -> Ranked:
    if not _is_offered(one):
        return one
    failing = fails(one.item.success_count, one.item.failure_count)
    fit = {**one.terms, "success_rate": success_rate(one.item.success_count, one.item.failure_count)}
    return replace(one, terms=fit, left_out="failing" if failing else None, because="" if failing else one.because)
