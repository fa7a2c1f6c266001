"""Merging and splitting as people ask for it: what comes of it may say nothing that was not there before."""

from collections.abc import Mapping, Sequence
from typing import Any

from consolidation.domain.grounding import Grounding, ground
from consolidation.domain.policy import Policy
from memory_app.actions import combining
from memory_app.actions.combining import UNSAID
from memory_app.actions.memories import Changed
from memory_app.domain.actor import Actor
from memory_app.domain.errors import UNFIT, Invalid
from memory_app.models import Memory

ADDS = "says something that the memory does not say: a number, a name, a part or the reverse of it."


def merge(
    memory: Memory,
    actor: Actor,
    others: Sequence[Any],
    *,
    text: str | None = None,
    value: Any = UNSAID,
    if_match: int | None = None,
    seen: Mapping[str, int] | None = None,
) -> Changed:
    """The memories merged. Invalid when the new text holds what none of them holds."""
    if text is not None:
        rows = Memory.objects.filter(workspace=memory.workspace, pk__in=others).order_by("number")
        _refuse_added("text", text, [memory.text, *rows.values_list("text", flat=True)])
    return combining.merge_memories(memory, actor, others, text=text, value=value, if_match=if_match, seen=seen)


def split(memory: Memory, actor: Actor, parts: Sequence[Mapping[str, Any]], *, if_match: int | None = None) -> Changed:
    """The memory split. Invalid names the part that holds what the memory does not hold."""
    for place, part in enumerate(parts):
        _refuse_added(f"parts.{place}.text", part["text"], [memory.text])
    return combining.split_memory(memory, actor, parts, if_match=if_match)


def _refuse_added(field: str, text: str, said: Sequence[str]) -> None:
    found = {ground(text, None, source, 0.0, Policy().related) for source in (*said, "; ".join(said))}
    if Grounding.STATED in found or Grounding.OPEN in found:
        return
    raise Invalid.field(field, ADDS, UNFIT)
