"""What is looked for is told from what is to be done with it."""

from datetime import UTC, datetime

import pytest

from memory_app.domain.question import Question, understand

NOW = datetime(2026, 10, 5, 12, tzinfo=UTC)


def asked(query: str) -> Question:
    return understand(query, NOW)


@pytest.mark.parametrize(
    ("query", "looked_up", "action"),
    [
        ("根据我上上周确定的那个数据库选型，帮我写迁移脚本", "数据库选型", "迁移脚本"),
        ("把季度销售额的结论写进月报", "销售额", "月报"),
        ("按上次谈妥的折扣给客户发报价单", "折扣", "报价单"),
        ("Using the layout we agreed on, draft the newsletter", "layout", "newsletter"),
        ("Write a post about the venue we picked", "venue", "post"),
        ("put our return policy into the handbook page", "return policy", ""),
    ],
)
def test_the_action_is_split_off(query: str, looked_up: str, action: str) -> None:
    question = asked(query)
    assert looked_up in question.asked
    assert action in question.action
    assert question.intent == "prepare"
    assert not action or action not in question.asked


@pytest.mark.parametrize("query", ["写一个周报", "book a hotel for the business trip", "Nginx 监听哪个端口"])
def test_a_plain_question_is_looked_up_as_a_whole(query: str) -> None:
    assert asked(query).action == ""


def test_relative_time_bounds_the_question() -> None:
    question = asked("根据我上上周确定的那个数据库选型，帮我写迁移脚本")
    assert (question.since, question.until) == (datetime(2026, 9, 21, tzinfo=UTC), datetime(2026, 9, 28, tzinfo=UTC))
    assert question.past


@pytest.mark.parametrize(
    "query",
    [
        "hello",
        "你好",
        "谢谢啦",
        "Thanks a lot!",
        "早上好",
        "ok great",
        "在吗？",
        "sounds good, ta",
        "no worries, have a great weekend",
        "好嘞，那明天见",
        "收到，回头聊",
        "morning! hope you slept well",
        "👋",
        "!!!",
        "",
        "   ",
    ],
)
def test_small_talk_asks_nothing(query: str) -> None:
    assert asked(query).small_talk


@pytest.mark.parametrize(
    "query",
    ["hello, which seat do I like", "谢谢，我的预算是多少", "hi5 protocol", "good restaurants", "what did I do today"],
)
def test_a_greeting_before_a_question_is_no_small_talk(query: str) -> None:
    assert not asked(query).small_talk


def test_what_asks_for_a_measure_is_no_word_to_look_for() -> None:
    assert set(asked("how long does the egg boil").terms) == {"egg", "boil"}
    assert "long" in asked("the long report").terms
    assert [sorted(part.concepts) for part in asked("what time do I get up").parts] == [["sleep"]]


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("how do we restore a backup", "procedural"),
        ("恢复备份的步骤", "procedural"),
        ("when did the backup fail", "episodic"),
        ("上回那次是谁处理的", "episodic"),
        ("which tea do i prefer", "semantic"),
        ("我平时喝什么茶", "semantic"),
    ],
)
def test_the_kind_is_hinted(query: str, kind: str) -> None:
    assert kind in asked(query).kinds


@pytest.mark.parametrize(
    ("query", "who"),
    [
        ("what does my wife eat", "wife"),
        ("我太太吃什么", "wife"),
        ("mom's birthday", "mother"),
        ("我老板的咖啡", "manager"),
    ],
)
def test_the_person_is_known(query: str, who: str) -> None:
    assert who in asked(query).subjects


def test_a_package_manager_is_no_person() -> None:
    assert not asked("which package manager do we use").subjects


def test_identifiers_are_told_from_dates_and_kept_whole() -> None:
    assert asked("what was wrong with ORA-12514 on 9 september").identifiers == ("ora-12514",)
    assert asked("9月10号订单101").identifiers == ("101",)


def test_several_questions_are_taken_apart() -> None:
    assert len(asked("我的手机是什么型号？另外，我住在哪个小区？").parts) == 2


def test_what_is_said_around_a_question_is_not_the_question() -> None:
    question = asked(
        "今天天气真好，想去散步，朋友说公园的花开了，晚上还要吃火锅。不好意思，我真正想问的是：我的车停在哪里？"
    )
    assert "火锅" not in question.terms
    assert "车" in question.terms
    assert not question.subjects


@pytest.mark.parametrize("query", ["x", "'; DROP TABLE memory; --", "😀" * 50, "a" * 10_000, "\x00\ud800", "%_\\"])
def test_strange_queries_are_understood(query: str) -> None:
    asked(query)
