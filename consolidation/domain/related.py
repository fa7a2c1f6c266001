"""Which records a candidate can have to do with at all, found without comparing it with each of them.

Two statements can only be the same, in conflict or unsure where they share a slot, a content token or their very words,
or where their vectors are close. Everything else is unrelated, however many records there are.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from memory_app.domain.words import fold

from .compare.everyday import in_one_wording
from .compare.tokens import content
from .matching import Statement, slot_of
from .working_set import Record

# Slots that are compared with each other.
_ONE_SLOT = {"dislikes": "likes", "hotel_budget": "budget"}


def _marks(statement: Statement) -> Iterator[str]:
    yield from content(statement.text) | content(in_one_wording(fold(statement.text)))
    yield f"text {fold(statement.text).strip(' .。!！')}"
    slot = slot_of(statement)
    for key in {statement.key, slot[0] if slot else None} - {None}:
        yield f"slot {_ONE_SLOT.get(str(key), key)}"


class Related:
    """The live records by what they share with others. What a record once said still finds it."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._places: dict[int, int] = {}
        self._records: list[Record] = []
        self._by: dict[str, set[int]] = defaultdict(set)
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        """The record is found by what it says now."""
        place = self._places.setdefault(id(record), len(self._records))
        if place == len(self._records):
            self._records.append(record)
        for mark in _marks(record.statement):
            self._by[mark].add(place)

    def of(self, statement: Statement, alike: Mapping[str, float], close: float) -> tuple[Record, ...]:
        """The records that the statement may say something about, in the order in which they were added."""
        found = set().union(*(self._by.get(mark, ()) for mark in _marks(statement)))
        near = {i for i, record in enumerate(self._records) if alike.get(record.ref, 0.0) >= close}
        return tuple(self._records[i] for i in sorted(found | near))
