"""The vectors of common words, from the model that comes along, for ``train_lasting.py`` to learn from.

English words are read from a list, one a line, the most frequent first (the weights that are shipped used the first
26,000 of wordfreq 3.1), Chinese ones from the segmenter's dictionary. It takes some twenty minutes, and once is enough.

    python scripts/word_vectors.py ENGLISH.txt      writes .data/words.npz
"""

import re
import sys
from pathlib import Path

import jieba
import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from memory_app.embedding.offline import OfflineEmbedder  # noqa: E402

KEPT = ROOT / ".data" / "words.npz"
ENGLISH, CHINESE, LONGEST = 22_000, 18_000, 4


def vocabulary(english: Path) -> list[str]:
    """Common words of both languages."""
    words = [w for w in english.read_text("utf-8").split() if re.fullmatch(r"[a-z][a-z']*", w)][:ENGLISH]
    counted = []
    for line in jieba.get_dict_file():
        word, count, *_ = line.decode("utf-8").split(" ")
        if len(word) <= LONGEST and all("\u3400" <= c <= "\u9fff" for c in word):
            counted.append((int(count), word))
    return sorted({*words, *(word for _, word in sorted(counted, reverse=True)[:CHINESE])})


def vectors() -> dict[str, NDArray[np.float32]]:
    """Each word's vector, as they were measured."""
    with np.load(KEPT) as held:
        return dict(zip(held["words"].tolist(), held["vectors"].astype(np.float32), strict=True))


def main() -> None:
    """Measures and keeps them."""
    words, embedder = vocabulary(Path(sys.argv[1])), OfflineEmbedder()
    found = [np.array(embedder.queries(words[at : at + 256]), dtype=np.float16) for at in range(0, len(words), 256)]
    KEPT.parent.mkdir(exist_ok=True)
    np.savez(KEPT, words=np.array(words), vectors=np.vstack(found))


if __name__ == "__main__":
    main()
