"""A value follows its text through an edit, in both languages, and is dropped rather than left to contradict it."""

from typing import Any

import pytest

from memory_app.domain.carrying import carried, says


@pytest.mark.parametrize(
    ("value", "before", "after", "expected"),
    [
        ("220 USD", "Hotel budget is 220 USD a night", "Hotel budget is 250 USD a night", "250 USD"),
        ("rail", "Prefers rail for short trips", "Prefers planes for short trips", "planes"),
        ("rail", "Prefers rail for short trips", "Prefers rail under four hours", "rail"),
        ("靠过道", "通常偏好靠过道", "通常偏好靠窗", "靠窗"),
        (4, "Takes the train under 4 hours", "Takes the train under 5 hours", 5),
        (1500, "Cap of 1,500 USD", "Cap of 1,800 USD", 1500),  # the text says it in other words, so nothing is known
        ("rail", "Prefers rail for short trips", "Likes flying", None),
        ("window", "Window seat on tonight's train", "Hotel budget is 250 USD a night", None),
        ("靠窗", "今晚的火车靠窗", "酒店预算每晚二百五", None),
        (4, "Takes the train under 4 hours", "Takes the train under many hours", None),
        ("morning", "倾向早班机", "优先晚班", "morning"),
        (True, "Is a vegetarian", "Is no vegetarian", True),
        (None, "Likes tea", "Likes coffee", None),
        ({"steps": ["a"]}, "Steps: a", "Steps: b", {"steps": ["a"]}),
    ],
)
def test_a_value_goes_with_the_words_it_was_taken_from(value: Any, before: str, after: str, expected: Any) -> None:
    assert carried(value, before, after) == expected


def test_only_whole_words_say_a_value() -> None:
    assert says("Takes the rail pass", "rail")
    assert not says("Behind the railing", "rail")
