"""How a procedure went, as the agents that followed it report; one that fails too often waits for a person."""

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict
from memory_app.domain.procedures import FAILING, fails
from memory_app.models import Decision, DecisionStatus, Kind, Memory, MemoryStatus, Needs

from .audit import audit
from .content import snapshot, to_json
from .decisions import Proposal, record
from .locks import lock_owner, owner_of

WATCH = Actor("policy", "procedures", "procedures", "admin")


def record_outcome(memory: Memory, actor: Actor, success: bool) -> Memory:
    """One more success or failure of a procedural memory; its content, and so its version, stays as it is. The failure
    with which it is no longer offered also flags it: a decision to archive it waits for a person, whose word stands
    until it has worked again."""
    if memory.kind != Kind.PROCEDURAL:
        raise Conflict(f"{memory.ref} is {memory.kind}; only procedural memory has outcomes.", memory=str(memory.pk))
    name = "success_count" if success else "failure_count"
    with transaction.atomic():
        lock_owner(owner_of(memory))
        Memory.objects.filter(pk=memory.pk).update(**{name: F(name) + 1})
        audit(memory.workspace, actor, "memory.outcome", memory, success=success)
        memory.refresh_from_db()
        if not success and memory.status == MemoryStatus.ACTIVE and fails(memory.success_count, memory.failure_count):
            _flag(memory, crossing=not fails(memory.success_count, memory.failure_count - 1))
    return memory


def _flag(memory: Memory, *, crossing: bool) -> None:
    """One decision waits, archive it or decline and keep it, however often it fails; one that was made of an older
    version is stale, and made anew."""
    waiting = Decision.objects.waiting().filter(memory=memory.pk, rule=FAILING).order_by("created_at", "id").first()
    params = {"success": memory.success_count, "failure": memory.failure_count}
    if waiting is not None and waiting.base_version == memory.version:
        Decision.objects.filter(pk=waiting.pk).update(params=params)
        return
    if waiting is not None:
        Decision.objects.filter(pk=waiting.pk).update(status=DecisionStatus.STALE, decided_at=timezone.now())
        audit(memory.workspace, WATCH, "decision.stale", waiting, action=waiting.action)
    elif not crossing:
        return
    proposal = Proposal(
        action="archive", rule=FAILING, params=params, kind=memory.kind, scope=memory.scope,
        before=snapshot(memory), after=to_json(memory.state() | {"status": MemoryStatus.ARCHIVED}),
        memory=memory, base_version=memory.version, user=memory.user, team=memory.team, session=memory.session,
        sensitivity=memory.sensitivity, hold=True, needs=Needs.ADMIN, replaces=waiting,
    )  # fmt: skip
    record(memory.workspace, WATCH, proposal)
