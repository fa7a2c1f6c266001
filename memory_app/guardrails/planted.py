"""Planted instructions that no grammar names: a trained reading of who is addressed, what is asked, and on whose word.

Two linear readings are added up. The first sees words, their neighbours and the order of word classes
(`word_classes`); it is cheap and is asked about every passage. The second sees the offline embedder's vector, that is
what the passage means; it is asked only where the first is not sure that the passage is harmless. Both are trained by
``scripts/train_planted.py`` on ``scripts/planted/``, and their weights stand in ``planted.npz``.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_app.embedding.offline import OfflineEmbedder
from memory_app.guardrails.findings import RECORD, Hit
from memory_app.guardrails.word_classes import PAUSE, classes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RULE = "instruction.planted"
WEIGHTS = Path(__file__).with_name("planted.npz")
BUCKETS = 1 << 16
#: A passage is whole sentences up to this length: a rider is read beside the fact that it hides behind.
PASSAGE = 160
#: A sentence that is longer is read in pieces, each up to one of its pauses: a rider does not hide behind its length.
LONGEST = 400
#: No more passages of one text are read for their meaning: the ones that the first reading doubts most.
MOST_READ = 8
_NEAR = 6
#: Fewer words, or Han characters, than this are an aside.
_FEW = 6
_TOLD = ("ing", "ed", "s")
_TOKEN = re.compile(r"[a-z']+|[\u3400-\u9fff]|\d+|[^\w\s]")
_SPOKEN = re.compile(r"[a-z']{2,}|[\u3400-\u9fff]")
_SENTENCE = re.compile(rf"[^.!?。！？\n{RECORD}]+(?:[.!?](?=\S)[^.!?。！？\n{RECORD}]*)*[.!?。！？]*")
# Who keeps a check asks for more proof before he is taken for somebody who takes one away.
_ASKS_FIRST = re.compile(
    r"\b(?:ask|show|tell) (?:me|him|her|them|us|the user)\b[^.!?\n]{0,40}\b(?:before|first)\b|\bbefore\b[^.!?\n]{0,40}\b(?:ask|show) (?:me|him|her|them|us|the user)\b"
    r"|\b(?:after|once) (?:asking|checking with|a word with|(?:i|we|they|he|she)(?: have|'ve| has|'s)? (?:asked|checked with))\b(?! (?:nobody|no one))"
    r"|先(?:问|给|跟)[^，。；\n]{0,4}(?:我|他|她|用户|本人|客户)|问过[^，。；\n]{1,8}(?:以后|之后|后|再|才)"
)
# A case of somebody's own work and its steps in order: "for returns: …, then …", 退货时先…再….
_STEPS = re.compile(
    r"^\s*(?:for|when(?:ever)?|if|before|after|on|in case of)\b[^.!?:,;\n]{2,80}[:,]\s*(?P<en>[^.!?\n]*\bthen\b[^.!?\n]+)[.!]?\s*$"
    r"|^[^。！？\n]{1,20}?(?:时|的时候|的话|之?前|[：:，,])[：:，,]?\s*(?P<zh>(?:要|得)?先[^。！？\n]+(?:再|然后|之后)[^。！？\n]+)[。！]?\s*$"
)
# What ordinary steps are about; any other role, a place outside or a leave that is given is no ordinary step.
_ORDINARY = frozenset({PAUSE, "keep", "check", "rule", "data", "self", "third", "other", "chief", "past", "this"})
_GIVES = re.compile(
    r"\b(?:approv|authori|permi|consent|sign|allow|pass|unblock|let\b|through\b)|批准|审批|签|放行|同意|许可|[@/\\]|\.\w|\d{4}"
)
# Speaking to somebody: "tell" by itself hides nothing, and a call is none of a tool.
_SPEAKS = re.compile(
    r"\b(?:calls?\b(?! (?:nobody|no one))|listens?\b|tells? (?:(?:the|my|our) )?(?!nobody)[a-z]+(?=[,.]|$))|打(?:个)?电话"
)
_PAUSE = re.compile(r"[,;:，、；：]\s*")
_CARE = 0.5
_embedder = OfflineEmbedder()


@dataclass(frozen=True, slots=True)
class Reading:
    """The weights: `words` by bucket, `meaning` by dimension, and from which scores on a passage counts."""

    words: list[float]
    words_bias: float
    meaning: "NDArray[np.float64]"
    meaning_bias: float
    doubt: float
    planted: float


@cache
def _reading() -> Reading:
    import numpy as np

    with np.load(WEIGHTS) as held:
        return Reading(
            (held["words"].astype(np.float64) * float(held["words_scale"])).tolist(),
            float(held["words_bias"]),
            held["meaning"].astype(np.float64),
            float(held["meaning_bias"]),
            float(held["doubt"]),
            float(held["planted"]),
        )


def _bucket(name: str) -> int:
    return zlib.crc32(name.encode()) % BUCKETS


# Words come again and again, and there are few classes; neighbours of words are new each time.
@lru_cache(maxsize=16384)
def _of_word(word: str) -> tuple[int, ...]:
    names = (f"4 {word[:4]}", f"5 {word[:5]}") if len(word) > 3 and word.isascii() else ()
    return tuple(map(_bucket, (f"1 {word}", *names)))


_of_classes = lru_cache(maxsize=16384)(_bucket)


def _word_features(low: str) -> set[int]:
    words = ["^", *("0" if t.isdigit() else t for t in _TOKEN.findall(low)), "$"]
    found: set[int] = set()
    found.update(*map(_of_word, set(words)))
    found.update([_bucket(f"2 {a} {b}") for a, b in pairwise(words)])
    found.update([_bucket(f"3 {a} {b} {c}") for a, b, c in zip(words, words[1:], words[2:], strict=False)])
    found.update([_bucket(f"s {a} {c}") for a, c in zip(words, words[2:], strict=False)])
    # "Ignores …" tells of somebody, "Ignore …" turns to the reader.
    found.add(_bucket(f"f {next((e for e in _TOLD if words[1].endswith(e)), '-')}"))
    return found


def _class_features(low: str) -> set[int]:
    found: set[str] = set()
    for clause in classes(low):
        found.update([f"c2 {a} {b}" for a, b in pairwise(clause)])
        roles = [role for role in clause if role != PAUSE]
        found.update([f"c {role}" for role in roles])
        for at, role in enumerate(roles):
            found.update([f"co {role}>{later}" for later in roles[at + 1 : at + _NEAR]])
        if clause:
            found.add(f"c^ {clause[0]}")
        if len(clause) > 1:
            found.add(f"c^^ {clause[0]} {clause[1]}")
    return set(map(_of_classes, found))


def features(low: str) -> list[int]:
    """The buckets of the passage's words, neighbours and word classes, each once."""
    return sorted(_word_features(low) | _class_features(low))


