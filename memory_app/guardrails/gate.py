"""Patterns that are looked for only in a text that holds what each of their matches needs.

Most texts hold next to nothing of what the rules look for, and most of a check's time was spent on finding that out,
pattern by pattern. What a match needs is taken from the pattern itself: of one or more sets of short pieces of text,
each set has at least one in it, and so many digits. A text's pieces and digits are counted once a check, and forgotten
after it. A gate can be open for nothing, and is never closed to a match: what it cannot tell of a part of a pattern, it
takes for anything.

A pattern is read by the parser of the standard library, which is private: another Python may have none, or other trees.
A gate that cannot read its pattern stays open, and a test holds every gate against generated matches.
"""

import re
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from math import prod
from operator import add
from typing import Any

try:
    _parser, op = import_module("re._parser"), import_module("re._constants")
except ImportError:  # then every gate is open
    _parser = op = None  # type: ignore[assignment]

_NOTHING: frozenset[str] = frozenset()
_EMPTY = frozenset({""})
# Letters that the engine takes for one of ASCII where case does not matter.
_SAME = {0x130: "i", 0x131: "i", 0x17F: "s", 0x212A: "k"}
_DIGIT = re.compile(r"\d")
#: The pieces are this long at most.
_PIECE = 4
#: So many spellings of one place are told apart, and so many pieces make a set.
_SPELLINGS, _MOST = 64, 400
#: So many sets of a pattern are asked for: those that fewest texts hold.
_SETS = 3
#: A set that more texts than this hold keeps none out.
_USUAL = 0.8
#: A longer text is searched as it is: its pieces would fill the memory, at some 240 bytes a character.
LONGEST = 20_000
#: So many characters of texts are kept with their pieces during a check; the text and its lower case are two.
KEPT = 2 * LONGEST
_COMMON = " etaoinshrdlcumwfgypbvkjxqz"


@dataclass(frozen=True, slots=True)
class Held:
    """What a text holds: its pieces in lower case, and how many digits."""

    pieces: Set[str]
    digits: int


_counted: ContextVar[dict[str, Held] | None] = ContextVar("counted", default=None)


@contextmanager
def counting() -> Iterator[None]:
    """Within it gates are asked, and what a text holds is kept for the next gate; it is forgotten at the end."""
    before = _counted.set({})
    try:
        yield
    finally:
        _counted.reset(before)


def _count(low: str) -> Held:
    pieces = set(low)
    longer: Iterable[str] = low
    for size in range(1, _PIECE):
        longer = list(map(add, longer, low[size:]))
        pieces.update(longer)
    return Held(pieces, len(_DIGIT.findall(low)))


def _hold(counted: dict[str, Held], text: str) -> Held:
    low = text.lower() if text.isascii() else text.translate(_SAME).lower()
    has = counted.get(low) or _count(low)
    new = {low, text}
    kept = sum(map(len, counted.keys() | new))
    for oldest in [each for each in counted if each not in new]:
        if kept <= KEPT:
            break
        del counted[oldest]
        kept -= len(oldest)
    counted[low] = counted[text] = has
    return has


def held(text: str) -> Held:
    """What the text holds; within a check it is counted once, however many patterns ask."""
    counted = _counted.get()
    if counted is None:
        return _hold({}, text)
    return counted.get(text) or _hold(counted, text)


@dataclass(frozen=True, slots=True)
class _Part:
    """What is known of a part of a pattern: all its spellings, or the sets it needs; and its digits."""

    spellings: frozenset[str] | None = None
    needs: tuple[frozenset[str], ...] = ()
    digits: int = 0

    def all_needs(self) -> tuple[frozenset[str], ...]:
        """The sets that it needs, its spellings among them."""
        if self.spellings is None or "" in self.spellings or len(self.spellings) > _MOST:
            return self.needs
        return (*self.needs, self.spellings)


def _chance(piece: str) -> float:
    """How likely a text of some hundred characters holds the piece: a rough guess, which only says what to ask for."""
    return min(
        1.0,
        300 * prod(0.12 * 0.87 ** _COMMON.index(c) if c in _COMMON else 0.01 if c.isascii() else 0.002 for c in piece),
    )


def _rarest(spelling: str) -> str:
    if len(spelling) <= _PIECE:
        return spelling
    return min((spelling[at : at + _PIECE] for at in range(len(spelling) - _PIECE + 1)), key=_chance)


def _cost(need: Iterable[str]) -> float:
    return sum(_chance(_rarest(spelling)) for spelling in need)


def _character(code: int) -> frozenset[str] | None:
    """The character in lower case, or None for one that other characters may stand for."""
    character = chr(code)
    if character.isascii() or character.lower() == character.upper():
        return frozenset({character.lower()})
    return None


def _class(items: list[tuple[Any, Any]]) -> _Part:
    found: set[str] = set()
    known, digits = True, True
    for kind, value in items:
        if kind is op.CATEGORY and value is op.CATEGORY_DIGIT:
            known = False
        elif kind is op.LITERAL:
            digits = digits and chr(value).isdecimal()
            same = _character(value)
            known = known and same is not None
            found |= same or _NOTHING
        elif kind is op.RANGE and value[1] - value[0] < _SPELLINGS:
            same_each = [_character(code) for code in range(value[0], value[1] + 1)]
            digits = digits and all(chr(code).isdecimal() for code in range(value[0], value[1] + 1))
            known = known and None not in same_each
            found.update(*(same or _NOTHING for same in same_each))
        else:
            known = digits = False
    small = known and 0 < len(found) <= 8
    return _Part(frozenset(found) if small else None, digits=int(digits))


