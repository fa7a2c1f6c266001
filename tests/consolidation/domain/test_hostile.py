"""Texts that are made to take long: what they are read with has no work that grows faster than they do."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import consolidation.domain
import consolidation.domain.compare
from consolidation.domain.compare import roles
from consolidation.domain.compare.quantities import spans
from consolidation.domain.compare.tokens import content, tokens
from consolidation.domain.compare.values import parts


def _patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for package in (consolidation.domain, consolidation.domain.compare):
        for found in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package.__name__}.{found.name}")
            for name, value in vars(module).items():
                if isinstance(value, re.Pattern):
                    yield f"{module.__name__}.{name}", value


def _starts_in_space(parsed: Any) -> bool:
    """Each place of a run of spaces may be the start of a match, and each goes over the rest of the run: in all, as many
    steps as the square of its length. `(?<!\\s)` before the run leaves one start."""
    for at, (kind, value) in enumerate(parsed):
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT):
            least, most, inner = value
            spaces = any(k is op.IN and (op.CATEGORY, op.CATEGORY_SPACE) in v for k, v in inner)
            if (most > 20 and spaces and at + 1 < len(parsed)) or _starts_in_space(inner):
                return True
            if least:
                return False
        elif kind is op.SUBPATTERN:
            if _starts_in_space(value[3]):
                return True
            if value[3].getwidth()[0]:
                return False
        elif kind is op.BRANCH:
            return any(map(_starts_in_space, value[1]))
        elif (
            kind not in (op.ASSERT, op.ASSERT_NOT, op.AT)
            or value in (op.AT_BEGINNING, op.AT_BEGINNING_STRING)
            or kind is not op.AT
            and value[0] < 0
        ):
            return False
    return False


def test_no_search_goes_over_a_run_of_spaces_from_each_of_its_places() -> None:
    patterns = dict(_patterns())
    assert len(patterns) > 80
    assert [name for name, one in patterns.items() if _starts_in_space(_parser.parse(one.pattern, one.flags))] == []


@pytest.mark.parametrize(
    ("pattern", "slow"),
    [
        (r"\s*x", True),
        (r"(?:a\s*)?\s*x", True),
        (r"y|\s+x", True),
        (r"(?<!\s)\s+x", False),
        (r"^\s*x", False),
        (r"\s+", False),
        (r"(?:(?<!\s)\s+)?x\s*y", False),
    ],
)
def test_what_is_seen_of_a_pattern(pattern: str, slow: bool) -> None:
    assert _starts_in_space(_parser.parse(pattern)) is slow


@pytest.mark.parametrize("space", [" ", "\t", "\n"])
def test_long_space_changes_nothing_of_what_is_read(space: str) -> None:
    run = space * 3000
    assert content(f"tea{run}and coffee{run}at{run}9:30") == content("tea and coffee at 9:30")
    assert [s.quantity for s in spans(f"{run}12{run}kg{run}三{run}点")] == [s.quantity for s in spans("12 kg 三 点")]
    assert parts(f"tea{run},{run}coffee{run}and{run}milk") == ("tea", "coffee", "milk")
    assert tokens(run) == ()


def test_each_token_is_counted_once() -> None:
    class Text(str):
        asked = 0

        def __eq__(self, other: object) -> bool:
            Text.asked += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    side = tuple(t._replace(text=Text(t.text)) for t in tokens("从" * 1500 + "北京"))
    assert [t.text for t in roles._once(side)] == ["place.beijing"]
    assert Text.asked <= 4 * len(side)
