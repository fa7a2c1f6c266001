"""Facts that wait for a person are recognised by what they say of someone, not by their topic."""

import pytest

from memory_app.guardrails import sensitivity


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("Has type 2 diabetes.", "health"),
        ("Allergic to walnuts", "health"),
        ("Takes antidepressants since May.", "health"),
        ("她怀孕四个月了", "health"),
        ("用户花生过敏", "health"),
        ("父亲确诊了糖尿病", "health"),
        ("Is a practising Catholic.", "religion"),
        ("Fasts during Ramadan.", "religion"),
        ("I go to church every Sunday.", "religion"),
        ("I pray at the mosque", "religion"),
        ("I keep strictly kosher.", "religion"),
        ("We eat only halal", "religion"),
        ("家里吃清真", "religion"),
        ("他是伊斯兰教徒", "religion"),
        ("他是虔诚的佛教徒", "religion"),
        ("周日去教堂做礼拜", "religion"),
        ("Came out as gay last year.", "sexuality"),
        ("她是双性恋", "sexuality"),
        ("Her daughter is six years old.", "minor"),
        ("Travels with a 4-year-old son.", "minor"),
        ("女儿今年 7 岁，上小学", "minor"),
        ("带着三岁的儿子出行", "minor"),
    ],
)
def test_sensitive_facts_are_named(text: str, want: str) -> None:
    assert sensitivity(text) == want


@pytest.mark.parametrize(
    "text",
    [
        "Prefers aisle seats.",
        "Works in a hospital as an engineer.",
        "Is keen on working in mental health.",
        "Vegetarian, no mushrooms.",
        "The service is healthy again after the restart.",
        "Visited a temple in Kyoto.",
        "Wants to go to a temple in Kyoto.",
        "We go to Church Street for lunch.",
        "Keeps the receipts.",
        "Runs 10 km with his son.",
        "Has two children.",
        "喜欢靠窗的座位",
        "在医院做系统管理员",
        "服务健康检查失败",
        "参观了京都的寺庙",
        "有两个孩子",
        "手机用了三年",
        "信息安全很重要",
        "出差住酒店",
    ],
)
def test_other_facts_are_not(text: str) -> None:
    assert sensitivity(text) is None


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("Condition on record", "type 2 diabetes", "health"),
        ("备注如下", {"信仰": "穆斯林"}, "religion"),
        ("Prefers aisle seats", "aisle", None),
    ],
)
def test_a_value_counts_under_a_neutral_text(text: str, value: object, kind: str | None) -> None:
    assert sensitivity(text, value) == kind
