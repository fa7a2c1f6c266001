"""What distillation keeps, for whom, for how long, and on what evidence."""

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consolidation.distill import DraftNote, SpokenTurn, distill

AT = datetime(2026, 9, 9, 10, 24, tzinfo=timezone(timedelta(hours=8)))


def said(*turns: str | tuple[str, str]) -> list[SpokenTurn]:
    pairs = [("user", t) if isinstance(t, str) else t for t in turns]
    return [SpokenTurn(f"t{i}", i, role, text, AT) for i, (role, text) in enumerate(pairs)]


def notes(*turns: str | tuple[str, str]) -> list[DraftNote]:
    return distill(said(*turns))


def keys(found: list[DraftNote]) -> list[tuple[str | None, object, str]]:
    return [(n.key, n.value, n.scope) for n in found]


def test_a_note_points_at_its_evidence() -> None:
    turns = said("好的。这次想靠窗；以后短途优先高铁。")
    found = distill(turns)
    assert [n.quote for n in found] == ["这次想靠窗", "以后短途优先高铁"]
    for note in found:
        assert turns[0].text[note.start : note.end] == note.quote
        assert note.said_at == AT


@pytest.mark.parametrize(
    ("text", "scope", "kind"),
    [
        ("This time a window seat, please.", "session", "working"),
        ("Always a window seat, please.", "user", "semantic"),
        ("今晚的会用 Zoom 开。", "session", "working"),
        ("以后开会都用 Zoom。", "user", "semantic"),
        ("這次和以後每次都要靠窗。", "user", "semantic"),
        ("Please book me a window seat to Oslo.", "session", "working"),
    ],
)
def test_how_long_it_holds(text: str, scope: str, kind: str) -> None:
    (note,) = notes(text)
    assert (note.scope, note.kind) == (scope, kind)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("My wife is vegetarian.", "wife"),
        ("My colleague Greta can't eat walnuts.", "Greta"),
        ("我表哥特别喜欢钓鱼。", "cousin"),
        ("我的上司不吃辣。", "manager"),
        ("同事小王对花生过敏。", "小王"),
        ("I know my brother loves chess.", "brother"),
    ],
)
def test_another_person_is_never_the_user(text: str, subject: str) -> None:
    found = notes(text)
    assert found
    assert {n.subject for n in found} == {subject}


@pytest.mark.parametrize("text", ["李明杰喜欢摄影。", "The customer likes golf.", "She hates jazz.", "你喜欢喝茶。"])
def test_strangers_and_the_agent_have_no_notes(text: str) -> None:
    assert notes(text) == []


def test_only_the_user_is_evidence() -> None:
    assert (
        notes(("system", "User prefers aisle seats"), ("tool", "我喜欢靠窗"), ("assistant", "You always fly at night."))
        == []
    )
    turn = SpokenTurn("t0", 0, "user", "I always take the aisle.", AT, recalled=True)
    assert distill([turn]) == []


def test_a_claim_of_the_agent_needs_a_yes() -> None:
    claim = ("assistant", "So you prefer window seats, right?")
    assert keys(notes(claim, "Yes, always.")) == [("seat_preference", "window", "user")]
    assert notes(claim, "No.") == []
    assert notes(claim, "Find me a hotel.") == []


def test_a_clarification_settles_the_scope() -> None:
    ask = ("assistant", "For this trip only?")
    assert keys(notes("Use 2000 dollars as the cap.", ask, "Yes, only this one.")) == [
        ("budget", "<=2000 USD", "session")
    ]
    assert keys(notes("Use 2000 dollars as the cap.", ask, "No, from now on.")) == [("budget", "<=2000 USD", "user")]


def test_a_later_correction_wins() -> None:
    assert keys(notes("Reply in English please.", "Scratch that, keep Chinese for everything.")) == [
        ("reply_language", "zh", "user")
    ]
    assert keys(notes("预算 2000 美元。", "说错了，应该是 3000 美元。")) == [("budget", "<=3000 USD", "user")]


def test_a_request_to_delete_drops_what_it_names_and_makes_no_note() -> None:
    assert keys(notes("I love jazz. I always take the aisle.", "Forget what I said about jazz.")) == [
        ("seat_preference", "aisle", "user")
    ]
    assert notes("我吃素。", "把吃素那条删掉。") == []


def test_a_named_retraction_becomes_a_draft_where_it_is_asked_for() -> None:
    found = distill(said("把我之前说的吃素那条删掉。"), retractions=True)
    assert [(n.key, n.value, n.retract) for n in found] == [("meal_preference", "vegetarian", True)]


def test_role_play_lasts_until_it_is_over() -> None:
    found = notes("Let's role play: you are a pirate.", "I hate rum.", "Stop the role play.", "I hate mint.")
    assert keys(found) == [("dislikes", "mint", "user")]


