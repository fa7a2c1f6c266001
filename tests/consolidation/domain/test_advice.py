"""Advice from what people ruled: the threshold that would have cost them least, and none where too little is known."""

import pytest

from consolidation.domain.advice import Advice, Ruled, advise


def at_once(confidence: float, wrong: int, right: int) -> list[Ruled]:
    return [Ruled(confidence, False, True)] * wrong + [Ruled(confidence, False, False)] * right


def held(confidence: float, wrong: int, right: int) -> list[Ruled]:
    return [Ruled(confidence, True, True)] * wrong + [Ruled(confidence, True, False)] * right


@pytest.mark.parametrize(
    ("ruled", "expected"),
    [
        # Wrong ones below 0.65, few right ones with them: they should wait.
        (at_once(0.6, 6, 10) + at_once(0.9, 0, 100), Advice(0.65, True, 6, 10)),
        # The same wrong ones among so many right ones that looking at all costs more.
        (at_once(0.6, 6, 40) + at_once(0.9, 0, 100), None),
        # What waits for being uncertain is nearly always right: it need not wait.
        (held(0.4, 1, 30) + held(0.2, 9, 3), Advice(0.4, False, 1, 30)),
        (held(0.4, 8, 30), None),
        # No lower than what was ruled on: nobody knows of what is less certain still.
        (held(0.405, 0, 8), Advice(0.4, False, 0, 8)),
        # Too few rulings say nothing.
        (at_once(0.6, 4, 0), None),
        (held(0.4, 0, 4), None),
        ([], None),
    ],
)
def test_what_is_advised(ruled: list[Ruled], expected: Advice | None) -> None:
    assert advise(ruled, 0.5) == expected


def test_the_order_of_rulings_does_not_matter() -> None:
    ruled = at_once(0.6, 6, 3) + held(0.4, 1, 12) + at_once(0.8, 2, 50)
    assert advise(ruled, 0.5) == advise(reversed(ruled), 0.5)
