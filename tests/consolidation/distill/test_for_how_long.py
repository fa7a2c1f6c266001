"""What is said of one occasion stays with it, and a note says when in words that hold later too."""

import pytest

from .test_rules import keys, notes


@pytest.mark.parametrize(
    "text",
    [
        "For this Lisbon weekend keep the hotel under 140 a night.",
        "For these two nights keep the hotel under 140 a night.",
        "这次去厦门单位卡得紧，酒店每晚别超过140。",
        "这个周末住宾馆，每晚别超过140。",
    ],
)
def test_a_rate_of_one_stay_is_for_that_stay(text: str) -> None:
    assert keys(notes(text)) == [("hotel_budget", "<=140", "session")]


def test_what_is_otherwise_so_lasts() -> None:
    assert [n.scope for n in notes("这次先用英文，平时都用中文。")] == ["session", "user"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("My mother had a hip replacement last month and lives with us now.", "in 2026-08"),
        ("My sister is getting married next Saturday in Ghent.", "on 2026-09-12"),
        ("I've been sober since last March.", "since 2026-03"),
        ("我在准备雅思，报的是明年3月那场。", "2027-03"),
        ("上周六跟我姐去爬了黄山。", "2026-09-05"),
    ],
)
def test_a_note_names_the_day(text: str, said: str) -> None:
    (note,) = notes(text)
    assert said in note.text


@pytest.mark.parametrize(
    ("text", "tier"),
    [("我是你们家的铂金会员。", "platinum"), ("我是钛金会员。", "titanium"), ("我是金卡会员。", "gold"), ("我有张白金卡，是白金会员。", "platinum")],
)  # fmt: skip
def test_the_longest_name_of_a_tier_is_meant(text: str, tier: str) -> None:
    assert keys(notes(text)) == [("member_tier", tier, "user")]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("周末聚餐给我列个菜单，我爸有高血压，菜得少盐。", "爸爸有高血压，菜得少盐"),
        ("出差五天，家里两只猫没人管。", "家里两只猫没人管"),
    ],
)
def test_a_request_is_no_part_of_what_lasts(text: str, note: str) -> None:
    assert [n.text for n in notes(text)] == [note]


def test_what_is_wished_behind_a_colon_is_the_slots() -> None:
    text = "For any flight you ever look up for me: aisle seat, please."
    assert keys(notes(text)) == [("seat_preference", "aisle", "user")]


def test_what_brings_somebody_out_in_hives_is_their_allergy() -> None:
    (note,) = notes(
        "Nuts on top would be pretty, but my niece breaks out in hives from mango so definitely none of that."
    )
    assert (note.key, note.value, note.subject) == ("allergy", "mango", "niece")
