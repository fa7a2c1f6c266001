"""The mean vector of texts about everything, which is what all vectors of the offline model share.

``background.txt`` holds the texts (our own), ``background.json`` their mean vector.
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
_MEAN = Path(__file__).with_name("background.json")


@cache
def load_background() -> "NDArray[np.float32]":
    """The mean vector, halfway between that of questions and that of stored texts.

    One mean for both: with a mean for each, what an answer shares with its question was taken out too, and fewer of
    the right turns of recorded conversations came first.
    """
    import numpy as np

    return np.array(json.loads(_MEAN.read_text("utf-8")), dtype=np.float32)


def measure() -> None:
    """``background.json`` says what ``background.txt`` gives with the model that is installed."""
    from memory_app.embedding.offline import OfflineEmbedder

    embedder = OfflineEmbedder()
    texts: dict[str, list[str]] = {"queries": [], "passages": []}
    for line in _TEXTS.read_text("utf-8").splitlines():
        kind, _, text = line.partition("\t")
        if text:
            texts[kind].append(text)
    kinds = [embedder.raw(texts[kind], is_query=kind == "queries").mean(axis=0) for kind in texts]
    mean = sum(kinds) / len(kinds)
    _MEAN.write_text(json.dumps([round(float(number), 6) for number in mean]) + "\n", "utf-8")


if __name__ == "__main__":
    measure()
