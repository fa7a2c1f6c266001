"""Trains the reading of what lasts and says how well it reads turns that it was not trained on.

Turns stand in ``scripts/lasting/``, one a line; what is worth keeping for good stands in ``[ ]``, what only holds in this
session in ``{ }``, and ``A: … ||`` (``问：… ||``) is what the agent had said before. The same turns give the same
weights: nothing is drawn by chance. The written cases of ``tests/cases/`` are read too: of a user's turn there a clause
lasts when a wanted note holds most of it, and it does not when none holds anything of it. What words mean is learned from
their vectors (``word_vectors.py``).

    python scripts/train_lasting.py            trains, reports, writes consolidation/distill/lasting.npz
    python scripts/train_lasting.py --report   reports only
"""

import collections
import json
import re
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from consolidation.distill import SpokenTurn, lasting  # noqa: E402
from consolidation.distill.clauses import clauses  # noqa: E402
from consolidation.distill.folding import fold  # noqa: E402
from scripts import word_vectors  # noqa: E402
from scripts.train_planted import Descent  # noqa: E402

EXAMPLES, CASES = ROOT / "scripts" / "lasting", ROOT / "tests" / "cases"
FOLDS, STEPS, CALM = 8, 200, 0.2
#: How much the vectors' weights are held back, and from which share of the clauses on a word counts for less.
PLAIN, COMMON = 2.0, 0.01
#: Of the clauses that do not last, this share may be taken for such: where little speaks for it, as a rule, and beside
#: one that lasts.
SURE, RIGHT, BESIDE = 0.04, 0.085, 0.15
MOST, LITTLE = 0.5, 0.15
_ASKED = re.compile(r"(?:A|问)[:：] ?(.*?) \|\| (.*)")
_BRACKETS = {"[": 1, "{": 2, "]": 0, "}": 0}
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Examples:
    """Clauses as features, whether each lasts, and the fold of its turn."""

    features: list[NDArray[np.int64]]
    lasts: Floats
    folds: NDArray[np.int64]
    said: list[str]
    means: Floats

    def only(self, chosen: NDArray[np.bool_]) -> "Examples":
        """The chosen ones."""
        at = np.flatnonzero(chosen)
        return Examples(
            [self.features[i] for i in at], self.lasts[at], self.folds[at], [self.said[i] for i in at], self.means[at]
        )


def _turn(line: str) -> tuple[str, str, list[int]]:
    """What the agent had said, the user's turn, and of each character what is marked."""
    m = _ASKED.match(line)
    asked, line = (m[1], m[2]) if m else ("", line)
    text, marks, mark = "", [], 0
    for char in line:
        if char in _BRACKETS:
            mark = _BRACKETS[char]
        else:
            text += char
            marks.append(mark)
    return asked, text, marks


