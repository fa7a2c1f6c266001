"""The values that guardrails answer with."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

Stage = Literal["capture", "consolidation", "injection"]

# Strongest first: the first category with a finding names the verdict.
CATEGORIES: tuple[str, ...] = ("secret", "payment", "pii", "instruction", "speculation")
# Their literal text is never stored. Of the others the text itself is what a person has to judge, and can overrule.
MASKED_CATEGORIES: frozenset[str] = frozenset({"secret", "payment", "pii"})
JUDGED_CATEGORIES: frozenset[str] = frozenset({"instruction", "speculation"})


#: Stands between texts that are read at once and are about different things.
RECORD = "\u241e"


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule matched this span of the view that was scanned."""

    rule: str
    start: int
    end: int


def by_record(find: Callable[[str], Iterator[Hit]], text: str) -> Iterator[Hit]:
    """What is found in each record by itself, where it matters what else the text holds."""
    at = 0
    for record in text.split(RECORD):
        yield from (Hit(hit.rule, at + hit.start, at + hit.end) for hit in find(record))
        at += len(record) + len(RECORD)


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule matched this span of the original text."""

    category: str
    rule: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its secrets, payment data and personal identifiers, and what was found in it."""

    text: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a text may be kept or shown, and why not. Holds no raw secret."""

    allowed: bool
    category: str | None
    rule: str | None
    findings: tuple[Finding, ...]
    masked: str
    excerpt: str | None
    rule_set: str


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """One rule as people read it on the rules page. `title` and `why` are English message ids."""

    rule: str
    category: str
    stages: tuple[str, ...]
    title: str
    why: str
