"""Who could approve a change of protected memory: nobody approves their own, unless the workspace is for one person."""

from memory_app.domain.actor import Actor
from memory_app.models import ActorKind, AuditEvent, Decision, Membership, Needs, Operator, Role, Workspace


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
    """Whether nobody approves it as this actor, because whoever stands behind the actor stands behind the proposal too.

    That counts where the change needs an admin, and the workspace is not for one person.
    """
    if not _for_two(decision):
        return False
    if proposed(decision, actor):
        return True
    proposers = _behind(decision.proposed_by_kind, decision.proposed_by_id)
    # Nobody stands behind what consolidation proposes: then nobody is looked up, however many such a page shows.
    return bool(proposers) and not proposers.isdisjoint(_behind(actor.kind, actor.id))


def made_its_agent(decision: Decision, actor: Actor) -> bool:
    """Whether an agent proposed it with a key that was made by whoever stands behind the actor. They may approve it,
    since an agent is a party of its own; it is told, since the one who holds its key could write in its name."""
    if not _for_two(decision) or decision.proposed_by_kind != ActorKind.KEY:
        return False
    made = _made_key(decision.proposed_by_id)
    if made is None or made[2] != Role.AGENT:
        return False
    return not _behind(made[0], made[1]).isdisjoint(_behind(actor.kind, actor.id))


def _for_two(decision: Decision) -> bool:
    return decision.needs == Needs.ADMIN and not decision.workspace.solo


def _behind(kind: str, actor_id: str) -> set[tuple[str, str]]:
    """The actor, and everybody whom they stand for.

    A key with a person's role stands for whoever made it, person or key: it is theirs to use. An operator whose
    password somebody else has set stands for whoever that was, until they replace it: the other may know it.
    """
    found: set[tuple[str, str]] = set()
    while kind in (ActorKind.OPERATOR, ActorKind.KEY) and (kind, actor_id) not in found:
        found.add((str(kind), actor_id))
        kind, actor_id = _stands_for(kind, actor_id)
    return found


def _stands_for(kind: str, actor_id: str) -> tuple[str, str]:
    if kind == ActorKind.OPERATOR:
        by = Operator.objects.filter(pk=actor_id).values_list("password_by_kind", "password_by_id")
        return by.first() or ("", "")
    made = _made_key(actor_id)
    return ("", "") if made is None or made[2] == Role.AGENT else made[:2]


def _made_key(key_id: str) -> tuple[str, str, str] | None:
    """Kind and id of whoever made a key, and the role that it was made with."""
    made = AuditEvent.objects.filter(object_id=key_id, object_type="apikey", action="key.create")
    return made.values_list("actor_kind", "actor_id", "detail__role").first()
