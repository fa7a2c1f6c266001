"""Which turns answer a question: what was said, ranked together with what was said around it.

    own       = KEYWORD · keyword + VECTOR · vector + FOLLOW · follow
    relevance = own + what the turns before it in its session have of their own, and those after it (BEFORE, AFTER)
    score     = relevance + speaker + time

Each thing that is asked is ranked by itself, and a turn has the best of them. ``keyword`` is BM25 without a length term,
as a share of what a turn with every word of the question would get: a turn that says more is no worse an answer.
``vector`` is how far the similarity stands above that of this user's turns to this question, in standard deviations:
what somebody says is all a little alike, to one question more than to another. ``follow`` is the share of the best
turn's other words that a turn has: "who lives in Hangzhou" is answered in one turn, and what that person does in
another. An answer seldom repeats the words of its question, but stands next to them, so turns lift their neighbours.
docs/recall.md says how each number was chosen.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from memory_app.domain.because import because_said
from memory_app.domain.question import Question, is_generic
from memory_app.domain.ranking import Calibration, Item, Ranked, count_places
from memory_app.domain.relevance import rareness
from memory_app.domain.words import fold, is_stop_word, words

KEYWORD, VECTOR, FOLLOW = 1.0, 0.15, 1.0
K1 = 0.5
BEFORE, AFTER = (0.5, 0.3, 0.2, 0.1), (0.4, 0.2, 0.1, 0.05)  # of what the turns one to four places away have
REACH = len(BEFORE)
TOGETHER = timedelta(hours=1)  # what was said further apart belongs to another talk
SPEAKER = 0.4  # said by the one whom the question names
TIME, TIME_HALF = 0.5, timedelta(days=7)  # said in the time that the question names; half as much a week off it
LEAST_WORDS, LEAST_SIMILARITY = 0.05, 0.3  # what one turn must have by itself, or nothing answers the question
RELATIVE_THRESHOLD = 0.05  # of the best relevance: far behind it is left out too
UNSEEN = 8  # unrelated turns that are assumed beside those that there are: a few tell little of what is usual

_SPEAKER = re.compile(r"\s*([^\W\d_][\w .'’-]{0,38}?)\s*[:：]\s*\S")
_ASKED_SELF = re.compile(r"\b(?:i|my|me|mine)\b|我(?!们)")
_ASKED_OTHER = re.compile(
    r"\byou (?:say|said|tell|told|suggest|suggested|recommend|recommended|advise|advised|mention|mentioned|write|wrote|"
    r"answer|answered|explain|explained|propose|proposed)\b|[你您](?:说|讲|建议|推荐|提到?|告诉|回答|解释)"
)


@dataclass(frozen=True)
class Said:
    """A turn as recall fetched it; ``place`` counts the turns of its session, and for each thing that is asked there is
    a similarity, or none at all."""

    id: str
    session: str
    place: int
    index: int
    role: str
    speaker: str
    text: str
    at: datetime
    tokens: Sequence[str]
    similarities: Sequence[float] = ()
    user: str | None = None


@dataclass(frozen=True)
class Usual:
    """How many turns the user has that can be found, and how similar they are to each thing that is asked."""

    turns: int = 0
    means: Sequence[float] = ()
    deviations: Sequence[float] = ()


def speaker_of(content: str) -> str:
    """The name that a turn begins with, as in "Ann: …", folded; empty where it begins with none."""
    found = _SPEAKER.match(content)
    return fold(found[1])[:40] if found else ""


def rank_turns(
    turns: Sequence[Said], question: Question, now: datetime, usual: Usual, calibration: Calibration | None = None
) -> list[Ranked]:
    """The turns in the order of their score, those left out last, each with its reason."""
    asked = _speakers_asked(turns, question)
    whys = _relevance(turns, question, usual, calibration or Calibration())
    for turn, why in zip(turns, whys, strict=True):
        why["speaker"] = SPEAKER if asked == {turn.speaker} else 0.0
        why["time"] = TIME * _time_fit(turn, question)
    count_places(whys)
    answered = any(_tells(turn, why) for turn, why in zip(turns, whys, strict=True))
    least = RELATIVE_THRESHOLD * max((why["relevance"] for why in whys), default=0.0)
    ranked = [
        _ranked(turn, why, question, now, answered and why["relevance"] > least)
        for turn, why in zip(turns, whys, strict=True)
    ]
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


def _relevance(
    turns: Sequence[Said], question: Question, usual: Usual, calibration: Calibration
) -> list[dict[str, Any]]:
    """What each turn has to do with the question; of several things asked at once, with the one it fits best."""
    heard = _Heard(turns, max(usual.turns, len(turns)) + UNSEEN)
    parts = [_of_part(heard, part.terms, at, usual, calibration) for at, part in enumerate(question.parts)]
    if len(parts) > 1:  # so that what has many words for it does not push out what has few
        for part in parts:
            best = max((why["relevance"] for why in part), default=0.0) or 1.0
            for why in part:
                why["relevance"] /= best
    return [dict(max(whys, key=lambda why: why["relevance"])) for whys in zip(*parts, strict=True)]


class _Heard:
    """The turns with what is counted once for all that is asked. A speaker's name tells who speaks, not what is said."""

    def __init__(self, turns: Sequence[Said], total: int) -> None:
        names = {word for speaker in _speakers(turns) for word in words(speaker)}
        self.turns, self.names = turns, names
        self.counts = [Counter(word for word in turn.tokens if not is_stop_word(word)) for turn in turns]
        seen = Counter(word for count in self.counts for word in count)
        self.rare = {word: rareness(times, total) for word, times in seen.items() if word not in names}
        self.rarest = rareness(1, total)


