"""Texts that a pattern matches, spelled from the pattern itself."""

import re
from random import Random
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

_KINDS = {op.CATEGORY_DIGIT: "0379٣", op.CATEGORY_SPACE: " \t\n", op.CATEGORY_WORD: "aK_7é码"}
_ANY = "    aZ9,:码é\u017f"


class _Speller:
    def __init__(self, random: Random) -> None:
        self.random, self.groups = random, dict[int, str]()

    def all(self, parsed: Any) -> str:
        return "".join(self.one(kind, value) for kind, value in parsed)

    def one(self, kind: Any, value: Any) -> str:
        if kind is op.LITERAL:
            return chr(value)
        if kind is op.IN:
            return self.member(value)
        if kind is op.BRANCH:
            return self.all(self.random.choice(value[1]))
        if kind is op.SUBPATTERN:
            text = self.groups[value[0] or 0] = self.all(value[3])
            return text
        if kind is op.GROUPREF:
            return self.groups.get(value, "")
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            times = self.random.randint(value[0], min(value[1], value[0] + 2))
            return "".join(self.all(value[2]) for _ in range(times))
        if kind is op.ASSERT:  # what follows may spell it as well
            return self.all(value[1]) if self.random.random() < 0.5 else ""
        return self.random.choice(_ANY) if kind in (op.ANY, op.NOT_LITERAL) else ""

    def member(self, items: Any) -> str:
        if items[0][0] is op.NEGATE:
            return self.random.choice(_ANY)
        kind, value = self.random.choice(items)
        if kind is op.RANGE:
            return chr(self.random.randint(*value))
        return self.random.choice(_KINDS.get(value, _ANY)) if kind is op.CATEGORY else chr(value)


def matches(pattern: re.Pattern[str], enough: int, tries: int = 400) -> list[str]:
    """Texts that the pattern matches, the same ones each time; fewer than enough where most spellings of it fail."""
    random, parsed = Random(pattern.pattern), _parser.parse(pattern.pattern, pattern.flags)
    found: list[str] = []
    for _ in range(tries):
        text = _Speller(random).all(parsed)
        if pattern.flags & re.I:
            text = random.choice((text, text.upper(), text.title()))
        if pattern.search(text):
            found.append(text)
            if len(found) == enough:
                break
    return found
