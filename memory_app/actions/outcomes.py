"""How a procedure went, as the agents that followed it report; one that fails too often waits for a person."""

from django.db import transaction
from django.db.models import F

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict
from memory_app.domain.procedures import fails
from memory_app.models import Decision, Kind, Memory, MemoryStatus, Needs

from .audit import audit
from .content import snapshot, to_json
from .decisions import Proposal, record
from .locks import lock_owner, owner_of

FAILING = "archive.failing"
WATCH = Actor("policy", "procedures", "procedures", "admin")


def record_outcome(memory: Memory, actor: Actor, success: bool) -> Memory:
    """One more success or failure of a procedural memory; its content, and so its version, stays as it is. A failure
    with which it is no longer offered also flags it: a decision to archive it waits for a person."""
    if memory.kind != Kind.PROCEDURAL:
        raise Conflict(f"{memory.ref} is {memory.kind}; only procedural memory has outcomes.", memory=str(memory.pk))
    name = "success_count" if success else "failure_count"
    with transaction.atomic():
        lock_owner(owner_of(memory))
        Memory.objects.filter(pk=memory.pk).update(**{name: F(name) + 1})
        audit(memory.workspace, actor, "memory.outcome", memory, success=success)
        memory.refresh_from_db()
        if not success and memory.status == MemoryStatus.ACTIVE and fails(memory.success_count, memory.failure_count):
            _flag(memory)
    return memory


def _flag(memory: Memory) -> None:
    """The decision that waits: archive it, or decline and keep it. One at a time, however often it fails."""
    waiting = Decision.objects.waiting().filter(memory=memory.pk, rule=FAILING).order_by("created_at", "id").first()
    params = {"success": memory.success_count, "failure": memory.failure_count}
    if waiting is not None and waiting.base_version == memory.version:
        Decision.objects.filter(pk=waiting.pk).update(params=params)
        return
    proposal = Proposal(
        action="archive", rule=FAILING, params=params, kind=memory.kind, scope=memory.scope,
        before=snapshot(memory), after=to_json(memory.state() | {"status": MemoryStatus.ARCHIVED}),
        memory=memory, base_version=memory.version, user=memory.user, team=memory.team, session=memory.session,
        sensitivity=memory.sensitivity, hold=True, needs=Needs.ADMIN,
    )  # fmt: skip
    record(memory.workspace, WATCH, proposal)
