"""Recall over case files: the shared ones, and our own that were written before the ranking."""

import pytest

from .recall_cases import cases, run


@pytest.mark.parametrize("name", ["recall.jsonl", "recall_own.jsonl"])
def test_cases_come_out_right_and_none_leaks(name: str) -> None:
    outcomes = [run(case) for case in cases(name)]
    assert not [outcome.note for outcome in outcomes if outcome.leaks]
    wrong = [outcome.note for outcome in outcomes if not outcome.right]
    assert len(wrong) <= 0.05 * len(outcomes), "\n".join(wrong)


def test_own_cases_are_enough_and_half_chinese() -> None:
    languages = [case["lang"] for case in cases("recall_own.jsonl")]
    assert len(languages) >= 40
    assert languages.count("zh") >= len(languages) // 2
