"""What somebody has ruled since they sat down: what an undo goes back through, newest first."""

from datetime import timedelta

from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.models import Decision, DecisionStatus, Operator, Workspace
from memory_app.models.scan import PUT_BACK

#: A sitting begins when its person signs in, and is no longer than this.
LONGEST = timedelta(hours=12)
RULED = (DecisionStatus.APPROVED, DecisionStatus.DECLINED)


def last_rulings(workspace: Workspace, actor: Actor, operator: Operator, *, weighty: bool = False) -> list[Decision]:
    """The last decision that this person ruled on and that is as they left it, with all that they ruled on in the same
    stroke; none where the sitting holds nothing more. With `weighty` only those that needed an admin."""
    start = timezone.now() - LONGEST
    if operator.last_login is not None:
        start = max(start, operator.last_login)
    own = (
        Decision.objects.filter(
            workspace=workspace,
            decided_by_kind=actor.kind,
            decided_by_id=actor.id,
            status__in=RULED,
            decided_at__gte=start,
        )
        .exclude(reason_code=PUT_BACK)
        .order_by("-decided_at", "-number")
    )
    if weighty:
        own = own.weighty()
    newest = own.first()
    if newest is None or newest.batch is None:
        return [newest] if newest is not None else []
    return list(own.filter(batch=newest.batch))
