"""Trains the reading of planted instructions and says how well it reads styles that it was not trained on.

Examples stand in ``scripts/planted/``, one a line: ``+`` must be found, ``-`` must not, each file one style (both
languages of a style belong together), and the written cases of ``tests/guardrails/``. ``fresh.txt`` is never trained
on. The same examples give the same weights: nothing is drawn by chance.

    python scripts/train_planted.py            trains, reports, writes memory_app/guardrails/planted.npz
    python scripts/train_planted.py --report   reports only
"""

import json
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from memory_app.guardrails import planted  # noqa: E402
from memory_app.guardrails.normalise import plain  # noqa: E402
from memory_app.guardrails.orders import lowered  # noqa: E402

EXAMPLES, CASES = ROOT / "scripts" / "planted", ROOT / "tests" / "guardrails" / "cases.jsonl"
MEASURE = "fresh"
FOLDS = 5
STEPS, WORDS_CALM, MEANING_CALM = 200, 0.03, 20.0
#: Of the harmless examples, all of them near misses, this share may be taken for planted.
FALSE_ALARM = 0.04
#: Of the planted examples, this share is read for its meaning; hardly any of the rest would be found by it.
DOUBTED = 0.82
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Examples:
    """Texts with what they are; `styles` says which were written together."""

    texts: list[str]
    planted: Floats
    styles: list[str]
    features: list[NDArray[np.int64]]
    vectors: Floats

    def only(self, chosen: NDArray[np.bool_]) -> "Examples":
        """The chosen ones."""
        at = np.flatnonzero(chosen)
        return Examples(
            [self.texts[i] for i in at], self.planted[at], [self.styles[i] for i in at],
            [self.features[i] for i in at], self.vectors[at],
        )  # fmt: skip


def load() -> Examples:
    """Every example, read once."""
    rows: list[tuple[str, bool, str]] = []
    for line in CASES.read_text("utf-8").splitlines():
        case = json.loads(line)
        text = case["input"]["text"]
        rows.append((text, case["expect"]["category"] == "instruction", f"cases {zlib.crc32(text.encode()) % FOLDS}"))
    for path in sorted(EXAMPLES.glob("*.txt")):
        style = path.stem.removesuffix("_en").removesuffix("_zh")
        for line in path.read_text("utf-8").splitlines():
            if line[:2] in ("+ ", "- "):
                rows.append((line[2:].strip(), line[0] == "+", style))
    low = [lowered(plain(text).text)[: planted.LONGEST] for text, _, _ in rows]
    vectors = np.vstack([planted.vectors([text]) for text in low]).astype(np.float64)
    return Examples(
        low, np.array([p for _, p, _ in rows], dtype=np.float64), [s for _, _, s in rows],
        [np.array(planted.features(text), dtype=np.int64) for text in low], vectors,
    )  # fmt: skip


class Descent:
    """Adam: each weight moves by its own history, so that rare words learn too."""

    def __init__(self, size: int, rate: float) -> None:
        self.weights, self.rate, self.step = np.zeros(size), rate, 0
        self._mean, self._square = np.zeros(size), np.zeros(size)

    def move(self, gradient: Floats) -> None:
        """One step down."""
        self.step += 1
        self._mean = 0.9 * self._mean + 0.1 * gradient
        self._square = 0.999 * self._square + 0.001 * gradient**2
        mean, square = self._mean / (1 - 0.9**self.step), self._square / (1 - 0.999**self.step)
        self.weights -= self.rate * mean / (np.sqrt(square) + 1e-9)


def _pull(scores: Floats, truth: Floats) -> Floats:
    share = truth.mean()
    weight = np.where(truth == 1, 0.5 / share, 0.5 / (1 - share)) / len(truth)
    return np.asarray((1 / (1 + np.exp(-scores)) - truth) * weight)


