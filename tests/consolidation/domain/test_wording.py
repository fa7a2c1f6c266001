"""One thing told in other words: by everyday vocabulary, times of day, and what is a plan, a case or another person."""

import pytest

from consolidation.domain.compare import cues, subjects
from consolidation.domain.compare.texts import TextRelation, compare_texts
from consolidation.domain.compare.tokens import content

from .build import memory, note, run


def decided(candidate, *memories):
    return run([candidate], list(memories)).decisions[-1]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Bedtime is 10 pm", "Goes to bed at ten"),
        ("Is unemployed", "Has no job"),
        ("失业", "没有工作"),
        ("每月5号交电费", "电费每月5号付"),
        ("Has tea at 7 in the evening", "Has tea at 19:00"),
        ("晚上十点以后不接电话", "夜里十点之后不接电话"),
    ],
)
def test_other_words_for_the_same(a, b):
    assert compare_texts(a, b) is TextRelation.SAME


def test_a_word_that_denies_stands_against_what_it_denies():
    assert compare_texts("Is a non-smoker", "Smokes") is TextRelation.OPPOSITE
    assert compare_texts("Is a vegetarian", "Eats meat") is TextRelation.OPPOSITE


def test_the_part_of_the_day_says_which_half_is_meant_and_no_more():
    assert content("Calls at six in the evening") == content("Calls at 18:00")
    assert content("Works from 9 in the morning to 6 in the evening") != content("Works from 9 to 18")
    assert "time.after" in content("十点以后")
    assert "time.after" not in content("以后十点")


@pytest.mark.parametrize(
    ("text", "quote", "action"),
    [
        ("Lives in Porto", "We're planning to move to Porto.", "reject"),
        ("Wants to move to Porto", "We're planning to move to Porto.", "promote"),
        ("住在昆明", "我打算搬到昆明。", "reject"),
        ("打算搬到昆明", "我打算搬到昆明。", "promote"),
        ("每天跑步", "我的跑步计划是每天跑步。", "promote"),
    ],
)
def test_a_plan_is_no_fact(text, quote, action):
    assert decided(note(text, quote)).action == action


def test_another_place_is_another_case():
    assert decided(note("Drinks cocoa at home"), memory("Drinks tea at the office")).action == "promote"
    assert decided(note("Drinks cocoa at home"), memory("Drinks tea at home")).action == "review"


def test_what_gave_way_is_found_by_the_words_that_only_the_record_has():
    gone = memory("Parcels go to the porter")
    assert decided(note("Parcels are left at the kiosk", "Leave parcels at the kiosk, not with the porter any more."), gone).action == "override"  # fmt: skip
    assert decided(note("Parcels are left at the kiosk", "Parcels are left at the kiosk."), gone).action != "override"


def test_what_a_record_says_already_is_no_addition():
    quote = "The Fabia is gone, we drive an Octavia now."
    assert decided(note("Drives a Skoda Octavia", quote), memory("Drives a Skoda Fabia")).action == "override"
    assert decided(note("Drives a Skoda Octavia", quote)).action == "reject"


@pytest.mark.parametrize(
    ("quote", "who"), [("我妈对芒果过敏", "person.mother"), ("My coach is vegan", "person.coach"), ("我妈妈和我都过敏", None)]
)  # fmt: skip
def test_persons_that_are_only_the_users_own(quote, who):
    assert subjects.other_speaker(quote) == who


@pytest.mark.parametrize(
    ("text", "who"),
    [("爷爷养鸽子", "person.grandfather_paternal"), ("Coach trips make her sick", None), ("朋友圈不发照片", None)],
)
def test_who_a_text_opens_with(text, who):
    assert subjects.inferred(text) == who


@pytest.mark.parametrize(
    "said",
    [
        "My son turned nine", "Please stop calling me", "The fee has gone up to 40", "Enzo stepped in for Lia", "That makes three",
        "闺女满六岁了", "短信别再发了", "小王接了他的班",
    ],
)  # fmt: skip
def test_something_is_different_now(said):
    assert cues.states_change(said)


@pytest.mark.parametrize("said", ["别走错了，是五班", "别忘了带伞", "He never stops talking", "满满一杯茶"])
def test_nothing_is_different(said):
    assert not cues.states_change(said)


@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        ("Reads one novel a week", "Reads one novel a month", TextRelation.CONFLICT),
        ("Feeds the cat two meals a day", "Feeds the cat twice a day", TextRelation.SAME),
        ("猫一天喂两顿", "猫每天喂两次", TextRelation.SAME),
        ("Takes 20 mg of the tablet", "Takes 40 mg of the tablet", TextRelation.CONFLICT),
        ("Aunt turns 60 in June 2027", "Aunt turns 60 in May 2027", TextRelation.CONFLICT),
        ("钥匙在车库里", "钥匙在邻居那里", TextRelation.CONFLICT),
    ],
)
def test_measures_months_and_places(a, b, relation):
    assert compare_texts(a, b) is relation


@pytest.mark.parametrize(
    ("text", "quote", "record"),
    [
        ("Aunt turns 60 in June 2027", "She turns 60 in June 2027, not in May.", "Aunt turns 60 in May 2027"),
        ("姑姑2027年6月满六十", "是2027年6月满六十，不是5月。", "姑姑2027年5月满六十"),
    ],
)
def test_what_a_record_says_is_taken_back_by_name(text, quote, record):
    assert decided(note(text, quote), memory(record)).action == "override"
    assert decided(note(text, quote.split(",")[0].split("，")[0]), memory(record)).action == "review"


def test_a_sentence_that_ends_unsettled_settles_nothing():
    assert decided(note("Budget is 900", "The budget is 700 or 900, not sure yet.")).action == "reject"
    assert decided(note("Budget is 900", "The budget is 900. Not sure about the hotel yet.")).action == "promote"
    assert decided(note("Lives with her parents", "My parents live in Wales.")).action != "promote"


@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        ("Has one cousin", "Has two cousins", TextRelation.CONFLICT),
        ("比起纸书更喜欢电子书", "比起电子书更喜欢纸书", TextRelation.OPPOSITE),
        ("Does not tolerate lactose", "Is lactose intolerant", TextRelation.SAME),
        ("预算一万五", "预算15000", TextRelation.SAME),
    ],
)
def test_counts_of_one_sides_and_spoken_sums(a, b, relation):
    assert compare_texts(a, b) is relation


def test_a_value_does_not_hide_another_number():
    assert decided(note("Takes the 8:10 train"), memory("Takes the 7:40 train")).action == "review"


def test_an_end_is_of_what_was_told_before():
    known = memory("Has a parrot named Kiwi", key="pet", value="parrot Kiwi")
    assert decided(note("No longer has a parrot", key="pet", value="no parrot"), known).action == "override"
    assert decided(note("No longer has a rabbit", key="pet", value="no rabbit"), known).action == "promote"


def test_who_agreed_is_not_whom_it_is_about():
    quote = "My boss approved more, the trip budget is 2,200 now."
    assert decided(note("Trip budget is 2,200", quote)).action == "promote"
    assert decided(note("Approves of more", "My boss approves of more.")).action == "review"


def test_what_is_over_is_shown_beside_what_it_may_end():
    assert decided(note("Has given up Icelandic"), memory("Is learning Icelandic")).action == "review"
    assert decided(note("Has given up chess"), memory("Is learning Icelandic")).action == "promote"
