"""A sieve keeps no pattern from its match."""

import json
from pathlib import Path

import pytest

from consolidation.domain import slots
from consolidation.domain.compare import conditions, everyday, polarity, quantities
from consolidation.domain.compare.sieve import Sieve
from memory_app.domain.words import fold
from tests.guardrails.spelling import matches

SIEVES = [module._SIEVE for module in (slots, conditions, everyday, polarity, quantities)]


def _let_through(sieve: Sieve, text: str) -> bool:
    places = sieve.of(text)
    return all(place in places or not any(p.search(text) for p in group) for place, group in enumerate(sieve.groups))


@pytest.mark.parametrize("sieve", SIEVES)
def test_what_a_pattern_matches_is_let_through(sieve: Sieve) -> None:
    patterns = [pattern for group in sieve.groups for pattern in group]
    spelled = [list(matches(pattern, 6)) for pattern in patterns]
    assert sum(map(bool, spelled)) >= len(patterns) * 0.9
    for texts in spelled:
        for text in texts:
            assert _let_through(sieve, text), text


def test_no_text_of_the_cases_is_kept_from_a_pattern() -> None:
    lines = (Path(__file__).parents[2] / "cases" / "consolidation_unseen.jsonl").read_text("utf-8").splitlines()
    texts = {fold(note["text"]) for line in lines for note in json.loads(line)["input"]["candidates"]}
    assert len(texts) > 50
    kept_out = 0
    for sieve in SIEVES:
        for text in texts:
            assert _let_through(sieve, text), text
            kept_out += len(sieve.groups) - len(sieve.of(text))
    assert kept_out > 0.8 * len(texts) * sum(len(sieve.groups) for sieve in SIEVES), "most are not even looked for"
