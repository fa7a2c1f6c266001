"""Who may have a decision carried out: by role, and never one person alone where protected memory changes."""

from memory_app.domain.actor import Actor
from memory_app.domain.errors import UNFIT, UNKNOWN_REFERENCE, AlreadyDecided, Forbidden, Invalid, Stale
from memory_app.models import Action, ActorKind, Decision, DecisionStatus, Kind, Memory, Needs, Scope
from memory_app.models.memory import PROTECTED
from memory_app.queries.approvers import Parties, is_own, proposed

from .effects import WRITES_VERSION
from .rulings import NEW_CONTENT, Ruling, action_of


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
