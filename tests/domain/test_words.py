"""Search words: one form for all ways of writing a thing, identifiers exact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_app.domain.words import count_tokens, fold, is_identifier, stem, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("開通語音服務", "开通语音服务"),
        ("ＶＰＮ　２０８０", "vpn 2080"),
        ("pass\u200bword", "password"),
        ("ﬁle", "file"),
        ("STRASSE", "straße"),
    ],
)
def test_fold_takes_out_how_a_thing_is_written(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("订单101现在什么状态", "101"),
        ("订单101现在什么状态", "订单"),
        ("报 ORA-12514 了", "ora-12514"),
        ("报 ORA-12514 了", "12514"),
        ("upgraded to v2.13.0-beta.4", "2.13.0-beta.4"),
        ("upgraded to v2.13.0-beta.4", "2.13.0"),
        ("commit 284235acdb4e0841fcef5c97f8159cfc64127fdc", "284235acdb4e0841fcef5c97f8159cfc64127fdc"),
        ("身高167cm", "167"),
        ("12,345 units", "12345"),
        ("seat_preference", "seat"),
        ("C++ and C#", "c++"),
        ("src/billing/tax.py", "src/billing/tax.py"),
        ("Brother's player", "brother"),
    ],
)
def test_words_hold_identifiers_whole_and_in_meaningful_parts(text: str, word: str) -> None:
    assert word in words(text)


@pytest.mark.parametrize(
    ("text", "word"), [("订单 1010", "101"), ("2.13.0", "2.3.10"), ("ORA-12541", "ora-12514"), ("v3.4.10", "3.4.1")]
)
def test_an_identifier_is_not_another_one(text: str, word: str) -> None:
    assert word not in words(text)


def test_a_word_that_no_dictionary_has_is_found_by_its_pairs() -> None:
    assert set(words("喜欢玩喵呜棋")) & set(words("喵呜棋怎么玩")) >= {"喵呜"}


def test_inflection_is_taken_out() -> None:
    assert stem("preferences") == stem("prefers") == stem("preferred")
    assert is_identifier("e1024")
    assert not is_identifier("订单101")


def test_token_estimate_is_stated_and_monotone() -> None:
    assert count_tokens("") == 0
    assert count_tokens("你好世界") == 4
    assert count_tokens("hello") == 1
    assert count_tokens("internationalization") == 4
    assert count_tokens("123456789") == 3


@given(st.text(max_size=200), st.text(max_size=50))
def test_any_text_is_taken_and_more_text_is_never_fewer_tokens(text: str, more: str) -> None:
    words(text)
    assert count_tokens(text + "\n" + more) >= count_tokens(text)
