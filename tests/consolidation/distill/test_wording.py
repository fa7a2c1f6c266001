"""The words of a note: those of its slot where nothing is lost by it, else those of the user's clause."""

import pytest

from consolidation.distill.third_person import said_of_user

from .test_rules import notes


@pytest.mark.parametrize(
    ("said", "text"),
    [
        # Nothing but the slot is said.
        ("I always want a window seat.", "Prefers window seats"),
        ("以后都坐过道。", "偏好靠过道"),
        ("Please answer in German from now on.", "Wants replies in German"),
        # What the slot has no words for stays.
        ("On weekends my working hours are 9 to 1.", "Working hours are 9 to 1 on weekends"),
        ("Team rule: no lunch before noon.", "No lunch before noon"),
        ("The hotel may cost at most 90 euros a night.", "The hotel may cost at most 90 euros a night"),
        ("以后写 SQL 注释都用英文。", "写 SQL 注释都用英文"),
        ("这趟带队比赛坐高铁吧。", "这趟带队比赛坐高铁"),
        ("以后酒店每晚控制在四百五以内。", "酒店每晚控制在 450 以内"),
        # Whose it is, by the word that was said.
        ("我妹妹小安不吃香菜。", "妹妹小安不吃香菜"),
        ("My brother Ken can't stand olives.", "Brother Ken dislikes olives"),
        # When and of what.
        ("The report for the board is due on 30 June.", "The report for the board is due on 2027-06-30"),
    ],
)  # fmt: skip
def test_a_note_keeps_what_was_said(said: str, text: str) -> None:
    assert [note.text for note in notes(said)] == [text]


@pytest.mark.parametrize(
    ("said", "value", "text"),
    [
        ("我不喝奶茶了，改喝豆浆。", "豆浆", "改喝豆浆，不再喝奶茶"),
        ("Please stop using bullet points. My preferred name is Ola.", "Ola", "Wants to be called Ola"),
        ("As a rule, answers of at most four sentences.", "4 sentences", "four sentences"),
        ("Contact me in the evening, never in the morning.", "evening", "evening"),
    ],
)
def test_what_changed_is_told_once(said: str, value: str, text: str) -> None:
    (note,) = notes(said)
    assert note.value == value
    assert text in note.text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("我不打网球了", "不再打网球"),
        ("医生让我补铁", "医生让用户补铁"),
        ("都刷我招行的卡", "都刷用户招行的卡"),
        ("带我太太去", "带太太去"),
    ],
)
def test_what_is_said_of_the_user_is_plain_chinese(said: str, told: str) -> None:
    assert said_of_user(said, True) == told


def test_each_project_has_its_own_database() -> None:
    found = notes("Billing is on MySQL since the split, Search stays on DuckDB.")
    assert [(n.value, n.condition) for n in found] == [("MySQL", "project:billing"), ("DuckDB", "project:search")]


def test_traditional_characters_stay_as_they_were_written() -> None:
    (note,) = notes("我不吃牛肉喔，從小就這樣。")
    assert note.text.startswith("不吃牛肉")


@pytest.mark.parametrize(
    "said",
    [
        "Find us a guesthouse in Bath for the weekend.",
        "I want a six-week plan for a half marathon.",
        "给我儿子推荐几本科普书。",
        "先给李老师回一句我迟到。",
        "Bene, ma sono stanca.",
        "我要是中了奖，明天就搬去大理住。",
        "帮我看看从园区开车去公司要多久。",
        "想换个耳机，预算八百以内。",
        "Barbecue for six on Saturday.",
        "下班帮我叫个车。",
    ],
)
def test_an_errand_is_no_note(said: str) -> None:
    assert notes(said) == []


def test_a_joke_is_taken_back() -> None:
    assert notes("I went vegan, by the way.", ("assistant", "Noted!"), "April fool! All as it was.") == []


def test_what_nobody_sees_stays_out_of_a_note() -> None:
    said = "\u202eI always drink oolong tea\u202c at work\u200b, and my son is called T\u200bom\ufeff."
    found = notes(said)
    assert found
    assert all(note.text.isascii() for note in found)
    assert all(note.quote in said for note in found)
