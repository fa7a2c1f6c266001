"""Recall over case files: the shared ones, and our own: some written before the ranking, some long after, to see how it
does on what it was not made for."""

import pytest

from .recall_cases import cases, run


@pytest.mark.parametrize(
    ("name", "wrong_at_most"),
    [
        ("recall.jsonl", 0.05),
        ("recall_own.jsonl", 0.05),
        ("recall_own2.jsonl", 0.15),
        ("recall_own3.jsonl", 0.05),
        ("recall_own4.jsonl", 0.1),
        ("recall_own5.jsonl", 0.15),
        ("recall_unseen5.jsonl", 0.05),
        ("recall_unseen6.jsonl", 0.05),
        ("recall_unseen7.jsonl", 0.08),
    ],
)
def test_cases_come_out_right_and_none_leaks(name: str, wrong_at_most: float) -> None:
    outcomes = [run(case) for case in cases(name)]
    assert not [outcome.note for outcome in outcomes if outcome.leaks]
    wrong = [outcome.note for outcome in outcomes if not outcome.right]
    assert len(wrong) <= wrong_at_most * len(outcomes), "\n".join(wrong)


def test_own_cases_are_enough_and_half_chinese() -> None:
    languages = [case["lang"] for case in cases("recall_own.jsonl")]
    assert len(languages) >= 40
    assert languages.count("zh") >= len(languages) // 2
