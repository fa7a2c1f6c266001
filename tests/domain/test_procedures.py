"""Which procedures are offered, and in which order."""

import pytest

from memory_app.domain.procedures import fails, offered, trust
from memory_app.domain.ranking import Ranked

from .test_ranking import item


def ranked(name: str, score: float, kind: str = "procedural", **counts: int) -> Ranked:
    return Ranked(item(name, name, kind=kind, **counts), score, {}, "because", None)


def names(found: list[Ranked]) -> list[str]:
    return [one.item.id for one in found if one.left_out is None]


@pytest.mark.parametrize(
    ("success", "failure", "failing"),
    [(0, 0, False), (7, 3, False), (6, 3, True), (69, 31, True), (70, 30, False), (0, 1, True), (1, 0, False)],
)
def test_seven_of_ten_have_to_work(success: int, failure: int, failing: bool) -> None:
    assert fails(success, failure) is failing
    found = offered([ranked("how", 1, success_count=success, failure_count=failure)])
    assert found[0].left_out == ("failing" if failing else None)


def test_fit_times_success_orders_procedures_and_nothing_else() -> None:
    found = offered([
        ranked("fact", 0.9, kind="semantic"),
        ranked("fits", 0.6, success_count=7, failure_count=3),
        ranked("other", 0.55, kind="semantic"),
        ranked("proven", 0.58, success_count=50),
        ranked("broken", 0.57, success_count=1, failure_count=9),
    ])  # fmt: skip
    assert names(found) == ["fact", "proven", "other", "fits"]


def test_one_success_proves_less_than_many() -> None:
    once, often = item("a", "x", success_count=1), item("b", "x", success_count=9, failure_count=1)
    assert trust(once) < trust(often)
    assert trust(item("c", "x")) == pytest.approx(0.7)


def test_what_was_left_out_before_stays_so() -> None:
    one = ranked("how", 0.1, failure_count=3)
    (found,) = offered([Ranked(one.item, 0.1, {}, "", "threshold")])
    assert found.left_out == "threshold"
