"""What a workspace's own rules find in what is remembered, before they are in force."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory_app.guardrails import RuleSet
from memory_app.models import Memory, MemoryStatus, Workspace

NEWEST, SHOWN = 1_000, 10


@dataclass(frozen=True)
class FoundInMemory:
    """How many of the newest active memories were looked at, in how many each rule was found, and the first ones."""

    looked_at: int
    counts: dict[str, int]
    first: Sequence[tuple[Memory, str]]


def found_in_memory(workspace: Workspace, rules: RuleSet) -> FoundInMemory:
    """What the own rules of the set find in the newest active memories, by one statement."""
    newest = Memory.objects.filter(workspace=workspace, status=MemoryStatus.ACTIVE).order_by("-updated_at", "-pk")
    memories = list(newest.select_related("user", "team")[:NEWEST]) if rules.own else []
    counts: dict[str, int] = {}
    first: list[tuple[Memory, str]] = []
    for memory in memories:
        said = [memory.text, memory.condition, memory.subject, *memory.keywords]
        if memory.value not in (None, memory.text):
            said.append(str(memory.value))
        rule = rules.first(said, memory.key)
        if rule is not None:
            counts[rule] = counts.get(rule, 0) + 1
            if len(first) < SHOWN:
                first.append((memory, rule))
    return FoundInMemory(len(memories), counts, first)