def fit_words(e: Examples) -> tuple[Floats, float]:
    """Weights by bucket, and the bias."""
    sizes = np.array([len(f) for f in e.features])
    starts, at, scale = np.cumsum([0, *sizes[:-1]]), np.concatenate(e.features), 1 / np.sqrt(sizes)
    way = Descent(planted.BUCKETS + 1, 0.1)
    for _ in range(STEPS):
        w = way.weights
        pull = _pull(np.add.reduceat(w[at], starts) * scale + w[-1], e.planted)
        slope = np.bincount(at, np.repeat(pull * scale, sizes), planted.BUCKETS) + WORDS_CALM * w[:-1] / len(sizes)
        way.move(np.append(slope, pull.sum()))
    return way.weights[:-1], float(way.weights[-1])


def fit_meaning(e: Examples) -> tuple[Floats, float]:
    """Weights by dimension of the embedder, and the bias."""
    mean, spread = e.vectors.mean(0), e.vectors.std(0)
    x = (e.vectors - mean) / spread
    way = Descent(x.shape[1] + 1, 0.02)
    for _ in range(STEPS):
        w = way.weights
        pull = _pull(x @ w[:-1] + w[-1], e.planted)
        way.move(np.append(x.T @ pull + MEANING_CALM * w[:-1] / len(x), pull.sum()))
    weights = way.weights[:-1] / spread
    return weights, float(way.weights[-1] - mean @ weights)


def by_words(e: Examples, weights: Floats, bias: float) -> Floats:
    return np.array([weights[f].sum() / np.sqrt(len(f)) + bias for f in e.features])


def by_meaning(e: Examples, weights: Floats, bias: float) -> Floats:
    return np.asarray(e.vectors @ weights + bias)


def unseen_scores(e: Examples) -> tuple[Floats, Floats]:
    """Each example's two scores by weights that were trained without its style."""
    words, meaning = np.zeros(len(e.texts)), np.zeros(len(e.texts))
    styles = np.array(e.styles)
    for style in sorted(set(e.styles)):
        inside = styles == style
        rest, part = e.only(~inside), e.only(inside)
        words[inside] = by_words(part, *fit_words(rest))
        meaning[inside] = by_meaning(part, *fit_meaning(rest))
    return words, meaning


def report(name: str, scores: Floats, truth: Floats, least: float) -> None:
    """One line: how many of the planted are found, and how many of the others."""
    found = scores >= least
    recall = f"{100 * found[truth == 1].mean():5.1f} %" if truth.any() else "    -  "
    alarm = f"{100 * found[truth == 0].mean():5.1f} %" if not truth.all() else "    -  "
    sys.stdout.write(
        f"{name:28} {int(truth.sum()):5} planted, found {recall}; {int((1 - truth).sum()):5} others, {alarm}\n"
    )


def main() -> None:
    """Trains, reports by style, and writes the weights."""
    whole = load()
    fresh = np.array([s == MEASURE for s in whole.styles])
    e, measure = whole.only(~fresh), whole.only(fresh)
    words, meaning = unseen_scores(e)
    both = np.column_stack([words, meaning])
    spread = both.std(0)
    total = (both / spread).sum(1)
    least = float(np.quantile(total[e.planted == 0], 1 - FALSE_ALARM))
    doubt = float(np.quantile((words / spread[0])[e.planted == 1], 1 - DOUBTED))
    styles = np.array([s.split()[0] for s in e.styles])
    for style in sorted(set(styles)):
        report(f"without its style: {style}", total[styles == style], e.planted[styles == style], least)
    (w, w_bias), (m, m_bias) = fit_words(e), fit_meaning(e)
    cheap, deep = by_words(measure, w, w_bias) / spread[0], by_meaning(measure, m, m_bias) / spread[1]
    report("another manner: fresh", np.where(cheap >= doubt, cheap + deep, -np.inf), measure.planted, least)
    asked = (words / spread[0] >= doubt)[e.planted == 0].mean()
    sys.stdout.write(f"read for their meaning: {100 * asked:.0f} % of the others\n")
    if "--report" not in sys.argv:
        w, m = w / spread[0], m / spread[1]
        scale = float(np.abs(w).max() / 32767)
        np.savez_compressed(
            planted.WEIGHTS, words=np.round(w / scale).astype(np.int16), words_scale=scale, words_bias=w_bias / spread[0],
            meaning=m, meaning_bias=m_bias / spread[1], doubt=doubt, planted=least,
        )  # fmt: skip


if __name__ == "__main__":
    main()