def _joined(parts: Iterable[_Part]) -> _Part:
    """One part after the other."""
    needs: list[frozenset[str]] = []
    spellings: frozenset[str] = _EMPTY
    whole, digits = True, 0
    for part in parts:
        digits += part.digits
        needs += part.needs
        if part.spellings is not None and len(spellings) * len(part.spellings) <= _SPELLINGS:
            spellings = frozenset(a + b for a, b in product(spellings, part.spellings))
            continue
        whole = False
        needs += _Part(spellings).all_needs()
        spellings = part.spellings if part.spellings is not None else _EMPTY
    if whole:
        return _Part(spellings, tuple(needs), digits)
    return _Part(None, (*needs, *_Part(spellings).all_needs()), digits)


def _either(parts: list[_Part]) -> _Part:
    """One of the parts."""
    digits = min(part.digits for part in parts)
    each = [part.all_needs() for part in parts]
    need = frozenset().union(*(min(needs, key=_cost) for needs in each)) if all(each) else _NOTHING
    needs = (need,) if 0 < len(need) <= _MOST else ()
    if all(part.spellings is not None for part in parts):
        spellings = frozenset().union(*(part.spellings or _NOTHING for part in parts))
        if len(spellings) <= _MOST:
            return _Part(spellings, needs if any(part.needs for part in parts) else (), digits)
    return _Part(None, needs, digits)


def _repeated(least: int, most: int, part: _Part) -> _Part:
    if (least, most) == (1, 1):
        return part
    if least == 0:
        once = most == 1 and part.spellings is not None
        return _Part((part.spellings or _NOTHING) | _EMPTY if once else None)
    return _Part(None, part.all_needs(), min(least, 100) * part.digits)


def _part(kind: Any, value: Any) -> _Part:
    if kind is op.LITERAL:
        return _Part(_character(value), digits=int(chr(value).isdecimal()))
    if kind is op.IN:
        return _class(value)
    if kind is op.BRANCH:
        return _either([_read(branch) for branch in value[1]])
    if kind is op.SUBPATTERN:
        return _read(value[3])
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return _repeated(value[0], value[1], _read(value[2]))
    if kind is op.ASSERT:
        return _Part(_EMPTY, _read(value[1]).all_needs())
    if kind in (op.AT, op.ASSERT_NOT):
        return _Part(_EMPTY)
    return _Part()


def _read(parsed: Any) -> _Part:
    return _joined(_part(kind, value) for kind, value in parsed)


def _part_of(pattern: str, flags: int) -> _Part:
    """What is known of a whole pattern: nothing, where the parser is not the one that is known here."""
    try:
        return _read(_parser.parse(pattern, flags))
    except Exception:  # whatever another parser does, a match is not missed
        return _Part()


def needed(pattern: str, flags: int = 0) -> tuple[frozenset[str], ...]:
    """Sets of pieces of which every match has one each; first the one that fewest texts hold."""
    found = {frozenset(map(_rarest, need)) for need in _part_of(pattern, flags).all_needs()}
    return tuple(sorted(found, key=lambda need: (_cost(need), sorted(need))))


class Gated:
    """A pattern with its gate; it finds what the pattern finds. Gate and pattern are made when they are first needed:
    most patterns of a process never are."""

    __slots__ = ("_compiled", "_digits", "_needs", "flags", "pattern")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern, self.flags = pattern, int(flags)
        self._compiled: re.Pattern[str] | None = None
        self._needs: tuple[frozenset[str], ...] | None = None
        self._digits = 0

    @property
    def compiled(self) -> re.Pattern[str]:
        """The pattern without its gate, for what is no whole text."""
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self.flags)
        return self._compiled

    @property
    def needs(self) -> tuple[frozenset[str], ...]:
        """The sets of which a match has something each."""
        if self._needs is None:
            part = _part_of(self.pattern, self.flags)
            found = {frozenset(map(_rarest, need)) for need in part.all_needs()}
            best = sorted(found, key=lambda need: (_cost(need), sorted(need)))[:_SETS]
            self._digits = part.digits
            self._needs = tuple(need for need in best if _cost(need) < _USUAL)
        return self._needs

    @property
    def digits(self) -> int:
        """How many digits a match has at least."""
        return self._digits if self.needs is not None else 0

    def may_be_in(self, text: str) -> bool:
        """False if the text cannot hold a match, which is asked during a check only."""
        counted = _counted.get()
        if counted is None or len(text) > LONGEST:
            return True
        has = counted.get(text) or _hold(counted, text)
        needs = self.needs if self._needs is None else self._needs
        if has.digits < self._digits:
            return False
        for need in needs:  # noqa: SIM110  (every check asks some hundred gates: a loop of its own takes longer)
            if need.isdisjoint(has.pieces):
                return False
        return True

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Every match."""
        return self.compiled.finditer(text) if self.may_be_in(text) else iter(())

    def search(self, text: str) -> re.Match[str] | None:
        """The first match."""
        return self.compiled.search(text) if self.may_be_in(text) else None


gated = Gated
