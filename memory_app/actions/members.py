"""Who works in a workspace and in which role, and whether one person alone may approve there."""

import re
import secrets
from typing import Any

from django.db import IntegrityError, transaction

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Forbidden, Invalid, NotFound
from memory_app.guardrails import mask
from memory_app.models import ActorKind, Membership, Operator, Role, Workspace
from memory_app.queries.members import admins_count

from .audit import audit

ROLES = (Role.VIEWER, Role.CURATOR, Role.ADMIN)
USERNAME = re.compile(r"[\w.@+-]{1,150}")
#: Without letters and digits that are taken for one another.
ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def add_member(workspace: Workspace, actor: Actor, username: str, role: str) -> Membership:
    """The operator who has this name already, now a member. Invalid where there is none, Conflict where they are one."""
    _allowed(actor, role)
    operator = Operator.objects.filter(username=username, is_active=True).first()
    if operator is None:
        raise Invalid.field("username", "is the name of no operator.")
    with transaction.atomic():
        _lock(workspace)
        membership, made = Membership.objects.get_or_create(
            workspace=workspace, operator=operator, defaults={"role": role}
        )
        if not made:
            raise Conflict(f"{operator} is a member already.", membership=membership.pk)
        audit(workspace, actor, "member.add", operator, role=role)
        _end_solo(workspace, actor)
    membership.refresh_from_db()
    return membership


def create_member(
    workspace: Workspace, actor: Actor, *, username: str, role: str, first_name: str = "", last_name: str = ""
) -> tuple[Membership, str]:
    """A new operator who is a member, and their first password, which is shown this once and stored nowhere."""
    _allowed(actor, role)
    if not USERNAME.fullmatch(username):
        raise Invalid.field("username", "must be letters, digits and @ . + - _ only, at most 150.")
    for field, given in (("username", username), ("first_name", first_name), ("last_name", last_name)):
        found = {finding.rule for finding in mask(given).findings}
        if found - ({"pii.email"} if field == "username" else set()):  # many sign in with their address
            raise Invalid.field(field, "holds a secret, payment detail or personal identifier.")
    password = _first_password()
    try:
        with transaction.atomic():
            _lock(workspace)
            operator = Operator.objects.create_user(
                username, password=password, first_name=first_name, last_name=last_name, timezone=_zone_of(actor),
                password_by_kind=actor.kind, password_by_id=actor.id,
            )  # fmt: skip
            membership = Membership.objects.create(workspace=workspace, operator=operator, role=role)
            audit(workspace, actor, "member.create", operator, role=role)
            _end_solo(workspace, actor)
    except IntegrityError as error:
        raise Invalid.field("username", "is taken.") from error
    membership.refresh_from_db()
    return membership, password


def change_role(workspace: Workspace, actor: Actor, membership_id: Any, role: str) -> Membership:
    """The member in another role; Conflict where they are the last admin."""
    _allowed(actor, role)
    with transaction.atomic():
        membership = _find(workspace, membership_id)
        before = membership.role
        if before == role:
            return membership
        if before == Role.ADMIN:
            _keep_an_admin(membership)
        membership.role = role
        membership.save(update_fields=["role"])
        audit(workspace, actor, "member.role", membership.operator, before=before, role=role)
        _end_solo(workspace, actor)
    return membership


def remove_member(workspace: Workspace, actor: Actor, membership_id: Any) -> Operator:
    """The operator, a member no longer: what they did stays, and their next page here is not found."""
    _allowed(actor)
    with transaction.atomic():
        membership = _find(workspace, membership_id)
        if membership.role == Role.ADMIN:
            _keep_an_admin(membership)
        operator, role = membership.operator, membership.role
        membership.delete()
        audit(workspace, actor, "member.remove", operator, role=role)
    return operator


def reset_password(workspace: Workspace, actor: Actor, membership_id: Any) -> tuple[Membership, str]:
    """The member with a new first password, shown this once; the old one and their open sessions end. Conflict for one's
    own, and for who works elsewhere too or for the installation: it would open what this admin may not see."""
    _allowed(actor)
    with transaction.atomic():
        membership = _find(workspace, membership_id)
        operator = Operator.objects.select_for_update().get(pk=membership.operator_id)
        elsewhere = operator.memberships.exclude(workspace=workspace).exists()
        if elsewhere or operator.is_staff or operator.is_superuser or str(operator.pk) == actor.id:
            raise Conflict(f"The password of {operator} is not reset here.", membership=membership.pk)
        password = _first_password()
        operator.set_password(password)
        operator.password_by_kind, operator.password_by_id = actor.kind, actor.id
        operator.save(update_fields=["password", "password_by_kind", "password_by_id"])
        audit(workspace, actor, "member.password", operator)
    return membership, password


def _end_solo(workspace: Workspace, actor: Actor) -> None:
    """Once there is a second admin, they approve; nobody has to think of the switch."""
    found = _lock(workspace)
    if found.solo and admins_count(workspace) > 1:
        found.solo = workspace.solo = False
        found.save(update_fields=["solo"])
        audit(workspace, actor, "workspace.solo", found, solo=False)


def set_solo(workspace: Workspace, actor: Actor, solo: bool) -> Workspace:
    """Whether a person may approve in this workspace what they proposed themselves. Conflict where it has two admins:
    else each alone could switch it on, approve their own, and switch it off."""
    _allowed(actor)
    with transaction.atomic():
        found = _lock(workspace)
        if found.solo != solo:
            if solo and admins_count(workspace) > 1:
                raise Conflict("Another admin can approve here: solo is for a workspace with one.")
            found.solo = solo
            found.save(update_fields=["solo"])
            audit(workspace, actor, "workspace.solo", found, solo=solo)
    workspace.solo = solo
    return workspace


def _zone_of(actor: Actor) -> str:
    """The zone of the person who acts, in which a colleague of theirs most likely works too."""
    person = Operator.objects.filter(pk=actor.id).first() if actor.kind == ActorKind.OPERATOR else None
    return person.timezone if person is not None else "UTC"


def _first_password() -> str:
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(5)) for _ in range(4))


def _allowed(actor: Actor, role: str = Role.VIEWER) -> None:
    if not actor.at_least("admin") or actor.teams is not None:
        raise Forbidden("Members need the role admin.")
    if role not in ROLES:
        raise Invalid.field("role", f"must be one of {', '.join(ROLES)}.")


def _lock(workspace: Workspace) -> Workspace:
    """The workspace's row, so that its members change one at a time."""
    return Workspace.objects.select_for_update().get(pk=workspace.pk)


def _find(workspace: Workspace, membership_id: Any) -> Membership:
    _lock(workspace)
    rows = Membership.objects.select_related("operator").filter(workspace=workspace, pk=membership_id)
    found = rows.first()
    if found is None:
        raise NotFound("There is no such member.")
    return found


def _keep_an_admin(membership: Membership) -> None:
    others = Membership.objects.filter(workspace=membership.workspace_id, role=Role.ADMIN, operator__is_active=True)
    if not others.exclude(pk=membership.pk).exists():
        raise Conflict("The last admin stays: make somebody else an admin first.", membership=membership.pk)
