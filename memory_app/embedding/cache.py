"""The vectors of recent questions, kept in the process: embedding the question is nearly all of a recall's time."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence

from memory_app.embedding.protocol import Embedder

LIMIT = 2048


class QueryCache:
    """An embedder that remembers its latest questions by a hash, so that no text stays in it."""

    def __init__(self, inner: Embedder, limit: int = LIMIT) -> None:
        self.inner = inner
        self.name, self.dimensions = inner.name, inner.dimensions
        self.unrelated, self.related = inner.unrelated, inner.related
        self._limit = limit
        self._kept: OrderedDict[bytes, list[float]] = OrderedDict()
        self._lock = threading.Lock()

    def queries(self, texts: Sequence[str]) -> list[list[float]]:
        keys = [hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() for text in texts]
        found: dict[bytes, list[float]] = {}
        with self._lock:
            for key in keys:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    found[key] = self._kept[key]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing:
            made = self.inner.queries(list(missing.values()))
            with self._lock:
                for key, vector in zip(missing, made, strict=True):
                    found[key] = self._kept[key] = vector
                while len(self._kept) > self._limit:
                    self._kept.popitem(last=False)
        # An endpoint may tell its vectors' length only with its first answer.
        self.dimensions = self.inner.dimensions
        return [list(found[key]) for key in keys]

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        made = self.inner.passages(texts)
        self.dimensions = self.inner.dimensions
        return made
