"""Many short texts read at once: to begin a reading costs more than a short text does.

Texts stand in one document, each in a record of its own; what is found in a record is said by its own offsets.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from memory_app.guardrails.findings import RECORD, Finding
from memory_app.guardrails.own import BUILT_IN, RuleSet
from memory_app.guardrails.screen import scan

BETWEEN = f"\n{RECORD}\n"
#: Characters that one document holds; a longer text is a document by itself.
DOCUMENT = 6_000


def _documents(texts: Sequence[str]) -> Iterator[list[int]]:
    places: list[int] = []
    size = 0
    for place, text in enumerate(texts):
        if not text:
            continue
        if places and size + len(text) > DOCUMENT:
            yield places
            places, size = [], 0
        places.append(place)
        size += len(text) + len(BETWEEN)
    if places:
        yield places


def scan_each(texts: Sequence[str], wanted: frozenset[str], rules: RuleSet = BUILT_IN) -> list[list[Finding]]:
    """What each of the texts shows of the wanted categories."""
    found: list[list[Finding]] = [[] for _ in texts]
    for places in _documents(texts):
        starts: list[int] = []
        at = 0
        for place in places:
            starts.append(at)
            at += len(texts[place]) + len(BETWEEN)
        for finding in scan(BETWEEN.join(texts[place] for place in places), wanted, rules):
            for place, start, end in _shares(finding, starts, [len(texts[place]) for place in places]):
                found[places[place]].append(Finding(finding.category, finding.rule, start, end))
    return found


def _shares(finding: Finding, starts: Sequence[int], sizes: Sequence[int]) -> Iterable[tuple[int, int, int]]:
    """The records that the finding lies in, each with the part of it."""
    for place in range(max(bisect_right(starts, finding.start) - 1, 0), len(starts)):
        if starts[place] >= finding.end:
            break
        start = max(finding.start - starts[place], 0)
        end = min(finding.end - starts[place], sizes[place])
        if start < end:
            yield place, start, end
