"""check(), mask() and mask_json(): every reading of a text goes through every detector."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from memory_app.guardrails import (
    decode,
    disguise,
    instruction,
    masking,
    parts,
    payment,
    pii,
    secret,
    speculation,
    spoken,
)
from memory_app.guardrails.findings import CATEGORIES, MASKED_CATEGORIES, Finding, Hit, Masked, Stage, Verdict
from memory_app.guardrails.naming import LABELS, VALUES
from memory_app.guardrails.normalise import INVISIBLE, View, hidden, plain, reordered
from memory_app.guardrails.rules import RULE_SET_VERSION, categories_at

Detector = Callable[[str], Iterator[Hit]]
EXCERPT = 160
# A mask can bring two parts of a text together that were apart; the second round finds nothing in practice.
ROUNDS = 4
_DATA: tuple[Detector, ...] = (secret.find, payment.find, pii.find, parts.find)
_WORDS: tuple[Detector, ...] = (secret.find,)


def _category(rule: str) -> str:
    return rule.partition(".")[0]


def _collect(view: View, detectors: Iterable[Detector], into: set[Finding], wanted: frozenset[str]) -> None:
    for detector in detectors:
        for hit in detector(view.text):
            category = _category(hit.rule)
            if category in wanted and hit.start < hit.end:
                into.add(Finding(category, hit.rule, *view.span(hit.start, hit.end)))


def scan(text: str, wanted: frozenset[str]) -> tuple[Finding, ...]:
    """Everything of the wanted categories that any reading of the text shows, by its place in the original."""
    found: set[Finding] = set()
    base = plain(text)
    if not base.text.strip() and not hidden(text):
        return ()
    data = _DATA if wanted & MASKED_CATEGORIES else ()
    orders: tuple[Detector, ...] = (instruction.find,) if "instruction" in wanted else ()
    guesses: tuple[Detector, ...] = (speculation.find,) if "speculation" in wanted else ()
    seen = {base.text}
    _collect(base, (*data, *orders, *guesses), found, wanted)

    def read(view: View | None, detectors: Iterable[Detector]) -> None:
        if view is not None and view.text not in seen and view.text.strip():
            seen.add(view.text)
            _collect(view, detectors, found, wanted)

    for view in hidden(text):
        _collect(view, data, found, wanted)
        if orders and sum(c.isalpha() for c in view.text) >= 3:
            found.add(Finding("instruction", "instruction.hidden_text", *view.span(0, len(view.text))))
    words = _WORDS if data else ()
    unbent = disguise.unbent(base)
    read(reordered(text), (*data, *orders))
    read(unbent, (*words, *orders))
    read(spoken.in_digits(base), data)
    read(decode.members(base), data)
    for view in decode.unwrapped(base):
        read(view, (*data, *orders))
        read(disguise.unbent(view), (*words, *orders))
    read(decode.rot13(base), (*((secret.find_stated,) if data else ()), *orders))
    read(decode.backwards(base), orders)
    return tuple(sorted(_without_repeats(found), key=lambda f: (CATEGORIES.index(f.category), f.start, f.end, f.rule)))


def _without_repeats(found: set[Finding]) -> list[Finding]:
    """One finding for a place and category: the widest, or the first rule by name."""
    kept: list[Finding] = []
    last: dict[str, Finding] = {}
    for f in sorted(found, key=lambda f: (f.start, -f.end, f.rule)):
        before = last.get(f.category)
        if before is not None and f.end <= before.end:
            continue
        last[f.category] = f
        kept.append(f)
    return kept


def check(text: str, stage: Stage = "capture") -> Verdict:
    """Says whether the text may pass this stage, and why not, without repeating what it must not keep."""
    findings = scan(text, categories_at(stage) | MASKED_CATEGORIES)
    masked = _mask(text, findings)
    if not findings:
        return Verdict(True, None, None, (), masked, None, RULE_SET_VERSION)
    first = findings[0]
    return Verdict(
        False, first.category, first.rule, findings, masked, _excerpt(text, masked, findings), RULE_SET_VERSION
    )


def _mask(text: str, findings: tuple[Finding, ...]) -> str:
    masked = masking.apply(text, findings)
    for _ in range(ROUNDS):
        if masked == text:
            break
        text, masked = masked, masking.apply(masked, scan(masked, MASKED_CATEGORIES))
    return masked


def mask(text: str) -> Masked:
    """The text without secrets, payment data and personal identifiers; the rest is word for word as it was."""
    findings = scan(text, MASKED_CATEGORIES)
    return Masked(_mask(text, findings), findings)


def _excerpt(text: str, masked: str, findings: tuple[Finding, ...]) -> str:
    """At most 160 masked characters around the first finding."""
    start = max(0, findings[0].start - EXCERPT // 3)
    # Masks change lengths: the place in the masked text is as far on as the masked beginning is long.
    at = len(masking.apply(text[:start], [f for f in findings if f.end <= start]))
    piece = re.sub(r"[\x00-\x1f\x7f]+", " ", INVISIBLE.sub("", masked[max(0, at) : at + 2 * EXCERPT])).strip()
    return piece if len(piece) <= EXCERPT else piece[: EXCERPT - 1].rstrip() + "…"


_SECRET_NAME = re.compile(
    r"(?:^|[_\-.])(?:pass(?:word|wd|code|phrase)?|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|auth[_-]?token|access[_-]?token"
    r"|refresh[_-]?token|token|authorization|cookie|otp|pin|cvv|cvc|密码|口令)$",
    re.I,
)


def mask_json(value: Any) -> tuple[Any, tuple[Finding, ...]]:
    """The JSON value with every string, key and number masked; findings carry offsets into their own string."""
    findings: list[Finding] = []
    return _mask_value(value, None, findings, 0), tuple(findings)


def _mask_value(value: Any, name: str | None, findings: list[Finding], depth: int) -> Any:
    if depth > 60:  # deeper than any tool call; recursion must end somewhere
        return masking.BULLET * 6
    if isinstance(value, dict):
        return _mask_members(value, findings, depth)
    if isinstance(value, list | tuple):
        return [_mask_value(v, name, findings, depth + 1) for v in value]
    if isinstance(value, bool) or value is None:
        return value
    text = value if isinstance(value, str) else str(value)
    new = _mask_leaf(text, name, findings)
    return value if new == text else new


def _mask_members(value: dict[Any, Any], findings: list[Finding], depth: int) -> dict[str, Any]:
    masked: dict[str, Any] = {}
    # `{"name": "password", "value": …}`: one member says what the other is.
    labels = [str(v) for k, v in value.items() if str(k).lower() in LABELS and isinstance(v, str) and len(v) <= 100]
    for key, member in value.items():
        name = str(key)
        new = _mask_leaf(name, None, findings)
        while new in masked:  # two masked names must not swallow each other's values
            new += masking.BULLET
        label = labels[0] if labels and name.lower() in VALUES else name
        masked[new] = _mask_value(member, label, findings, depth + 1)
    return masked


def _mask_leaf(text: str, name: str | None, findings: list[Finding]) -> str:
    result = mask(text)
    findings += result.findings
    if name is None or result.findings or not text or masking.BULLET in text:
        return result.text
    # `{"password": "hunter2"}`: what the value is, its name says.
    if _SECRET_NAME.search(name) and secret.is_value(text):
        findings.append(Finding("secret", "secret.assigned", 0, len(text)))
        return masking.BULLET * 6
    prefix = f"{name.replace('_', ' ')}: "
    base = len(prefix)
    told = [
        Finding(f.category, f.rule, f.start - base, f.end - base)
        for f in scan(prefix + text, MASKED_CATEGORIES)
        if f.start >= base
    ]
    findings += told
    return masking.apply(text, told)