def test_dates_come_from_the_moment_of_speaking() -> None:
    old = datetime(2023, 5, 24, 10, tzinfo=UTC)
    (note,) = distill([SpokenTurn("t", 0, "user", "I went to Paris last week.", old)])
    assert note.kind == "episodic"
    assert note.occurred_at == datetime(2023, 5, 15, tzinfo=UTC)
    assert "2023-05-15" in note.text


def test_unsafe_text_is_left_out_by_the_guard() -> None:
    found = distill(said("I love jazz. I love chess."), guard=lambda text: "pii" if "jazz" in text.lower() else None)
    assert keys(found) == [("likes", "chess", "user")]


def test_traditional_script_is_answered_in_kind() -> None:
    (note,) = notes("出差都訂走道位。")
    assert (note.value, note.condition) == ("aisle", "business_trip")
    assert note.text == "出差都訂走道位"


def test_the_same_turns_give_the_same_notes() -> None:
    turns = said("I'm vegetarian and I can't stand cilantro.", "以后 code review 都用英文，commit message 也是。")
    assert distill(turns) == distill(list(reversed(turns)))


_PIECES = [
    "I like ",
    "我喜欢",
    "以后",
    "这次",
    "not ",
    "不",
    "aisle",
    "靠窗",
    "，",
    ", ",
    "。",
    ". ",
    "?",
    "“",
    "”",
    '"',
    "2000",
    " 美元",
    "first ",
    "then ",
    "先",
    "再",
    "\n",
    "```",
    "E1024 ",
    "下周三",
    "\ud800",
    "\0",
    "my wife ",
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.sampled_from(_PIECES), max_size=25).map("".join), max_size=4))
def test_any_text_is_read_without_an_error(texts: list[str]) -> None:
    turns = said(*texts)
    for note in distill(turns):
        text = turns[int(note.turn[1:])].text
        assert note.text
        assert text[note.start : note.end] == note.quote


@pytest.mark.parametrize(
    "piece", ["我，", "a, ", " ", '"', "I like x and ", "先再", "不是不", "1", "budget 1", "release steps: a, b, "]
)
def test_time_grows_with_the_length(piece: str) -> None:
    def spent(length: int) -> float:
        start = time.process_time()
        notes((piece * length)[:length])
        return time.process_time() - start

    spent(500)
    assert spent(10_000) < max(40 * spent(1_000), 3.0)


def test_a_guess_in_the_evidence_is_no_reason_to_refuse() -> None:
    found = distill(said("名字写错了，应该是李国松。"), guard=lambda text: "speculation" if "应该" in text else None)
    assert keys(found) == [("name", "李国松", "user")]


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("我住在北京", "北京"),
        ("我现在住在杭州。", "杭州"),
        ("上个月搬到了上海", "上海"),
        ("搬到了三亚", "三亚"),
        ("我常住上海", "上海"),
        ("我家在单县。", "单县"),
        ("我住在五常三年了。", "五常"),
        ("我定居在了珠海。", "珠海"),
        ("我住在德里。", "德里"),
    ],
)
def test_a_town_is_named_without_the_particle_before_it(text: str, city: str) -> None:
    assert keys(notes(text)) == [("home_city", city, "user")]


@pytest.mark.parametrize(
    "text",
    ["我住五楼。", "我住在楼上。", "我住在五星级酒店。", "我搬到了城东。", "住了三天。", "我住过成都。", "这里我住着很舒服。", "我住得很远。", "公司搬到了上海。", "这次我住在三亚。", "忘了我住在杭州这件事吧。"],
)  # fmt: skip
def test_where_somebody_stays_is_no_town(text: str) -> None:
    assert notes(text) == []


@pytest.mark.parametrize(
    ("text", "value", "condition"),
    [
        ("For business trips, always book refundable fares.", None, "business_trip"),
        ("From now on window seat, except on red-eyes.", "window", "except red-eyes"),
        ("I always take the aisle, except when I fly with my kids.", "aisle", "except when they fly with their kids"),
        ("以后都靠窗，红眼航班除外。", "window", "except 红眼航班"),
        ("除了红眼航班，以后都靠窗。", "window", "except 红眼航班"),
        ("Reply in English from now on, except for emails to Li.", "en", "except emails to Li"),
        ("除了咖啡，我还喜欢茶。", "茶", None),
        ("Apart from coffee, I also like tea.", "tea", None),
    ],
)
def test_what_a_statement_is_limited_to_stays_with_it(text: str, value: str | None, condition: str | None) -> None:
    (note,) = notes(text)
    assert (note.value, note.condition) == (value, condition)
    if condition and condition.startswith("except "):
        assert condition.removeprefix("except ") in note.text
        assert text.startswith(note.quote.rstrip("。."))


def test_a_condition_and_an_exception_are_both_kept() -> None:
    (note,) = notes("出差都坐高铁，急事除外")
    assert (note.value, note.condition, note.text) == ("high_speed_rail", "business_trip", "出差优先高铁，急事除外")


def test_what_holds_for_all_but_the_user_is_not_the_users() -> None:
    assert notes("除了我，大家都喜欢跑步") == []


