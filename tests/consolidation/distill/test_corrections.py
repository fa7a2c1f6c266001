"""What was told wrongly and put right in the same session is told once."""

import pytest

from .test_rules import notes


@pytest.mark.parametrize(
    ("first", "then", "value", "text"),
    [
        ("我家养了三只猫。", "打错了，是两只。", "两只猫", "养了两只猫"),
        ("We have three rabbits at home.", "Sorry, I meant two.", "two rabbits", "Has two rabbits"),
        ("我有两个女儿。", "说错了，是三个。", "3", "有三个孩子（2026-09）"),
        ("My son is nine years old.", "Oops, it's ten.", "10", "Son is aged ten (as of 2026-09)"),
    ],
)
def test_a_count_that_was_told_wrongly_is_told_once(first: str, then: str, value: str, text: str) -> None:
    (note,) = notes(first, ("assistant", "All right."), then)
    assert (note.value, note.text) == (value, text)


@pytest.mark.parametrize(
    ("first", "then", "value"),
    [
        ("我对花生过敏。", "不好意思说错了，是对腰果过敏，不是花生。", "腰果"),
        ("I'm allergic to peanuts.", "Sorry, I meant I'm allergic to cashews, not peanuts.", "cashews"),
    ],
)
def test_what_another_value_is_said_to_stand_for_goes(first: str, then: str, value: str) -> None:
    (note,) = notes(first, ("assistant", "All right."), then)
    assert note.value == value


def test_two_values_stand_side_by_side_where_neither_is_denied() -> None:
    found = notes("I'm allergic to peanuts.", ("assistant", "All right."), "I'm allergic to cashews too.")
    assert {note.value for note in found} == {"peanuts", "cashews"}


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("Before you draft the menu, put this on file please: I'm vegetarian.", {"vegetarian"}),
        ("One rule for every hotel you book: never put me in a smoking room.", {"no"}),
        ("记一下我的偏好：靠窗、素食。", {"window", "vegetarian"}),
    ],
)
def test_what_a_preface_leads_to_is_meant_to_last(said: str, values: set[str]) -> None:
    assert {note.value for note in notes(said)} == values
