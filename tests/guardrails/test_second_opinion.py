"""A library that fails on a text ends no process, and lets nothing of that text through."""

from typing import Any

import argus_redact
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_app.guardrails import check, mask, second_opinion

FRAGMENTS = st.sampled_from(
    ["HKID ", "A123456(3)", "AB123456(A)", "身份证", "SSN ", "123-45-6789", "13800138000", "a@b.co", "（", "３", "1234567/8(9)", "M12345678",
     "护照", "军字第", "微信号", "qq:", "出生 19900230", "11010119900307387X", "\u0661", "²", "①", "Ⅷ", "ﬁ", "é", "İ", "\U0001f600", "\u200d", "\u0300",
     "台胞证", "A123456789", "ITIN 9", "：", "\n"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(FRAGMENTS, st.text(max_size=6)), max_size=10).map("".join))
def test_the_library_reads_whatever_it_is_given(text: str) -> None:
    assert second_opinion._entities(second_opinion._simple(text)) is not None
    assert len(second_opinion._simple(text)) == len(text)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(FRAGMENTS, st.text(max_size=6)), max_size=6).map("".join))
def test_it_is_asked_wherever_it_could_find_anything(text: str) -> None:
    simple = second_opinion._simple(text)
    found = argus_redact.redact(
        simple, mode="fast", lang=["zh", "en"], report=True, types=second_opinion._TYPES
    ).entities
    assert second_opinion._may_find(simple) or not found


class Panic(BaseException):
    """What a panic of a compiled core is: no Exception."""


@pytest.mark.parametrize("failure", [Panic, ValueError, RuntimeError, MemoryError])
def test_a_line_that_cannot_be_read_is_kept_back(monkeypatch: pytest.MonkeyPatch, failure: type[BaseException]) -> None:
    known = argus_redact.redact

    def failing(text: str, **options: Any) -> Any:
        if "unreadable" in text:
            raise failure("at byte 3")
        return known(text, **options)

    monkeypatch.setattr(argus_redact, "redact", failing)
    verdict = check("The first line.\nAn unreadable line, QQ 12345.\nThe last line.")
    assert (verdict.allowed, verdict.category, verdict.rule) == (False, "pii", "pii.unread")
    assert mask("The first line.\nAn unreadable line, QQ 12345.\nThe last line.").text.count("line") == 2


def test_an_interrupt_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(text: str, **options: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(argus_redact, "redact", interrupted)
    with pytest.raises(KeyboardInterrupt):
        check("Likes tea at 5, QQ 12345.")
