"""check_fields(): a note's or memory's fields as they are captured, read again, and handed out."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from memory_app.guardrails.findings import CATEGORIES, MASKED_CATEGORIES, Finding, Stage, Verdict
from memory_app.guardrails.naming import names_in, pieces, told_by
from memory_app.guardrails.own import OwnRule, RuleSet
from memory_app.guardrails.screen import check, excerpt, mask, scan
from memory_app.guardrails.structure import mask_json
from memory_app.guardrails.together import scan_each

BLOT = "••••••"
#: Fields that say what something is, and those that can hold it alone.
SAYING = ("text", "condition", "subject", "evidence_quote")
HOLDING = ("value", "keywords")
MOST_ITEMS = 50
#: What another field names is a password or a number, no document.
LONGEST_TOLD = 300
#: What of a memory a prompt can hold, beside its key.
HANDED_OUT = ("text", "value", "condition", "subject")
#: What stands side by side in a prompt: an order may be told by several of them.
TOGETHER = ("text", "key", "condition", "subject", "value")


@dataclass(frozen=True)
class Checked:
    """Fields of one note or memory after the guardrails: masked values, and the verdict that refuses them, if any."""

    values: dict[str, Any]
    field: str | None
    verdict: Verdict | None

    @property
    def allowed(self) -> bool:
        return self.verdict is None


def check_fields(
    rules: RuleSet,
    fields: Mapping[str, Any],
    stage: Stage = "capture",
    *,
    key: str = "",
    beside: Mapping[str, Any] | None = None,
    passed: Callable[[Verdict], bool] | None = None,
) -> Checked:
    """Checks every string in `fields` (deep, for JSON values). The first category in the order of precedence wins.

    Returns the masked values: whatever was found is masked in them, also where another field is refused, and
    also where the same words stand in another field. `key` names what `value` is a value of, because a password
    is often told from a word only by its name. Where it is a slot that the workspace never fills, nothing passes.
    `beside` are fields that stay as they are and stand next to these. What `passed` knows as released refuses nothing.
    """
    refusals: list[tuple[str, Verdict]] = []
    literals: set[str] = set()
    clean: dict[str, str] = {}
    for name, text in _texts(rules, fields, key):
        verdict = check(text, stage, rules)
        clean[text] = verdict.masked
        literals |= {text[f.start : f.end] for f in verdict.findings if f.category in MASKED_CATEGORIES}
        if name == "evidence_quote" and verdict.category == "speculation":
            continue  # people hedge while they state a fact; what counts is whether the note itself guesses
        if not verdict.allowed:
            refusals.append((name, verdict))
    apart, found = _told_apart(rules, fields, key)
    literals |= apart
    refusals += [(name, _withheld(rules, finding)) for name, finding in found]
    refusals += _told_together(rules, {**(beside or {}), **fields, "key": key.replace("_", " ")})
    literals = {literal for literal in literals if len(literal) >= 3}
    values = {
        name: _without(clean[value] if isinstance(value, str) else masked(rules, value), literals)
        for name, value in fields.items()
    }
    standing = [one for one in refusals if passed is None or not passed(one[1])]
    worst = min(standing, key=_rank, default=None)
    slot = rules.slot(key)
    if slot is not None and (worst is None or CATEGORIES.index(slot.category) < _rank(worst)):
        return _unfilled(rules, slot, values)
    return Checked(values, worst[0] if worst else None, worst[1] if worst else None)


def _rank(refusal: tuple[str, Verdict]) -> int:
    return CATEGORIES.index(refusal[1].category or "")


def _told_together(rules: RuleSet, fields: Mapping[str, Any]) -> list[tuple[str, Verdict]]:
    """The order that several fields tell together, or a key by its words, with the field that it begins in. How
    single texts are worded says nothing of several, so only what is named counts."""
    parts = [(name, said) for name in TOGETHER if (said := " ".join(strings(fields.get(name))))]
    if len(parts) < 2 and not fields.get("key"):
        return []
    text = "\n".join(said for _name, said in parts)
    findings = scan(text, frozenset({"instruction"}), rules, single=False)
    if not findings:
        return []
    at = 0
    field = parts[0][0]
    for name, said in parts:
        if at <= findings[0].start:
            field = name
        at += len(said) + 1
    kept = mask(text, rules).text
    shown = excerpt(text, kept, findings)
    return [(field, Verdict(False, "instruction", findings[0].rule, findings, kept, shown, rules.version))]


def _withheld(rules: RuleSet, finding: Finding) -> Verdict:
    """A refusal that shows nothing of what it refuses."""
    return Verdict(False, finding.category, finding.rule, (finding,), BLOT, BLOT, rules.version)


def _unfilled(rules: RuleSet, slot: OwnRule, values: dict[str, Any]) -> Checked:
    """What would fill a slot that is never filled: refused, and blotted out where its category is masked."""
    text = str(values.get("text") or "")
    finding = Finding(slot.category, slot.rule, 0, len(text))
    if slot.category in MASKED_CATEGORIES:
        return Checked({name: _blotted(value) for name, value in values.items()}, "key", _withheld(rules, finding))
    shown = excerpt(text, text, (finding,))
    verdict = Verdict(False, slot.category, slot.rule, (finding,), text, shown, rules.version)
    return Checked(values, "key", verdict)


def _told_apart(rules: RuleSet, fields: Mapping[str, Any], key: str) -> tuple[set[str], list[tuple[str, Finding]]]:
    """What no field tells alone: a value whose kind another field names, and one that is split over a list. The
    strings that hold it, and each finding with its field."""
    literals: set[str] = set()
    found: list[tuple[str, Finding]] = []
    said = " ".join([key.replace("_", " "), *(t for name in SAYING for t in strings(fields.get(name)))])
    listed = " ".join(strings(fields.get("keywords")))
    for name in HOLDING:
        # A value that is a part of a sentence was judged with the sentence.
        alone = [text for text in strings(fields.get(name)) if 3 <= len(text) <= LONGEST_TOLD and text not in said]
        labels = names_in(f"{said} {listed}") if alone else ()
        for text, findings in zip(alone, told_by(labels, alone, rules), strict=True):
            literals.update(text[finding.start : finding.end] for finding in findings)
            found += [(name, finding) for finding in findings]
    for name, value in fields.items():
        items = [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []
        if 1 < len(items) <= MOST_ITEMS and any(c.isdigit() or c == "@" for item in items for c in item):
            for mark in (" ", ""):
                split = mask(mark.join(items), rules).findings
                literals.update(pieces(items, mark, split))
                found += [(name, finding) for finding in split]
    return literals, found


def masked(rules: RuleSet, value: Any) -> Any:
    """The value with every secret, payment detail and personal identifier in it masked."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return mask(value, rules).text
    return mask_json(value, rules)[0]


