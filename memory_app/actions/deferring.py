"""An open decision put off until later, or handed to an admin: nothing is decided by it, and both can be taken back."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Forbidden, Invalid
from memory_app.models import Decision, Needs, Workspace

from .allowing import already, needs_role
from .audit import audit
from .decisions import comment, find_decision, lock_decisions
from .locks import writing

#: Nothing is put off for longer than this.
LONGEST = timedelta(days=366)
#: What is kept of who handed a decision to an admin, and whom it waited for before.
ESCALATED = "escalated"


def snooze(workspace: Workspace, actor: Actor, decision_id: Any, until: datetime) -> Decision:
    """The decision waits outside of the queue until then, and comes back by itself."""
    if not timezone.now() < until <= timezone.now() + LONGEST:
        raise Invalid.field("until", "must be later than now, and within a year.")

    def put_off(decision: Decision) -> None:
        needs_role(decision, actor)
        decision.snoozed_until = until
        decision.save(update_fields=["snoozed_until"])
        audit(workspace, actor, "decision.snoozed", decision, until=until.isoformat())

    return _changed(workspace, actor, decision_id, put_off)


def wake(workspace: Workspace, actor: Actor, decision_id: Any) -> Decision:
    """The decision is back in the queue. Conflict where it was not out of it."""

    def bring_back(decision: Decision) -> None:
        needs_role(decision, actor)
        if not decision.is_snoozed:
            raise Conflict(f"{decision.ref} is in the queue already.", decision=str(decision.pk))
        decision.snoozed_until = None
        decision.save(update_fields=["snoozed_until"])
        audit(workspace, actor, "decision.woken", decision)

    return _changed(workspace, actor, decision_id, bring_back)


def escalate(workspace: Workspace, actor: Actor, decision_id: Any, words: str) -> Decision:
    """The decision waits for an admin from now on, who is told why; below that role nobody settles it any more."""
    if not words.strip():
        raise Invalid.field("comment", "must not be empty.")

    def hand_over(decision: Decision) -> None:
        if decision.needs == Needs.ADMIN:
            raise Conflict(f"{decision.ref} waits for an admin already.", decision=str(decision.pk))
        needs_role(decision, actor)
        by = {"from": decision.needs, "by_kind": actor.kind, "by_id": actor.id}
        decision.needs, decision.snoozed_until = Needs.ADMIN, None
        decision.params = decision.params | {ESCALATED: by}
        decision.save(update_fields=["needs", "params", "snoozed_until"])
        comment(workspace, actor, decision.pk, words)
        audit(workspace, actor, "decision.escalated", decision)

    return _changed(workspace, actor, decision_id, hand_over)


def hand_back(workspace: Workspace, actor: Actor, decision_id: Any) -> Decision:
    """The decision waits for whom it waited before it was handed to an admin; by an admin, or whoever handed it over."""

    def take_back(decision: Decision) -> None:
        if not was_escalated(decision):
            raise Conflict(f"{decision.ref} was not handed to an admin.", decision=str(decision.pk))
        if not may_hand_back(decision, actor):
            raise Forbidden("An admin hands it back, or whoever handed it over.")
        params = dict(decision.params)
        decision.needs = params.pop(ESCALATED)["from"]
        decision.params = params
        decision.save(update_fields=["needs", "params"])
        audit(workspace, actor, "decision.handed_back", decision)

    return _changed(workspace, actor, decision_id, take_back)


def was_escalated(decision: Decision) -> bool:
    """A person handed it to an admin, for whom it waits."""
    return decision.needs == Needs.ADMIN and ESCALATED in decision.params


def may_hand_back(decision: Decision, actor: Actor) -> bool:
    by = decision.params.get(ESCALATED, {})
    own = by.get("by_kind") == actor.kind and by.get("by_id") == actor.id
    return actor.at_least("admin") or (own and actor.at_least("curator"))


def _changed(workspace: Workspace, actor: Actor, decision_id: Any, act: Callable[[Decision], None]) -> Decision:
    """The decision, held and changed while it is open; AlreadyDecided where it is not any more."""
    with writing():
        [decision] = lock_decisions([find_decision(workspace, decision_id)])
        if not actor.at_least("curator"):
            raise Forbidden("This needs the role curator.")
        if not decision.is_open:
            raise already(decision)
        act(decision)
    return decision
