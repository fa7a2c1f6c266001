"""recall(): the memories that answer a question, each with its reasons."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.domain.actor import Actor
from memory_app.domain.because import Source, because, changed_often
from memory_app.domain.ranking import Question, Ranked
from memory_app.domain.words import count_tokens
from memory_app.models import ActorKind, Exposure, Kind, Memory, Scope, Slot, Turn, Workspace
from memory_app.recall.asker import Asker, asker
from memory_app.recall.asking import answer, answer_with_turns, ask
from memory_app.recall.gated import Gated, gated
from memory_app.recall.injectable import Released, unsafe
from memory_app.recall.loaded import load
from memory_app.recall.recording import MOST_EXCLUDED, record
from memory_app.recall.spoken import fetch_turns
from memory_app.recall.visible import Wanted, fetch


@dataclass(frozen=True)
class Recollection:
    """A memory that came back, under ``as_of`` with its content of then; or a turn, as the episode that it is."""

    memory: Memory
    score: float
    why: dict[str, Any]
    because: str
    turn: Turn | None = None


@dataclass(frozen=True)
class Recalled:
    """The answer to a question, and what was considered and left out with the first gate it did not pass."""

    intent: str
    keywords: tuple[str, ...]
    results: tuple[Recollection, ...]
    left_out: tuple[Ranked, ...]
    gated: tuple[Gated, ...] = ()  # where it was to be explained: what did not come as far as being ranked


def recall(
    workspace: Workspace,
    *,
    user: str,
    query: str,
    session: UUID | str | None = None,
    teams: Sequence[str] | None = None,
    kinds: Sequence[str] | None = None,
    scopes: Sequence[str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int = 5,
    now: datetime | None = None,
    as_of: datetime | None = None,
    actor: Actor | None = None,
    recorded: bool = True,
    explained: bool = False,
) -> Recalled:
    """The memories that answer a query, best first; turns, where recall reaches them, take the places that are left.
    Previews pass ``recorded=False``: no agent saw their answer."""
    who = asker(workspace, user, session=session, teams=teams, now=now, as_of=as_of, actor=actor)
    asked = ask(query, who.now)
    wanted = asked.wanted(Wanted(kinds=kinds, scopes=scopes, since=since, until=until))
    found = fetch(who, wanted)
    hidden = hidden_keys(workspace, {item.key for item in found.items})
    items = [item for item in found.items if item.key not in hidden]
    released = Released(workspace)
    # Each result gets its sentence below, from what the user said.
    ranked = answer(asked, items, who.now, limit, found.population, released, told=0)
    results = remembered(who, [one for one in ranked if one.left_out is None], asked.question)
    if (left := limit - len(results)) > 0:
        heard = answer_with_turns(asked, *fetch_turns(who, wanted), who.now, left, released)
        results += spoken(who, [one for one in heard if one.left_out is None])
    left_out = tuple(one for one in ranked if one.left_out is not None)
    if recorded:
        _record(who, query, results, left_out, released)
    seen = [item.text for item in found.items]
    gates = gated(who, list(asked.question.terms), actor, visible=seen) if explained else []
    return Recalled(asked.question.intent, asked.question.keywords, tuple(results), left_out, tuple(gates))


def remembered(who: Asker, placed: Sequence[Ranked], question: Question) -> list[Recollection]:
    """The memories among the results, each with why it came back."""
    loaded = load(who, {one.item.id: one.item.version for one in placed})
    for memory, _source in loaded.values():
        if memory.keywords and unsafe(who.workspace.rules, list(memory.keywords)):
            memory.keywords = []  # they tell nothing that the memory does not, so it comes without them
    return [
        Recollection(row[0], one.score, one.why, in_their_words(one, *row, question, who))
        for one in placed
        if (row := loaded.get(one.item.id)) is not None
    ]


def _record(
    who: Asker, query: str, results: Sequence[Recollection], left_out: Sequence[Ranked], released: Released
) -> None:
    """What the agent was shown, and what not."""
    shown = [
        {
            "memory": str(one.memory.pk),
            "version": one.memory.version,
            "reason": "relevant",
            "rank": place,
            "score": one.score,
            "why": one.why,
        }
        # A turn's words stay in the turn alone, where erasure finds them.
        | ({"turn": str(one.turn.pk)} if one.turn else {"because": one.because})
        for place, one in enumerate(results, 1)
    ]
    not_shown = [
        {"memory": one.item.id, "version": one.item.version, "reason": one.left_out}
        | ({"rule": one.terms["guardrail"]} if one.left_out == "guardrail" else {})
        for one in left_out[:MOST_EXCLUDED]
    ]
    tokens = sum(count_tokens(one.memory.text) for one in results)
    record(who, "recall", query, shown, not_shown, tokens, marked=released.marked)


def spoken(who: Asker, placed: Sequence[Ranked]) -> list[Recollection]:
    """The turns among the results, each as an episode that is stored nowhere but in its turn."""
    if not placed:
        return []
    rows = Turn.objects.select_related("session").in_bulk([one.item.id for one in placed])
    turns = {str(pk): turn for pk, turn in rows.items()}
    return [
        Recollection(_episode(turns[one.item.id], who), one.score, one.why, one.because, turns[one.item.id])
        for one in placed
        if one.item.id in turns
    ]


def _episode(turn: Turn, who: Asker) -> Memory:
    return Memory(
        id=turn.pk, workspace=who.workspace, number=turn.session.number, version=turn.index, kind=Kind.EPISODIC,
        scope=Scope.USER, user=who.user, session=turn.session, text=turn.content, source="turn",
        updated_at=turn.at, occurred_at=turn.at, confirmed_at=turn.at, created_at=turn.at, recorded_at=turn.created_at,
    )  # fmt: skip


def in_their_words(one: Ranked, memory: Memory, said: Source | None, question: Question, who: Asker) -> str:
    """Why it came back, by what the user said where that is known, and truthful about who wrote it where it is not."""
    source = said if said is not None and not unsafe(who.workspace.rules, said.quote) else None
    reason = because(one.item, question, one.why, who.now, source, noted=memory.author == ActorKind.OPERATOR)
    return reason + (changed_often(getattr(memory, "changes", 0), question.language) if memory.drifting else "")


def hidden_keys(workspace: Workspace, keys: set[str]) -> set[str]:
    """The keys among these whose slots nobody is shown."""
    named = keys - {""}
    if not named:
        return set()
    hidden = Slot.objects.filter(workspace=workspace, key__in=named, exposure=Exposure.NONE)
    return set(hidden.values_list("key", flat=True))
