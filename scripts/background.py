"""``background.json`` says the mean vector of the texts in ``background.txt``, with the offline model that is installed."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from memory_app.embedding.background import MEAN
from memory_app.embedding.offline import OfflineEmbedder


def main() -> None:
    embedder = OfflineEmbedder()
    texts: dict[str, list[str]] = {"queries": [], "passages": []}
    for line in MEAN.with_suffix(".txt").read_text("utf-8").splitlines():
        kind, _, text = line.partition("\t")
        if text:
            texts[kind].append(text)
    kinds = [embedder.raw(texts[kind], is_query=kind == "queries").mean(axis=0) for kind in texts]
    mean = sum(kinds) / len(kinds)
    MEAN.write_text(json.dumps([round(float(number), 6) for number in mean]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
