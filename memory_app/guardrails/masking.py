"""Masked copies: what was found is bullets, so that a person still sees what kind of thing stood there."""

import re
from collections.abc import Sequence

from memory_app.guardrails.findings import MASKED_CATEGORIES, Finding

BULLET = "•"
_SECRET = BULLET * 6


def replacement(category: str, rule: str, value: str) -> str:
    """What stands in the place of `value`. It never keeps more than four characters of it."""
    if rule.startswith("own."):  # nobody but the workspace knows which part of it would tell the rest
        return _SECRET
    digits = re.sub(r"\D", "", value)
    if rule == "payment.card" and 13 <= len(digits) <= 19 and value.isascii():
        return f"{BULLET * 4} {BULLET * 4} {BULLET * 4} {digits[-4:]}"
    if rule == "pii.email" and "@" in value:
        return f"{value[0]}{BULLET * 3}@{BULLET * 4}"
    if (
        category == "pii"
        and rule not in ("pii.home_address", "pii.birth_date")
        and len(value) >= 8
        and value[-2:].isalnum()
    ):
        return f"{value[0]}{BULLET * min(len(value) - 3, 10)}{value[-2:]}"
    return _SECRET


def apply(text: str, findings: Sequence[Finding]) -> str:
    """The text with every finding that must not be stored replaced, and every further copy of a secret too."""
    spans = _merged(text, [f for f in findings if f.category in MASKED_CATEGORIES])
    pieces: list[str] = []
    at = 0
    for start, end, new in spans:
        pieces += (text[at:start], new)
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


def _copies(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """A secret that was recognised in one place is one everywhere."""
    more: list[Finding] = []
    known: set[str] = set()
    for finding in findings:
        value = text[finding.start : finding.end]
        if finding.category != "secret" or len(value) < 5 or value in known or len(known) >= 64:
            continue
        known.add(value)
        more += [Finding("secret", finding.rule, m.start(), m.end()) for m in re.finditer(re.escape(value), text)]
    return more


def _merged(text: str, findings: Sequence[Finding]) -> list[tuple[int, int, str]]:
    """Spans that do not overlap, left to right; what overlaps becomes one plain mask."""
    spans: list[tuple[int, int, str]] = []
    for f in sorted({*findings, *_copies(text, findings)}, key=lambda f: (f.start, -f.end, f.rule)):
        new = replacement(f.category, f.rule, text[f.start : f.end])
        if spans and f.start < spans[-1][1]:
            start, end, old = spans[-1]
            if f.end <= end and not (f.category == "secret" and old != _SECRET):
                continue
            spans[-1] = (start, max(end, f.end), _SECRET)
        else:
            spans.append((f.start, f.end, new))
    return spans
