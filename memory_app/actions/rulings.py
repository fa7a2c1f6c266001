"""What a person rules on a decision, and what comes of it: the action, the content, and the proposal that is kept."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from memory_app import guardrails
from memory_app.domain.actor import Actor
from memory_app.domain.carrying import carried
from memory_app.domain.errors import UNFIT, Blocked, Invalid
from memory_app.models import Action, ActorKind, Decision, Memory, Needs, Scope

from .content import snapshot, to_json
from .effects import EFFECTS
from .guard import check_fields, masked, record_block, refuse_secret, released
from .notes import CHECKED, state_of

UNSET: Any = object()
#: What a ruling may replace in a decision, and an undo brings back, beside its memory and team.
PROPOSED = ("action", "proposed_action", "scope", "before", "after", "base_version")
#: What may become of a note. Any other decision is carried out as it was proposed, or not at all.
NOTE_ACTIONS = frozenset({Action.PROMOTE, Action.DEDUPE, Action.OVERRIDE, Action.SESSION_ONLY, Action.REJECT})
#: Actions that write content, so they need some.
NEW_CONTENT = (Action.PROMOTE, Action.OVERRIDE, Action.MERGE)
#: How a memory is kept, beside what it says. A note that a person aims at another memory leaves that as it is.
HOW_KEPT = ("kind", "pinned", "priority", "importance")
#: The reason for a decline that its comment tells.
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the person who approves says: as it is, with an edit, or as another action."""

    comment: str = ""
    base_version: int | None = None
    text: str | None = None
    value: Any = UNSET
    action: str = ""
    memory: str | None = None
    reason_code: str = ""
    batch: Any = None

    @property
    def edits(self) -> bool:
        return self.text is not None or self.value is not UNSET


AS_IT_IS = Ruling()


def checked(decision: Decision, ruling: Ruling) -> Ruling:
    """The ruling with its comment masked; Blocked when an edited text or value may not be remembered."""
    refuse_secret("reason_code", ruling.reason_code)
    rules = decision.workspace.rules
    ruling = replace(ruling, comment=masked(rules, ruling.comment), reason_code=ruling.reason_code[:40])
    edits = {k: v for k, v in (("text", ruling.text), ("value", ruling.value)) if v is not None and v is not UNSET}
    found = check_fields(rules, edits, key=(decision.after or {}).get("key", ""))
    if found.verdict is not None:
        block = record_block(
            decision.workspace, found.verdict, field=found.field or "text", user=decision.user, session=decision.session
        )
        raise Blocked("The edited text may not be remembered.", block, found.verdict.category or "")
    return ruling


def content_of(decision: Decision, ruling: Ruling, action: str) -> dict[str, Any]:
    """What memory will hold. Where only the text is edited, the value says what the text now says."""
    after = dict(decision.after or {})
    if not after and decision.note is not None and action in NEW_CONTENT:
        # A review or a rejection proposes no content of its own; a person who stores it goes by its note.
        after = to_json(state_of(decision.note))
    if ruling.text is not None:
        if after.get("value") is not None:
            after["value"] = carried(after["value"], after.get("text", ""), ruling.text)
        after["text"] = ruling.text
    if ruling.value is not UNSET:
        after["value"] = ruling.value
    if ruling.edits and after.get("text"):
        found = guardrails.sensitivity(after["text"], after.get("value"))
        after["sensitivity"] = found or after.get("sensitivity", "")
    return after


def onto(decision: Decision, target: Memory | None, action: str, after: dict[str, Any]) -> dict[str, Any]:
    """The content for a memory that it changes: what the note does not say stays as it is there."""
    if decision.note is None or target is None or action not in NEW_CONTENT or action == Action.PROMOTE:
        return after
    was = to_json(target.state())
    elsewhere = target.pk != decision.memory_id or not decision.after
    kept = {name: was[name] for name in HOW_KEPT} if elsewhere else {}
    return after | kept | {"sensitivity": after.get("sensitivity") or was["sensitivity"]}


def refuse_unsafe(decision: Decision, action: str, after: Mapping[str, Any]) -> None:
    """Raises Blocked where the guardrails of now refuse what memory would hold of a note, whatever they said of it then
    and whoever approves it. The block is recorded, so that it can be released: then it passes."""
    note = decision.note
    if note is None or action not in NEW_CONTENT:
        return
    fields = {name: after[name] for name in CHECKED if after.get(name)}
    passed = partial(released, decision.workspace, note.user, team=note.team)
    found = check_fields(decision.workspace.rules, fields, "consolidation", key=after.get("key") or "", passed=passed)
    verdict = found.verdict
    if verdict is None:
        return
    same = note.blocks.filter(category=verdict.category, masked=verdict.masked).first()
    block = same or record_block(
        decision.workspace, verdict, stage="consolidation", field=found.field or "text", session=note.session,
        user=note.user, note=note,
    )  # fmt: skip
    raise Blocked("The guardrails refuse this now.", block, verdict.category or "")


def leave_session(decision: Decision, action: str) -> None:
    """What was kept for its session becomes what its note asked for when a person stores it after all."""
    note = decision.note
    if action == Action.PROMOTE and note is not None and decision.scope == Scope.SESSION != note.scope:
        decision.scope, decision.team = note.scope, note.team


def action_of(decision: Decision, ruling: Ruling) -> str:
    action = ruling.action
    if not action:
        action = decision.proposed_action if decision.action == Action.REVIEW else decision.action
    if not action or action == Action.REVIEW:
        raise Invalid.field("action", "is needed: this decision proposes none (promote, dedupe, override, …).", UNFIT)
    possible = {decision.action, decision.proposed_action} & set(EFFECTS)
    if decision.note is not None:
        possible |= NOTE_ACTIONS
    if action not in possible:
        raise Invalid.field("action", f"must be one of {', '.join(sorted(possible))}.", UNFIT)
    return action


def keep_proposal(decision: Decision, action: str, after: Mapping[str, Any], target: Memory | None) -> None:
    """Where a person rules otherwise than proposed, the decision remembers the proposal: an undo opens that again."""
    if action == decision.action and after == (decision.after or {}) and target == decision.memory:
        return
    proposal = {name: getattr(decision, name) for name in PROPOSED}
    proposal |= {"memory": str(decision.memory_id or ""), "team": str(decision.team_id or "")}
    decision.params = decision.params | {"proposal": decision.params.get("proposal", proposal)}


def aim(decision: Decision, target: Memory | None) -> None:
    """The decision changes this memory. Of one that it was not made for, it holds what an undo has to put back."""
    if target is not None and target.pk != decision.memory_id:
        decision.before, decision.base_version = snapshot(target), target.version
    decision.memory = target


def refuse_silent(decision: Decision, actor: Actor, ruling: Ruling) -> None:
    """Raises Invalid where a person declines a weighty proposal without a word: whoever proposed it needs to know why.

    A chosen reason is a word, but for `other`, which says nothing yet. Keys speak for systems of their own.
    """
    reason = ruling.reason_code if ruling.reason_code != OTHER else ""
    told = bool(ruling.comment or reason)
    if actor.kind == ActorKind.OPERATOR and not told and (decision.needs == Needs.ADMIN or ruling.reason_code == OTHER):
        raise Invalid.field("comment", "is needed: say why, the proposer needs to know.", UNFIT)
