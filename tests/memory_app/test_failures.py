"""What went wrong in the background is told in the reader's language, and holds nothing of what was read."""

import re

import pytest
from django.utils.translation import override

from memory_app.failures import GONE, LOST, LOST_AGAIN, failure_words, passed_over, stumbled

CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.mark.parametrize(
    "stored", [LOST, LOST_AGAIN, GONE, stumbled(ValueError("Prefers aisle seats")), passed_over(12, 50_000)]
)
def test_every_failure_has_words_in_both_languages(stored: str) -> None:
    with override("en"):
        english = failure_words(stored)
    with override("zh-hans"):
        chinese = failure_words(stored)
    assert english != stored != chinese
    assert CHINESE.search(chinese)
    assert not CHINESE.search(english)
    assert "aisle" not in f"{stored} {english} {chinese}"


def test_numbers_and_kinds_are_told() -> None:
    with override("en"):
        assert failure_words(passed_over(1, 50_000)).startswith("1 turn was not distilled: one run reads 50,000 char")
        assert failure_words(stumbled(ValueError())) == "ValueError in the middle of it; see the worker's log."
        assert (failure_words(""), failure_words("The worker stopped.")) == ("", "The worker stopped.")
