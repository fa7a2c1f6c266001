"""User text is data: escaped, never markup, with nothing hidden in it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st

from memory_app import charts, moments
from memory_app.display import diff_html, lang_of, said, visible
from memory_app.labels import ACTIONS, BADGES, label_of

HTML = '<img src=x onerror="alert(1)">&'


def test_text_is_never_markup() -> None:
    assert "<img" not in visible(HTML) + said(HTML, [(0, 5)]) + diff_html(HTML, HTML + " more") + diff_html(None, HTML)
    assert visible(None) == ""


@pytest.mark.parametrize("character", "\u202e\u2066\u200b\u200d\ufeff\u00ad\U000e0041\u3164\u2028\x07\u061c")
def test_hidden_characters_are_written_out(character: str) -> None:
    shown = visible(f"a{character}b")
    assert character not in shown
    assert f"U+{ord(character):04X}" in shown


def test_a_joiner_inside_a_picture_hides_nothing() -> None:
    assert visible("👨‍👩‍👧") == "👨‍👩‍👧"
    assert visible("line\n\ttab 中文 é") == "line\n\ttab 中文 é"


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(-5, 70), st.integers(-5, 70)), max_size=4))
def test_marks_change_no_text(text: str, spans: list[tuple[int, int]]) -> None:
    plain = said(text, spans).replace("<mark>", "").replace("</mark>", "")
    assert plain.count("<") == plain.count(">")
    if text.isascii() and text.isalnum():
        assert plain == text


def test_spans_are_marked_and_masks_set_apart() -> None:
    assert said("abcdef", [(1, 3), (2, 4)]) == "a<mark>bcd</mark>ef"
    assert said("卡 •••• •••• •••• 4242，记") == '卡 <span class="masked">•••• •••• •••• 4242</span>，记'
    assert '<span class="masked">E12••••78</span>' in said("护照号 E12••••78")
    assert said("the code is ••••••.") == 'the code is <span class="masked">••••••</span>.'
    assert said("j•••@example.com.") == '<span class="masked">j•••@example.com</span>.'


def test_a_long_word_is_drawn_at_once() -> None:
    word = "a1" * 50_000  # read from each of its letters, it took a minute
    assert said(f"{word} j•••@example.com") == f'{word} <span class="masked">j•••@example.com</span>'


@pytest.mark.parametrize(
    ("text", "language"),
    [("优先晚班机", "zh-Hans"), ("2026-08-12 上海到北京", "zh-Hans"), ("Hotel cap", "en"), ("", "en"), ("12", "en"),
     ("A long English sentence that quotes 你 once", "en")],
)  # fmt: skip
def test_the_language_of_a_text_is_that_of_its_script(text: str, language: str) -> None:
    assert lang_of(text) == language


def test_ages_and_moments() -> None:
    now = datetime(2026, 9, 9, 10, tzinfo=UTC)
    assert moments.age(timedelta(minutes=12)) == "12 m"
    assert moments.age(timedelta(days=3, hours=4, minutes=9), parts=2) == "3 d 4 h"
    assert moments.age(timedelta(days=3), parts=2) == "3 d"
    assert moments.age(timedelta(seconds=5)) == "< 1 m"
    with translation.override("en"):
        assert moments.ago(now - timedelta(minutes=2), now) == "2 min ago"
    with translation.override("zh-hans"):
        assert moments.ago(now - timedelta(hours=3), now) == "3 小时前"
    with timezone.override("Asia/Shanghai"):
        assert ">2026-09-09 18:00</time>" in moments.when(now)
        assert 'datetime="2026-09-09T18:00:00+08:00"' in moments.when(now)
    assert "–" in moments.when(None)


def test_charts_stand_whatever_the_numbers() -> None:
    assert charts.spark([]) == ""
    assert charts.spark([1, 1, 1]).count("14.0") >= 3
    for values in ([], [0], [0, 0], [1e9, 0.5]):
        columns = [str(index) for index in range(len(values))]
        drawn = charts.stacked(columns, [("promote", values)], "S")
        assert 'role="img" aria-label="S"' in drawn
        assert "nan" not in drawn
        assert "style=" not in drawn
    assert charts.bars([("<b>", 0, "promote")], "S").count("<b>") == 0
    assert charts.ticks(185)[-1] >= 185


def test_every_action_has_words_and_an_icon() -> None:
    assert all(label.text and label.icon for label in ACTIONS.values())
    assert label_of(BADGES, "something_new").text == "something new"
