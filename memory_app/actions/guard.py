"""Puts text through the guardrails before anything is stored, and records what they found."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from memory_app import guardrails
from memory_app.domain.errors import Invalid
from memory_app.guardrails import Finding, OwnRule, RuleSet, Verdict
from memory_app.models import Block, Memory, Note, Session, Team, Turn, User, Workspace

BLOT = "••••••"
#: Fields that say what something is, and those that can hold it alone.
SAYING = ("text", "condition", "subject", "evidence_quote")
HOLDING = ("value", "keywords")
MOST_ITEMS = 50
#: What another field names is a password or a number, no document.
LONGEST_TOLD = 300


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
    rules: RuleSet, fields: Mapping[str, Any], stage: guardrails.Stage = "capture", *, key: str = ""
) -> Checked:
    """Checks every string in `fields` (deep, for JSON values). The first category in the order of precedence wins.

    Returns the masked values: whatever was found is masked in them, also where another field is refused, and
    also where the same words stand in another field. `key` names what `value` is a value of, because a password
    is often told from a word only by its name. Where it is a slot that the workspace never fills, nothing passes.
    """
    worst: tuple[int, str, Verdict] | None = None
    literals: set[str] = set()
    clean: dict[str, str] = {}
    for name, text in _texts(rules, fields, key):
        verdict = guardrails.check(text, stage, rules)
        clean[text] = verdict.masked
        literals |= {text[f.start : f.end] for f in verdict.findings if f.category in guardrails.MASKED_CATEGORIES}
        if name == "evidence_quote" and verdict.category == "speculation":
            continue  # people hedge while they state a fact; what counts is whether the note itself guesses
        if not verdict.allowed:
            rank = guardrails.CATEGORIES.index(verdict.category or "")
            if worst is None or rank < worst[0]:
                worst = (rank, name, verdict)
    apart, found = _told_apart(rules, fields, key)
    literals |= apart
    for name, finding in found:
        rank = guardrails.CATEGORIES.index(finding.category)
        if worst is None or rank < worst[0]:
            worst = (rank, name, _withheld(rules, finding))
    literals = {literal for literal in literals if len(literal) >= 3}
    values = {
        name: _without(clean[value] if isinstance(value, str) else masked(rules, value), literals)
        for name, value in fields.items()
    }
    slot = rules.slot(key)
    if slot is not None and (worst is None or guardrails.CATEGORIES.index(slot.category) < worst[0]):
        return _unfilled(rules, slot, values)
    return Checked(values, worst[1] if worst else None, worst[2] if worst else None)


def _withheld(rules: RuleSet, finding: Finding) -> Verdict:
    """A refusal that shows nothing of what it refuses."""
    return Verdict(False, finding.category, finding.rule, (finding,), BLOT, BLOT, rules.version)


def _unfilled(rules: RuleSet, slot: OwnRule, values: dict[str, Any]) -> Checked:
    """What would fill a slot that is never filled: refused, and blotted out where its category is masked."""
    text = str(values.get("text") or "")
    finding = Finding(slot.category, slot.rule, 0, len(text))
    if slot.category in guardrails.MASKED_CATEGORIES:
        return Checked({name: _blotted(value) for name, value in values.items()}, "key", _withheld(rules, finding))
    shown = guardrails.excerpt(text, text, (finding,))
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
        labels = guardrails.names_in(f"{said} {listed}") if alone else ()
        for text, findings in zip(alone, guardrails.told_by(labels, alone, rules), strict=True):
            literals.update(text[finding.start : finding.end] for finding in findings)
            found += [(name, finding) for finding in findings]
    for name, value in fields.items():
        items = [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []
        if 1 < len(items) <= MOST_ITEMS and any(c.isdigit() or c == "@" for item in items for c in item):
            for mark in (" ", ""):
                split = guardrails.mask(mark.join(items), rules).findings
                literals.update(guardrails.pieces(items, mark, split))
                found += [(name, finding) for finding in split]
    return literals, found


def masked(rules: RuleSet, value: Any) -> Any:
    """The value with every secret, payment detail and personal identifier in it masked."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return guardrails.mask(value, rules).text
    return guardrails.mask_json(value, rules)[0]


def masked_but_ids(rules: RuleSet, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values masked, but those that name rows and nothing else as they are: by them the rows are found again."""
    ids = {name: value for name, value in values.items() if _names_rows(value)}
    return {**masked(rules, {name: value for name, value in values.items() if name not in ids}), **ids}


def _names_rows(value: Any) -> bool:
    if isinstance(value, Mapping):  # their versions, say
        return all(_names_rows(key) and isinstance(item, int) for key, item in value.items())
    if isinstance(value, list | tuple):
        return all(_names_rows(item) for item in value)
    return isinstance(value, str) and guardrails.is_opaque(value)


def refuse_secret(field: str, value: str | None) -> None:
    """Raises Invalid where an identifier holds what must not be stored: it cannot be masked and stay one."""
    if value and guardrails.mask(value).findings:
        raise Invalid.field(
            field, "holds a secret, payment detail or personal identifier; use an opaque identifier.", "secret"
        )


def record_block(
    workspace: Workspace,
    verdict: Verdict,
    *,
    stage: str = "capture",
    field: str = "text",
    session: Session | None = None,
    user: User | None = None,
    note: Note | None = None,
    turn: Turn | None = None,
    memory: Memory | None = None,
) -> Block:
    """The refused text is kept, masked, where an operator can judge it."""
    return Block.objects.create(
        workspace=workspace,
        session=session,
        user=user,
        note=note,
        turn=turn,
        memory=memory,
        stage=stage,
        category=verdict.category or "",
        rule=verdict.rule or "",
        rule_set=verdict.rule_set,
        field=field,
        excerpt=verdict.excerpt or "",
        masked=verdict.masked,
    )


def released(workspace: Workspace, user: User | None, verdict: Verdict | None, team: Team | None = None) -> bool:
    """Whether an operator has released this very text of this user, or of this team, as a false positive. Only what
    holds no masked value can pass."""
    if verdict is None or verdict.category not in guardrails.JUDGED_CATEGORIES:
        return False
    passed = Block.objects.released_for(workspace.pk, user.pk if user else None, team.pk if team else None)
    return passed.filter(category=verdict.category, masked=verdict.masked).exists()


def blocks_of_turn(workspace: Workspace, turn: Turn, findings: Iterable[Finding], excerpt: str) -> list[Block]:
    """One block, not yet saved, for each category that was masked in a turn. `excerpt` is masked text around the
    finding that weighs most; the others are seen in the turn itself."""
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.category, finding)
    weightiest = min(first, key=guardrails.CATEGORIES.index, default="")
    return [
        Block(
            workspace=workspace,
            session=turn.session,
            user=turn.session.user,
            turn=turn,
            stage="capture",
            category=category,
            rule=finding.rule,
            rule_set=workspace.rules.version,
            field="turn",
            excerpt=excerpt if category == weightiest else "",
        )
        for category, finding in first.items()
    ]


def _texts(rules: RuleSet, fields: Mapping[str, Any], key: str) -> Iterable[tuple[str, str]]:
    if rules.own and key:
        yield "key", key.replace("_", " ")
    for name, value in fields.items():
        texts = list(strings(value))
        yield from ((name, text) for text in texts)
        if name == "value" and key:
            named = [f"{key.replace('_', ' ')}: {text}" for text in texts]
            shown = guardrails.scan_each(named, guardrails.MASKED_CATEGORIES, rules)
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
