"""A random identifier is nobody's number, whatever stands in it; what is only glued to its letters is one still."""

import random
import uuid

import pytest
from stdnum import luhn

from memory_app.actions.guard import masked_but_ids
from memory_app.guardrails import BUILT_IN, OwnRule, RuleSet, check, mask, mask_json, parts, payment, pii

ROWS = (payment.find, pii.find, parts.find)


def _looks_like_a_card(at: random.Random) -> tuple[str, str]:
    """An identifier of which sixteen digits in a row pass every check of a card's, and those digits."""
    # Version 4 and its variant stand at fixed places: the card's first and fifth digit.
    digits = "4" + "".join(at.choices("0123456789", k=3)) + at.choice("89") + "".join(at.choices("0123456789", k=10))
    digits += luhn.calc_check_digit(digits)
    before = "".join(at.choices("0123456789abcdef", k=11))
    return f"{before[:8]}-{before[8:]}b-{digits[:4]}-{digits[4:8]}-{digits[8:]}b813", digits


def test_no_random_identifier_is_a_number() -> None:
    at = random.Random(20261130)
    made = [uuid.UUID(int=at.getrandbits(128), version=4) for _ in range(2_000)]
    for text in ("\n".join(map(str, made)), "\n".join(one.hex for one in made), ", ".join(map(str, made)).upper()):
        assert not [hit for find in ROWS for hit in find(text)]


def test_an_identifier_with_a_card_in_it_is_none_and_the_card_is_one() -> None:
    at = random.Random(7)
    for _ in range(20):
        text, digits = _looks_like_a_card(at)
        assert uuid.UUID(text).version == 4
        assert payment.is_card(digits)
        for shape in (text, text.upper(), text.replace("-", ""), f"card {text} of the session", f"订单{text}，"):
            assert not mask(shape).findings, shape
        for glued in (
            f"b{digits}f",
            f"{digits} of {text}",
            f"{text} {digits}",
            f"{digits[:4]}-{digits[4:8]}-{digits[8:]}b813",
        ):
            assert {f.rule for f in check(glued).findings} == {"payment.card"}, glued


@pytest.mark.parametrize("before", ["phone ", "the passport of user ", "Call ", "身份证 ", "my SSN: ", "telegram: "])
def test_no_word_before_it_makes_it_a_number(before: str) -> None:
    text = f"{before}07045483-f17b-4766-9377-06461174b813"
    assert mask(text).text == text


def test_a_password_may_be_one() -> None:
    text = "07045483-f17b-4766-9377-06461174b813"
    assert {f.rule for f in mask_json({"password": text})[1]} == {"secret.assigned"}
    assert mask(f"the password is {text}").findings


def test_what_names_rows_is_kept_beside_what_is_masked() -> None:
    text = "07045483-f17b-4766-9377-06461174b813"
    rows = {"merged": [text], "versions": {text: 3}, "memory": text}
    rules = RuleSet((OwnRule("numbers", "patterns", (r"\d{8}",), "pii"),))
    assert mask(text, rules).text != text
    assert masked_but_ids(rules, rows | {"value": "12345678"}) == rows | {"value": "••••••"}
    assert masked_but_ids(BUILT_IN, {"value": {text: "4111 1111 1111 1111"}})["value"] == {text: "•••• •••• •••• 1111"}
