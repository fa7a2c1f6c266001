"""What a clause, an answer or a turn takes from what stood before it."""

import pytest

from .test_rules import keys, notes


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I prefer trains, but for this conference get me a flight.", {("train", "user"), ("plane", "session")}),
        ("我喜欢坐火车，不过这次开会给我订飞机。", {("train", "user"), ("plane", "session")}),
        ("今天开会用腾讯会议，平时还是飞书。", {("腾讯会议", "session"), ("飞书", "user")}),
    ],
)
def test_this_time_and_otherwise_are_two_notes(text: str, found: set[tuple[str, str]]) -> None:
    assert {(value, scope) for _, value, scope in keys(notes(text))} == found


def test_a_clause_that_only_says_how_long_limits_its_sentence() -> None:
    assert [n.scope for n in notes("In French please, just this paragraph.")] == ["session"]


def test_what_somebody_else_hates_is_no_taste_of_the_users() -> None:
    found = notes("My landlady, Mrs Eze, lives upstairs and hates noise after nine.")
    assert all(n.subject for n in found if n.key == "dislikes")


def test_some_of_many_are_not_the_user() -> None:
    assert not [n for n in notes("我们班四十六个学生，有三个对花生过敏。") if n.key == "allergy"]
    assert not [n for n in notes("介绍一下北斋，我班上孩子九岁。") if n.key == "child_age"]


@pytest.mark.parametrize("text", ["cool. now do it in French", "We no longer ship to Norway."])
def test_an_errand_or_a_change_is_no_wish_for_answers(text: str) -> None:
    assert not [n for n in notes(text) if n.key in ("reply_language", "reply_length")]


def test_a_short_answer_stands_under_what_was_asked() -> None:
    turns = ("Order the waders.", ("assistant", "What shoe size do you take?"), "44, but boots half a size up.")
    assert notes(*turns)[0].text.startswith("Shoe size: 44")


def test_what_follows_a_supposition_may_be_stated() -> None:
    (note,) = notes("If I could fly I would, but flying is out since my ear operation.")
    assert "ear operation" in note.text
    assert notes("If I moved to Ghent I'd cycle, I live on tea.") == []
