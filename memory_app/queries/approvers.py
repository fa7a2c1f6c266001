"""Who could approve a change of protected memory: nobody approves their own, unless the workspace is for one person."""

from memory_app.domain.actor import Actor
from memory_app.models import ActorKind, AuditEvent, Decision, Membership, Role, Workspace


def nobody_else_approves(workspace: Workspace, actor: Actor) -> bool:
    """Whether what this person proposes would wait for ever: they are the only admin, or there is none."""
    if actor.kind != ActorKind.OPERATOR or workspace.solo:
        return False
    admins = Membership.objects.filter(workspace=workspace, role=Role.ADMIN, operator__is_active=True)
    return not admins.exclude(operator=int(actor.id)).exists()


def proposed(decision: Decision, actor: Actor) -> bool:
    """Whether it was this actor that proposed it, and so may take it back."""
    return (decision.proposed_by_kind, decision.proposed_by_id) == (actor.kind, actor.id)


def is_own(decision: Decision, actor: Actor) -> bool:
    """Whether whoever stands behind the actor stands behind the proposal too.

    A key with the role admin rules for whoever made it, person or key, so two of them by one maker are one and the same.
    A curator's or an agent's key is made for somebody else and stands for itself. No query where no key is concerned.
    """
    proposers = _behind(decision.proposed_by_kind, decision.proposed_by_id)
    return not proposers.isdisjoint(_behind(actor.kind, actor.id))


def _behind(kind: str, actor_id: str) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    while kind in (ActorKind.OPERATOR, ActorKind.KEY) and (kind, actor_id) not in found:
        found.add((str(kind), actor_id))
        if kind == ActorKind.OPERATOR:
            break
        made = AuditEvent.objects.filter(
            object_id=actor_id, object_type="apikey", action="key.create", detail__role=Role.ADMIN
        )
        kind, actor_id = made.values_list("actor_kind", "actor_id").first() or ("", "")
    return found
