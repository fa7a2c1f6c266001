"""The mean vector of texts about everything, which is what all vectors of the offline model share.

``background.txt`` holds the texts (our own), ``background.json`` their mean vectors.
``python -m memory_app.embedding.background`` measures them again; a new measure needs a new embedder name.
"""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TEXTS = Path(__file__).with_name("background.txt")
_MEANS = Path(__file__).with_name("background.json")


@cache
def load_background() -> "dict[str, NDArray[np.float32]]":
    """The mean vectors of ``queries`` and ``passages``."""
    import numpy as np

    means = json.loads(_MEANS.read_text("utf-8"))
    return {kind: np.array(means[kind], dtype=np.float32) for kind in ("queries", "passages")}


def measure() -> None:
    """``background.json`` says what ``background.txt`` gives with the model that is installed."""
    from memory_app.embedding.offline import OfflineEmbedder

    embedder = OfflineEmbedder()
    texts: dict[str, list[str]] = {"queries": [], "passages": []}
    for line in _TEXTS.read_text("utf-8").splitlines():
        kind, _, text = line.partition("\t")
        if text:
            texts[kind].append(text)
    means = {
        kind: [round(float(number), 6) for number in embedder.raw(texts[kind], is_query=kind == "queries").mean(axis=0)]
        for kind in texts
    }
    _MEANS.write_text(json.dumps(means) + "\n", "utf-8")


if __name__ == "__main__":
    measure()
