"""A gate is closed only to a text that holds no match of its pattern."""

import re
import sys
from collections.abc import Iterator

import pytest

import memory_app.guardrails as guardrails
from memory_app.guardrails import check, gate
from memory_app.guardrails.gate import KEPT, LONGEST, Gated, counting, held
from tests.guardrails.spelling import matches

SHARES = 4


def _gated(value: object, depth: int = 0) -> Iterator[Gated]:
    if isinstance(value, Gated):
        yield value
    elif isinstance(value, tuple | list) and depth < 3:
        for item in value:
            yield from _gated(item, depth + 1)
    elif hasattr(value, "__slots__") and type(value).__name__ in ("Order", "Norm"):
        for name in type(value).__slots__:
            yield from _gated(getattr(value, name), depth + 1)


def _all() -> dict[str, Gated]:
    modules = [module for name, module in sys.modules.items() if name.startswith(f"{guardrails.__name__}.")]
    found = [each for module in modules for value in vars(module).values() for each in _gated(value)]
    return {f"{each.flags} {each.pattern}": each for each in found}


@pytest.mark.parametrize("share", range(SHARES))
def test_no_gate_is_closed_to_a_match(share: int) -> None:
    patterns = list(_all().values())[share::SHARES]
    assert len(patterns) > 80
    matched = 0
    for one in patterns:
        texts = matches(one.compiled, 10)
        matched += bool(texts)
        for text in texts:
            with counting():
                assert one.may_be_in(text), (one.pattern, text)
    assert matched >= len(patterns) * 0.97


@pytest.mark.parametrize(
    "text", ["Likes oat milk, and walks by the harbour on Sundays.", "喜欢燕麦奶，周日常去海边散步。"]
)
def test_most_gates_are_closed_to_an_ordinary_text(text: str) -> None:
    patterns = list(_all().values())
    with counting():
        closed = [each for each in patterns if not each.may_be_in(text)]
    assert len(closed) > len(patterns) * 0.6
    assert not any(each.compiled.search(text) for each in closed)


@pytest.mark.parametrize(
    ("pattern", "text", "may"),
    [
        ("pass(?:word|code)", "the passcode", True),
        ("pass(?:word|code)", "a path", False),
        ("(?:card|iban)? number", "telephone number", True),
        ("(?:card|iban)? number", "a card", False),
        (r"(?=.*token)\w+", "no such thing", False),
        (r"(?=.*token)\w+", "my token", True),
        (r"(?!.*token)\w+", "no such thing", True),
        (r"\d{4}[ -]?\d{4}", "12 34", False),
        (r"\d{4}[ -]?\d{4}", "12 34 56 78", True),
        (r"(\d)\1{3}", "room 1", True),
        ("(?:code|码)(?:是|为)", "验证码到了", False),
        ("(?:code|码)(?:是|为)", "密码是", True),
        ("(?:x|y|)z*", "nothing", True),
        ("(?:ab){2,}", "cab", True),
        ("éclair", "ÉCLAIR", True),
    ],
)
def test_what_a_match_needs(pattern: str, text: str, may: bool) -> None:
    one = Gated(pattern, re.I)
    with counting():
        assert one.may_be_in(text) is may
    assert may or one.compiled.search(text) is None
    assert one.may_be_in(text)  # outside of a check nothing is counted, and each pattern is looked for


def test_whatever_stands_for_a_letter_where_case_does_not_matter() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    one = re.compile("[a-z]", re.I)
    for character in filter(one.fullmatch, map(chr, range(sys.maxunicode + 1))):
        letter = next(c for c in letters if re.fullmatch(c, character, re.I))
        with counting():
            assert letter in held(f"1{character}2").pieces
            assert Gated(f"1{letter}2", re.I).may_be_in(f"1{character}2")


def test_a_text_of_any_length_is_searched() -> None:
    long = "x" * LONGEST + " token"
    assert Gated("token").search(long) is not None
    assert Gated("token").search("x" * LONGEST) is None
    assert [m.start() for m in Gated("o").finditer("footo")] == [1, 2, 4]


def test_what_is_counted_is_bound_by_its_size_and_forgotten() -> None:
    with counting():
        for number in range(30):
            assert f"{number % 10}x" in held(f"{number}x" * 900).pieces
            kept = gate._counted.get()
            assert kept
            assert sum(map(len, kept)) <= KEPT
        longest = "Ab1 " * (LONGEST // 4)
        assert held(longest) is held(longest.lower()) is held(longest)
        assert set(kept) == {longest, longest.lower()}
    check("The door code is 4471.")
    assert gate._counted.get() is None


@pytest.mark.parametrize("parse", [None, lambda pattern, flags: 1 / 0, lambda pattern, flags: [("new", 1, 2)]])
def test_a_gate_whose_pattern_is_not_understood_is_open(parse: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a Python whose private parser is gone, fails, or tells of patterns in another shape."""
    monkeypatch.setattr(gate, "_parser", parse and type("Parser", (), {"parse": staticmethod(parse)}))
    one = Gated(r"pass(?:word|码)\d{4}")
    with counting():
        assert (one.needs, one.digits) == ((), 0)
        assert one.may_be_in("nothing of it")
        assert one.search("the password1234") is not None
