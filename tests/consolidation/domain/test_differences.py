"""In what two statements differ, before one becomes a source of the other; and nothing where they agree."""

import pytest

from consolidation.domain.differences import Said, differences, still_says


@pytest.mark.parametrize(
    ("mine", "theirs", "kinds"),
    [
        (Said("Budget is 220 USD", "budget", "220 USD"), Said("Budget is 180 USD", "budget", "180 USD"), ["value"]),
        (Said("Takes the train under 3 hours"), Said("Takes the train under 4 hours"), ["number"]),
        (Said("三小时内坐高铁"), Said("四小时内坐高铁"), ["number"]),
        (Said("Eats peanuts"), Said("Does not eat peanuts"), ["negation"]),
        (Said("吃辣"), Said("不吃辣"), ["negation"]),
        (Said("Prefers the aisle"), Said("Prefers the window"), ["topic"]),
        (Said("偏好靠过道"), Said("偏好靠窗"), ["topic"]),
        (Said("Aisle", "seat", "aisle", "business_trip"), Said("Aisle", "seat", "aisle", "holiday"), ["condition"]),
    ],
)
def test_what_is_at_odds_is_named(mine: Said, theirs: Said, kinds: list[str]) -> None:
    assert [one.kind for one in differences(mine, theirs)] == kinds
    assert [one.kind for one in differences(theirs, mine)] == kinds


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (Said("Prefers aisle seats", "seat", "aisle"), Said("偏好靠过道", "seat", "靠过道")),
        (Said("A meeting lasts 60 minutes"), Said("A meeting lasts one hour")),
        (Said("Prefers rail for short trips"), Said("Likes trains")),
        (Said("偏好晚班机"), Said("选最晚一班")),
    ],
)
def test_what_agrees_raises_no_doubt(mine: Said, theirs: Said) -> None:
    assert differences(mine, theirs) == ()


def test_a_value_may_be_said_in_another_language() -> None:
    assert still_says("以后优先晚班机", "evening")
    assert still_says("Takes the aisle seat", "aisle")
    assert not still_says("什么航班都行", "evening")