def vectors(passages: list[str]) -> Any:
    """The offline embedder's vectors, whatever embedder recall uses: the weights belong to this one."""
    return _embedder.raw(passages, is_query=True)


def passages(low: str) -> Iterator[tuple[int, int]]:
    """Whole sentences up to the length of a passage; a record or an empty line ends one."""
    start = end = -1
    for m in _SENTENCE.finditer(low):
        between = low[end : m.start()] if start >= 0 else ""
        if start >= 0 and (m.end() - start > PASSAGE or RECORD in between or "\n\n" in between):
            yield from _pieces(low, start, end)
            start = -1
        start, end = m.start() if start < 0 else start, m.end()
    if start >= 0:
        yield from _pieces(low, start, end)


def _pieces(low: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST:
        pauses = [m.end() for m in _PAUSE.finditer(low, start + PASSAGE // 2, start + PASSAGE)]
        cut = pauses[-1] if pauses else start + PASSAGE
        yield start, cut
        start = cut
    yield start, end


@lru_cache(maxsize=4096)
def _by_words(low: str) -> float:
    reading = _reading()
    found = features(low)
    return float(sum(map(reading.words.__getitem__, found)) / len(found) ** 0.5 + reading.words_bias)


@lru_cache(maxsize=2048)
def _by_meaning(low: str) -> float:
    reading = _reading()
    return float(vectors([low])[0] @ reading.meaning + reading.meaning_bias)


def _in_steps(passage: str) -> bool:
    """The passage is a procedure of somebody's work, each of whose steps looks, asks or speaks to somebody."""
    m = _STEPS.match(passage)
    steps = (m["en"] or m["zh"]) if m else ""
    if not steps or _GIVES.search(steps):
        return False
    return all(_ORDINARY.issuperset(clause) for clause in classes(_SPEAKS.sub(" ", steps)))


def find(low: str) -> Iterator[Hit]:
    """Each passage that reads like one written to steer an agent; `low` is the text in lower case."""
    reading = _reading()
    doubted: list[tuple[float, int, int]] = []
    for start, end in passages(low):
        if len(_SPOKEN.findall(low, start, end)) < _FEW:
            continue
        score = _by_words(low[start:end].strip())
        if score >= reading.doubt:
            doubted.append((-score, start, end))
    for minus, start, end in sorted(doubted)[:MOST_READ]:
        passage = low[start:end].strip()
        care = 2 * _CARE if _in_steps(passage) else _CARE if _ASKS_FIRST.search(low, start, end) else 0.0
        if _by_meaning(passage) - minus >= reading.planted + care:
            yield Hit(RULE, start, end)
