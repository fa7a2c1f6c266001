"""Which turns answer a question: what was said, ranked together with what was said around it.

    own       = KEYWORD · keyword + VECTOR · vector
    relevance = own + what the turns before it in its session have of their own, and those after it (BEFORE, AFTER)
    score     = relevance + speaker + time

``keyword`` is BM25 without a length term, as a share of what a turn with every word of the question would get: a turn
that says more is no worse an answer. An answer seldom repeats the words of its question, but stands next to them.
``vector`` is how far the similarity stands above that of this user's turns to this question, in standard deviations:
what somebody says is all a little alike, to one question more than to another. docs/recall.md says how each number
was chosen.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from memory_app.domain.because import because_said
from memory_app.domain.question import Question, is_generic
from memory_app.domain.ranking import Calibration, Item, Ranked, count_places, rareness, readable
from memory_app.domain.words import fold, words

KEYWORD, VECTOR = 1.0, 0.1
K1 = 0.5
BEFORE, AFTER = (0.5, 0.3, 0.2, 0.1), (0.4, 0.2, 0.1, 0.05)  # of what the turns one to four places away have
REACH = len(BEFORE)
SPEAKER = 0.4  # said by the one whom the question names
TIME, TIME_HALF = 0.5, timedelta(days=7)  # said in the time that the question names; half as much a week off it
THRESHOLD, RELATIVE_THRESHOLD = 0.1, 0.2
UNSEEN = 8  # unrelated turns that are assumed beside those that there are: a few tell little of what is usual

_SPEAKER = re.compile(r"\s*([^\W\d_][\w .'’-]{0,38}?)\s*[:：]\s*\S")
_ASKED_SELF = re.compile(r"\b(?:i|my|me|mine)\b|我(?!们)")
_ASKED_OTHER = re.compile(
    r"\byou (?:say|said|tell|told|suggest|suggested|recommend|recommended|advise|advised|mention|mentioned|write|wrote|"
    r"answer|answered|explain|explained|propose|proposed)\b|[你您](?:说|讲|建议|推荐|提到?|告诉|回答|解释)"
)


@dataclass(frozen=True)
class Said:
    """A turn as recall fetched it; ``place`` counts the turns of its session, ``words`` are those of the question."""

    id: str
    session: str
    place: int
    index: int
    role: str
    speaker: str
    text: str
    at: datetime
    words: Sequence[str]
    similarity: float | None
    user: str | None = None


@dataclass(frozen=True)
class Usual:
    """How many turns the user has that can be found, and how similar they are to the question."""

    turns: int = 0
    mean: float = 0.0
    deviation: float = 0.0


def speaker_of(content: str) -> str:
    """The name that a turn begins with, as in "Ann: …", folded; empty where it begins with none."""
    found = _SPEAKER.match(content)
    return fold(found[1])[:40] if found else ""


def rank_turns(
    turns: Sequence[Said], question: Question, now: datetime, usual: Usual, calibration: Calibration | None = None
) -> list[Ranked]:
    """The turns in the order of their score, those left out last, each with its reason."""
    asked = _speakers_asked(turns, question)
    own = _own(turns, question, usual, calibration or Calibration())
    around = _around(turns, [one["keyword"] + one["vector"] for one in own])
    whys: list[dict[str, Any]] = []
    for turn, why, near in zip(turns, own, around, strict=True):
        why |= {
            "around": near,
            "relevance": why["keyword"] + why["vector"] + near,
            "speaker": SPEAKER if asked == {turn.speaker} else 0.0,
            "time": TIME * _time_fit(turn, question),
        }
        whys.append(why)
    count_places(whys)
    best = max((why["relevance"] for why in whys), default=0.0)
    ranked = [_ranked(turn, why, question, now, best) for turn, why in zip(turns, whys, strict=True)]
    return sorted(ranked, key=lambda one: (one.left_out is not None, -one.score, one.item.updated_at, one.item.id))


def _speakers_asked(turns: Sequence[Said], question: Question) -> set[str]:
    """Whose turns are asked for: the speakers whom the question names, else the user or the agent themselves."""
    named = {speaker for speaker in _speakers(turns) if re.search(rf"(?<!\w){re.escape(speaker)}(?!\w)", question.text)}
    if not named and _ASKED_OTHER.search(question.text):
        return {"assistant"}
    return named or ({"user"} if _ASKED_SELF.search(question.text) else set())


def _speakers(turns: Iterable[Said]) -> set[str]:
    """The names of those who speak; a word that opens a single turn, such as "Note: …", is none."""
    often = Counter(turn.speaker for turn in turns if turn.speaker != turn.role)
    return {speaker for speaker, times in often.items() if times > 1}


def _own(turns: Sequence[Said], question: Question, usual: Usual, calibration: Calibration) -> list[dict[str, Any]]:
    """What each turn says by itself. A speaker's name tells who speaks, and nothing of what is said."""
    names = {word for speaker in _speakers(turns) for word in words(speaker)}
    terms = {word: weight for word, weight in question.terms.items() if word not in names}
    counts = [Counter(word for word in turn.words if word in terms) for turn in turns]
    total = max(usual.turns, len(turns)) + UNSEEN
    mean, deviation = _usual_similarity(usual, calibration)
    rare = {term: rareness(sum(term in count for count in counts), total) for term in terms}
    most = sum(weight * rareness(1, total) for weight in terms.values()) or 1.0
    found = []
    for turn, count in zip(turns, counts, strict=True):
        keyword = sum(terms[term] * rare[term] * often * (K1 + 1) / (often + K1) for term, often in count.items())
        shared = sorted(count, key=lambda term: (-terms[term] * rare[term], term))
        found.append({
            "keyword": KEYWORD * min(1.0, keyword / most),
            "vector": VECTOR * max(0.0, (turn.similarity - mean) / deviation) if turn.similarity is not None else 0.0,
            "words": shared[:8],
        })  # fmt: skip
    return found


