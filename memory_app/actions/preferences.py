"""An operator's own preferences. They touch no workspace, so no audit row is written, but for the first password."""

from typing import Any

from django.db import transaction

from memory_app.domain.actor import Actor
from memory_app.models import ActorKind, Operator

from .audit import audit


def save_preferences(operator: Operator, **changes: Any) -> None:
    """The operator has these preferences: any of language, theme, timezone, shortcuts."""
    for name, value in changes.items():
        setattr(operator, name, value)
    operator.save(update_fields=[*changes])


def change_password(operator: Operator, password: str, address: str | None = None) -> None:
    """The operator signs in with this password from now on, which is nobody else's. Where it replaces one that somebody
    else had set, each of their workspaces has it on record: from now on they stand for nobody else."""
    first = operator.has_first_password
    operator.set_password(password)
    operator.password_by_kind = operator.password_by_id = ""
    with transaction.atomic():
        operator.save(update_fields=["password", "password_by_kind", "password_by_id"])
        for membership in operator.memberships.select_related("workspace") if first else ():
            actor = Actor(ActorKind.OPERATOR, str(operator.pk), str(operator), membership.role, address)
            audit(membership.workspace, actor, "member.own_password", operator)
