"""Orders for good beside errands for once, and what is told of how something is done."""

import pytest

from .test_rules import notes


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Always water the ferns before the orchids.", "Always water the ferns before the orchids"),
        ("Please never seat us near the kitchen.", "Never seat the user near the kitchen"),
        ("Always iron the aprons on Mondays.", "Always iron the aprons on Mondays"),
        ("Could you always lock the archive after a backup?", "Always lock the archive after a backup"),
        ("以后快递都寄到前台。", "快递都寄到前台"),
        ("付款都走我公司的账户。", "付款都走用户公司的账户"),
    ],
)
def test_any_verb_may_order_for_good(said: str, text: str) -> None:
    assert [n.text for n in notes(said)] == [text]


@pytest.mark.parametrize(
    "said",
    [
        "Whisk the eggs.",
        "Barbecue at ours on Saturday.",
        "Drinks for eight this Friday.",
        "I need a poem about the sea.",
        "We want a routine for the gym.",
        "Can you find me a table for four?",
        "Seat us by the window tonight and never mind the draught.",
        "先给李总发个邮件。",
        "帮小周查一下车次。",
        "周六八个人烧烤。",
    ],
)
def test_what_is_wanted_once_is_no_lasting_note(said: str) -> None:
    assert not [n for n in notes(said) if n.scope == "user"]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            "We sorted it: what clears E2207: unplug it, wait a minute, start again.",
            "Fix for E2207: unplug it, wait a minute, start again",
        ),
        ("The way we deal with NX-4410 is to restart the spooler.", "Fix for NX-4410: restart the spooler"),
        ("碰到 E3051 就先拔电源，再重启。", "E3051 的解法：先拔电源，再重启"),
    ],
)
def test_what_helps_against_an_error_is_its_fix(said: str, text: str) -> None:
    assert [n.text for n in notes(said)] == [text]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            "Here is how we open the shop, please keep this: switch the alarm off, then count the till, then unlock.",
            "Open the shop: switch the alarm off, then count the till, then unlock",
        ),
        (
            "Here is how we open the shop, at least on weekdays: alarm off, then count the till, then unlock.",
            "Open the shop, at least on weekdays: alarm off, then count the till, then unlock",
        ),
        (
            "This is how we close the kitchen: gas off, then scrub the hobs, finally mop the floor.",
            "Close the kitchen: gas off, then scrub the hobs, finally mop the floor",
        ),
    ],
)
def test_a_heading_keeps_all_but_what_is_said_to_the_agent(said: str, text: str) -> None:
    assert [n.text for n in notes(said)] == [text]
