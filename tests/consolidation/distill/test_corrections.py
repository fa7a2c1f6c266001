"""What was told wrongly and put right in the same session is told once."""

import pytest

from .test_rules import notes


@pytest.mark.parametrize(
    ("first", "then", "value", "text"),
    [
        ("我家养了三只猫。", "打错了，是两只。", "两只猫", "养了两只猫"),
        ("We have three rabbits at home.", "Sorry, I meant two.", "two rabbits", "Has two rabbits"),
        ("我有两个女儿。", "说错了，是三个。", "3", "有三个孩子（2026-09）"),
        ("My son is nine years old.", "Oops, it's ten.", "10", "Son: aged ten (as of 2026-09)"),
    ],
)
def test_a_count_that_was_told_wrongly_is_told_once(first: str, then: str, value: str, text: str) -> None:
    (note,) = notes(first, ("assistant", "All right."), then)
    assert (note.value, note.text) == (value, text)
