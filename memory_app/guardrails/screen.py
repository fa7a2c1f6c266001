"""check() and mask(): every reading of a text goes through every detector."""

import re
from collections.abc import Callable, Iterable, Iterator

from memory_app.guardrails import (
    decode,
    disguise,
    instruction,
    masking,
    parts,
    payment,
    pii,
    planted,
    secret,
    speculation,
    spoken,
)
from memory_app.guardrails.findings import CATEGORIES, MASKED_CATEGORIES, Finding, Hit, Masked, Stage, Verdict
from memory_app.guardrails.gate import counting
from memory_app.guardrails.normalise import INVISIBLE, View, hidden, plain, reordered
from memory_app.guardrails.own import BUILT_IN, RuleSet
from memory_app.guardrails.rules import categories_at

Detector = Callable[[str], Iterator[Hit]]
EXCERPT = 160
# A mask can bring two parts of a text together that were apart; the second round finds nothing in practice.
ROUNDS = 4
_DATA: tuple[Detector, ...] = (secret.find, payment.find, pii.find, parts.find)
_WORDS: tuple[Detector, ...] = (secret.find,)


def _collect(
    view: View, detectors: Iterable[Detector], into: set[Finding], wanted: frozenset[str], rules: RuleSet
) -> None:
    for detector in detectors:
        for hit in detector(view.text):
            category = rules.category_of(hit.rule)
            if category in wanted and hit.start < hit.end:
                into.add(Finding(category, hit.rule, *view.span(hit.start, hit.end)))


@counting()
def scan(text: str, wanted: frozenset[str], rules: RuleSet = BUILT_IN, *, single: bool = True) -> tuple[Finding, ...]:
    """Everything of the wanted categories that any reading of the text shows, by its place in the original. Of what is
    no single text only what has a name is found, not what its wording is like."""
    found: set[Finding] = set()
    base = plain(text)
    if not base.text.strip() and not hidden(text):
        return ()
    data = _DATA if wanted & MASKED_CATEGORIES else ()
    orders: tuple[Detector, ...] = (
        (instruction.find if single else instruction.named,) if "instruction" in wanted else ()
    )
    guesses: tuple[Detector, ...] = (speculation.find,) if "speculation" in wanted else ()
    own: tuple[Detector, ...] = (rules.find,) if rules.own else ()
    seen = {base.text}
    _collect(base, (*data, *orders, *guesses, *own), found, wanted, rules)

    def read(view: View | None, detectors: Iterable[Detector]) -> None:
        if view is not None and view.text not in seen and view.text.strip():
            seen.add(view.text)
            _collect(view, detectors, found, wanted, rules)

    for view in hidden(text):
        _collect(view, (*data, *own), found, wanted, rules)
        if orders and "instruction.hidden_text" not in rules.off and sum(c.isalpha() for c in view.text) >= 3:
            found.add(Finding("instruction", "instruction.hidden_text", *view.span(0, len(view.text))))
    words = _WORDS if data else ()
    unbent = disguise.unbent(base)
    read(reordered(text), (*data, *orders, *own))
    read(unbent, (*words, *orders, *own))
    read(spoken.in_digits(base), data)
    read(decode.members(base), data)
    for view in decode.unwrapped(base):
        read(view, (*data, *orders, *own))
        read(disguise.unbent(view), (*words, *orders, *own))
        read(decode.members(view), data)
    read(decode.rot13(base), (*((secret.find_stated,) if data else ()), *orders))
    read(decode.backwards(base), orders)
    kept = without_repeats(found)
    guessed = any(f.category == "speculation" for f in kept)
    return tuple(sorted(kept, key=lambda f: (_strength(f, guessed), f.start, f.end, f.rule)))


def _strength(finding: Finding, beside_guess: bool) -> int:
    """The place of its category; what only reads like an order says less than the very words of a guess beside it."""
    last = len(CATEGORIES) if beside_guess and finding.rule == planted.RULE else 0
    return max(last, CATEGORIES.index(finding.category))


def without_repeats(found: set[Finding]) -> list[Finding]:
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


def check(text: str, stage: Stage = "capture", rules: RuleSet = BUILT_IN) -> Verdict:
    """Says whether the text may pass this stage, and why not, without repeating what it must not keep."""
    findings = scan(text, categories_at(stage) | MASKED_CATEGORIES, rules)
    masked = _mask(text, findings, rules)
    if not findings:
        return Verdict(True, None, None, (), masked, None, rules.version)
    first = findings[0]
    return Verdict(False, first.category, first.rule, findings, masked, excerpt(text, masked, findings), rules.version)


def _mask(text: str, findings: tuple[Finding, ...], rules: RuleSet) -> str:
    masked = masking.apply(text, findings)
    for _ in range(ROUNDS):
        if masked == text:
            break
        text, masked = masked, masking.apply(masked, scan(masked, MASKED_CATEGORIES, rules))
    return masked


def mask(text: str, rules: RuleSet = BUILT_IN) -> Masked:
    """The text without secrets, payment data and personal identifiers; the rest is word for word as it was."""
    findings = scan(text, MASKED_CATEGORIES, rules)
    return Masked(_mask(text, findings, rules), findings)


def excerpt(text: str, masked: str, findings: tuple[Finding, ...]) -> str:
    """At most 160 masked characters around the first finding."""
    start = max(0, findings[0].start - EXCERPT // 3)
    # Masks change lengths: the place in the masked text is as far on as the masked beginning is long.
    at = len(masking.apply(text[:start], [f for f in findings if f.end <= start]))
    piece = re.sub(r"[\x00-\x1f\x7f]+", " ", INVISIBLE.sub("", masked[max(0, at) : at + 2 * EXCERPT])).strip()
    return piece if len(piece) <= EXCERPT else piece[: EXCERPT - 1].rstrip() + "…"
