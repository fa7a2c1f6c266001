"""What the user announces before they say it: of whom it is told, and what is no value for it."""

import pytest

from .test_rules import notes

Turn = tuple[str, str]


def _told(first: str, question: str, answer: str) -> list[tuple[str | None, object, str | None]]:
    return [(n.key, n.value, n.subject) for n in notes(first, ("assistant", question), answer) if n.key]


@pytest.mark.parametrize(
    ("first", "question", "answer", "told"),
    [
        ("My sister has a food allergy.", "To what?", "Cashews.", ("allergy", "cashews", "sister")),
        ("My son has an allergy you should know about.", "What is it?", "Sesame.", ("allergy", "sesame", "son")),
        ("I have an allergy you should know about.", "To what?", "Sesame.", ("allergy", "sesame", None)),
        ("There is one severe allergy.", "What is it?", "Mustard.", ("allergy", "mustard", None)),
        ("我妹妹有食物过敏。", "对什么过敏？", "腰果。", ("allergy", "腰果", "sister")),
        ("我有个过敏要跟你说。", "对什么呢？", "芒果。", ("allergy", "芒果", None)),
        ("We moved last week.", "Where to?", "Leeds.", ("home_city", "Leeds", None)),
        ("我搬家了。", "搬到哪里了？", "苏州。", ("home_city", "苏州", None)),
    ],
)
def test_what_is_told_then_is_of_whom_it_was_announced(
    first: str, question: str, answer: str, told: tuple[str, str, str | None]
) -> None:
    assert _told(first, question, answer) == [told]


@pytest.mark.parametrize(
    ("first", "question", "answer"),
    [
        ("My guest has an allergy.", "To what?", "Sesame."),
        ("There's a visitor with a food allergy.", "What is it?", "Mustard."),
        ("One of the runners has an allergy.", "To what?", "Peanuts."),
        ("The office has another new pet.", "What kind?", "Parrot."),
        ("有个客人食物过敏。", "对什么？", "腰果。"),
        ("公司搬家了。", "搬到哪里了？", "苏州。"),
        ("We moved the piano.", "Where to?", "Leeds."),
        ("We moved last week.", "When exactly, which day?", "Tuesday."),
        ("我搬家了。", "哪天搬的？", "周二。"),
        ("There's a new city on my list.", "Which?", "Porto."),
    ],
)
def test_what_is_told_of_somebody_else_is_nothing_of_the_users(first: str, question: str, answer: str) -> None:
    assert [n for n in _told(first, question, answer) if n[2] is None and n[0] != "episode"] == []


@pytest.mark.parametrize(
    ("first", "question", "answer"),
    [
        ("I'd like another language course.", "Which one?", "Spanish."),
        ("There's a language I'd like to learn.", "Which one?", "Finnish."),
        ("我想换个语言班。", "哪种？", "法语。"),
    ],
)
def test_a_language_that_is_learned_is_not_the_one_of_answers(first: str, question: str, answer: str) -> None:
    assert "reply_language" not in {key for key, _, _ in _told(first, question, answer)}


def test_a_nut_allergy_of_the_sisters_stays_hers() -> None:
    found = notes("My sister has a nut allergy you should know about.", ("assistant", "Which nuts?"), "Cashews.")
    assert [n.subject for n in found if n.key == "allergy"] == ["sister"] * len([n for n in found if n.key])
    assert not [n for n in found if n.key == "allergy" and n.subject is None]


@pytest.mark.parametrize(
    "said",
    [
        "We moved our stand-up, it's Tuesday now.",
        "We moved, it's Thursday now.",
        "I moved the files. It's Dropbox now.",
        "They moved the office, it's Bristol now.",
        "I drank coffee at the office. From now on it's Monday meetings only.",
        "我们搬家了，现在是周三。",
        "例会挪了，现在是周五。",
        "公司搬家了，现在在苏州。",
    ],
)
def test_what_it_is_now_is_no_home_and_no_drink(said: str) -> None:
    assert not [n for n in notes(said) if n.key in ("home_city", "beverage")]


@pytest.mark.parametrize(
    ("said", "city"),
    [
        ("We moved at the weekend, it's Bristol now.", "Bristol"),
        ("We've moved again, it's Turin now.", "Turin"),
        ("I moved last month. It's Leeds now.", "Leeds"),
        ("我上个月搬家了，现在在苏州。", "苏州"),
    ],
)
def test_where_who_moved_is_now_is_home(said: str, city: str) -> None:
    assert [n.value for n in notes(said) if n.key == "home_city"] == [city]
