"""Who may have a decision carried out, or taken back: by role, and never one person alone where protected memory changes."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects
from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.domain.errors import UNFIT, UNKNOWN_REFERENCE, AlreadyDecided, Forbidden, Invalid, NeedsTwo, Stale
from memory_app.models import (
    Action,
    ActorKind,
    Decision,
    DecisionStatus,
    Kind,
    Memory,
    MemoryStatus,
    MemoryVersion,
    Needs,
    Scope,
)
from memory_app.models.decision import CARRIED_OUT
from memory_app.models.memory import PROTECTED
from memory_app.queries.approvers import Parties, is_own, proposed

from .content import from_json, only_state
from .effects import CHANGES_MEMORY, WRITES_VERSION
from .keeping import FITTED, SEVERAL, before_of
from .rulings import NEW_CONTENT, Ruling, action_of

#: So long one takes back alone what one has just done oneself: a slip, not a second thought.
SLIP = timedelta(hours=1)
#: What is proposed in place of an undo that one person alone may not do.
INSTEAD = {Action.PIN: "unpin it", Action.PROMOTE: "archive it"}


def allowed(decision: Decision, actor: Actor, ruling: Ruling, parties: Parties) -> tuple[str, Memory | None]:
    """What is to be done, and to which memory, where this actor may have it done now."""
    _may_approve(decision, actor, ruling, parties)
    action, target = action_of(decision, ruling), _target_of(decision, ruling)
    _may_store(decision, actor, action, target)
    _refuse_alone(decision, actor, ruling, action, target, parties)
    return action, target


def _may_approve(decision: Decision, actor: Actor, ruling: Ruling, parties: Parties) -> None:
    overrules = (
        decision.status == DecisionStatus.APPLIED
        and decision.action in (Action.REJECT, Action.SESSION_ONLY)
        and ruling.action not in ("", decision.action)
    )
    if decision.status == DecisionStatus.STALE and not decision.replaced_by.exists():
        # Whoever found it stale died before it was made anew; the caller does that now.
        raise Stale("The memory has changed since this was proposed.", decision=str(decision.pk))
    if not decision.is_open and not overrules:
        raise already(decision)
    needs_role(decision, actor)
    if is_own(decision, actor, parties):
        raise Forbidden(_own_words(decision, actor))


def _may_store(decision: Decision, actor: Actor, action: str, target: Memory | None) -> None:
    """Forbidden where more comes of it than the decision itself was held for: another memory is changed that is
    protected, or what was let go by itself becomes memory of a team or a procedure after all."""
    changes = changes_protected(decision, action, target)
    note, overruled = decision.note, decision.status == DecisionStatus.APPLIED
    weighty = note is not None and (note.scope == Scope.TEAM or note.kind == Kind.PROCEDURAL)
    if (changes or (overruled and weighty and action in NEW_CONTENT)) and not actor.at_least("admin"):
        raise Forbidden("This changes or makes protected memory, and so needs the role admin.")


def changes_protected(decision: Decision, action: str, target: Memory | None) -> bool:
    """Whether memory that exists and is protected says something else after it, or is gone."""
    if target is None or action not in WRITES_VERSION:
        return False
    return target.protected or (
        action == Action.MERGE and Memory.objects.filter(PROTECTED, pk__in=decision.params.get("merged", ())).exists()
    )


def _refuse_alone(
    decision: Decision, actor: Actor, ruling: Ruling, action: str, target: Memory | None, parties: Parties
) -> None:
    """Raises where protected memory would say what one person alone wants: their own proposal, whatever it waited for
    when it was made, or their own words in place of what was proposed."""
    if decision.workspace.solo:
        return
    protected = changes_protected(decision, action, target)
    if protected and is_own(decision, actor, parties, protected=True):
        raise Forbidden(_own_words(decision, actor))
    if ruling.edits and (protected or _rewrites_own(decision, action)):
        field = "text" if ruling.text is not None else "value"
        raise Invalid.field(field, "cannot be edited in approving: the memory is protected. Propose the edit.", UNFIT)


def _rewrites_own(decision: Decision, action: str) -> bool:
    """Whether it made a memory before it was undone that comes back now, and is protected."""
    made = Memory.objects.filter(PROTECTED, versions__number=1, versions__decision=decision)
    return action == Action.PROMOTE and made.exists()


def _own_words(decision: Decision, actor: Actor) -> str:
    if proposed(decision, actor) or decision.proposed_by_kind == ActorKind.OPERATOR:
        return "Nobody approves their own proposal; another admin has to."
    if decision.proposed_by_kind == ActorKind.KEY:
        return "This was proposed with a key that you made; another admin approves it."
    return "What this was made of was sent by you or with a key that you made; another admin approves it."


def needs_role(decision: Decision, actor: Actor) -> None:
    role = "admin" if decision.needs == Needs.ADMIN else "curator"
    if not actor.at_least(role):
        raise Forbidden(f"This decision needs the role {role}.")
    if actor.teams is not None:
        teams = {decision.team.external_id} if decision.team is not None else set()
        if decision.session is not None:
            teams.update(decision.session.teams.values_list("external_id", flat=True))
        if teams - actor.teams:
            raise Forbidden("This key is limited to other teams.")


def already(decision: Decision) -> AlreadyDecided:
    who = decision.decided_by or decision.proposed_by
    return AlreadyDecided(f"{decision.ref} is already {decision.status} by {who}.", decision=str(decision.pk))


def _target_of(decision: Decision, ruling: Ruling) -> Memory | None:
    if ruling.memory is None:
        return decision.memory
    found = Memory.objects.filter(workspace=decision.workspace, pk=ruling.memory).first()
    if found is None or found.owner not in (decision.user_id, decision.team_id):
        raise Invalid.field("memory", "must be a memory of the same user or team.", UNKNOWN_REFERENCE)
    if decision.note is None and found.pk != decision.memory_id:
        raise Invalid.field("memory", "must be left out: this decision is about one memory and no other.", UNFIT)
    return found


def only_admin_undoes(decision: Decision, actor: Actor) -> bool:
    """Whether it takes an admin, and this actor is none: it needed one; or, in a workspace for one person, it changed
    memory that is protected by now, and was somebody else's."""
    if actor.at_least("admin") or decision.needs == Needs.ADMIN:
        return not actor.at_least("admin")
    if not decision.workspace.solo or decision.status not in CARRIED_OUT or decision.action not in CHANGES_MEMORY:
        return False
    return not _did(decision, actor) and decision.memory is not None and decision.memory.protected


