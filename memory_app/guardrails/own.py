"""A workspace's own rules, words, patterns and slots that it does not keep, and the built-in rules that it switches off.

Words are found by a walk over the text's tokens and patterns by RE2: both take time linear in the text, whatever they
are made of.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import Any, Self

from memory_app.guardrails.findings import CATEGORIES, Hit, by_record
from memory_app.guardrails.normalise import plain, plain_character
from memory_app.guardrails.rules import RULE_SET_VERSION, RULES

PREFIX = "own."
FINDS = ("words", "patterns", "slots")
EFFECTS = ("refuse", "hold")
#: Nobody switches these off: what was found here must never be stored, and a check that failed says nothing.
ALWAYS_ON = frozenset({"secret", "payment"})
SWITCHES: tuple[str, ...] = tuple(r.rule for r in RULES if r.category not in ALWAYS_ON and r.rule != "pii.unread")
MOST_RULES, MOST_ENTRIES, LONGEST_ENTRY, LONGEST_NAME, LONGEST_WHY = 100, 100, 200, 40, 500
MOST_CHARACTERS = 15_000  # of all entries together
# How large RE2's programs may be: the only thing beside the text's length that its time depends on.
MOST_OF_A_PATTERN, MOST_OF_ALL = 5_000, 20_000
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"  # no spaces, or endings that no space sets off
_TOKEN = re.compile(f"[{_CJK}]|[^\\W_{_CJK}]+|[^\\w\\s-]")
_NAME = re.compile(r"[^\W_][\w-]*")
_SLOT = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")


def _merged(spans: Iterable[tuple[str, int, int]]) -> Iterator[Hit]:
    """What a rule finds, the parts that touch or overlap as one: a rule that fits everywhere finds one long part, not as
    many as there are entries and places. `spans` come in the order of their starts."""
    reached: dict[str, tuple[int, int]] = {}
    for rule, start, end in spans:
        begun, until = reached.get(rule, (start, start))
        if start > until:
            yield Hit(rule, begun, until)
            begun, until = start, start
        reached[rule] = (begun, max(until, end))
    for rule, (begun, until) in reached.items():
        yield Hit(rule, begun, until)


class OwnRuleError(ValueError):
    """A rule that cannot be used; `field` says which part of it, `code` what is wrong with it, for other languages."""

    def __init__(self, field: str, problem: str, code: str = "", detail: str = "") -> None:
        super().__init__(f"{field}: {problem}")
        self.field, self.problem, self.code, self.detail = field, problem, code, detail


@dataclass(frozen=True, slots=True)
class OwnRule:
    """One rule that an admin made. `finds` says what its entries are. `refuse` keeps the text out as a built-in rule of
    the category does; `hold` lets it wait for a person. `since` is the version of the policy that last changed it."""

    name: str
    finds: str
    entries: tuple[str, ...]
    category: str
    effect: str = "refuse"
    on: bool = True
    why: str = ""
    since: int = field(default=0, compare=False)

    @property
    def rule(self) -> str:
        """Its name among all rules."""
        return PREFIX + self.name

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"entries": list(self.entries)}

    @classmethod
    def from_json(cls, given: Any) -> Self:
        """The rule that the document describes; OwnRuleError names the part that cannot be used."""
        if not isinstance(given, Mapping):
            raise OwnRuleError("", "must be an object.")
        known = {f.name for f in fields(cls)}
        for name in sorted(set(given) - known):
            raise OwnRuleError(name, f"no such part of a rule. Use {', '.join(sorted(known - {'since'}))}.")
        entries = given.get("entries")
        if not isinstance(entries, list | tuple) or not all(isinstance(one, str) for one in entries):
            raise OwnRuleError("entries", "must be a list of strings.")
        values = {"name": "", "finds": "", "category": ""} | dict(given)
        made = cls(**values | {"entries": tuple(dict.fromkeys(one.strip() for one in entries if one.strip()))})
        _check_rule(made)
        return made


def _check_rule(rule: OwnRule) -> None:
    """OwnRuleError where a part of the rule cannot be used."""
    if not isinstance(rule.name, str) or not _NAME.fullmatch(rule.name) or len(rule.name) > LONGEST_NAME:
        raise OwnRuleError("name", f"must be at most {LONGEST_NAME} letters, digits, - and _, such as project-names.")
    for part, known in (("finds", FINDS), ("category", CATEGORIES), ("effect", EFFECTS)):
        if getattr(rule, part) not in known:
            raise OwnRuleError(part, f"must be one of {', '.join(known)}.")
    if not isinstance(rule.on, bool):
        raise OwnRuleError("on", "must be true or false.")
    if not isinstance(rule.why, str) or len(rule.why) > LONGEST_WHY:
        raise OwnRuleError("why", f"must be a string of at most {LONGEST_WHY} characters.")
    if isinstance(rule.since, bool) or not isinstance(rule.since, int):
        raise OwnRuleError("since", "must be the number of a version; leave it out.")
    if not 1 <= len(rule.entries) <= MOST_ENTRIES:
        raise OwnRuleError("entries", f"must be 1 to {MOST_ENTRIES} words, patterns or slots.", "count")
    for entry in rule.entries:
        if len(entry) > LONGEST_ENTRY:
            raise OwnRuleError("entries", f"each must have at most {LONGEST_ENTRY} characters.", "long")
        if not entry.isprintable():
            raise OwnRuleError("entries", "must not hold control characters.", "control")
        _CHECKS[rule.finds](entry)


def _check_words(entry: str) -> None:
    if not any(token[0].isalnum() for token in _tokens(entry)):
        raise OwnRuleError("entries", "each must hold a letter or a digit.", "word")


def _check_slot(entry: str) -> None:
    if not _SLOT.fullmatch(entry) or len(entry) > 100:
        raise OwnRuleError("entries", "each must be a key in snake_case, such as home_address.", "slot")


def _check_pattern(entry: str) -> None:
    """OwnRuleError where RE2 cannot read it, where it is too large, and where it is found in nothing at all."""
    pattern = compiled(entry)
    if pattern.programsize > MOST_OF_A_PATTERN:
        raise OwnRuleError("entries", "a pattern is too large. Repeat less, or split it into several.", "large")
    if pattern.search("") is not None:
        raise OwnRuleError(
            "entries", "a pattern fits the empty text, so it would be found everywhere. Demand a character.", "empty"
        )


_CHECKS = {"words": _check_words, "patterns": _check_pattern, "slots": _check_slot}


def check_rules(rules: Sequence[OwnRule], off: Sequence[str]) -> None:
    """OwnRuleError where the rules together, or what is switched off, cannot be used."""
    if len(rules) > MOST_RULES:
        raise OwnRuleError("own_rules", f"must be at most {MOST_RULES} rules.", "many")
    seen: set[str] = set()
    for place, rule in enumerate(rules):
        if rule.name.casefold() in seen:
            raise OwnRuleError(f"own_rules.{place}.name", "must be the name of one rule only.", "twice")
        seen.add(rule.name.casefold())
    if sum(len(entry) for rule in rules for entry in rule.entries) > MOST_CHARACTERS:
        raise OwnRuleError(
            "own_rules", f"must have at most {MOST_CHARACTERS:,} characters of entries together.", "together"
        )
    if (
        sum(compiled(entry).programsize for rule in rules if rule.finds == "patterns" for entry in rule.entries)
        > MOST_OF_ALL
    ):
        problem = "have patterns that are too large together. Use fewer, or repeat less in them."
        raise OwnRuleError("own_rules", problem, "patterns")
    # Nothing that was sent is repeated: it need not be the name of a rule.
    if any(name.partition(".")[0] in ALWAYS_ON for name in off):
        raise OwnRuleError("rules_off", "names a rule of secrets or payment data, which are never switched off.")
    if not set(off) <= set(SWITCHES):
        raise OwnRuleError("rules_off", "names no rule that can be switched off. Use names such as pii.phone.")


@lru_cache(maxsize=1024)
def compiled(entry: str) -> Any:
    """The pattern as RE2 runs it: without regard to case and width, in simplified Chinese, line by line. OwnRuleError."""
    import re2  # loaded on the first pattern: most workspaces have none

    options = re2.Options()
    options.case_sensitive, options.log_errors = False, False
    letters = (plain_character(c) if c.isalnum() else c for c in entry)
    read = "".join(new if len(new) == 1 and new.isalnum() else old for old, new in zip(entry, letters, strict=True))
    try:
        return re2.compile(f"(?m){read}", options)
    except re2.error as error:
        told = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        problem = told.partition(":")[0].removesuffix(" - compile failed")
        remedy = "Write it as RE2 reads it, without look-around and back-references."
        raise OwnRuleError("entries", f"a pattern cannot be used: {problem}. {remedy}", "syntax", problem) from None


def _tokens(text: str) -> list[str]:
    return [token.casefold() for token in _TOKEN.findall(plain(text).text)]


@dataclass(frozen=True)
class RuleSet:
    """What a workspace makes of the rules: its own ones that are on, and the built-in ones that are off. `since` is the
    version of its policy that last changed this; 0 where nothing was."""

    own: tuple[OwnRule, ...] = ()
    off: frozenset[str] = frozenset()
    since: int = field(default=0, compare=False)

    @classmethod
    def of(cls, rules: Sequence[OwnRule], off: Sequence[str], since: int = 0) -> "RuleSet":
        own = tuple(replace(rule, why="", since=0) for rule in rules if rule.on)
        return cls(own, frozenset(off), since if own or off else 0)

    @property
    def version(self) -> str:
        """The version of the built-in rules, and of the policy that changed them here."""
        return f"{RULE_SET_VERSION}+{self.since}" if self.own or self.off else RULE_SET_VERSION

    @cached_property
    def mark(self) -> str:
        """Differs wherever two sets of rules could find different things."""
        own = json.dumps([rule.to_json() for rule in self.own], sort_keys=True)
        return f"{RULE_SET_VERSION}\0{own}\0{sorted(self.off)}" if self.own or self.off else RULE_SET_VERSION

    def to_text(self) -> str:
        """A text that `read` makes an equal set of."""
        if not (self.own or self.off):
            return ""
        rules = [rule.to_json() for rule in self.own]
        return json.dumps({"own": rules, "off": sorted(self.off), "since": self.since}, ensure_ascii=False)

    @staticmethod
    @lru_cache(maxsize=256)
    def read(text: str) -> "RuleSet":
        """The set that the text holds. One text is read once by a process, so that asking again costs nothing."""
        if not text:
            return BUILT_IN
        found = json.loads(text)
        # Written by `to_text` from rules that were checked; what a later release refuses still holds until it is changed.
        own = tuple(OwnRule(**rule | {"entries": tuple(rule["entries"])}) for rule in found["own"])
        return RuleSet(own, frozenset(found["off"]), found["since"])

    @cached_property
    def _refusing(self) -> dict[str, OwnRule]:
        return {rule.rule: rule for rule in self.own if rule.effect == "refuse"}

    @cached_property
    def _holding(self) -> "RuleSet | None":
        """The rules that let a text wait, as rules that find it."""
        held = tuple(replace(rule, effect="refuse") for rule in self.own if rule.effect == "hold")
        return RuleSet(held) if held else None

    def first(self, texts: Sequence[str], key: str = "") -> str | None:
        """The first own rule, also one that only holds, by which these texts or this slot are found."""
        slot = self.slot(key)
        if slot is not None:
            return slot.rule
        said = [*texts, key.replace("_", " ")]
        found = next((hit.rule for text in said for hit in self.find(plain(text).text)), None)
        return found or (self._holding.first(texts, key) if self._holding is not None else None)

    def spans(self, text: str) -> list[tuple[str, int, int]]:
        """What the workspace's own rules, also those that only hold, find in a text as it is written, for those who try
        them."""
        view = plain(text)
        hits = {hit for one in (self, self._holding) if one is not None for hit in one.find(view.text)}
        return sorted(((hit.rule, *view.span(hit.start, hit.end)) for hit in hits), key=lambda found: found[1:])

    @cached_property
    def _words(self) -> dict[str, Any]:
        """The words by their tokens: each leads to those that may follow, and under "" are the rules whose words end."""
        root: dict[str, Any] = {}
        for rule in self._refusing.values():
            for entry in rule.entries if rule.finds == "words" else ():
                node = root
                for token in _tokens(entry):
                    node = node.setdefault(token, {})
                node.setdefault("", []).append(rule.rule)
        return root

    @cached_property
    def _patterns(self) -> list[tuple[str, Any]]:
        found = (rule for rule in self._refusing.values() if rule.finds == "patterns")
        return [(rule.rule, compiled(entry)) for rule in found for entry in rule.entries]

    def named(self, rule: str) -> OwnRule:
        """The own rule that is on under this name."""
        return next(one for one in self.own if one.rule == rule)

    def category_of(self, rule: str) -> str | None:
        """The category of a rule, own or built-in; None where it is switched off."""
        own = self._refusing.get(rule)
        if own is not None:
            return own.category
        return None if rule in self.off else rule.partition(".")[0]

    def find(self, text: str) -> Iterator[Hit]:
        """What the workspace's own words and patterns show in a view of a text."""
        if self._words:
            yield from _merged(self._word_spans(text))
        if self._patterns:
            yield from by_record(self._find_patterns, text)

    def _word_spans(self, text: str) -> Iterator[tuple[str, int, int]]:
        """The longest words of each rule that begin at a place, place after place."""
        ends: dict[str, int] = {}
        tokens = [(m[0].casefold(), m.start(), m.end()) for m in _TOKEN.finditer(text)]
        for place, (first, start, _) in enumerate(tokens):
            node = self._words.get(first)
            at = place
            while node is not None:
                for rule in node.get("", ()):
                    ends[rule] = tokens[at][2]
                at += 1
                node = node.get(tokens[at][0]) if at < len(tokens) else None
            for rule, end in ends.items():
                yield rule, start, end
            ends.clear()

    def _find_patterns(self, text: str) -> Iterator[Hit]:
        for rule, pattern in self._patterns:
            yield from _merged((rule, *match.span()) for match in pattern.finditer(text) if match.end() > match.start())

    def slot(self, key: str) -> OwnRule | None:
        """The weightiest rule by which this slot is never filled."""
        found = [rule for rule in self._refusing.values() if rule.finds == "slots" and key in rule.entries]
        return min(found, key=lambda rule: CATEGORIES.index(rule.category), default=None) if key else None

    def holds(self, texts: Sequence[str], key: str = "") -> str | None:
        """The first rule by which a person looks at these texts, or at what fills this slot."""
        return self._holding.first(texts, key) if self._holding is not None else None


BUILT_IN = RuleSet()
