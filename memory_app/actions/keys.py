"""API keys and the workspaces they belong to."""

import re
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Forbidden, Invalid, NotFound
from memory_app.domain.keys import new_secret
from memory_app.models import ApiKey, Role, Team, Workspace

from .audit import audit
from .guard import refuse_secret
from .locks import lock_owner


def ensure_workspace(slug: str, actor: Actor, name: str = "") -> Workspace:
    """The workspace of this slug, made where it is new."""
    if not re.fullmatch(r"[a-z0-9](?:[a-z0-9_-]{0,58}[a-z0-9])?", slug):
        raise Invalid.field("workspace", "must be lower-case letters, digits and hyphens, at most 60, such as travel.")
    with transaction.atomic():
        workspace, made = Workspace.objects.get_or_create(slug=slug, defaults={"name": name or slug})
        if made:
            audit(workspace, actor, "workspace.create", workspace)
    return workspace


def create_key(
    workspace: Workspace,
    actor: Actor,
    *,
    role: str,
    name: str = "",
    teams: Sequence[str] = (),
    key_id: UUID | None = None,
) -> tuple[ApiKey, str]:
    """The key's row and the key itself, which is shown this once and stored nowhere.

    `key_id` is the id that it gets, from a form that makes one key however often it is sent: Conflict after the first.
    """
    if role not in Role.values:
        raise Invalid.field("role", f"must be one of {', '.join(Role.values)}.")
    if not actor.at_least("admin"):
        raise Forbidden("Keys need the role admin.")
    refuse_secret("name", name)
    for team in teams:
        refuse_secret("teams", team)
    if actor.teams is not None and (not teams or not actor.teams.issuperset(teams)):
        raise Forbidden("This key is limited to some teams, and so are the keys that it makes.")
    secret, prefix, digest = new_secret()
    with transaction.atomic():
        if key_id is not None:
            lock_owner(key_id)
            if ApiKey.objects.filter(pk=key_id).exists():
                raise Conflict("This key is made already; it was shown that once.")
        key = ApiKey.objects.create(
            id=key_id or uuid4(), workspace=workspace, name=name or f"{role} key", role=role, prefix=prefix, digest=digest,
            created_by_id=int(actor.id) if actor.kind == "operator" and actor.id.isdigit() else None,
        )  # fmt: skip
        key.refresh_from_db(fields=["created_at"])
        key.teams.set([Team.objects.get_or_create(workspace=workspace, external_id=team)[0] for team in teams])
        audit(workspace, actor, "key.create", key, role=role, teams=len(teams))
    return key, secret


def revoke_key(workspace: Workspace, actor: Actor, key_id: Any) -> ApiKey:
    """The key revoked: its next call is answered 401. Twice is the same as once."""
    if not actor.at_least("admin"):
        raise Forbidden("Keys need the role admin.")
    with transaction.atomic():
        key = ApiKey.objects.select_for_update().filter(workspace=workspace, pk=key_id).first()
        if key is None:
            raise NotFound("There is no such key.")
        teams = {team.external_id for team in key.teams.all()}
        if actor.teams is not None and (not teams or not actor.teams.issuperset(teams)):
            raise Forbidden("This key is limited to other teams.")
        if key.revoked_at is None:
            key.revoked_at = timezone.now()
            key.save(update_fields=["revoked_at"])
            audit(workspace, actor, "key.revoke", key, role=key.role)
    return key
