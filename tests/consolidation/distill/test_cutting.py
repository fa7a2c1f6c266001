"""What a turn is cut into: facts apart from each other, from a secret, from what is not to be kept, and steps together."""

from datetime import UTC, datetime

import pytest

from consolidation.distill import DraftNote, SpokenTurn, distill

_AT = datetime(2026, 9, 14, 10, tzinfo=UTC)


def _notes(*said: str) -> list[DraftNote]:
    """The notes of a talk in which every other turn is the agent's, beginning with the user's."""
    roles = ("user", "assistant")
    return distill([SpokenTurn(str(i), i, roles[i % 2], text, _AT) for i, text in enumerate(said)])


def _held(*said: str) -> set[tuple[str, str | None, str]]:
    return {(n.scope, n.condition, str(n.value)) for n in _notes(*said)}


@pytest.mark.parametrize(
    ("said", "held"),
    [
        (
            "For work trips book me an aisle seat, with the kids I'd rather have the window.",
            {("user", "business_trip", "aisle"), ("user", "family_trip", "window")},
        ),
        (
            "出差给我订靠走廊的，带孩子就订靠窗的。",
            {("user", "business_trip", "aisle"), ("user", "family_trip", "window")},
        ),
        (
            "三小时以内坐高铁，再远就坐飞机。",
            {("user", "under_3_hours", "high_speed_rail"), ("user", "over_3_hours", "plane")},
        ),
        (
            "orders 项目的数据库是 MySQL，reports 项目是 ClickHouse。",
            {("user", "project:orders", "MySQL"), ("user", "project:reports", "ClickHouse")},
        ),
    ],
)
def test_the_same_slot_for_another_case_is_a_note_of_its_own(said: str, held: set[tuple[str, str | None, str]]) -> None:
    assert _held(said) == held


@pytest.mark.parametrize(
    ("said", "value", "secret"),
    [
        ("The Wi-Fi password is Heron-5512, and please always answer me in English.", "en", "Heron"),
        ("密码是 Wheat!Moon88，你别记。另外请记住我叫陈予安。", "陈予安", "Wheat"),
        ("My PIN is 4421, don't save that. But do remember that I'm vegetarian.", "vegetarian", "4421"),
        ("It listens on port 8443 and the login is ops Tr0ub4dor.", "8443", "Tr0ub4dor"),
    ],
)
def test_beside_a_secret_the_other_fact_is_kept(said: str, value: str, secret: str) -> None:
    notes = _notes(said)
    assert [n.value for n in notes] == [value]
    assert not any(secret in f"{n.text} {n.quote}" for n in notes)


@pytest.mark.parametrize(
    "said",
    [
        "The password is Lark-3307, and please always keep it secret.",
        "我的卡号是 6222020200112233445，有效期 12/27，别记。",
        "密码是我生日加 88，以后都用这个。",
        "Here's my card 4111 1111 1111 1111, exp 12/27.",
        "别记我的工资。我吃素。",
    ],
)
def test_what_goes_on_with_a_secret_is_not_kept(said: str) -> None:
    assert _notes(said) == []


@pytest.mark.parametrize(
    ("said", "key", "text"),
    [
        (
            "Here is how we do refunds, please remember it: check the receipt, have the lead sign, then pay out.",
            "refund_procedure",
            "Refunds: check the receipt, have the lead sign, then pay out",
        ),
        (
            "我的报销流程你记好：先贴发票，再让组长签字，最后交财务。",
            "expense_procedure",
            "报销流程：先贴发票，再让组长签字，最后交财务",
        ),
        (
            "When a bag comes back we check the tag, then look the sale up, then offer store credit.",
            None,
            "When a bag comes back: check the tag, then look the sale up, then offer store credit",
        ),
    ],
)
def test_steps_under_a_heading_are_one_note(said: str, key: str | None, text: str) -> None:
    (note,) = _notes(said)
    assert (note.key, note.text, note.kind, note.scope) == (key, text, "procedural", "user")