def marked() -> Iterator[tuple[str, str, list[int], int]]:
    """What the agent had said, the user's turn and its marks, and the fold, of each example."""
    for path in sorted(EXAMPLES.glob("*.txt")):
        for line in path.read_text("utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                yield *_turn(line), zlib.crc32(line.encode()) % FOLDS


def _pairs(text: str) -> set[str]:
    low = re.sub(r"[\W_]+", "", fold(text).lower())
    words = set(re.findall(r"[a-z]{4,}|\d+", fold(text).lower()))
    return words | {low[i : i + 2] for i in range(len(low) - 1) if not low[i : i + 2].isascii()}


def cases() -> Iterator[tuple[str, str, list[tuple[str, str]], int]]:
    """What the agent had said, the user's turn, scope and words of each wanted note, and the fold, of each case."""
    for path in sorted(CASES.glob("distill*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            case, asked = json.loads(line), ""
            wanted = [(w["scope"], f"{w['gist']} {w['value'] or ''}") for w in case["expect"]["candidates"]]
            for turn in case["input"]["turns"]:
                if turn["role"] == "user":
                    yield asked, turn["text"], wanted, zlib.crc32(case["id"].encode()) % FOLDS
                asked = turn["text"] if turn["role"] == "assistant" else ""


def _kept(said: str, wanted: list[tuple[str, str]]) -> float | None:
    """1 where a wanted note holds most of the clause, 0 where none holds anything of it, None in between."""
    own = _pairs(said)
    shares = [(len(own & _pairs(gist)) / len(own), scope) for scope, gist in wanted] if own else []
    best, scope = max(shares, default=(0.0, ""))
    if best >= MOST and scope == "user":
        return 1.0
    return 0.0 if best <= LITTLE or scope == "session" else None


def load() -> Examples:
    """Every clause of every turn, read once."""
    found: list[NDArray[np.int64]] = []
    lasts, folds, said = [], [], []
    turns: list[tuple[str, str, list[int] | None, list[tuple[str, str]], int]] = []
    turns += [(asked, text, marks, [], at) for asked, text, marks, at in marked()]
    turns += [(asked, text, None, wanted, at) for asked, text, wanted, at in cases()]
    for asked, text, marks, wanted, at in turns:
        parts = clauses(SpokenTurn("", 0, "user", text, datetime(2026, 1, 1, tzinfo=UTC)))
        for part, h in zip(parts, lasting.heard(parts, fold(asked)), strict=True):
            if marks is not None:
                own = marks[part.start : part.end]
                kept: float | None = float(own.count(1) * 2 > len(own))
            else:
                kept = _kept(part.said, wanted)
            if kept is not None:
                found.append(np.array(lasting.features(h), dtype=np.int64))
                lasts.append(kept)
                folds.append(at)
                said.append(part.said)
    shown = weighted(said)
    return Examples(found, np.array(lasts), np.array(folds), said, np.array([mean(text, shown) for text in said]))


def weighted(said: list[str]) -> dict[str, Floats]:
    """Each known word's vector, shorter the more clauses have it."""
    often = collections.Counter(word for text in said for word in set(lasting.words(fold(text))))
    return {
        word: vector * (COMMON / (COMMON + often[word] / len(said))) for word, vector in word_vectors.vectors().items()
    }


def mean(text: str, shown: dict[str, Floats]) -> Floats:
    """The words' vectors as one, longer the more of them there are."""
    found = [shown[word] for word in lasting.words(fold(text)) if word in shown]
    if not found:
        return np.zeros(next(iter(shown.values())).shape)
    return np.asarray(np.sum(found, axis=0) / len(found) ** 0.5, dtype=np.float64)


def fit(e: Examples) -> tuple[Floats, float]:
    """Weights by bucket, and the bias."""
    sizes = np.array([len(f) for f in e.features])
    starts, at, scale = np.cumsum([0, *sizes[:-1]]), np.concatenate(e.features), 1 / np.sqrt(sizes)
    way = Descent(lasting.BUCKETS + 1, 0.1)
    for _ in range(STEPS):
        w = way.weights
        seen = np.add.reduceat(w[at], starts) * scale + w[-1]
        pull = (1 / (1 + np.exp(-seen)) - e.lasts) / len(sizes)
        slope = np.bincount(at, np.repeat(pull * scale, sizes), lasting.BUCKETS) + CALM * w[:-1] / len(sizes)
        way.move(np.append(slope, pull.sum()))
    return way.weights[:-1], float(way.weights[-1])


def fit_means(e: Examples) -> tuple[Floats, float]:
    """Weights of the vectors' dimensions, and the bias, by Newton's steps."""
    seen = np.hstack([e.means, np.ones((len(e.said), 1))])
    held_back = np.append(np.full(e.means.shape[1], PLAIN), 1e-6)
    w = np.zeros(seen.shape[1])
    for _ in range(8):
        p = 1 / (1 + np.exp(-seen @ w))
        slope = seen.T @ (p - e.lasts) + held_back * w
        w -= np.linalg.solve((seen * (p * (1 - p))[:, None]).T @ seen + np.diag(held_back), slope)
    return w[:-1], float(w[-1])


def scored(e: Examples, weights: Floats, bias: float, meaning: Floats) -> Floats:
    """Each clause's score: what its features say, and what its words mean."""
    own = np.array([weights[f].sum() / np.sqrt(len(f)) + bias for f in e.features])
    return np.asarray(own + e.means @ meaning, dtype=np.float64)


def fitted(e: Examples) -> tuple[Floats, float, Floats]:
    """Weights by bucket, the bias of both, and the weights of the vectors' dimensions."""
    weights, bias = fit(e)
    meaning, more = fit_means(e)
    return weights, bias + more, meaning


def unseen_scores(e: Examples) -> Floats:
    """Each clause's score by weights that were trained without its turn."""
    out = np.zeros(len(e.said))
    for fold_ in range(FOLDS):
        inside = e.folds == fold_
        out[inside] = scored(e.only(inside), *fitted(e.only(~inside)))
    return out


def least(scores: Floats, lasts: Floats, alarm: float) -> float:
    """From which score on no more than the given share of what does not last is found."""
    return float(np.quantile(scores[lasts == 0], 1 - alarm))


def main() -> None:
    """Trains, reports and writes the weights."""
    e = load()
    scores = unseen_scores(e)
    sys.stdout.write(f"{len(e.said)} clauses, {int(e.lasts.sum())} of them lasting\n")
    for alarm in (SURE, RIGHT, BESIDE):
        at = least(scores, e.lasts, alarm)
        found = scores >= at
        sys.stdout.write(
            f"from {at:5.2f} on {100 * alarm:.1f} % of the others are found, "
            f"{100 * found[e.lasts == 1].mean():.0f} % of those that last; {100 * e.lasts[found].mean():.0f} % of what is found lasts\n"
        )
    if "--report" not in sys.argv:
        write(e, scores)


def write(e: Examples, scores: Floats) -> None:
    """The weights, and each word's share of what the vectors say, stand in ``lasting.npz``."""
    weights, bias, meaning = fitted(e)
    shares = {lasting.key(word): float(vector @ meaning) for word, vector in sorted(weighted(e.said).items())}
    known = sorted(shares)
    own = np.array([shares[at] for at in known])
    scale, share_scale = float(np.abs(weights).max() / 32767), float(np.abs(own).max() / 127)
    np.savez_compressed(
        lasting.WEIGHTS, buckets=np.round(weights / scale).astype(np.int16), scale=scale, bias=bias,
        known=np.array(known, dtype=np.uint32), shares=np.round(own / share_scale).astype(np.int8), share_scale=share_scale,
        sure=least(scores, e.lasts, SURE), lasting=least(scores, e.lasts, RIGHT), beside=least(scores, e.lasts, BESIDE),
    )  # fmt: skip


if __name__ == "__main__":
    main()