def _texts(rules: RuleSet, fields: Mapping[str, Any], key: str) -> Iterable[tuple[str, str]]:
    if rules.own and key:
        yield "key", key.replace("_", " ")
    for name, value in fields.items():
        texts = list(strings(value))
        yield from ((name, text) for text in texts)
        if name == "value" and key:
            named = [f"{key.replace('_', ' ')}: {text}" for text in texts]
            shown = scan_each(named, MASKED_CATEGORIES, rules)
            yield from ((name, text) for text, findings in zip(named, shown, strict=True) if findings)


def _without(value: Any, literals: set[str]) -> Any:
    """The value with every occurrence of these literals blotted out."""
    if isinstance(value, str):
        for literal in literals:
            value = value.replace(literal, BLOT)
        return value
    if isinstance(value, Mapping):
        return {_without(k, literals): _without(v, literals) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_without(v, literals) for v in value]
    if isinstance(value, int | float) and not isinstance(value, bool) and str(value) in literals:
        return BLOT
    return value


def _blotted(value: Any) -> Any:
    """The value, of the same shape, with nothing that it said."""
    if isinstance(value, Mapping):
        return {BLOT: BLOT} if value else {}
    if isinstance(value, list | tuple):
        return [_blotted(item) for item in value]
    return value if value in (None, "") or isinstance(value, bool) else BLOT


def strings(value: Any) -> Iterable[str]:
    """Every string and number inside a JSON value, names of members too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
