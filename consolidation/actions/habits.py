"""What the user has confirmed so often that it is a habit: proposed as a slot or a profile field, once, to a person."""

import re
from collections.abc import Iterable
from typing import Any

from consolidation.domain.policy import Policy
from consolidation.domain.slots import infer
from consolidation.models import ConsolidationRun
from memory_app.actions.content import snapshot, to_json
from memory_app.actions.decisions import Proposal, record
from memory_app.actions.effects import PROFILE_FIELD
from memory_app.domain.actor import SYSTEM
from memory_app.models import Action, Decision, Kind, Memory, MemoryStatus, Needs, Scope

SLOT = "edit.habit_slot"
#: A value that has a name of its own in its family: seat.aisle.
_NAMED = re.compile(r"[a-z_]+\.([a-z_]+)")


def propose_habits(run: ConsolidationRun, made: Iterable[Decision], policy: Policy) -> None:
    """A pending decision for each memory that this run has confirmed as often, in sessions of their own, as the
    policy asks. What was proposed once is not proposed again."""
    heard = (d for d in made if d.action == Action.DEDUPE and d.status == "applied")
    confirmed = {d.memory_id for d in heard if d.memory_id is not None}
    if not policy.habit_confirmations or not confirmed:
        return
    rows = Memory.objects.filter(
        pk__in=confirmed, status=MemoryStatus.ACTIVE, scope=Scope.USER, kind=Kind.SEMANTIC, sensitivity="", subject=""
    )
    for memory in rows.select_related("user").order_by("number"):
        sessions = memory.counting_sources().exclude(note=None).values("note__session").distinct().count()
        proposal = _proposal(run, memory, sessions) if sessions >= policy.habit_confirmations else None
        if proposal is not None and not _proposed_before(proposal):
            record(run.workspace, SYSTEM, proposal)


def _proposal(run: ConsolidationRun, memory: Memory, times: int) -> Proposal | None:
    before = snapshot(memory)
    about = {"about": str(memory.pk), "times": times}
    shared: dict[str, Any] = {
        "kind": memory.kind,
        "scope": memory.scope,
        "session": run.session,
        "user": memory.user,
        "hold": True,
    }
    if not memory.key:
        found = infer(memory.text)
        named = _NAMED.fullmatch(found.value or "") if found is not None else None
        if found is None or named is None:
            return None
        after = to_json(before | {"key": found.key, "value": named[1]})
        needs = Needs.ADMIN if memory.protected else Needs.CURATOR
        return Proposal(
            Action.EDIT, SLOT, after=after, before=before, memory=memory, base_version=memory.version, needs=needs,
            params=about | {"key": found.key, "value": named[1]}, **shared,
        )  # fmt: skip
    if memory.condition or not memory.single or memory.user is None or memory.key in memory.user.profile:
        return None
    params = about | {"key": memory.key, "value": memory.value, "source": memory.ref}
    return Proposal(Action.EDIT, PROFILE_FIELD, after=before, before=before, needs=Needs.ADMIN, params=params, **shared)


def _proposed_before(proposal: Proposal) -> bool:
    wanted = {f"params__{name}": proposal.params[name] for name in ("about", "key", "value")}
    return Decision.objects.filter(user=proposal.user, rule=proposal.rule, **wanted).exists()
