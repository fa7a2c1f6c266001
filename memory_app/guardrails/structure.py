"""mask_json(): the strings, names and numbers of a JSON value, each read alone, by its name, and beside its siblings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory_app.guardrails import masking, passwords, secret
from memory_app.guardrails.findings import MASKED_CATEGORIES, Finding
from memory_app.guardrails.naming import LABELS, VALUES
from memory_app.guardrails.own import BUILT_IN, RuleSet
from memory_app.guardrails.screen import without_repeats
from memory_app.guardrails.together import scan_each

DEPTH = 60  # deeper than any tool call; recursion must end somewhere
ROUNDS = 4
_WINDOW, _STEP = 48, 40
_BLOT = masking.BULLET * 6
_SECRET_NAME = re.compile(
    r"(?:^|[_\-.])(?:pass(?:word|wd|code|phrase)?|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|auth[_-]?token|access[_-]?token"
    r"|refresh[_-]?token|token|authorization|cookie|otp|pin|cvv|cvc|密码|口令)$",
    re.I,
)
# A word, a small number or a fraction says nothing by itself, and nothing under a name that tells of no secret.
_HARMLESS = re.compile(
    r"[A-Za-z]{0,24}|[a-z]+(?:_[a-z]+){1,6}\d{0,2}|[a-z]{1,8}\d|-?\d{1,3}|-?\d{1,4}\.\d+(?:e[-+]?\d+)?|[\u3400-\u9fff]{1,4}"
)
_TELLING = re.compile(
    r"code|pass|pin|key|secret|token|cv[vc]|csc|otp|cred|auth|combo|cookie|pwd|seed|mnemonic|phrase|助记|密|码|口令|令牌|钥|证|号|卡",
    re.I,
)
_DIGITS = re.compile(r"[\d \-]{1,12}")


@dataclass(slots=True)
class _Reading:
    """A line of text, and the leaves that it is made of by their places in it."""

    text: str
    leaves: list[tuple[int, int]]


@dataclass(slots=True)
class _Walk:
    """The leaves of a value in order, and every reading of them."""

    rules: RuleSet = BUILT_IN
    leaves: list[str] = field(default_factory=list)
    found: list[list[Finding]] = field(default_factory=list)
    readings: list[_Reading] = field(default_factory=list)

    def leaf(self, text: str, name: str | None) -> int:
        """Notes a leaf and how it reads; its place."""
        place = len(self.leaves)
        self.leaves.append(text)
        self.found.append([])
        harmless = not self.rules.own and _HARMLESS.fullmatch(text) is not None
        if not harmless:
            self.readings.append(_Reading(text, [(place, 0)]))
        if name is None or not text or masking.BULLET in text:
            return place
        # `{"password": "hunter2"}`: what the value is, its name says.
        if (_SECRET_NAME.search(name) or passwords.is_name(name)) and secret.is_value(text):
            self.found[place].append(Finding("secret", "secret.assigned", 0, len(text)))
        elif not harmless or _TELLING.search(name):
            before = f"{name.replace('_', ' ')}: "
            self.readings.append(_Reading(before + text, [(place, len(before))]))
        return place

    def beside(self, places: Sequence[int], name: str | None) -> None:
        """Notes how leaves read that stand beside each other: `["--password", …]`, the groups of a number."""
        if len(places) == 2 and not _HARMLESS.fullmatch(self.leaves[places[1]]):
            self._joined(places, ": ", None)
        for start in range(0, max(len(places) - 1, 0), _STEP):
            window = places[start : start + _WINDOW]
            telling = name is not None and _TELLING.search(name)
            digits = sum(c.isdigit() for place in window for c in self.leaves[place][:24])
            if telling or digits >= 8 or any(self.leaves[place][:1] == "-" for place in window):
                self._joined(window, " ", name)

    def _joined(self, places: Sequence[int], mark: str, name: str | None) -> None:
        text = f"{name.replace('_', ' ')}: " if name else " "
        leaves = []
        for place in places:
            leaves.append((place, len(text)))
            text += self.leaves[place] + mark
        self.readings.append(_Reading(text.rstrip(), leaves))

    def read(self) -> None:
        """Every leaf has what its readings show."""
        for reading, findings in zip(
            self.readings, scan_each([r.text for r in self.readings], MASKED_CATEGORIES, self.rules), strict=True
        ):
            for f in findings:
                for place, at in reading.leaves:
                    start, end = max(f.start - at, 0), min(f.end - at, len(self.leaves[place]))
                    # What begins before the leaf is about its name, unless it goes on over several leaves.
                    if start < end and (f.start >= at or len(reading.leaves) > 1):
                        self.found[place].append(Finding(f.category, f.rule, start, end))


def mask_json(value: Any, rules: RuleSet = BUILT_IN) -> tuple[Any, tuple[Finding, ...]]:
    """The JSON value with every string, key and number masked; findings carry offsets into their own string."""
    findings: list[Finding] = []
    value = _copied(value, 0)
    for _ in range(ROUNDS):
        walk = _Walk(rules)
        _visit(value, None, walk)
        walk.read()
        if not any(walk.found):
            break
        kept = [without_repeats(set(found)) for found in walk.found]
        findings += (finding for found in kept for finding in found)
        value = _masked(value, zip(walk.leaves, kept, strict=True))
    return value, tuple(findings)


def _copied(value: Any, depth: int) -> Any:
    if depth > DEPTH:
        return _BLOT
    if isinstance(value, dict):
        return {str(name): _copied(member, depth + 1) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_copied(item, depth + 1) for item in value]
    return value


def _is_leaf(value: Any) -> bool:
    return not isinstance(value, bool | dict | list) and value is not None


def _visit(value: Any, name: str | None, walk: _Walk) -> None:
    if isinstance(value, dict):
        _visit_members(value, name, walk)
    elif isinstance(value, list):
        beside = []
        for item in value:
            if _is_leaf(item):
                beside.append(walk.leaf(str(item), name))
            else:
                _visit(item, name, walk)
        walk.beside(beside, name)
    elif _is_leaf(value):
        walk.leaf(str(value), name)


def _visit_members(value: dict[str, Any], name: str | None, walk: _Walk) -> None:
    # `{"name": "password", "value": …}`: one member says what the other is. So does the name of the whole.
    labels = [v for k, v in value.items() if k.lower() in LABELS and isinstance(v, str) and len(v) <= 100]
    labels.sort(key=lambda label: (not _SECRET_NAME.search(label), not _TELLING.search(label)))  # an id hides no name
    whole = labels[0] if labels else name
    digits = []
    for key, member in value.items():
        walk.leaf(key, None)
        label = whole if whole and key.lower() in VALUES else key
        if _is_leaf(member):
            place = walk.leaf(str(member), label)
            if isinstance(member, str) and _DIGITS.fullmatch(member):
                digits.append(place)
        else:
            _visit(member, label, walk)
    walk.beside(digits, None)


def _masked(value: Any, found: Iterator[tuple[str, Sequence[Finding]]]) -> Any:
    """The value, of the same shape, with the leaves as `_visit` met them masked."""
    if isinstance(value, dict):
        masked: dict[str, Any] = {}
        for member in value.values():
            new = masking.apply(*next(found))
            while new in masked:  # two masked names must not swallow each other's values
                new += masking.BULLET
            masked[new] = _masked(member, found)
        return masked
    if isinstance(value, list):
        return [_masked(item, found) for item in value]
    if not _is_leaf(value):
        return value
    text, findings = next(found)
    return masking.apply(text, findings) if findings else value
