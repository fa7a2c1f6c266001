"""What is believed of an answer: only what the user's own words carry, looked up and not taken on trust."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from consolidation.distill import DraftNote, SpokenTurn
from consolidation.domain.compare import values
from consolidation.domain.compare.cues import asks_to_forget
from consolidation.domain.compare.tokens import content
from consolidation.domain.grounding import Grounding, ground
from consolidation.domain.matching import Limits, Relation, Statement, match
from consolidation.domain.policy import Policy
from consolidation.domain.slots import infer
from memory_app.domain.words import fold

from .answers import NoteProposed, NotesProposed, VerdictGiven

#: A full stop inside of a number or a name is no end.
_SENTENCE_END = re.compile(r"[.!?]+(?=\s|$)|[。！？]+|\n+")
#: How many proposals were not believed, by why.
Dropped = Counter[str]
CONFIDENCE = 0.7


def drafts_of(
    answer: NotesProposed, turns: Sequence[SpokenTurn], known: Sequence[DraftNote], keys: Collection[str]
) -> tuple[list[DraftNote], Dropped]:
    """The proposals that quote a user's turn word for word and say something new, as drafts."""
    spoken = {turn.index: turn for turn in turns if turn.role == "user" and not turn.recalled}
    taken_back = max((index for index, turn in spoken.items() if asks_to_forget(turn.text)), default=-1)
    drafts: list[DraftNote] = []
    dropped: Dropped = Counter()
    for proposed in answer.notes:
        turn = spoken.get(proposed.turn)
        if turn is None:
            dropped["not_from_user"] += 1
            continue
        draft = _draft(proposed, turn, keys)
        if draft is None:
            dropped["invented_quote"] += 1
        elif any(_says_the_same(draft, other) for other in (*known, *drafts)):
            dropped["already_noted"] += 1
        elif proposed.turn <= taken_back:
            dropped["taken_back"] += 1
        else:
            drafts.append(_in_its_sentence(draft, turn.text))
    return drafts, dropped


def _draft(proposed: NoteProposed, turn: SpokenTurn, keys: Collection[str]) -> DraftNote | None:
    start = turn.text.find(proposed.quote)
    limits = (proposed.condition, proposed.subject)
    if start < 0 or any(part is not None and fold(part) not in fold(proposed.quote) for part in limits):
        return None
    key, value = _slot(proposed, keys)
    return DraftNote(
        proposed.text, key, value, turn.id, proposed.quote, start, start + len(proposed.quote), turn.at,
        condition=proposed.condition, subject=proposed.subject, kind=proposed.kind, scope=proposed.scope,
        confidence=CONFIDENCE, rule="llm",
    )  # fmt: skip


def _in_its_sentence(draft: DraftNote, text: str) -> DraftNote:
    """The draft with its whole sentence as the quote: what a narrow quote leaves out, such as "not", "maybe" or "this
    time", is what the checks of the evidence look for."""
    before = [m.end() for m in _SENTENCE_END.finditer(text, 0, draft.start)]
    after = _SENTENCE_END.search(text, max(draft.start, draft.end - 1))
    start = before[-1] if before else 0
    end = after.end() if after is not None else len(text)
    start += len(text[start:end]) - len(text[start:end].lstrip())
    sentence = text[start:end].rstrip()
    return replace(draft, quote=sentence, start=start, end=start + len(sentence))


def _slot(proposed: NoteProposed, keys: Collection[str]) -> tuple[str | None, str | None]:
    """The slot, where the wording itself implies it, or where it is known here and the quote states the value."""
    if proposed.key is None or proposed.value is None:
        return None, None
    for said in (proposed.quote, proposed.text):
        found = infer(said)
        if found is not None and found.key == proposed.key and found.value is not None:
            same = values.compare(found.value, proposed.value) is values.Same.EQUAL
            return (proposed.key, proposed.value) if same else (None, None)
    stated = ground(proposed.value, None, proposed.quote, 0.0, Policy().related) is Grounding.STATED
    return (proposed.key, proposed.value) if proposed.key in keys and stated else (None, None)


def _says_the_same(one: DraftNote, other: DraftNote) -> bool:
    if fold(one.text) == fold(other.text):
        return True
    same_words = one.turn == other.turn and one.start < other.end and other.start < one.end
    if same_words and content(one.text) & content(other.text):
        return True  # the same words of the user, put in another way
    policy = Policy()
    limits = Limits(policy.doubtful, policy.near_duplicate)
    return match(_statement(one), _statement(other), 0.0, limits).relation is Relation.SAME


def _statement(note: DraftNote) -> Statement:
    # Both are compared as the user's: one that holds only this time is the same statement.
    return Statement(note.text, note.key, note.value, note.condition, note.subject, note.kind, "user", None, False)


def believed(given: VerdictGiven, user_said: str) -> str | None:
    """Why the verdict is not believed, or None: whatever it chooses must rest on words that the user has said."""
    if given.choice == "unclear":
        return None
    quote = fold(given.quote).strip()
    if not quote or quote not in fold(user_said):
        return "invented_quote"
    if given.choice == "combined" and given.text is None:
        return "schema"
    return None
