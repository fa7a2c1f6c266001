"""What a memory has to do with a question: words, vectors and fields of life, from nothing at all upwards.

``vector`` is the similarity on the scale from what unrelated texts have to what certain answers have; ``keyword`` is
BM25 over the fetched rows, as a share of what a text with every word of the question would get; ``concept`` is the
share of the question's fields of life.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory_app.domain.concepts import concepts, may_touch
from memory_app.domain.items import Item
from memory_app.domain.question import Part, Question
from memory_app.domain.words import telling_words

VECTOR, KEYWORD, CONCEPT = 0.5, 0.4, 0.16
K1, B = 1.2, 0.5


@dataclass(frozen=True)
class Calibration:
    """The similarity that unrelated texts have under an embedder, and the one of certain answers."""

    unrelated: float = 0.05
    related: float = 0.5


def entry_text(text: str, key: str = "", value: Any = None, subject: str = "", keywords: Sequence[str] = ()) -> str:
    """What the search words of a memory are taken from: its text, and what its slot adds to it."""
    parts = [text, key.replace("_", " "), subject.replace("_", " "), *keywords]
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        parts.append(str(value))
    return "\n".join(part for part in parts if part)


def relevance(
    items: Sequence[Item], question: Question, population: int, calibration: Calibration
) -> list[dict[str, Any]]:
    """What each item has to do with the question; of several things asked at once, with the one it fits best."""
    terms = question.terms
    counts = [_counted(item.tokens, terms) for item in items]
    seen = Counter(term for count in counts for term in count)
    # Two memories are too few to tell a common word from a rare one: some unseen ones without it are assumed.
    total = population + 8
    rarity = {term: rareness(seen[term], total) for term in terms}
    most = rareness(1, total)
    fields = _shared_fields(items, frozenset(field for part in question.parts for field in part.concepts))
    touched = Counter(field for own in fields for field in own)
    common = {field: rareness(times, total) / most for field, times in touched.items()}
    lengths = [telling_words(item.tokens) or 1 for item in items]
    keyword = [_keyword_scores(counts, lengths, rarity, part, total) for part in question.parts]
    found = []
    for at, item in enumerate(items):
        vector = VECTOR * vector_score(item.similarity, calibration)
        keyword_score = concept_score = 0.0
        shared: list[str] = []
        if counts[at] or fields[at]:  # most have neither
            keyword_score, concept_score = max(
                (KEYWORD * scores[at], CONCEPT * _concept_score(fields[at], part, common))
                for scores, part in zip(keyword, question.parts, strict=True)
            )
            shared = sorted(counts[at], key=lambda term: (-terms[term] * rarity[term], term))
        found.append({
            "relevance": vector + keyword_score + concept_score,
            "vector": vector,
            "keyword": keyword_score,
            "concept": concept_score,
            "words": shared[:8],
        })  # fmt: skip
    return found


def _counted(tokens: Sequence[str], terms: Mapping[str, Any]) -> dict[str, int]:
    """How often each of the terms is among the tokens."""
    count: dict[str, int] = {}
    for token in tokens:
        if token in terms:
            count[token] = count.get(token, 0) + 1
    return count


def _shared_fields(items: Sequence[Item], asked: frozenset[str]) -> list[frozenset[str]]:
    """The fields of life of the question that each item touches; most have no word of one, and are not read for it."""
    if not asked:
        return [asked] * len(items)
    return [
        concepts(entry_text(item.text, item.key)) & asked if may_touch(item.text, item.tokens, asked) else frozenset()
        for item in items
    ]


def rareness(seen: int, total: int) -> float:
    """How much a word tells that so many of all texts have (BM25's inverse document frequency)."""
    return math.log(1 + (total - seen + 0.5) / (seen + 0.5))


def _keyword_scores(
    counts: Sequence[Mapping[str, int]], lengths: Sequence[int], rarity: Mapping[str, float], part: Part, total: int
) -> list[float]:
    """BM25 of each item as a share of the most that the words of the part can give."""
    average = sum(lengths) / (len(lengths) or 1)
    most = sum(weight * min(rarity[term], rareness(1, total)) for term, weight in part.terms.items())
    if not most:
        return [0.0] * len(counts)
    return [
        min(
            1.0,
            sum(
                part.terms[term] * rarity[term] * often * (K1 + 1) / (often + K1 * (1 - B + B * length / average))
                for term, often in count.items()
                if term in part.terms
            )
            / most,
        )
        if count
        else 0.0
        for count, length in zip(counts, lengths, strict=True)
    ]


def vector_score(similarity: float | None, calibration: Calibration) -> float:
    """A similarity on the scale from what unrelated texts have (0) to what certain answers have (1)."""
    if similarity is None:
        return 0.0
    span = calibration.related - calibration.unrelated
    return max(0.0, min(1.2, (similarity - calibration.unrelated) / span))


def _concept_score(fields: frozenset[str], part: Part, rarity: Mapping[str, float]) -> float:
    """How sure a shared field of life is: all of the question's fields more than one, a rare one more than a common."""
    shared = fields & part.concepts
    if not shared:
        return 0.0
    return (0.7 + 0.3 * len(shared) / len(part.concepts)) * max(rarity[field] for field in shared)
