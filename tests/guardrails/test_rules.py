"""The rule set describes exactly what the detectors report."""

import re
from pathlib import Path

import memory_app.guardrails
from memory_app.guardrails import CATEGORIES, RULE_SET_VERSION, check, describe_rules

SOURCES = Path(memory_app.guardrails.__file__).parent


def test_every_rule_that_is_reported_is_described_and_the_other_way_round() -> None:
    named = set()
    for path in SOURCES.glob("*.py"):
        if path.name != "rules.py":
            named |= set(re.findall(rf'"((?:{"|".join(CATEGORIES)})\.[a-z_]+)"', path.read_text("utf-8")))
    assert named == {r.rule for r in describe_rules()}


def test_rules_are_named_by_category_and_explained() -> None:
    rules = describe_rules()
    assert len({r.rule for r in rules}) == len(rules)
    for rule in rules:
        assert rule.rule.startswith(rule.category + ".")
        assert rule.title
        assert rule.why.endswith(".")
        assert ("injection" in rule.stages) == (rule.category != "speculation")
    assert [r.category for r in rules] == sorted((r.category for r in rules), key=CATEGORIES.index)


def test_the_version_goes_with_each_verdict() -> None:
    assert check("喜欢喝茶").rule_set == RULE_SET_VERSION


def test_no_django_is_needed() -> None:
    for path in SOURCES.glob("*.py"):
        assert not re.search(r"^\s*(?:from|import) django", path.read_text("utf-8"), re.M), path
