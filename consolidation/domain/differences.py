"""In what two statements differ although they are close: what somebody has to know before one counts as a source of
the other."""

from dataclasses import dataclass
from typing import Any

from memory_app.domain.words import fold

from .compare import conditions, values
from .compare.polarity import polarity
from .compare.quantities import Quantity, Span, spans
from .compare.texts import TextRelation, compare_texts
from .compare.tokens import content, tokens
from .compare.values import Same, hard_differences

#: 一班, "a flight": an article rather than a number.
_ONE = Quantity("count", 1)


@dataclass(frozen=True, slots=True)
class Said:
    """What is compared of a statement."""

    text: str
    key: str = ""
    value: Any = None
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """`kind` is value, number, negation, condition or topic; the words of either side where there are any to show."""

    kind: str
    mine: str = ""
    theirs: str = ""


def differences(mine: Said, theirs: Said) -> tuple[Difference, ...]:
    """Every fact in which the first contradicts the second; none where the words show none."""
    found = [*_value(mine, theirs), *_condition(mine, theirs)]
    a, b = polarity(mine.text), polarity(theirs.text)
    if a.sign != b.sign or a.ended != b.ended:
        found.append(Difference("negation"))
    if not any(one.kind == "value" for one in found):
        found += _numbers(mine.text, theirs.text)
    if not found and _speak_apart(mine.text, theirs.text):
        found.append(Difference("topic"))
    return tuple(found)


def still_says(text: str, value: Any) -> bool:
    """The text holds this value, in these words or in others that mean the same: 靠过道 says `aisle`."""
    wanted = content(values.normal(value))
    return bool(wanted) and (fold(str(value)) in fold(text) or wanted <= content(text))


def _value(mine: Said, theirs: Said) -> list[Difference]:
    if not mine.key or mine.key != theirs.key or mine.value is None or theirs.value is None:
        return []
    if values.compare(mine.value, theirs.value) not in (Same.DIFFERENT, Same.OPPOSITE):
        return []
    return [Difference("value", str(mine.value), str(theirs.value))]


def _condition(mine: Said, theirs: Said) -> list[Difference]:
    a, b = (conditions.known(one.condition or None, one.text) for one in (mine, theirs))
    apart = a and b and not a & b  # where only one names a case, the other may hold for it as well
    return [Difference("condition", mine.condition, theirs.condition)] if apart else []


def _numbers(mine: str, theirs: str) -> list[Difference]:
    a, b = _told(mine), _told(theirs)
    only_mine, only_theirs = ({k: v for k, v in x.items() if k not in y} for x, y in ((a, b), (b, a)))
    if not only_mine and not only_theirs:
        return []
    return [Difference("number", ", ".join(only_mine.values()), ", ".join(only_theirs.values()))]


def _told(text: str) -> dict[tuple[Quantity, str | None], str]:
    folded = fold(text)
    return {(s.quantity, s.identifier): _words(folded, s) for s in spans(folded) if s.quantity != _ONE or s.identifier}


def _words(folded: str, span: Span) -> str:
    return folded[span.start : span.end].strip()


def _speak_apart(mine: str, theirs: str) -> bool:
    """The words themselves are at odds, or either names something that the other does not."""
    if compare_texts(mine, theirs) in (TextRelation.CONFLICT, TextRelation.OPPOSITE):
        return True
    only_mine, only_theirs = hard_differences(tokens(mine), tokens(theirs))
    return any(
        a.kind == b.kind == "name" or (a.family and a.family == b.family) for a in only_mine for b in only_theirs
    )
