"""The mean vector of texts about everything, which is what all vectors of the offline model share.

``background.txt`` holds the texts (our own), ``background.json`` their mean vector.
``python scripts/background.py`` measures them again; a new measure needs a new embedder name.
"""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MEAN = Path(__file__).with_name("background.json")


@cache
def load_background() -> "NDArray[np.float32]":
    """The mean vector, halfway between that of questions and that of stored texts.

    One mean for both: with a mean for each, what an answer shares with its question was taken out too, and fewer of
    the right turns of recorded conversations came first.
    """
    import numpy as np

    return np.array(json.loads(MEAN.read_text("utf-8")), dtype=np.float32)
