"""context_for(): the block that an agent puts into its prompt, with what holds now and what it should ask about."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_app.domain.actor import Actor
from memory_app.domain.precedence import Clarify, Contest, Effective, clarify, effective
from memory_app.domain.ranking import Item, Ranked
from memory_app.domain.rendering import ALWAYS_PRIORITY, Placed, render
from memory_app.domain.words import CJK_CHARACTER
from memory_app.models import Cardinality, Decision, Exposure, Memory, Slot, Workspace
from memory_app.models.decision import OPEN
from memory_app.recall.asker import Asker, asker
from memory_app.recall.asking import answer, ask
from memory_app.recall.injectable import Released, refused
from memory_app.recall.recording import record
from memory_app.recall.visible import Wanted, fetch

MOST_RANKED = 30
MOST_EXPIRED = 20

Considered = Placed


@dataclass(frozen=True)
class Context:
    """The block within its budget; ``effective`` is applied precedence, ``clarify`` the slots that are contested."""

    text: str
    tokens: int
    effective: dict[str, Effective]
    clarify: tuple[Clarify, ...]
    included: tuple[Considered, ...]
    excluded: tuple[Considered, ...]


def context_for(
    workspace: Workspace,
    *,
    user: str,
    session: UUID | str | None = None,
    teams: Sequence[str] | None = None,
    query: str | None = None,
    token_budget: int = 800,
    trimmed: bool = True,
    now: datetime | None = None,
    as_of: datetime | None = None,
    actor: Actor | None = None,
    recorded: bool = True,
) -> Context:
    """What the agent should know now, as data. Previews pass ``recorded=False``."""
    who = asker(workspace, user, session=session, teams=teams, now=now, as_of=as_of, actor=actor)
    asked = ask(query, who.now) if query else None
    wanted = Wanted(context=True)
    found = fetch(who, asked.wanted(wanted) if asked else wanted)
    slots = {slot.key: slot for slot in Slot.objects.filter(workspace=workspace, key__in=_keys(who, found.items))}
    released = Released(workspace)
    shown, told, kept_out = _screened(found.items, slots, released)
    ranked = (
        answer(asked, shown, who.now, MOST_RANKED, found.population, released)
        if asked and not asked.question.small_talk
        else _by_use(shown, asked is None)
    )
    said = " ".join([query or "", *(item.text for item in shown if item.scope == "session")])
    holds = _effective(who, [*shown, *told], slots, said)
    questions = clarify(_contests(who, shown))
    rendered = render(
        effective={key: one for key, one in holds.items() if _exposure(slots, key) == Exposure.CONTEXT},
        session_notes=[item for item in shown if item.scope == "session"],
        always=[
            item for item in shown if item.scope != "session" and (item.pinned or item.priority >= ALWAYS_PRIORITY)
        ],
        ranked=[one for one in ranked if one.item.scope != "session"],
        now=who.now,
        token_budget=token_budget,
        trimmed=trimmed,
        clarify=questions,
        language=_language(query, shown),
    )
    excluded = (*rendered.excluded, *kept_out, *_expired(who))
    if recorded:
        included = [_entry(one) for one in rendered.included]
        record(who, "context", query or "", included, [_entry(one) for one in excluded], rendered.tokens)
    return Context(rendered.text, rendered.tokens, holds, questions, rendered.included, excluded)


def _entry(one: Placed) -> dict[str, object]:
    return {"memory": one.memory, "version": one.version, "reason": one.reason}


def _keys(who: Asker, items: Sequence[Item]) -> set[str]:
    return {item.key for item in items if item.key} | set(who.user.profile if who.user else ())


def _exposure(slots: dict[str, Slot], key: str) -> str:
    return slots[key].exposure if key in slots else Exposure.CONTEXT


def _screened(
    items: Sequence[Item], slots: dict[str, Slot], released: Released
) -> tuple[list[Item], list[Item], list[Placed]]:
    """What may stand in the text, what only tools are told, and what its slot or the guardrail keeps out of the text."""
    shown: list[Item] = []
    told: list[Item] = []
    kept_out: list[Placed] = []
    for item in sorted(items, key=lambda item: item.id):
        exposure = _exposure(slots, item.key)
        if exposure != Exposure.CONTEXT:
            kept_out.append(Placed(item.id, item.version, "exposure"))
        if exposure == Exposure.NONE:
            continue
        if refused(item, released):
            kept_out.append(Placed(item.id, item.version, "guardrail"))
        elif exposure == Exposure.CONTEXT:
            shown.append(item)
        else:
            told.append(item)
    return shown, told, kept_out


def _effective(who: Asker, items: Sequence[Item], slots: dict[str, Slot], said: str) -> dict[str, Effective]:
    profile = {
        key: value
        for key, value in (who.user.profile if who.user else {}).items()
        if _exposure(slots, key) != Exposure.NONE
    }
    return effective(
        [item for item in items if item.scope == "session"],
        profile,
        [item for item in items if item.scope == "user"],
        [item for item in items if item.scope == "team"],
        said=said,
        many=frozenset(key for key, slot in slots.items() if slot.cardinality == Cardinality.MANY),
    )


def _by_use(items: Sequence[Item], wanted: bool) -> list[Ranked]:
    """Without a question: what matters most and is freshest; small talk needs none of it."""
    order = sorted(
        (item for item in items if item.scope != "session"),
        key=lambda item: (-item.priority, -item.importance, -item.updated_at.timestamp(), item.id),
    )
    return [
        Ranked(
            item,
            item.importance,
            {},
            "",
            None if wanted and place < MOST_RANKED else "limit" if wanted else "threshold",
        )
        for place, item in enumerate(order)
    ]


def _contests(who: Asker, items: Sequence[Item]) -> list[Contest]:
    """Open decisions that would change a slot which is shown. Of the past nothing is asked any more."""
    keyed = {item.id: item for item in items if item.key}
    if not keyed or who.as_of is not None:
        return []
    waiting = Decision.objects.filter(workspace=who.workspace, memory__in=list(keyed), status__in=OPEN)
    found = []
    for decision in waiting.exclude(action="dedupe").order_by("created_at", "pk"):
        item = keyed[str(decision.memory_id)]
        after = decision.after or {}
        found.append(Contest(item.key, item.value, after.get("value"), str(decision.pk)))
    return found


def _expired(who: Asker) -> list[Placed]:
    """The user's memories that have run out, so that their absence has a reason."""
    if who.user is None or who.as_of is not None:
        return []
    rows = Memory.objects.filter(workspace=who.workspace, scope="user", owner=who.user.pk).expired(who.now)
    latest = rows.order_by("-expires_at", "pk").values_list("pk", "version")[:MOST_EXPIRED]
    return [Placed(str(pk), version, "expired") for pk, version in latest]


def _language(query: str | None, items: Sequence[Item]) -> str:
    if query:
        return "zh" if CJK_CHARACTER.search(query) else "en"
    chinese = sum(bool(CJK_CHARACTER.search(item.text)) for item in items)
    return "zh" if chinese * 2 > len(items) else "en"
