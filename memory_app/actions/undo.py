"""Undo: content exactly as it was before, as a new version; the decision is open again."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Max, Q
from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, DependsOnLater, Forbidden
from memory_app.models import (
    Action,
    Decision,
    DecisionStatus,
    Memory,
    MemoryStatus,
    MemoryVersion,
    SearchEntry,
    Workspace,
)
from memory_app.models.decision import CARRIED_OUT

from .allowing import already, needs_role, only_admin_undoes, refuse_undoing_alone
from .audit import audit
from .content import TextVector, from_json, only_state
from .decisions import find_decision, lock_decisions
from .effects import CHANGES_MEMORY, PROFILE_FIELD, take_field_of
from .keeping import before_of, can_keep, rebase, settle_rebased, untouched_since
from .locks import writing
from .rulings import PROPOSED
from .versions import withdraw_sources, write_version

#: Actions that write versions of several memories.
SEVERAL = (Action.MERGE, Action.SPLIT)


def undo(
    workspace: Workspace, actor: Actor, decision_id: Any, *, cascade: bool = False, keep: bool = False
) -> list[Decision]:
    """The decisions undone, this one last. Later ones that build on it come first, and only with `cascade`:
    without it DependsOnLater lists them. With `keep` they stay as they are where that is possible: what they have not
    touched goes back. A declined one is open again. AlreadyDecided when there is nothing to undo, Conflict when another
    one that builds on it was made at this moment, Forbidden where protected memory would change by this actor alone."""
    with writing():
        decision = find_decision(workspace, decision_id)
        expected = later_decisions(decision) if cascade or keep else []
        decision, *held = lock_decisions([decision, *expected])
        if decision.status not in (*CARRIED_OUT, DecisionStatus.DECLINED):
            raise already(decision)
        if decision.params.get("erased"):
            raise Conflict(f"A part of what {decision.ref} split was erased, and what it was before is gone with it.")
        needs_role(decision, actor)
        later = later_decisions(decision) if decision.status in CARRIED_OUT else []
        kept = keep and not cascade and bool(later) and can_keep(decision, later)
        if later and not cascade and not kept:
            raise DependsOnLater(
                f"{len(later)} later decisions build on {decision.ref}; undo them first, or with cascade.",
                decisions=[str(d.pk) for d in later],
            )
        known = {one.pk: one for one in held}
        if any(one.pk not in known for one in later):
            raise Conflict(f"Another decision that builds on {decision.ref} was made at this moment; try again.")
        undone = [known[one.pk] for one in later] + [decision]
        if any(only_admin_undoes(one, actor) for one in undone):
            raise Forbidden("This would change memory that is protected by now, and so needs the role admin.")
        if kept:
            refuse_undoing_alone(decision, actor, partly=True)
            _take_back(decision, actor, undone[:-1])
            return [decision]
        for one in undone:
            needs_role(one, actor)
            if one.memory is not None:  # as those before it in this loop have left it
                one.memory.refresh_from_db()
            refuse_undoing_alone(one, actor)
            _take_back(one, actor)
        return undone


def later_decisions(decision: Decision) -> list[Decision]:
    """Decisions in force that changed the same memory after this one, newest first, also by merging it away; of a
    merge or a split also those that changed any other memory it touched."""
    if decision.memory_id is None or decision.result_version is None or decision.action == Action.DEDUPE:
        return []
    after = Q(memory=decision.memory_id, result_version__gt=decision.result_version)
    newer = MemoryVersion.objects.filter(memory=decision.memory_id, number__gt=decision.result_version)
    after |= Q(pk__in=newer.values("decision"), action__in=SEVERAL)
    if decision.action in SEVERAL:
        written = MemoryVersion.objects.filter(decision=decision).exclude(memory=decision.memory_id)
        for memory, number in written.values_list("memory").annotate(Max("number")):
            after |= Q(memory=memory, result_version__gt=number)
    found = Decision.objects.filter(after, status__in=CARRIED_OUT).exclude(action=Action.DEDUPE)
    return list(found.exclude(pk=decision.pk).order_by("-decided_at", "-result_version"))


def _take_back(decision: Decision, actor: Actor, kept: Sequence[Decision] = ()) -> None:
    in_force = decision.status in CARRIED_OUT  # declining has changed no memory
    memory = decision.memory if in_force else None
    others = _also_changed(decision) if in_force else []
    if decision.action == Action.SPLIT:  # a part may fill the slot that the whole wants back
        _back_all(others, decision, actor)
    if in_force and decision.rule == PROFILE_FIELD:
        take_field_of(decision, actor)
    if memory is not None:
        memory.refresh_from_db()
        withdraw_sources(decision)
        if kept:
            _restore_part(decision, memory, actor, kept)
        elif decision.action in CHANGES_MEMORY:
            _restore_content(decision, memory, actor)
    if decision.action != Action.SPLIT:
        _back_all(others, decision, actor)
    decision.status = DecisionStatus.UNDONE
    decision.decided_at = timezone.now()
    decision.decided_by_kind, decision.decided_by_id, decision.decided_by = actor.kind, actor.id, actor.label
    # Where later ones stay, it is open against what it was made against: approved again, it is made anew.
    # So is a confirmation, which has written no version that could be taken back.
    if memory is not None and decision.action not in (Action.PROMOTE, Action.DEDUPE) and not kept:
        decision.base_version = memory.version
    if "versions" in decision.params:  # what a merge was proposed against is now what the undo has put back
        versions = {str(other.pk): other.version for other in others}
        decision.params = decision.params | {"versions": decision.params["versions"] | versions}
    settle_rebased(decision)
    detail = {"kept": [str(one.pk) for one in kept]} if kept else {}
    audit(decision.workspace, actor, "decision.undone", decision, action=decision.action, **detail)
    _open_proposal(decision, whole=not kept)
    decision.save()


def _open_proposal(decision: Decision, whole: bool) -> None:
    """What is open again is what was proposed, not what a person made of it."""
    params = dict(decision.params)
    proposal = params.pop("proposal", None)
    if proposal is None:
        return
    aimed_at, decision.params = decision.memory, params
    for name in PROPOSED:
        setattr(decision, name, proposal[name])
    decision.team_id = proposal["team"] or None
    decision.memory_id = proposal["memory"] or None
    if whole and aimed_at is not None and decision.memory_id == str(aimed_at.pk):
        decision.base_version = aimed_at.version


def _restore_content(decision: Decision, memory: Memory, actor: Actor) -> None:
    if decision.action == Action.PROMOTE:
        write_version(memory, {"status": MemoryStatus.ARCHIVED}, None, actor, decision)
        return
    # The author comes back as well: content must not become protected by being put back.
    before = only_state(from_json(before_of(decision)))
    write_version(memory, before, _vector_of(memory, before, decision), actor, decision)


def _restore_part(decision: Decision, memory: Memory, actor: Actor, kept: Sequence[Decision]) -> None:
    """What nobody has touched since goes back; what the kept decisions say remains."""
    back = untouched_since(decision, memory.state())
    before = only_state(from_json(before_of(decision)))
    rebase(decision, kept)
    changes = {name: before[name] for name in back if name in before}
    write_version(memory, changes, _vector_of(memory, changes, decision), actor, decision)


def _vector_of(memory: Memory, content: Mapping[str, Any], decision: Decision) -> TextVector | None:
    """The vector of a text that comes back: of the newest version that had it; None where the words stay."""
    text = content.get("text", memory.text)
    if text == memory.text:
        return None
    had = memory.versions.filter(text=text).first()
    return _vector_at(memory, had.number if had is not None else decision.base_version)


def _also_changed(decision: Decision) -> list[Memory]:
    """Other memories that this decision wrote a version of (merged away, expired occupants, session copies)."""
    found = Memory.objects.filter(versions__decision=decision).distinct()
    return [memory for memory in found if memory.pk != decision.memory_id]


def _back_all(memories: list[Memory], decision: Decision, actor: Actor) -> None:
    for memory in memories:
        _back_one(memory, decision, actor)


def _back_one(memory: Memory, decision: Decision, actor: Actor) -> None:
    newest, own = memory.versions.first(), memory.versions.filter(decision=decision).first()
    if newest is None or own is None:
        return
    if newest != own and not (decision.action in SEVERAL and _is_taken_back(newest)):
        return  # it has moved on since; its own later decision is the one to undo
    before = memory.versions.filter(number__lt=own.number).first()
    if before is not None:
        write_version(memory, before.state(), _vector_at(memory, before.number), actor, decision)
    elif decision.action == Action.SPLIT:  # it came of the split, and goes with it
        write_version(memory, {"status": MemoryStatus.ARCHIVED}, None, actor, decision)


def _is_taken_back(version: MemoryVersion) -> bool:
    return version.decision is not None and version.decision.status == DecisionStatus.UNDONE


def _vector_at(memory: Memory, number: int | None) -> TextVector | None:
    entry = SearchEntry.objects.filter(memory=memory, number=number or 0).first()
    return TextVector.of(entry) if entry is not None else None