def _of_part(
    heard: _Heard, asked: Mapping[str, float], at: int, usual: Usual, calibration: Calibration
) -> list[dict[str, Any]]:
    terms = {word: weight for word, weight in asked.items() if word not in heard.names}
    most = sum(weight * heard.rarest for weight in terms.values()) or 1.0
    mean, deviation = _usual_similarity(usual, at, calibration)
    found: list[dict[str, Any]] = []
    for turn, count in zip(heard.turns, heard.counts, strict=True):
        shared = {word: terms[word] * heard.rare[word] for word in terms if word in count}
        full = sum(score * count[word] * (K1 + 1) / (count[word] + K1) for word, score in shared.items())
        above = (turn.similarities[at] - mean) / deviation if at < len(turn.similarities) else 0.0
        found.append({
            "keyword": KEYWORD * min(1.0, full / most),
            "vector": VECTOR * max(0.0, above),
            "words": sorted(shared, key=lambda word: (-shared[word], word))[:8],
        })  # fmt: skip
    _follow(heard, terms, found)
    own = [why["keyword"] + why["vector"] + why["follow"] for why in found]
    for why, score, near in zip(found, own, _around(heard.turns, own), strict=True):
        why |= {"around": near, "relevance": score + near}
    return found


def _follow(heard: _Heard, terms: Mapping[str, float], found: list[dict[str, Any]]) -> None:
    """What leads on from the best turn: a turn that shares its words which the question has not."""
    best = max(range(len(found)), key=lambda at: found[at]["keyword"] + found[at]["vector"], default=None)
    if best is None:
        return
    score = found[best]["keyword"] + found[best]["vector"]
    own = {word: heard.rare[word] for word in heard.counts[best] if word in heard.rare}
    leads = {word: rare for word, rare in own.items() if word not in terms and rare < heard.rarest}
    whole = sum(own.values()) or 1.0
    for at, (why, count) in enumerate(zip(found, heard.counts, strict=True)):
        shared = sum(rare for word, rare in leads.items() if word in count) if at != best else 0.0
        why["follow"] = FOLLOW * score * shared / whole


def _usual_similarity(usual: Usual, at: int, calibration: Calibration) -> tuple[float, float]:
    """Mean and standard deviation over the user's turns and the unseen ones."""
    if at >= len(usual.means):
        return calibration.unrelated, 1.0
    prior = (calibration.related - calibration.unrelated) / 4
    count = usual.turns + UNSEEN
    mean = (usual.turns * usual.means[at] + UNSEEN * calibration.unrelated) / count
    spread = usual.turns * (usual.deviations[at] ** 2 + (usual.means[at] - mean) ** 2)
    spread += UNSEEN * (prior**2 + (calibration.unrelated - mean) ** 2)
    return mean, math.sqrt(spread / count)


def _around(turns: Sequence[Said], own: Sequence[float]) -> list[float]:
    """What each turn gets from those around it in its session."""
    at = {(turn.session, turn.place): (turn.at, score) for turn, score in zip(turns, own, strict=True)}
    lifts = [(-far, lift) for far, lift in enumerate(BEFORE, 1)] + [(far, lift) for far, lift in enumerate(AFTER, 1)]
    found = []
    for turn in turns:
        near = ((lift, at.get((turn.session, turn.place + far))) for far, lift in lifts)
        found.append(sum(lift * one[1] for lift, one in near if one and abs(one[0] - turn.at) <= TOGETHER))
    return found


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


def _tells(turn: Said, why: dict[str, Any]) -> bool:
    """Whether a turn by itself has to do with what is asked: by a word that says which thing, or by its meaning."""
    telling = any(not is_generic(word) for word in why["words"])
    return (telling and why["keyword"] >= LEAST_WORDS) or max(turn.similarities, default=0.0) >= LEAST_SIMILARITY


def _ranked(turn: Said, why: dict[str, Any], question: Question, now: datetime, near: bool) -> Ranked:
    score = why["relevance"] + why["speaker"] + why["time"]
    said = because_said(turn.text, turn.role, turn.speaker, turn.at, question.language, now) if near else ""
    return Ranked(_item(turn), round(score, 4), why, said, None if near else "threshold")


def _item(turn: Said) -> Item:
    """The turn as the episode that it is."""
    return Item(
        id=turn.id, version=turn.index, text=turn.text, tokens=turn.tokens, kind="episodic", scope="user", key="",
        value=None, condition="", subject="", similarity=max(turn.similarities, default=None), updated_at=turn.at, occurred_at=turn.at,
        confirmed_at=turn.at, session_id=turn.session, user_id=turn.user,
    )  # fmt: skip
