"""How many values a key holds before anyone has said so."""

import pytest

from memory_app.domain.slots import MANY, default_cardinality


@pytest.mark.parametrize(
    "key",
    [
        *sorted(MANY), "allergies", "food_allergies", "foodAllergies", "languages", "spoken_languages", "hobbies", "pets",
        "interests", "travel_wishes", "learning_goals", "hobby_list", "languages_known", "过敏", "兴趣爱好",
    ],
)  # fmt: skip
def test_a_plural_or_synonym_of_what_holds_several_values_holds_several(key: str) -> None:
    assert default_cardinality(key) == "many"


@pytest.mark.parametrize(
    "key",
    [
        "reply_language", "language", "favourite_hobby", "pet_name", "children_ages", "working_hours", "notifications",
        "interest_rate", "goal_date", "list", "seat", "", "常用语言设置",
    ],
)  # fmt: skip
def test_another_key_holds_one_value(key: str) -> None:
    assert default_cardinality(key) == "one"
