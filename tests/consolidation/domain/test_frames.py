"""How often, and how sentences are built: pairs that are alike in their words and not in what they say."""

import pytest

from consolidation.domain.compare import values
from consolidation.domain.compare.frames import chained, parallel, sides_swapped
from consolidation.domain.compare.quantities import spans
from consolidation.domain.compare.texts import TextRelation, compare_texts

from .build import memory, note, run

WEEK = 604800.0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("twice a week", WEEK / 2), ("every two weeks", 2 * WEEK), ("fortnightly", 2 * WEEK), ("3 times per week", WEEK / 3),
        ("每两周去一次", 2 * WEEK), ("每周去两次", WEEK / 2), ("一周三次", WEEK / 3), ("every other day", 2 * WEEK / 7),
    ],
)  # fmt: skip
def test_how_often_is_the_time_between(text, seconds):
    assert {s.quantity.value for s in spans(text) if s.quantity.dimension == "rate"} == {seconds}


@pytest.mark.parametrize("text", ["trips under a week", "每周一开会", "within a day", "daily standup", "三周后"])
def test_a_length_of_time_or_a_weekday_is_no_frequency(text):
    assert not [s for s in spans(text) if s.quantity.dimension == "rate"]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Due on the third of April", "Due on 2026-04-03"),
        ("截止日是九月三日", "截止日是9月3日"),
        ("Rests an hour and a half", "Rests 90 minutes"),
        ("每周跑三十公里", "一周跑 30 km"),
    ],
)
def test_one_quantity_in_two_notations_is_the_same(a, b):
    assert compare_texts(a, b) is TextRelation.SAME


def test_versions_and_years_differ_where_decimals_and_days_agree():
    assert values.compare("4.2", "4.20") is values.Same.DIFFERENT
    assert values.compare("1200", "1200.00") is values.Same.EQUAL
    assert values.compare("v18.2", "18.2") is values.Same.EQUAL
    assert values.compare("2026-12-31", "2027-12-31") is values.Same.DIFFERENT
    assert values.compare("12-31", "12-31") is values.Same.EQUAL


def test_one_place_filled_differently():
    assert parallel("Plays the oboe", "Plays the tuba")
    assert parallel("收藏邮票", "收藏古钱币")
    assert not parallel("Is afraid of heights", "Suffers from a fear of heights")
    assert not parallel("Plays the oboe", "Plays the oboe")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Prefers calls to emails", "Prefers emails to calls"),
        ("Coffee rather than tea", "Tea rather than coffee"),
        ("宁可打字不发语音", "宁可发语音不打字"),
        ("弟弟比哥哥会做饭", "哥哥比弟弟会做饭"),
    ],
)
def test_sides_exchanged_say_the_reverse(a, b):
    assert sides_swapped(a, b)
    assert not sides_swapped(a, a)
    assert compare_texts(a, b) is TextRelation.OPPOSITE


def test_a_chain_is_two_facts():
    assert chained("Auth service calls the user service", "User service calls the mail service")
    assert chained("订单系统调用库存系统", "库存系统调用仓储系统")
    assert not chained("Always pays by card", "Card is the way she pays")


@pytest.mark.parametrize(
    ("quote", "action"),
    [
        ("I play the tuba", "promote"),
        ("I play the tuba too", "promote"),
        ("I've started playing the tuba", "promote"),
        ("I switched from the oboe to the tuba", "override"),
    ],
)
def test_one_sentence_with_another_word_stands_beside_or_takes_the_place_as_the_user_says(quote, action):
    assert run([note("Plays the tuba", quote)], [memory("Plays the oboe")]).decisions[-1].action == action