def test_the_better_half_of_a_sentence_is_kept() -> None:
    assert keys(notes("别订早班机了，优先晚班")) == [("departure_time_preference", "evening", "user")]
    assert keys(notes("平时坐高铁，这次飞吧")) == [
        ("transport_preference", "high_speed_rail", "user"),
        ("transport_preference", "plane", "session"),
    ]
    assert keys(notes("I usually fly, this time the train please.")) == [
        ("transport_preference", "plane", "user"),
        ("transport_preference", "train", "session"),
    ]
    assert notes("平时坐火车要五个小时") == []


@pytest.mark.parametrize(
    "text",
    [
        "我不是不喜欢靠窗",
        "我也不是讨厌靠窗",
        "我不介意坐过道",
        "我不是不喜欢咖啡",
        "It's not that I don't like window seats.",
        "I don't dislike coffee.",
        "I don't mind aisle seats.",
        "I wouldn't say I dislike the aisle.",
    ],
)
def test_a_double_negative_is_no_preference(text: str) -> None:
    assert notes(text) == []


def test_what_is_preferred_stands_beside_what_is_tolerated() -> None:
    assert keys(notes("我不介意过道，但更喜欢靠窗")) == [("seat_preference", "window", "user")]
    assert keys(notes("I don't mind the aisle but I prefer window seats.")) == [("seat_preference", "window", "user")]
    assert keys(notes("不介意红眼航班")) == [("red_eye", "acceptable", "user")]


@pytest.mark.parametrize(
    ("said_text", "text"),
    [
        ("I usually fly Lufthansa.", "Usually flies Lufthansa"),
        ("I never watch TV at night.", "Never watches TV at night"),
        ("Remember that I have a bad back.", "Has a bad back"),
        ("Remember that I don't carry cash on trips.", "Doesn't carry cash on trips"),
        ("For business trips I usually fly Lufthansa.", "Usually flies Lufthansa for business trips"),
        ("From now on I want taxis booked early.", "Wants taxis booked early"),
        ("Always use metric units.", "Always use metric units"),
        ("I always want a quiet hotel room.", "Prefers quiet rooms"),
    ],
)
def test_what_the_user_does_is_said_in_the_third_person(said_text: str, text: str) -> None:
    assert [n.text for n in notes(said_text)] == [text]


@pytest.mark.parametrize(
    "text", ["别忘了我喜欢靠过道", "不要忘记我喜欢靠过道。", "Don't forget that I like the aisle."]
)
def test_what_must_not_be_forgotten_is_said_once_more(text: str) -> None:
    found = distill(said(text), retractions=True)
    assert [(n.value, n.retract) for n in found] == [("aisle", False)]


@pytest.mark.parametrize(
    "text",
    ["你忘记我喜欢靠窗了吗？", "你忘了我喜欢靠窗啊。", "I sometimes forget that I like jazz.", "我忘记我喜欢靠窗了。"],
)
def test_to_have_forgotten_is_no_request_to_forget(text: str) -> None:
    assert not [n for n in distill(said(text), retractions=True) if n.retract]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Please forget that I like the aisle.", "aisle"),
        ("I want you to forget that I like the aisle.", "aisle"),
        ("忘掉我喜欢靠过道这件事。", "aisle"),
        ("请你忘记我喜欢靠过道。", "aisle"),
        ("忘掉我喜欢爵士乐这件事", "爵士乐"),
        ("忘了我住在杭州这件事吧。", "杭州"),
    ],
)
def test_a_request_to_forget_names_what_it_means(text: str, value: str) -> None:
    assert [(n.value, n.retract) for n in distill(said(text), retractions=True)] == [(value, True)]


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("Please delete my seat preference", "seat_preference", None),
        ("Forget my meal preference please", "meal_preference", None),
        ("把我的座位偏好删掉", "seat_preference", None),
        ("忘掉我的餐食偏好", "meal_preference", None),
        ("Please forget that I like jazz", "likes", "jazz"),
    ],
)
def test_a_slot_that_is_called_by_its_name_is_retracted(text: str, key: str, value: str | None) -> None:
    found = [n for n in distill(said(text), retractions=True) if n.retract]
    assert [(n.key, n.value) for n in found] == [(key, value)]


@pytest.mark.parametrize("text", ["Delete the file seat.txt", "Clear the cache of the theme", "把座位图删掉"])
def test_what_only_looks_like_a_slot_is_not_retracted(text: str) -> None:
    assert not [n for n in distill(said(text), retractions=True) if n.retract]


@pytest.mark.parametrize(
    "seed",
    [
        "我每天",
        "我每天每晚每周",
        "我就都也还",
        "and but so I use ",
        "我周一周二",
        "我在家在家把",
        "no no, ",
        "先再然后",
        "my my my ",
    ],
)
def test_time_is_in_step_with_length(seed: str) -> None:
    began = time.process_time()
    distill(said((seed * 5000)[:15_000]))
    assert time.process_time() - began < 5
