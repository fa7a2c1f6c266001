"""Why a decision waits, in words: by the hold that was recorded with it, else by what the decision itself shows."""

from django.utils.translation import gettext as _

from consolidation.domain.policy import Policy
from memory_app.actions.deferring import was_escalated
from memory_app.guardrails.own import PREFIX
from memory_app.models import Action, Decision, DecisionStatus, Kind, Needs, Scope
from memory_app.reasons import HOLDS, hold_sentence

from .flow import effect_of


def hold_of(decision: Decision) -> str:
    """The name of what an open decision waits for; empty where it does not wait."""
    if not decision.is_open:
        return ""
    if was_escalated(decision):
        return "escalated"
    recorded = str(decision.params.get("hold") or "")
    if recorded:
        return recorded
    if decision.needs == Needs.NONE and decision.status == DecisionStatus.UNDONE:
        return "undone"
    return _weighty(decision) if decision.needs == Needs.ADMIN else _light(decision)


def why_it_waits(decision: Decision) -> str:
    """One sentence in the language of the page; empty where it does not wait."""
    name = hold_of(decision)
    if not name or name in HOLDS:
        return hold_sentence(name)
    if name.startswith(PREFIX):
        return _("It waits because the workspace's own rule “%(name)s” asks for a person.") % {
            "name": name.removeprefix(PREFIX)
        }
    return _("It waits because of the policy's hold “%(name)s”.") % {"name": name}


def _weighty(decision: Decision) -> str:
    """What only an admin may agree to; a team's or agents' own rules weigh before the memory's protection."""
    if decision.scope == Scope.TEAM:
        return "team"
    if decision.kind == Kind.PROCEDURAL:
        return "procedural"
    return "protected" if decision.memory is not None and decision.memory.protected else "admin"


def _light(decision: Decision) -> str:
    if effect_of(decision) == Action.REVIEW or decision.action == Action.REVIEW:
        return "undecided"
    if decision.sensitivity:
        return "sensitive"
    return "uncertain" if decision.confidence < Policy().certain else "curator"
