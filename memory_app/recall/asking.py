"""A question made ready for the database: understood, embedded; and its answer ranked and put through the guardrail."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory_app.domain.ranking import MOST_TOLD, Calibration, Item, Question, Ranked, rank, understand
from memory_app.domain.turns import Said, Usual, rank_turns
from memory_app.embedding import get_embedder
from memory_app.recall.injectable import Released, refused
from memory_app.recall.visible import Wanted

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Asked:
    """A question with what it is fetched by."""

    question: Question
    vectors: list[list[float]]
    model: str
    calibration: Calibration

    def wanted(self, narrowed: Wanted) -> Wanted:
        """What to fetch for it, within what the caller narrows it to."""
        return replace(narrowed, words=list(self.question.terms), vectors=self.vectors, model=self.model)


def ask(query: str, now: datetime) -> Asked:
    """The question, embedded. Slow (an embedding), so it holds no database connection; a failing embedder leaves the
    words."""
    question = understand(query, now)
    embedder = get_embedder()
    calibration = Calibration(embedder.unrelated, embedder.related)
    texts = [part.asked for part in question.parts if part.asked]
    if question.small_talk or not texts:
        return Asked(question, [], embedder.name, calibration)
    try:
        vectors = embedder.queries(texts)
    except Exception as error:
        log.warning("embedder %s failed: %s", embedder.name, type(error).__name__)
        vectors = []
    return Asked(question, vectors, embedder.name, calibration)


def answer(
    asked: Asked,
    items: Sequence[Item],
    now: datetime,
    limit: int,
    population: int,
    released: Released,
    told: int = MOST_TOLD,
) -> list[Ranked]:
    """The ranked items, ``told`` of them in a sentence; one that the injection guardrail refuses makes room for the
    next."""
    ranked = rank(items, asked.question, now, len(items), population, asked.calibration, told)
    return _placed(ranked, limit, released)


def answer_with_turns(
    asked: Asked, turns: Sequence[Said], usual: Usual, now: datetime, limit: int, released: Released
) -> list[Ranked]:
    """The ranked turns, in the same way."""
    return _placed(rank_turns(turns, asked.question, now, usual, asked.calibration), limit, released)


def _placed(ranked: Sequence[Ranked], limit: int, released: Released) -> list[Ranked]:
    placed: list[Ranked] = []
    dropped: list[Ranked] = []
    for one in ranked:
        left_out = one.left_out
        if left_out is None and len(placed) >= limit:
            left_out = "limit"
        if left_out is None and (rule := refused(one.item, released)):
            one = replace(one, terms={**one.terms, "guardrail": rule})
            left_out = "guardrail"
        if left_out != one.left_out:
            one = replace(one, left_out=left_out)
        (dropped if left_out else placed).append(one)
    return placed + dropped
