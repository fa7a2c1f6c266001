"""A policy as a JSON schema, for those who write one without a page: its fields with their kinds and limits."""

from dataclasses import fields
from typing import Any

from memory_app.guardrails.own import MOST_RULES
from memory_app.guardrails.own_shape import OWN_RULE, RULES_OFF, shaped, text

from .decisions import CHANGES
from .policy import DAYS, KINDS, MOST_CALLS, MOST_DAYS, MOST_HOLDS, MOST_TOKENS, NEEDS, SCOPES, Policy

_LIMITS: dict[str, dict[str, int]] = {
    "idle_minutes": {"minimum": 1},
    "most_episodes": {"minimum": 1},
    "llm_calls": {"minimum": 0, "maximum": MOST_CALLS},
    "llm_tokens": {"minimum": 0, "maximum": MOST_TOKENS},
    "llm_replays": {"minimum": 0, "maximum": MOST_CALLS},
} | {name: {"minimum": 0, "maximum": MOST_DAYS} for name in DAYS}


def _one_of(*words: str, or_none: bool = False) -> dict[str, Any]:
    return {"enum": [*words, None] if or_none else [*words]}


HOLD = shaped(
    ["name", "needs"],
    name=text(60, 1),
    needs=_one_of(*NEEDS),
    kind=_one_of(*KINDS, or_none=True),
    scope=_one_of(*SCOPES, or_none=True),
    action=_one_of(*sorted(CHANGES), or_none=True),
    sensitive={"type": ["boolean", "null"]},
)
_LISTS: dict[str, Any] = {
    "holds": {"type": "array", "items": HOLD, "maxItems": MOST_HOLDS},
    "own_rules": {"type": "array", "items": OWN_RULE, "maxItems": MOST_RULES},
    "rules_off": RULES_OFF,
    "distill": _one_of("rules", "llm", "off"),
}


def _field(name: str, default: Any) -> dict[str, Any]:
    if name in _LISTS:
        return dict(_LISTS[name])
    if isinstance(default, bool):
        return {"type": "boolean"}
    if isinstance(default, float):
        return {"type": "number", "minimum": 0, "maximum": 1}
    return {"type": "integer", "minimum": 0, "maximum": 2**31 - 1} | _LIMITS.get(name, {})


#: What is left out is as in the default. That `doubtful` lies between `related` and `near_duplicate`, and that the
#: entries of an own rule can be used, no schema says.
POLICY = shaped([], **{one.name: _field(one.name, one.default) for one in fields(Policy)})
