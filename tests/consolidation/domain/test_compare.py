"""Comparing what is said: quantities, values, polarity, cues, conditions, subjects, texts."""

import time

import pytest

from consolidation.domain.compare import conditions, cues, subjects, values
from consolidation.domain.compare.lexicon import FORMS, concepts
from consolidation.domain.compare.polarity import polarity
from consolidation.domain.compare.quantities import spans
from consolidation.domain.compare.texts import TextRelation, compare_texts
from consolidation.domain.compare.values import Same
from consolidation.domain.slots import infer
from memory_app.domain.words import fold


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("60 min", "1 hour"), ("1500 ms", "1.5 s"), ("100 公里", "100 km"), ("8折", "20% off"), ("七五折", "25%"),
        ("２４", "24"), ("two", "2"), ("两", "2") , ("9:30", "上午九点半"), ("9:30 am", "09:30"), ("3 pm", "下午三点"),
        ("2 万元", "20000 元"), ("$1,500", "1500 USD"), ("half an hour", "30 minutes"), ("一个半小时", "90 分钟"),
        ("aisle", "靠过道"), ("zh", "中文"), ("high_speed_rail", "高铁"), ("Postgres", "PostgreSQL"), ("dark mode", "dark"),
        ("no_coriander", "不要香菜"), ("a;b", "b; a"), (True, "yes"), (5.0, 5),
    ],
)  # fmt: skip
def test_equal_values(a, b):
    if a == "两":
        a, b = "两个", "2个"
    assert values.compare(a, b) is Same.EQUAL
    assert values.compare(b, a) is Same.EQUAL


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("2000 USD", "2000 CNY"), ("2.13.0", "2.3.10"), ("Li Guoyu", "Li Guosong"), ("李国宇", "李国松"), ("aisle", "window"),
        ("purple", "cyan"), ("E1042", "E1024"), ("100 km", "100 miles"), ("64", "46"), ("9:00", "21:00"), ("Go", "Rust"),
    ],
)  # fmt: skip
def test_different_values(a, b):
    assert values.compare(a, b) is Same.DIFFERENT


def test_denied_and_general_values():
    assert values.compare("no_peanut", "花生") is Same.OPPOSITE
    assert values.compare("茶", "乌龙茶") is Same.PART
    assert values.compare("乌龙茶", "茶") is Same.WHOLE
    assert values.compare("coffee", "tea; coffee") is Same.PART


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("Likes jazz", 1), ("Does not like jazz", -1), ("Hates jazz", -1), ("Can't stand jazz", -1), ("Doesn't hate jazz", 1),
        ("不吃辣", -1), ("不过预算不超过 500", 1), ("对花生不过敏", -1), ("从不坐红眼航班", -1), ("不是不能坐", 1), ("讨厌榴莲", -1),
        ("No more than 500 EUR", 1), ("特别喜欢茶", 1), ("Used to like tea", -1), ("没问题", 1),
    ],
)  # fmt: skip
def test_sign(text, sign):
    assert polarity(text).sign == sign


@pytest.mark.parametrize(
    "text",
    [
        "From now on window seats", "Starting Monday I work from home", "I switched to Linux", "We moved to Porto", "no longer allowed",
        "I don't smoke anymore", "Call me Max instead", "my favourite is cyan now", "Correction: it's 8081", "Sorry, I meant Rust",
        "The deadline was pushed to Friday", "以后都用中文", "从下周起改成周四", "改用英文", "跳槽到小米了", "不再吃辣", "我戒咖啡了", "预算提到 1500",
        "说错了，是 Rust", "不是张伟，是章伟", "搬到上海了", "这个月开始用 Zed", "推迟到十五号",
    ],
)  # fmt: skip
def test_change_is_seen(text):
    assert cues.states_change(text)


@pytest.mark.parametrize(
    "text",
    [
        "I like window seats", "We are not changing it", "Wait for now", "right now I'm at home", "I live in Nice.", "Standup is at ten",
        "我住上海", "我喜欢靠窗", "预算 1500 美元", "以后再说", "不用改", "还是不要香菜", "我受不了了", "不太好了解",
    ],
)  # fmt: skip
def test_no_change_is_imagined(text):
    assert not cues.states_change(text)


