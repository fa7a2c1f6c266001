"""What a ruling says was right, and how an answer to it is judged."""

import pytest

from consolidation.domain.labels import Expected, Ruled, expected_of, judged, judged_block


@pytest.mark.parametrize(
    ("ruled", "ruling", "action", "accepted"),
    [
        (Ruled("approved", "promote", "promote"), "confirmed", "promote", {"promote"}),
        (Ruled("approved", "", "promote"), "confirmed", "promote", {"promote"}),
        (Ruled("approved", "promote", "promote", edited=["text"]), "edited", "promote", {"promote"}),
        (Ruled("approved", "reject", "promote"), "changed", "promote", {"promote"}),
        (Ruled("approved", "override", "override", "m1", True), "changed", "override", {"override"}),
        (Ruled("declined", "promote", "promote"), "declined", "reject", {"reject", "session_only"}),
        (
            Ruled("declined", "promote", "promote", reason_code="duplicate"),
            "declined",
            "reject",
            {"reject", "session_only", "dedupe"},
        ),
        (Ruled("undone", "promote", "promote"), "undone", "review", {"review", "reject", "session_only"}),
        (Ruled("undone", "reject", "reject"), "undone", "review", {"review", "promote", "dedupe", "override"}),
    ],
)
def test_what_a_ruling_says_was_right(ruled: Ruled, ruling: str, action: str, accepted: set[str]) -> None:
    found = expected_of(ruled)
    assert (found.ruling, found.action, set(found.accepted)) == (ruling, action, accepted)
    assert Expected.from_json(found.to_json()) == found


OVERRIDE = Expected("confirmed", "override", ("override",), "m1")
DECLINED = expected_of(Ruled("declined", "promote", "promote"))
UNDONE = expected_of(Ruled("undone", "promote", "promote"))


@pytest.mark.parametrize(
    ("expected", "action", "waits", "target", "outcome"),
    [
        (OVERRIDE, "override", False, "m1", "right"),
        (OVERRIDE, "override", True, "m1", "right"),
        (OVERRIDE, "override", False, "m2", "harmful"),
        (OVERRIDE, "override", True, "m2", "other"),
        (OVERRIDE, "promote", False, "", "harmful"),
        (OVERRIDE, "review", True, "m1", "other"),
        (OVERRIDE, "reject", False, "", "missed"),
        (DECLINED, "session_only", False, "", "right"),
        (DECLINED, "promote", False, "", "harmful"),
        (DECLINED, "promote", True, "", "other"),
        (UNDONE, "promote", False, "", "harmful"),
        (UNDONE, "promote", True, "", "right"),
        (UNDONE, "review", True, "", "right"),
        (expected_of(Ruled("approved", "promote", "session_only")), "reject", False, "", "other"),
    ],
)
def test_how_an_answer_is_judged(expected: Expected, action: str, waits: bool, target: str, outcome: str) -> None:
    assert judged(expected, action, waits, target) == outcome


def test_how_a_guardrail_is_judged() -> None:
    assert [judged_block(*pair) for pair in ((True, True), (False, False), (False, True), (True, False))] == [
        "right", "right", "harmful", "missed",
    ]  # fmt: skip