@pytest.mark.parametrize(
    "said",
    [
        "What are the steps for a refund: check the receipt, then what?",
        "帮我写个报销流程：先贴发票，再签字。",
        "When I got home I fed the cat, then went to bed.",
    ],
)
def test_what_tells_no_way_of_working_has_no_steps(said: str) -> None:
    assert not [n for n in _notes(said) if n.kind == "procedural"]


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        (["Plan the trip.", "Which editor do you use?", "Zed."], "editor", "Zed"),
        (["Hi.", "What do you do for a living?", "Nurse."], "occupation", "nurse"),
        (["你好", "站会几点？", "九点四十五。"], "standup_time", "09:45"),
        (["你好", "您平时有什么爱好？", "攀岩。"], "hobby", "攀岩"),
        (
            [
                "How long do you book my meetings?",
                "Thirty minutes. Shall I keep them at 25 minutes from now on?",
                "Yes.",
            ],
            "meeting_length",
            "25 min",
        ),
    ],
)
def test_a_bare_answer_says_what_was_asked_about(said: list[str], key: str, value: str) -> None:
    assert [(n.key, n.value, n.scope) for n in _notes(*said)] == [(key, value, "user")]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            ["Hm.", "Shall I always CC Dana on the weekly report?", "Yes, always."],
            "Always CC Dana on the weekly report",
        ),
        (["嗯", "以后每次周报都抄送小王，好吗？", "好的。"], "以后每次周报都抄送小王"),
    ],
)
def test_a_yes_takes_over_what_was_offered_for_good(said: list[str], text: str) -> None:
    assert [(n.text, n.scope) for n in _notes(*said)] == [(text, "user")]


@pytest.mark.parametrize(
    "said",
    [
        ["Hm.", "Shall I order now?", "Yes."],
        ["Hm.", "Shall I always approve refunds automatically?", "Yes."],
        ["Hm.", "Should I keep doing it like this from now on?", "Yes."],
        ["Order flowers.", "Which ones?", "Tulips."],
        ["订束花", "要什么花？", "郁金香"],
        ["What should I leave out?", "I know of no allergies.", "Hazelnuts."],
    ],
)
def test_an_answer_that_holds_nothing_lasting_is_no_note(said: list[str]) -> None:
    assert _notes(*said) == []


def test_what_was_felt_once_is_no_taste_of_today() -> None:
    for said in (
        "I used to love oysters. I can't stand them now.",
        "I used to hate cilantro.",
        "我以前爱喝可乐，现在不喝了。",
    ):
        assert not [n for n in _notes(said) if n.key in ("likes", "dislikes")]


def test_a_correction_names_no_slot() -> None:
    assert [(n.key, n.value) for n in _notes("I live in Porto. No wait, in Lisbon.")] == [("home_city", "Lisbon")]


@pytest.mark.parametrize(
    ("said", "now", "otherwise"),
    [
        ("Just for today answer in French. Otherwise English as always.", "fr", "en"),
        ("Hotel up to 300 for this trip, normally 150 is my limit.", "<=300", "<=150"),
        ("这次酒店可以到 800，平时不超过 500。", "<=800", "<=500"),
        ("这趟就坐飞机吧，下不为例。平时还是给我买高铁。", "plane", "high_speed_rail"),
    ],
)
def test_an_exception_stands_beside_what_holds_otherwise(said: str, now: str, otherwise: str) -> None:
    assert {(n.scope, n.value) for n in _notes(said)} == {("session", now), ("user", otherwise)}


def test_what_holds_elsewhere_does_not_replace_what_holds_here() -> None:
    notes = _notes("From now on it's Teams for anything with customers and Google Meet when it's just us.")
    assert {n.value for n in notes} == {"Teams", "Google Meet"}


def test_an_order_for_good_is_kept_beside_a_slot() -> None:
    held = {n.text for n in _notes("I prefer dark mode, and please always cc Dana on the reports.")}
    assert held == {"Prefers dark mode", "Always cc Dana on the reports"}


@pytest.mark.parametrize(
    "said",
    [
        "Find us a guesthouse in Whitby for the bank holiday.",
        "Take Halden Foods out of my signature.",
        "帮我写份周报，今天要交。",
    ],
)
def test_an_errand_is_no_note(said: str) -> None:
    assert _notes(said) == []


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("Could you always put the total first?", {"Always put the total first"}),
        (
            "I sell candles on Etsy, and my prices always end in .50.",
            {"Sells candles on Etsy", "Prices always end in .50"},
        ),
    ],
)
def test_an_order_is_kept_with_what_goes_on_with_it(said: str, texts: set[str]) -> None:
    assert {n.text for n in _notes(said)} == texts


@pytest.mark.parametrize(
    "said",
    [
        ["What's the weather like?", "Which city?", "Lisbon."],
        ["I changed jobs.", "Congratulations! What will you do first?", "Sleep."],
        ["Lunch?", "What would you like to eat?", "Sushi."],
        ["Book it.", "How old is the car?", "Nine."],
        ["The museum's rules: no flash; no bags; no food."],
        ["Can you explain whenever clauses?"],
    ],
)
def test_what_only_looks_like_it_is_no_note(said: list[str]) -> None:
    assert _notes(*said) == []
