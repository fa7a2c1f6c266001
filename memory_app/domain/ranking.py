"""Which memories answer a question, in which order, and why: a pure function of what was fetched.

    relevance = VECTOR · vector + KEYWORD · keyword + CONCEPT · concept
    score     = relevance + the terms below, each named in ``why``

The three of relevance are told in ``domain.relevance``. What stays below THRESHOLD is left out, however little else
there is: nothing is better than the nearest nonsense. The terms after that only order what is relevant.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any

from memory_app.domain.because import because
from memory_app.domain.concepts import concepts
from memory_app.domain.conditions import condition_fit
from memory_app.domain.happening import happened, time_fit
from memory_app.domain.identifiers import EXACT, identifier_fit
from memory_app.domain.items import Item
from memory_app.domain.people import names_somebody, same_person, subject_of
from memory_app.domain.question import Question, is_generic, understand
from memory_app.domain.relevance import KEYWORD, Calibration, entry_text, relevance
from memory_app.domain.words import segments

__all__ = ["Calibration", "Item", "Question", "Ranked", "entry_text", "rank", "understand"]

THRESHOLD = 0.115
VECTOR_ALONE = 0.205  # the relevance that a vector needs where no word and no field of life agrees with it
RELATIVE_THRESHOLD = 0.2  # of the best relevance: far behind it is left out too
SESSION_THRESHOLD = 0.06  # what the user said in this very session needs less
ABSENT = 0.75  # factor where no item has the identifier that is asked for
SUBJECT_FITS, SUBJECT_DIFFERS, SUBJECT_UNASKED = 0.2, -0.25, -0.02
CONDITION_FITS, CONDITION_DIFFERS, CONDITION_UNSAID = 0.2, -0.3, -0.05
TIME_FITS, TIME_DIFFERS = 0.2, -0.1
SESSION, PINNED, SETTLED, LATEST = 0.18, 0.02, 0.08, 0.25
KIND_FITS, KIND_DIFFERS = 0.15, -0.03
AVOIDS, AVOIDS_NOT = 0.25, -0.25
COVERS, WHO = 0.2, 0.3
RECENCY, IMPORTANCE, SUCCESS = 0.03, 0.06, 0.1
SUBJECT_LIFT, CONDITION_LIFT, TIME_LIFT = 0.25, 0.25, 0.15  # how far these terms count towards the threshold
HALF_LIFE = timedelta(days=45)
MOST_TOLD = 50  # nobody is given more answers, so the rest need no sentence


@dataclass(frozen=True)
class Ranked:
    """An item with its place; ``left_out`` says why it is not among the results (None: it is)."""

    item: Item
    score: float
    terms: Mapping[str, Any]
    because: str
    left_out: str | None

    @property
    def why(self) -> dict[str, Any]:
        """Each term of the score, in numbers that people can read."""
        return {name: round(value, 4) if isinstance(value, float) else value for name, value in self.terms.items()}


def rank(
    items: Sequence[Item],
    question: Question,
    now: datetime,
    limit: int,
    population: int | None = None,
    calibration: Calibration | None = None,
    told: int = MOST_TOLD,
) -> list[Ranked]:
    """The items in the order of their score, those left out last, each with its reason; ``told`` of them in a sentence.

    ``population`` is the number of memories that the caller may see, of which ``items`` are those that share a word
    or a vector with the question; a word is as rare as it is among all of them.
    """
    if question.small_talk:
        return [Ranked(item, 0.0, {}, "", "small_talk") for item in sorted(items, key=lambda item: str(item.id))]
    relevant = relevance(items, question, max(population or 0, len(items)), calibration or Calibration())
    named = [identifier_fit(item.tokens, question.identifiers) for item in items]
    nobody_named = bool(question.identifiers) and not any(fit == EXACT for fit in named)
    for why, fit in zip(relevant, named, strict=True):
        why["relevance"] *= ABSENT if nobody_named else 1.0
        why["identifier"] = fit
    needed = _needed(relevant)
    may = [_may_be_needed(item, why, question, needed) for item, why in zip(items, relevant, strict=True)]
    whys = [
        why | (_fits(item, question, now) if fits else NO_FITS)
        for item, why, fits in zip(items, relevant, may, strict=True)
    ]
    _order_by_time(items, whys, question)
    count_places(whys)
    scored = [
        (_score(why), item, why, _left_out(item, why, question, needed))
        if fits
        else (why["relevance"] + why["identifier"], item, why, "threshold")
        for item, why, fits in zip(items, whys, may, strict=True)
    ]
    return _placed(_sessions_first(scored), question, now, limit, told)


def _needed(whys: Sequence[Mapping[str, Any]]) -> float:
    """The relevance below which an item is left out, whatever else fits."""
    return max(THRESHOLD, RELATIVE_THRESHOLD * max((why["relevance"] for why in whys), default=0.0))


#: Of what stays below the threshold whatever fits, as most memories do for most questions.
NO_FITS: dict[str, Any] = dict.fromkeys(
    (
        "subject",
        "condition",
        "time",
        "kind",
        "who",
        "avoids",
        "covers",
        "session",
        "settled",
        "recency",
        "importance",
        "success",
        "pinned",
    ),
    0.0,
)


def _may_be_needed(item: Item, why: Mapping[str, Any], question: Question, needed: float) -> bool:
    """Whether an item can pass the threshold, if all that lifts it fits."""
    if why["identifier"] == EXACT or item.scope == "session" or question.only_time:
        return True
    lift = SUBJECT_LIFT * SUBJECT_FITS if question.subjects else 0.0
    lift += CONDITION_LIFT * CONDITION_FITS if item.condition else 0.0
    lift += TIME_LIFT * TIME_FITS if question.since or question.until else 0.0
    return bool(why["relevance"] + lift >= needed)


def _fits(item: Item, question: Question, now: datetime) -> dict[str, Any]:
    """The terms that only order what is relevant."""
    age = max(timedelta(0), now - item.updated_at)
    tried = item.success_count + item.failure_count
    return {
        "subject": _subject_fit(item, question),
        "condition": _condition_fit(item, question),
        "time": {1: TIME_FITS, -1: TIME_DIFFERS, 0: 0.0}[time_fit(item, question)],
        "kind": _kind_fit(item, question),
        "who": WHO if question.who and names_somebody(item.text, question.subjects) else 0.0,
        "avoids": _avoidance_fit(item, question),
        "covers": _coverage(item, question),
        "session": SESSION if item.session_id is not None and item.scope == "session" else 0.0,
        "settled": SETTLED if question.settled and _settles(item, question) else 0.0,
        "recency": RECENCY * 0.5 ** (age / HALF_LIFE),
        "importance": IMPORTANCE * (item.importance - 0.5),
        "success": SUCCESS * ((item.success_count + 1) / (tried + 2) - 0.5) if tried else 0.0,
        "pinned": PINNED if item.pinned else 0.0,
    }


def _condition_fit(item: Item, question: Question) -> float:
    if not item.condition:
        return 0.0
    # Where nobody says whether a condition holds, what holds without one stands before it.
    fits = condition_fit(item.condition, question.text)
    return {1: CONDITION_FITS, -1: CONDITION_DIFFERS, 0: CONDITION_UNSAID}[fits]


def _kind_fit(item: Item, question: Question) -> float:
    if item.kind in question.kinds:
        return KIND_FITS
    # A story is no procedure and a procedure no story; plain facts may answer either.
    pair = {"procedural", "episodic"}
    return KIND_DIFFERS if item.kind in pair and question.kinds & pair else 0.0


def _coverage(item: Item, question: Question) -> float:
    """What touches every field of a question that has several is about their meeting; others share a word with it."""
    if not question.wide:
        return 0.0
    own = concepts(entry_text(item.text, item.key))
    return COVERS if any(fields <= own for fields in question.wide) else 0.0


def _avoidance_fit(item: Item, question: Question) -> float:
    """What one may not have is not told by what one has."""
    if not question.avoids:
        return 0.0
    return AVOIDS if "avoidance" in concepts(entry_text(item.text, item.key)) else AVOIDS_NOT


def _subject_fit(item: Item, question: Question) -> float:
    subject = subject_of(item.subject, item.text)
    if not question.subjects:
        if not subject:
            return 0.0
        if same_person(frozenset(), subject, question.text):
            return 0.0
        return SUBJECT_DIFFERS if question.about_user and not question.who else SUBJECT_UNASKED
    if subject and same_person(question.subjects, subject, question.text):
        return SUBJECT_FITS
    if question.who:  # whoever it is that is asked for, it is not those whom the question names
        return 0.0
    # A subject that was stored is surer than one that the text seems to start with.
    return SUBJECT_DIFFERS if item.subject else SUBJECT_DIFFERS / 2 if subject else 0.0


def _settles(item: Item, question: Question) -> bool:
    return "decision" in concepts(item.text) or (item.kind == "semantic" and bool(item.key))


def _order_by_time(items: Sequence[Item], whys: list[dict[str, Any]], question: Question) -> None:
    """ "The latest" puts the newest of the relevant items first."""
    best = max((why["relevance"] for why in whys), default=0.0)
    if not question.latest or best <= 0:
        return
    # Procedures are no events: none of them is the latest.
    about = [
        at
        for at, why in enumerate(whys)
        if why["relevance"] >= max(THRESHOLD, 0.55 * best) and items[at].kind != "procedural"
    ]
    for place, at in enumerate(sorted(about, key=lambda at: happened(items[at])[0], reverse=True)):
        whys[at]["latest"] = LATEST / (place + 1)


def count_places(whys: list[dict[str, Any]]) -> None:
    """Each reason also says which place its item has by words alone and by vectors alone."""
    for term, name in (("keyword", "kw_rank"), ("vector", "vec_rank")):
        scores = sorted({why[term] for why in whys if why[term] > 0}, reverse=True)
        places = {score: place for place, score in enumerate(scores, 1)}
        for why in whys:
            why[name] = places.get(why[term])


_ordering = itemgetter("identifier", *NO_FITS)  # the terms that only order what is relevant


_Scored = tuple[float, Item, dict[str, Any], str | None]


def _score(why: Mapping[str, Any]) -> float:
    return float(why["relevance"] + sum(_ordering(why)) + why.get("latest", 0.0))


def _placed(scored: list[_Scored], question: Question, now: datetime, limit: int, told: int) -> list[Ranked]:
    inside = any(entry[2]["time"] > 0 and entry[3] is None for entry in scored)
    found: list[Ranked] = []
    dropped: list[Ranked] = []
    # Equal scores: the newer first, then by id, so that the same question has the same answer every time.
    for score, item, why, left_out in sorted(
        scored, key=lambda entry: (-round(entry[0], 6), -entry[1].updated_at.timestamp(), str(entry[1].id))
    ):
        if left_out is None and question.past and why["time"] < 0 and (inside or item.kind == "episodic"):
            left_out = "time" if item.kind == "episodic" else None
        if left_out is None and len(found) >= limit:
            left_out = "limit"
        if left_out is None:
            said = because(item, question, why, now) if len(found) < told else ""
            found.append(Ranked(item, round(score, 4), why, said, None))
        else:
            dropped.append(Ranked(item, round(score, 4), why, "", left_out))
    return found + dropped


def _sessions_first(scored: list[_Scored]) -> list[_Scored]:
    """What fills a slot in this session stands before what fills the same slot by default."""
    best: dict[tuple[str, str], float] = {}
    for score, item, _, left_out in scored:
        if item.key and item.scope != "session" and left_out is None:
            slot = (item.key, item.subject)
            best[slot] = max(best.get(slot, score), score)
    return [
        (max(score, best[item.key, item.subject] + 0.001), item, why, None)
        if item.scope == "session" and (item.key, item.subject) in best
        else (score, item, why, left_out)
        for score, item, why, left_out in scored
    ]


def _left_out(item: Item, why: Mapping[str, Any], question: Question, needed: float) -> str | None:
    if why["identifier"] == EXACT or (question.only_time and why["time"] > 0):
        return None
    if why["session"] > 0:
        return None if why["relevance"] >= SESSION_THRESHOLD else "threshold"
    lift = SUBJECT_LIFT * max(0.0, why["subject"]) + TIME_LIFT * max(0.0, why["time"])
    lift += CONDITION_LIFT * max(0.0, why["condition"])
    if why["relevance"] + lift < needed:
        return "threshold"
    if why["concept"] > 0 or lift > 0 or (why["keyword"] >= 0.05 * KEYWORD and _tells(item, why["words"], question)):
        return None
    return None if question.known and why["vector"] >= VECTOR_ALONE else "threshold"


def _tells(item: Item, shared: Sequence[str], question: Question) -> bool:
    """Whether one of the words that an item shares with the question says which thing is meant."""
    telling = [word for word in shared if not is_generic(word)]
    if any(word not in question.pieces for word in telling):
        return True
    return bool(telling) and not set(telling).isdisjoint(segments(item.text))  # words by themselves in the item
