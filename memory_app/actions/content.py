"""What a memory says, as actions pass it around: from notes and requests to versions, and as JSON in decisions."""

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from memory_app.domain.slots import WRITERS, default_cardinality
from memory_app.domain.words import fold
from memory_app.embedding import get_embedder
from memory_app.models import Cardinality, Memory, MemoryState, SearchEntry, Slot, Workspace

log = logging.getLogger(__name__)

TIMES = ("updated_at", "occurred_at", "expires_at", "confirmed_at")


@dataclass(frozen=True, slots=True)
class TextVector:
    """A text's embedding and the model that made it; `values` is None where there is none yet."""

    model: str
    values: list[float] | None = field(repr=False)

    @classmethod
    def of(cls, entry: SearchEntry) -> "TextVector":
        """The vector of a version's search entry."""
        return cls(entry.model, None if entry.vector is None else list(entry.vector))


#: For where there is no time to embed: the text is found by its words at once, and by meaning later.
NO_VECTOR = TextVector("", None)
_put_off: ContextVar[list[str] | None] = ContextVar("put_off", default=None)


@contextmanager
def embedding_put_off() -> Iterator[list[str]]:
    """Inside of the block, which is one transaction, no text is embedded; the list says which ones wait for it."""
    texts: list[str] = []
    before = _put_off.set(texts)
    try:
        yield texts
    finally:
        _put_off.reset(before)


def embed(text: str) -> TextVector:
    """The vector of a text. Slow, so it is called before a transaction and never inside one."""
    return embed_all([text])[text]


def embed_all(texts: Iterable[str]) -> dict[str, TextVector]:
    """The vector of each text, in one call of the embedder. One that fails loses nothing: NO_VECTOR for each."""
    wanted = list(dict.fromkeys(texts))
    if (later := _put_off.get()) is not None:
        later.extend(wanted)
        return dict.fromkeys(wanted, NO_VECTOR)
    embedder = get_embedder()
    try:
        vectors = embedder.passages(wanted) if wanted else []
    except Exception as error:  # any failure of a remote endpoint or a model
        log.warning("embedder %s failed: %s", embedder.name, type(error).__name__)
        return dict.fromkeys(wanted, NO_VECTOR)
    return {text: TextVector(embedder.name, vector) for text, vector in zip(wanted, vectors, strict=True)}


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
