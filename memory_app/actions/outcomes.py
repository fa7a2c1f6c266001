"""How a procedure went, as the agents that followed it report."""

from django.db import transaction
from django.db.models import F

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict
from memory_app.models import Kind, Memory

from .audit import audit


def record_outcome(memory: Memory, actor: Actor, success: bool) -> Memory:
    """One more success or failure of a procedural memory; its content, and so its version, stays as it is."""
    if memory.kind != Kind.PROCEDURAL:
        raise Conflict(f"{memory.ref} is {memory.kind}; only procedural memory has outcomes.", memory=str(memory.pk))
    name = "success_count" if success else "failure_count"
    with transaction.atomic():
        Memory.objects.filter(pk=memory.pk).update(**{name: F(name) + 1})
        audit(memory.workspace, actor, "memory.outcome", memory, success=success)
    memory.refresh_from_db(fields=["success_count", "failure_count"])
    return memory
