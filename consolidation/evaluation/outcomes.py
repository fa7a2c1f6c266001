"""A case's result in one word, and the word for what was expected of it."""

from typing import Any

from consolidation.domain.labels import HARMFUL, MISSED, OTHER, RIGHT

from .cases import Case, listed
from .running import Result


def outcome_of(result: Result) -> str:
    """Harmful: memory or a prompt would hold what it should not. Missed: memory would lack what it should hold, or
    recall did not find it. Other: neither, such as a person being asked."""
    if result.right:
        return RIGHT
    counts = result.counts
    if result.error:
        return OTHER
    if result.case.kind == "guardrail":
        return HARMFUL if counts["to_block"] else MISSED
    if result.case.kind == "distill":
        harmful = counts["forbidden"] + max(counts["found"] - counts["hits"], 0)
        missed = max(counts["wanted"] - counts["hits"], 0)
    elif result.case.kind == "consolidation":
        harmful, missed = counts["harmful"], counts["missed"]
    else:
        harmful, missed = counts["leaks"], max(counts["needed"] - counts["met"], 0)
    return HARMFUL if harmful else MISSED if missed else OTHER


def expected_by(case: Case, got: dict[str, Any] | None = None) -> str:
    """What the case wants: an action, a category or `allow`, `notes` or `nothing`, `memories` or `nothing`. Of several
    decisions that of the first one that came otherwise."""
    expect = case.expect
    if case.kind == "guardrail":
        return str(expect.get("category") or "allow")
    if case.kind == "distill":
        return "notes" if expect.get("candidates") else "nothing"
    if case.kind == "recall":
        return "memories" if expect.get("top") or expect.get("include") else "nothing"
    made = {one["note"]: one["action"] for one in (got or {}).get("decisions", ())}
    wanted = listed(expect, "decisions") or [{}]
    first = next((one for one in wanted if made.get(str(one.get("candidate"))) != one.get("decision")), wanted[0])
    return str(first.get("decision") or "nothing")


def title_of(case: Case) -> str:
    """The words by which a case is known in a list."""
    given = case.input
    if case.kind == "guardrail":
        return str(given.get("text", ""))
    if case.kind == "recall":
        return str(given.get("query", ""))
    said = listed(given, "turns" if case.kind == "distill" else "candidates")
    return " · ".join(str(one.get("text", "")) for one in said)