def refuse_undoing_alone(decision: Decision, actor: Actor, *, partly: bool = False) -> None:
    """Raises where protected memory would say something else, be gone or lose its protection by one person's undo."""
    memory = kept_from_undo(decision, actor, partly=partly)
    if memory is not None:
        instead = INSTEAD.get(Action(decision.action), "restore what it said before")
        said = f"{memory.ref} is protected, so nobody undoes this alone: propose to {instead}; another admin approves."
        raise NeedsTwo(said, memory.ref)


def kept_from_undo(decision: Decision, actor: Actor, *, partly: bool = False) -> Memory | None:
    """The memory that is protected now and that this actor's undo alone may not touch: what it says, that it is there
    and that it is protected is for two to change, as by a proposal. What stays immediate brings back what was agreed:

    - protection that was lifted, and what an unapproved change (the quarantine) took from memory that was protected;
    - within SLIP what the actor did: what waited until they let it through, and what they changed or made alone.

    `partly` is an undo beneath later changes that stay: it brings back nothing that ever was.
    """
    if decision.status not in CARRIED_OUT or decision.action not in CHANGES_MEMORY:
        return None
    if decision.workspace.solo or (not partly and (_gives_back(decision) or _is_slip(decision, actor))):
        return None
    return next((one for one in _changed_by_undoing(decision) if one.protected), None)


def read_written(decisions: Iterable[Decision]) -> None:
    """What merges and splits among these decisions wrote is known to `kept_from_undo`, by one statement for all."""
    versions = MemoryVersion.objects.select_related("memory")
    prefetch_related_objects([one for one in decisions if one.action in SEVERAL], Prefetch("versions", versions))


def _changed_by_undoing(decision: Decision) -> list[Memory]:
    memory = decision.memory
    found = [memory] if memory is not None and _would_differ(decision, memory) else []
    if decision.action in SEVERAL:
        read_written([decision])
        others = {version.memory_id: version.memory for version in decision.versions.all()}
        found += [one for pk, one in others.items() if pk != decision.memory_id]
    return found


def _would_differ(decision: Decision, memory: Memory) -> bool:
    """Whether the memory is another after the undo, but for a pin that comes back."""
    if decision.action == Action.PROMOTE:
        return memory.status == MemoryStatus.ACTIVE
    now, back = memory.state(), only_state(from_json(before_of(decision)))
    changed = {name for name, value in back.items() if name not in FITTED and value != now[name]}
    return bool(changed - {"pinned"} if back.get("pinned") else changed)


def _gives_back(decision: Decision) -> bool:
    """Whether nobody approved it, and it changed memory that was protected no less before it."""
    memory, before = decision.memory, decision.before
    if decision.status != DecisionStatus.APPLIED or decision.action == Action.PROMOTE or memory is None or not before:
        return False
    was_protected = before["pinned"] or memory.scope == Scope.TEAM or before["author"] == ActorKind.OPERATOR
    return (was_protected or before["kind"] == Kind.PROCEDURAL) and not _lifts(before, memory)


def _is_slip(decision: Decision, actor: Actor) -> bool:
    """Whether the actor did it alone, a moment ago: what they made or changed was theirs alone to change until then, and
    what they let through waits again."""
    return decision.decided_at is not None and decision.decided_at >= timezone.now() - SLIP and _did(decision, actor)


def _lifts(before: Mapping[str, Any], memory: Memory) -> bool:
    """Whether more goes with it than the protection that a person's own words have."""
    procedural = Kind.PROCEDURAL
    return (memory.pinned and not before["pinned"]) or (memory.kind == procedural and before["kind"] != procedural)


def _did(decision: Decision, actor: Actor) -> bool:
    """Whether the actor ruled on it, or where nobody has, made it."""
    if not decision.decided_by_kind:
        return proposed(decision, actor)
    return (decision.decided_by_kind, decision.decided_by_id) == (actor.kind, actor.id)
