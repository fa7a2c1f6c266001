"""What no grammar names: a trained reading of which clauses say something lasting about the user.

A clause is read by its words, their neighbours and roles (`word_roles`), the cues of the grammars, the clause before it, the
turn that it stands in and what the agent had said before it; and by what its words mean, so that a word which no example
has is read like those near it. The reading is linear over hashed features and over the mean of its words' vectors, of
which each word's share is one number, so that no model is asked here. It is trained by ``scripts/train_lasting.py`` on
``scripts/lasting/``, and its weights stand in ``lasting.npz``.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from memory_app.domain.words import cut

from . import cues, speech
from .clauses import Clause
from .folding import squeeze
from .word_roles import roles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("lasting.npz")
BUCKETS = 1 << 15
#: The levels are those of any clause of a turn; of one that was let through as a statement less is asked.
STATED = 0.2
_TOKEN = re.compile(r"[a-z']+|[\u3400-\u9fff]|\d+|[^\w\s]")
_WORD = re.compile(r"[a-z']+|[\u3400-\u9fff]+|\d+")
_CUES = {
    "session": cues.SESSION, "lasting": cues.LASTING, "strong": cues.STRONG, "preference": cues.PREFERENCE,
    "correction": cues.CORRECTION, "remember": cues.REMEMBER, "reminder": cues.REMINDER, "convention": cues.CONVENTION,
    "task": cues.TASK, "affirm": cues.AFFIRM, "deny": cues.DENY, "asking": speech.ASKING_EN, "asking_zh": speech.ASKING_ZH,
    "if": speech.CONDITIONAL, "guess": speech.GUESSING, "irony": speech.IRONY, "reported": speech.REPORTED,
    "material": speech.MATERIAL, "fiction": speech.FICTION, "passing": cues.PASSING_EN, "moody": cues.MOODY_EN,
    "passing_zh": cues.PASSING_ZH, "span_zh": cues.HABIT_ZH, "habit": cues.HABIT_EN,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Heard:
    """A clause with what stood around it: the clause before it, its turn, what the agent had said, its place."""

    said: str
    before: str
    turn: str
    asked: str
    place: int
    last: bool
    question: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """The weights by bucket and word, and from which score on a clause lasts, surely does, or goes on with one that does."""

    buckets: "NDArray[np.float64]"
    words: dict[int, float]
    bias: float
    sure: float
    lasting: float
    beside: float


@cache
def reading() -> Reading:
    """The trained weights, read once."""
    import numpy as np

    with np.load(WEIGHTS) as held:
        buckets = held["buckets"].astype(np.float64) * float(held["scale"])
        shares = held["shares"].astype(np.float64) * float(held["share_scale"])
        words = dict(zip(held["known"].tolist(), shares.tolist(), strict=True))
        levels = (float(held[name]) - STATED for name in ("sure", "lasting", "beside"))
        return Reading(buckets, words, float(held["bias"]), *levels)


def heard(parts: list[Clause], asked: str) -> list[Heard]:
    """The clauses of a turn as the reading takes them; `asked` is what the agent had said before."""
    said = [squeeze(c.raw) for c in parts]
    turn, asked = " ".join(said)[:1000], squeeze(asked)[-240:]
    before = ["", *said[:-1]]
    return [Heard(text, before[i], turn, asked, i, i == len(parts) - 1, parts[i].asked) for i, text in enumerate(said)]


@lru_cache(maxsize=512)
def _cued(text: str) -> tuple[str, ...]:
    return tuple(name for name, pattern in _CUES.items() if pattern.search(text))


def _word_features(low: str, answer: bool) -> Iterator[str]:
    words = ["^", *("0" if t.isdigit() else t for t in _TOKEN.findall(low)), "$"]
    yield from (f"1 {w}" for w in words)
    yield from (f"2 {a} {b}" for a, b in pairwise(words))
    yield from (f"3 {a} {b} {c}" for a, b, c in zip(words, words[1:], words[2:], strict=False))
    yield from (f"s {a} {c}" for a, c in zip(words, words[2:], strict=False))
    for word in words:
        if len(word) > 3 and word.isascii():
            yield f"4 {word[:4]}"
            yield f"e {word[-3:]}"
    yield f"long {min(len(words) // 4, 6)} {answer}"
    yield f"first {words[1]} {answer}"
    yield f"answer {answer}"


def features(h: Heard) -> list[int]:
    """The buckets of everything that the reading sees of a clause, each once."""
    answer = bool(h.asked)
    own = sorted(roles(h.said))
    named = set(_word_features(h.said.lower(), answer))
    named.update(f"p {t}" for t in _TOKEN.findall(h.before.lower()))
    named.update(f"q {t}" for t in _TOKEN.findall(h.asked.lower()))
    named.update(f"t1 {t}" for t in _TOKEN.findall(h.turn.lower()))
    named.update(f"c {role}" for role in own)
    named.update(f"c {role} {answer}" for role in own)
    named.update(f"cc {a} {b}" for a, b in combinations(own, 2))
    named.update(f"t {role}" for role in roles(h.turn))
    named.update(f"v {role}" for role in roles(h.before))
    named.update(f"Q {role}" for role in roles(h.asked))
    named.update(f"P {cue}" for cue in _cued(h.said))
    named.update(f"T {cue}" for cue in _cued(h.turn))
    named.add(f"asked {h.question}")
    named.add(f"place {min(h.place, 2)} {h.last}")
    return sorted({zlib.crc32(name.encode("utf-8", "replace")) % BUCKETS for name in named})


def words(said: str) -> list[str]:
    """The words of a clause in either language; every number is the same word."""
    found: list[str] = []
    for run in _WORD.findall(said.lower()):
        found += cut(run) if run[0] >= "\u3400" else ["0" if run.isdigit() else run]
    return found


def key(word: str) -> int:
    """What a word's share is kept under."""
    return zlib.crc32(word.encode("utf-8", "replace"))


@lru_cache(maxsize=2048)
def _meaning(said: str) -> float:
    shares = reading().words
    found = [shares[at] for at in map(key, words(said)) if at in shares]
    return sum(found) / len(found) ** 0.5 if found else 0.0


def scores(parts: list[Clause], asked: str) -> list[float]:
    """How much each clause of a turn reads like something lasting about the user."""
    held, out = reading(), []
    for h in heard(parts, asked):
        at = features(h)
        out.append(float(held.buckets[at].sum() / len(at) ** 0.5 + held.bias) + _meaning(h.said))
    return out
