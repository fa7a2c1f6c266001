"""A gate is closed only to a text that holds no match of its pattern."""

import re
import sys
from collections.abc import Iterator

import pytest

import memory_app.guardrails as guardrails
from memory_app.guardrails.gate import LONGEST, Gated, held
from tests.guardrails.test_cases import FILES, load


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


@pytest.mark.parametrize("share", range(4))
def test_no_gate_is_closed_to_a_match(share: int) -> None:
    patterns = list(_all().values())[share::4]
    assert len(patterns) > 80
    texts = [case["input"]["text"] for path in FILES for case in load(path)[::31]]
    texts = [text.upper() if number % 3 == 0 else text for number, text in enumerate(texts)]
    closed = 0
    for text in texts:
        for each in patterns:
            if not each.may_be_in(text):
                closed += 1
                assert each.compiled.search(text) is None, (each.pattern, text)
    assert closed > len(patterns) * len(texts) / 2  # so it is worth its while


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
    gate = Gated(pattern, re.I)
    assert gate.may_be_in(text) is may
    assert may or gate.compiled.search(text) is None


def test_whatever_stands_for_a_letter_where_case_does_not_matter() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    one = re.compile("[a-z]", re.I)
    for character in filter(one.fullmatch, map(chr, range(sys.maxunicode + 1))):
        letter = next(c for c in letters if re.fullmatch(c, character, re.I))
        assert letter in held(f"1{character}2").pieces
        assert Gated(f"1{letter}2", re.I).may_be_in(f"1{character}2")


def test_a_text_of_any_length_is_searched() -> None:
    long = "x" * LONGEST + " token"
    assert Gated("token").search(long) is not None
    assert Gated("token").search("x" * LONGEST) is None
    assert [m.start() for m in Gated("o").finditer("footo")] == [1, 2, 4]