def test_temporary_and_lasting():
    assert cues.is_temporary("Window this time")
    assert cues.is_temporary("这趟靠窗")
    assert not cues.is_temporary("从这次起靠窗")
    assert not cues.is_temporary("Today I moved to Graz")
    assert cues.is_lasting("always the window")
    assert not cues.is_lasting("as always, window this time")


def test_conditions_and_subjects():
    assert conditions.inferred("Aisle on business trips") == conditions.inferred("出差时靠过道")
    assert conditions.inferred("No bag on trips under a week") == conditions.inferred(
        "Trips shorter than seven days: carry-on"
    )
    assert conditions.inferred("Likes tea") is None
    assert conditions.normal("Business trips") == conditions.normal("business_trip")
    assert subjects.of(None, "My brother likes tea") == subjects.of("brother", "Likes tea")
    assert subjects.same(subjects.of("brother", "Likes tea"), subjects.of("哥哥", "爱喝茶"))
    assert not subjects.same(subjects.of("弟弟", "爱喝茶"), subjects.of("哥哥", "爱喝茶"))
    assert subjects.of("user", "Likes tea") is None
    assert subjects.inferred("Client pinned to SDK 2") == subjects.inferred("Client uses TLS")
    assert subjects.other_speaker("My colleague can't eat walnuts.") == "person.colleague"
    assert subjects.other_speaker("My colleague and I like tea.") is None


@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        ("Node 服务端口 8080", "Node 服务端口 8443", TextRelation.CONFLICT),
        ("Node service listens on 8080", "Nginx listens on 8443", TextRelation.APART),
        ("Species A was not recorded at site 1", "Species B was not recorded at site 2", TextRelation.APART),
        ("E1042 的解法是重启网关", "E1024 的解法是清缓存", TextRelation.APART),
        ("Billing service runs on Kubernetes", "Search service runs on Kubernetes", TextRelation.APART),
        ("支付服务部署在上海", "搜索服务部署在上海", TextRelation.APART),
        ("Deploys on Friday are allowed", "Deploys on Friday are not allowed", TextRelation.OPPOSITE),
        ("Office hours are 9:00 to 18:00", "Office hours are 10:00 to 19:00", TextRelation.CONFLICT),
        ("Gateway timeout is 1500 ms", "Gateway timeout is 1.5 s", TextRelation.SAME),
        ("Favourite tea is mint", "Favourite tea is sencha", TextRelation.CONFLICT),
        ("Service A uses Kafka", "Kafka cluster uses TLS", TextRelation.APART),
        ("偏好深色主题", "偏好深色主題", TextRelation.SAME),
    ],
)
def test_texts(a, b, relation):
    assert compare_texts(a, b) is relation


def test_every_form_of_the_dictionary_leads_to_its_concept():
    wrong = {form: concepts(form) for form, concept in FORMS.items() if concept not in concepts(form)}
    assert wrong == {}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Prefers window seats", "seat_preference"), ("家在成都", "home_city"), ("Lives in Bern", "home_city"), ("在腾讯工作", "employer"),
        ("对虾过敏", "allergy"), ("希望用中文回答", "reply_language"), ("酒店预算 800 元", "hotel_budget"), ("喜欢喝茶", "likes"),
        ("会说法语", "languages_spoken"), ("站会 9:30", "standup_time"), ("Service A uses Kafka", None), ("Deploy window is Tuesday", None),
    ],
)  # fmt: skip
def test_slot_of_a_text(text, key):
    found = infer(text)
    assert (found.key if found else None) == key


def test_long_text_is_read_in_time():
    text = ("不" * 500 + "from now on " * 40 + "1" * 300 + " a" * 200)[:2000]
    started = time.perf_counter()
    for function in (
        polarity,
        cues.states_change,
        cues.is_temporary,
        cues.is_guess,
        cues.is_one_off,
        infer,
        conditions.inferred,
    ):
        function(text)
    spans(fold(text))
    compare_texts(text, text[::-1])
    assert time.perf_counter() - started < 3