def _usual_similarity(usual: Usual, calibration: Calibration) -> tuple[float, float]:
    """Mean and standard deviation over the user's turns and the unseen ones."""
    prior = (calibration.related - calibration.unrelated) / 4
    count = usual.turns + UNSEEN
    mean = (usual.turns * usual.mean + UNSEEN * calibration.unrelated) / count
    spread = usual.turns * (usual.deviation**2 + (usual.mean - mean) ** 2)
    spread += UNSEEN * (prior**2 + (calibration.unrelated - mean) ** 2)
    return mean, math.sqrt(spread / count)


def _around(turns: Sequence[Said], own: Sequence[float]) -> list[float]:
    """What each turn gets from those around it in its session."""
    at = {(turn.session, turn.place): score for turn, score in zip(turns, own, strict=True)}
    return [
        sum(
            before * at.get((turn.session, turn.place - far), 0.0)
            + after * at.get((turn.session, turn.place + far), 0.0)
            for far, (before, after) in enumerate(zip(BEFORE, AFTER, strict=True), 1)
        )
        for turn in turns
    ]


def _time_fit(turn: Said, question: Question) -> float:
    """1 within the time that is asked about, half as much for every week outside of it: people tell things later."""
    off = timedelta(0)
    if question.since is None and question.until is None:
        return 0.0
    if question.since is not None and turn.at < question.since:
        off = question.since - turn.at
    elif question.until is not None and turn.at >= question.until:
        off = turn.at - question.until
    return float(0.5 ** (off / TIME_HALF))


def _ranked(turn: Said, why: dict[str, Any], question: Question, now: datetime, best: float) -> Ranked:
    score = why["relevance"] + why["speaker"] + why["time"]
    telling = why["vector"] > 0 or any(not is_generic(word) for word in why["words"]) or why["around"] > 0
    near = why["relevance"] >= max(THRESHOLD, RELATIVE_THRESHOLD * best)
    left_out = None if telling and near else "threshold"
    said = "" if left_out else because_said(turn.text, turn.role, turn.speaker, turn.at, question.language, now)
    return Ranked(_item(turn), round(score, 4), readable(why), said, left_out)


def _item(turn: Said) -> Item:
    """The turn as the episode that it is."""
    return Item(
        id=turn.id, version=turn.index, text=turn.text, tokens=turn.words, kind="episodic", scope="user", key="",
        value=None, condition="", subject="", similarity=turn.similarity, updated_at=turn.at, occurred_at=turn.at,
        confirmed_at=turn.at, session_id=turn.session, user_id=turn.user,
    )  # fmt: skip
