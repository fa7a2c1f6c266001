"""context_for(): the block that an agent puts into its prompt, with what holds now and what it should ask about."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memory_app.domain.actor import Actor
from memory_app.domain.precedence import Clarify, Contest, Effective, clarify, effective
from memory_app.domain.procedures import offered
from memory_app.domain.ranking import Item, Ranked
from memory_app.domain.rendering import ALWAYS_PRIORITY, Placed, once, render
from memory_app.domain.words import CJK_CHARACTER
from memory_app.domain.working import summary
from memory_app.models import Cardinality, Decision, Exposure, Slot, Workspace
from memory_app.models.decision import OPEN
from memory_app.recall.asker import Asker, asker
from memory_app.recall.asking import Asked, answer, ask
from memory_app.recall.gated import gated
from memory_app.recall.injectable import Released, refused, unsafe
from memory_app.recall.recording import record
from memory_app.recall.visible import Wanted, fetch
from memory_app.recall.wished import with_wishes

MOST_RANKED = 30

Considered = Placed


@dataclass(frozen=True)
class Context:
    """The block within its budget; ``effective`` is applied precedence, ``clarify`` the slots that are contested.

    ``digest`` names these very bytes; where the caller said that its prompt holds them already, ``unchanged`` is true
    and the text is left out. ``ranked`` says how well each memory fits.
    """

    text: str
    tokens: int
    effective: dict[str, Effective]
    clarify: tuple[Clarify, ...]
    included: tuple[Considered, ...]
    excluded: tuple[Considered, ...]
    digest: str
    unchanged: bool
    ranked: tuple[Ranked, ...]


def context_for(
    workspace: Workspace,
    *,
    user: str,
    session: UUID | str | None = None,
    teams: Sequence[str] | None = None,
    query: str | None = None,
    token_budget: int = 800,
    trimmed: bool = True,
    known: str | None = None,
    now: datetime | None = None,
    as_of: datetime | None = None,
    actor: Actor | None = None,
    recorded: bool = True,
) -> Context:
    """What the agent should know now, as data. Previews pass ``recorded=False``."""
    who = asker(workspace, user, session=session, teams=teams, now=now, as_of=as_of, actor=actor)
    asked = ask(query, who.now) if query else None
    found = fetch(who, asked.wanted(Wanted(context=True)) if asked else Wanted(context=True))
    slots = {slot.key: slot for slot in Slot.objects.filter(workspace=workspace, key__in=_keys(who, found.items))}
    released = Released(workspace)
    shown, told, kept_out = _screened(found.items, slots, released)
    ranked = _ranked(who, asked, shown, found.population, released)
    session_notes = [item for item in shown if item.scope == "session"]
    said = " ".join([query or "", *(item.text for item in session_notes)])
    holds = with_wishes(_effective(who, [*shown, *told], slots, said), query, who.now, slots)
    contests = _contests(who, shown, holds, slots)
    questions = clarify(contests)
    rendered = render(
        effective={key: one for key, one in holds.items() if _exposure(slots, key) == Exposure.CONTEXT},
        session_notes=session_notes,
        always=[item for item in shown if _always(item)],
        ranked=[one for one in ranked if one.item.scope != "session"],
        now=who.now,
        token_budget=token_budget,
        trimmed=trimmed,
        clarify=questions,
        working=_at_hand(who),
        language=_language(query, shown),
    )
    gates = gated(who, list(asked.question.terms) if asked else (), actor, visible=[item.text for item in found.items])
    excluded = once([*rendered.excluded, *kept_out, *(Placed(one.memory, one.version, one.reason) for one in gates)])
    digest = hashlib.sha256(rendered.text.encode()).hexdigest()[:16]
    same = bool(rendered.text) and known == digest
    text, tokens = ("", 0) if same else (rendered.text, rendered.tokens)
    if recorded:
        fits = {one.item.id: one for one in ranked} if asked else {}
        given, about = _entries(() if same else rendered.included, fits), _asked_about(contests if text else ())
        record(who, "context", query or "", given, _entries(excluded, fits), tokens, text, about, released.marked)
    return Context(text, tokens, holds, questions, rendered.included, excluded, digest, same, tuple(ranked))


def _ranked(
    who: Asker, asked: Asked | None, shown: Sequence[Item], population: int, released: Released
) -> list[Ranked]:
    """By the question, or by use where there is none or it is small talk; procedures that fail are left out."""
    if asked is None or asked.question.small_talk:
        return offered(_by_use(shown, asked is None))
    return offered(answer(asked, shown, who.now, MOST_RANKED, population, released))


def _always(item: Item) -> bool:
    return item.scope != "session" and (item.pinned or item.priority >= ALWAYS_PRIORITY)


def _asked_about(contests: Sequence[Contest]) -> list[str]:
    """The decisions and memories whose words stand in the questions to the user."""
    return [one for contest in contests for one in (contest.decision, contest.memory) if one]


def _entries(placed: Iterable[Placed], fits: Mapping[str, Ranked]) -> list[dict[str, object]]:
    return [_entry(one, fits) for one in placed]


def _entry(one: Placed, fits: Mapping[str, Ranked]) -> dict[str, object]:
    entry: dict[str, object] = {"memory": one.memory, "version": one.version, "reason": one.reason}
    if one.rank is not None:
        entry["rank"] = one.rank
    if one.rule:
        entry["rule"] = one.rule
    if one.memory in fits:
        entry["score"] = fits[one.memory].score
    return entry


def _at_hand(who: Asker) -> list[tuple[str, str]]:
    """The working state of an open session in a few lines, without those that a prompt must not hold. It keeps no
    versions: of the past nothing is known."""
    if who.session is None or who.open_session is None or who.as_of is not None:
        return []
    return [(name, text) for name, text in summary(who.session.working) if not unsafe(who.workspace.rules, text)]


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
        if rule := refused(item, released):
            kept_out.append(Placed(item.id, item.version, "guardrail", rule=rule))
        elif exposure == Exposure.CONTEXT:
            shown.append(item)
        else:
            told.append(item)
    return shown, told, kept_out


def _effective(who: Asker, items: Sequence[Item], slots: dict[str, Slot], said: str) -> dict[str, Effective]:
    profile = {
        key: value
        for key, value in (who.user.profile if who.user else {}).items()
        if _exposure(slots, key) != Exposure.NONE and who.workspace.rules.slot(key) is None
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


def _contests(
    who: Asker, items: Sequence[Item], holds: Mapping[str, Effective], slots: dict[str, Slot]
) -> list[Contest]:
    """Open decisions that would give a slot which is shown another value, as far as a prompt may hold it: nobody has
    agreed to it yet. Of the past nothing is asked any more."""
    keyed = {item.id: item for item in items if item.key}
    trusted = [
        key for key, one in holds.items() if one.scope == "profile" and _exposure(slots, key) == Exposure.CONTEXT
    ]
    if who.as_of is not None or not (keyed or trusted):
        return []
    about = Q(memory__in=list(keyed)) | Q(memory=None, user=who.user, after__key__in=trusted)
    waiting = Decision.objects.filter(about, workspace=who.workspace, status__in=OPEN)
    found = []
    for decision in waiting.exclude(action="dedupe").order_by("created_at", "pk"):
        after = decision.after or {}
        item = keyed.get(str(decision.memory_id))
        key, current = (item.key, item.value) if item else (after["key"], holds[after["key"]].value)
        proposed = after.get("value")
        if item is not None and current is None and proposed is None:  # a slot told in words
            current, proposed = item.text, after.get("text")
        if proposed != current and not unsafe(who.workspace.rules, proposed):
            found.append(Contest(key, current, proposed, str(decision.pk), str(item.id) if item else None))
    return found


def _language(query: str | None, items: Sequence[Item]) -> str:
    if query:
        return "zh" if CJK_CHARACTER.search(query) else "en"
    chinese = sum(bool(CJK_CHARACTER.search(item.text)) for item in items)
    return "zh" if chinese * 2 > len(items) else "en"
