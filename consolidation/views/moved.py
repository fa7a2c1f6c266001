"""What changed in a decision's memory while the decision was open before somebody."""

from typing import Any

from memory_app.models import Decision, MemoryVersion
from memory_app.views.memory_history import changes


def changes_since(decision: Decision, version: int) -> list[dict[str, Any]]:
    """The memory's words and fields then and now, each that differs; none where it is the same version."""
    memory = decision.memory
    if memory is None or memory.version == version:
        return []
    then = MemoryVersion.objects.filter(memory=memory, number=version).first()
    if then is None:
        return []
    words = [{"before": then.text, "after": memory.text}] if then.text != memory.text else []
    return words + changes(then, memory)
