"""Ranking is pure, explained and the same every time."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_app.domain.because import Source, because
from memory_app.domain.ranking import Item, Ranked, entry_text, rank, understand
from memory_app.domain.words import words

NOW = datetime(2026, 10, 5, 12, tzinfo=UTC)


def item(id: str, text: str, similarity: float | None = 0.3, **fields: Any) -> Item:
    state: dict[str, Any] = {
        "version": 1, "kind": "semantic", "scope": "user", "key": "", "value": None, "condition": "", "subject": "",
        "updated_at": NOW - timedelta(days=26), "occurred_at": None, "confirmed_at": NOW,
    }  # fmt: skip
    state |= fields
    tokens = tuple(words(entry_text(text, state["key"], state["value"], state["subject"])))
    return Item(id=id, text=text, tokens=tokens, similarity=similarity, **state)


def ranked(query: str, *items: Item, limit: int = 5) -> list[Ranked]:
    return rank(items, understand(query, NOW), NOW, limit, len(items))


def ids(found: list[Ranked]) -> list[str]:
    return [one.item.id for one in found if one.left_out is None]


def test_each_result_says_why_and_for_whom() -> None:
    first = ranked("which theme do I use", item("a", "Uses the dark theme"))[0]
    assert first.because == "because you said on 9 September: Uses the dark theme"
    assert first.why["kw_rank"] == first.why["vec_rank"] == 1
    assert first.why["words"] == ["theme"]
    terms = sum(
        value
        for name, value in first.why.items()
        if isinstance(value, float) and name not in ("vector", "keyword", "concept")
    )
    assert first.score == pytest.approx(terms, abs=0.01)


def test_because_speaks_the_language_of_the_question() -> None:
    assert ranked("我用什么主题", item("a", "使用深色主题"))[0].because == "因为你在9月9日说过：使用深色主题"
    procedure = item("a", "部署步骤：build、push", kind="procedural", success_count=3)
    assert ranked("怎么部署", procedure)[0].because == "因为你记下过这套做法（成功过 3 次）：部署步骤：build、push"


@pytest.mark.parametrize(
    ("query", "text", "told", "by_person"),
    [
        (
            "which seat",
            "Takes window seats",
            "it was corrected by an operator on 1 September: Takes window seats",
            True,
        ),
        (
            "which seat",
            "Takes window seats",
            "it was corrected through the API on 1 September: Takes window seats",
            False,
        ),
        ("坐哪个座位", "坐靠窗座位", "9月1日由操作员更正过：坐靠窗座位", True),
        ("坐哪个座位", "坐靠窗座位", "9月1日通过 API 更正过：坐靠窗座位", False),
    ],
)
def test_because_says_when_and_how_it_was_corrected(query: str, text: str, told: str, by_person: bool) -> None:
    corrected = Source("", datetime(2026, 9, 1, 2, tzinfo=UTC))
    said = because(item("a", text), understand(query, NOW), {}, NOW, corrected, by_person)
    assert said in (f"because {told}", f"因为{told}")
    of_team = because(item("a", text, scope="team"), understand(query, NOW), {}, NOW, corrected)
    assert of_team in (f"because your team noted on 9 September: {text}", f"因为团队在9月9日记下过：{text}")


def test_the_other_year_is_said() -> None:
    old = item("a", "Uses the dark theme", updated_at=datetime(2024, 2, 1, tzinfo=UTC))
    assert "1 February 2024" in ranked("which theme do I use", old)[0].because


def test_what_is_dropped_says_at_which_gate() -> None:
    found = ranked(
        "which theme do I use",
        item("a", "Uses the dark theme"),
        item("b", "Theme of the party was space"),
        item("c", "Owns a bicycle", similarity=0.02),
        limit=1,
    )
    assert {one.item.id: one.left_out for one in found} == {"a": None, "b": "limit", "c": "threshold"}


def test_the_same_question_has_the_same_answer_in_any_order() -> None:
    items = [item(name, "Uses the dark theme") for name in "dacb"]
    assert ids(ranked("theme", *items)) == ids(ranked("theme", *reversed(items))) == ["a", "b", "c", "d"]


def test_an_identifier_that_nobody_has_finds_no_neighbour() -> None:
    one = item("a", "ORA-12541 means the listener is down", similarity=0.4)
    assert ranked("ORA-12514", one)[0].score < ranked("ORA-12541", one)[0].score - 0.5


def test_a_hash_is_found_by_its_first_digits() -> None:
    found = ranked("what did 284235acd change", item("a", "Fix is 284235acdb4e0841fcef5c97f8159cfc64127fdc", 0.0))
    assert ids(found) == ["a"]


def test_a_worse_procedure_comes_later() -> None:
    found = ranked(
        "how do we deploy the shop",
        item("bad", "Deploy the shop by script", kind="procedural", success_count=1, failure_count=9),
        item("good", "Deploy the shop by script", kind="procedural", success_count=9, failure_count=1),
    )
    assert ids(found) == ["good", "bad"]


def test_yesterday_has_an_end() -> None:
    found = ranked(
        "what went wrong with yesterday's import",
        item("today", "Import went wrong, disk full", kind="episodic", updated_at=NOW - timedelta(hours=2)),
        item("then", "Import went wrong, no network", kind="episodic", updated_at=NOW - timedelta(days=1)),
    )
    assert ids(found) == ["then"]
    assert found[1].left_out == "time"


def test_the_question_of_the_session_comes_first() -> None:
    found = ranked(
        "which seat",
        item("default", "Prefers the aisle seat", 0.6, key="seat", value="aisle"),
        item("now", "Window this time", 0.0, key="seat", value="window", scope="session", session_id="s"),
    )
    assert ids(found) == ["now", "default"]


def test_nothing_stored_is_nothing_found() -> None:
    assert ranked("which seat") == []
    assert ids(ranked("你好", item("a", "你好这个词怎么写", 0.9))) == []


def test_without_vectors_words_still_find() -> None:
    assert ids(ranked("VPN gateway", item("a", "The VPN gateway is backup-2", None), item("b", "Likes tea", None))) == [
        "a"
    ]


@pytest.mark.parametrize(
    ("query", "person", "others"),
    [
        ("who collects the kids on late days", "Aunt Rosa waits at the school gate", "The kids collect stamps"),
        ("接孩子放学的是谁", "放学由隔壁的赵阿姨去学校门口等", "孩子爱画恐龙"),
    ],
)
def test_who_asks_for_a_person_and_those_it_names_say_in_which_matter(query: str, person: str, others: str) -> None:
    found = ranked(query, item("a", person, 0.55), item("b", others, subject="child"))
    assert ids(found)[0] == "a"
    assert found[0].why["who"] > 0


def test_a_first_name_that_a_sentence_begins_with_is_a_person() -> None:
    found = ranked(
        "whose turn is it to clean the kitchen",
        item("a", "Kitchen is cleaned on Fridays"),
        item("b", "Odette cleans the kitchen"),
    )
    assert ids(found)[0] == "b"


def test_a_condition_that_nobody_named_comes_after_what_holds_without_one() -> None:
    trip = item("trip", "Hotels up to 250", 0.4, key="hotel_budget", value=250, condition="conference")
    default = item("default", "Hotels up to 140", 0.38, key="hotel_budget", value=140)
    assert ids(ranked("how much may the hotel cost", trip, default)) == ["default", "trip"]


def test_a_character_inside_of_a_word_is_not_that_word() -> None:
    assert ids(ranked("轮胎在哪里买", item("a", "轮岗从七月开始", 0.14))) == []
    assert ids(ranked("我家猫几岁", item("a", "猫三岁了", 0.1))) == ["a"]


def test_no_procedure_is_the_latest() -> None:
    steps = item("steps", "仓库漏水时先断电再搬货", 0.5, kind="procedural")
    event = item("event", "仓库漏水，请了防水队", 0.45, kind="episodic")
    assert ids(ranked("上回仓库漏水是怎么弄好的", steps, event))[0] == "event"


def test_a_question_that_says_nothing_but_a_time_is_answered_by_what_lies_in_it() -> None:
    then, later = datetime(2026, 5, 3, 12, tzinfo=UTC), datetime(2026, 5, 13, 12, tzinfo=UTC)
    van = item("a", "The van broke down", 0.0, kind="episodic", updated_at=then)
    lease = item("b", "Signed the lease", 0.0, kind="episodic", updated_at=later)
    assert ids(ranked("what happened on 3 May", van, lease)) == ["a"]


def test_what_was_told_in_a_time_may_be_about_another() -> None:
    told = item("a", "The fitter can only start in July", kind="episodic", updated_at=NOW - timedelta(days=7))
    assert ids(ranked("what did I tell you last week about the fitter", told)) == ["a"]
