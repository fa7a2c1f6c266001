"""Words that readers met as wrong: numbers with their plurals, values in words, the zone of every time."""

import re
from pathlib import Path

import pytest
from django.utils import translation

from memory_app.actions.members import create_member
from memory_app.models import Workspace
from memory_app.values import told
from memory_app.views.considered import TERMS, terms_of
from tests import factories as make

from .catalogue import read_po
from .visitors import signed_in

CATALOGUE = Path(__file__).parents[2] / "locale/zh_Hans/LC_MESSAGES/django.po"
#: What is never one: limits that are fixed, shares, and numbers with decimals.
NOT_COUNTED = re.compile(r"points$|tokens$|_days|\(days\)s|usual")
COUNTED = re.compile(r"%\((?:count|n|shown|total|memories|sessions|turns|writes)\)s [a-z]+s\b")


def test_what_is_counted_has_a_plural() -> None:
    wrong = [entry.msgid for entry in read_po(CATALOGUE) if entry.plural is None and COUNTED.search(entry.msgid)]
    known = [text for text in wrong if not NOT_COUNTED.search(text)]
    assert not known


@pytest.mark.parametrize(
    ("value", "english"),
    [
        ({"steps": ["search trains", "book"], "tools": ["rail"]}, "search trains → book; Tools: rail"),
        ({"steps": ["one"]}, "one"),
        (True, "yes"),
        (["tea", "milk"], "tea, milk"),
        (None, ""),
        (3, "3"),
        ("text", "text"),
    ],
)
def test_a_value_is_told_without_brackets(value: object, english: str) -> None:
    with translation.override("en"):
        assert told(value) == english


@pytest.mark.django_db
def test_times_say_their_zone(workspace: Workspace) -> None:
    lin = make.make_operator(workspace, "admin", "lin", timezone="Asia/Shanghai")
    assert "Times in Asia/Shanghai" in signed_in(lin).get("/w/travel/users/").content.decode()
    made, _ = create_member(workspace, make.actor_of(lin, "admin"), username="wen", role="viewer")
    assert made.operator.timezone == "Asia/Shanghai"


def test_every_term_of_a_score_has_its_words() -> None:
    with translation.override("zh-hans"):
        words = [text for text, _value in terms_of(dict.fromkeys(TERMS, 0.1))]
    assert len(words) == len(TERMS)
    assert not [text for text in words if text.isascii()]
