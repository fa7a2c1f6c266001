"""What a memory says, as actions pass it around: from notes and requests to versions, and as JSON in decisions."""

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from memory_app.domain.slots import WRITERS, default_cardinality
from memory_app.domain.words import fold, words
from memory_app.embedding import get_embedder
from memory_app.models import Cardinality, Memory, MemoryState, Slot, Workspace

log = logging.getLogger(__name__)

TIMES = ("updated_at", "occurred_at", "expires_at", "confirmed_at")


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """What recall will find a text by; `vector` is None where the embedder did not answer."""

    tokens: list[str]
    model: str
    vector: list[float] | None = field(repr=False)

    @classmethod
    def by_words(cls, text: str, keywords: Iterable[str] = ()) -> "SearchTerms":
        """Terms without a vector, for where there is no time to make one: found by words at once."""
        return cls(words(" ".join([text, *keywords])), "", None)


def search_terms(text: str, keywords: Iterable[str] = ()) -> SearchTerms:
    """Words and vector of a text. Slow (an embedding), so it is called before a transaction, never inside one.

    A failing embedder loses nothing: the text is found by its words, and the vector is made later.
    """
    return search_terms_of({text: keywords})[text]


def search_terms_of(texts: Mapping[str, Iterable[str]]) -> dict[str, SearchTerms]:
    """The same for several texts, each with its keywords, in one call of the embedder."""
    embedder = get_embedder()
    vectors: Sequence[list[float] | None]
    try:
        vectors = embedder.passages(list(texts)) if texts else []
    except Exception as error:  # any failure of a remote endpoint or a model
        log.warning("embedder %s failed: %s", embedder.name, type(error).__name__)
        vectors = [None] * len(texts)
    return {
        text: SearchTerms(words(" ".join([text, *keywords])), embedder.name if vector is not None else "", vector)
        for (text, keywords), vector in zip(texts.items(), vectors, strict=True)
    }


def value_key(value: Any, text: str) -> str:
    """A value in the form in which two of them are compared for being the same; the text where there is none."""
    if value is None:
        return fold(text)[:500]
    if isinstance(value, dict | list):
        return fold(json.dumps(value, ensure_ascii=False, sort_keys=True))[:500]
    return fold(str(value))[:500]


def ensure_slot(workspace: Workspace, key: str) -> Slot | None:
    """The registered slot of this key; an unknown key makes one."""
    if not key:
        return None
    slot, _ = Slot.objects.get_or_create(
        workspace=workspace,
        key=key,
        defaults={"cardinality": default_cardinality(key), "writers": list(WRITERS)},
    )
    return slot


def fill_slot(state: dict[str, Any], slot: Slot | None) -> dict[str, Any]:
    """The state with the columns by which the database keeps one value in a one-slot."""
    return state | {
        "single": slot is not None and slot.cardinality == Cardinality.ONE,
        "value_key": value_key(state.get("value"), state["text"]) if slot is not None else "",
    }


def to_json(state: Mapping[str, Any]) -> dict[str, Any]:
    """A state as JSON: times in ISO 8601, ids as strings."""
    return {name: _plain(value) for name, value in state.items()}


def from_json(document: Mapping[str, Any]) -> dict[str, Any]:
    """The state that `to_json` wrote."""
    state = dict(document)
    for name in TIMES:
        if isinstance(state.get(name), str):
            state[name] = parse_datetime(state[name])
    return state


def snapshot(memory: Memory) -> dict[str, Any]:
    """A memory's content and confirmation as JSON, for `before` and `after` of a decision."""
    return to_json(memory.state() | {"confirmed_at": memory.confirmed_at})


def only_state(document: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a version among the entries of a document."""
    return {name: value for name, value in document.items() if name in MemoryState.STATE}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if value is None or isinstance(value, bool | int | float | str | dict | list):
        return value
    return str(value)
