"""Who or what acted, as a page says it: people and keys by their names, the product's own parts in its language."""

import re

from django.utils.translation import gettext as _

from memory_app.domain.actor import SYSTEM
from memory_app.models import ActorKind, Decision

_POLICY = re.compile(r"policy v(\d+)")


def actor_words(kind: str, label: str) -> str:
    """The name of an actor for a reader; a name that people gave stays as it is."""
    if kind == ActorKind.SYSTEM and label == SYSTEM.label:
        return _("consolidation")
    policy = _POLICY.fullmatch(label) if kind == ActorKind.POLICY else None
    return _("policy v%(version)s") % {"version": policy[1]} if policy else label


def proposer_words(decision: Decision) -> str:
    return actor_words(decision.proposed_by_kind, decision.proposed_by)


def decider_words(decision: Decision) -> str:
    """Who decided it; empty where nobody has."""
    return actor_words(decision.decided_by_kind, decision.decided_by)


def engine_words(engine: str) -> str:
    """What worked the decision out beside its rule; nothing where the rule alone did. A model shows by its name."""
    return "" if engine == "rules" else {"policy": _("policy")}.get(engine, engine)
