"""Who could approve a change of protected memory: nobody approves their own, unless the workspace is for one person."""

from memory_app.domain.actor import Actor
from memory_app.models import ActorKind, Membership, Role, Workspace


def nobody_else_approves(workspace: Workspace, actor: Actor) -> bool:
    """Whether what this person proposes would wait for ever: they are the only admin, or there is none."""
    if actor.kind != ActorKind.OPERATOR or workspace.solo:
        return False
    admins = Membership.objects.filter(workspace=workspace, role=Role.ADMIN, operator__is_active=True)
    return not admins.exclude(operator=int(actor.id)).exists()
