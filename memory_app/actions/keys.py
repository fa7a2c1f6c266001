"""API keys and the workspaces they belong to."""

import re
from collections.abc import Sequence

from django.db import transaction

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Invalid
from memory_app.domain.keys import new_secret
from memory_app.models import ApiKey, Role, Team, Workspace

from .audit import audit


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
    workspace: Workspace, actor: Actor, *, role: str, name: str = "", teams: Sequence[str] = ()
) -> tuple[ApiKey, str]:
    """The key's row and the key itself, which is shown this once and stored nowhere."""
    if role not in Role.values:
        raise Invalid.field("role", f"must be one of {', '.join(Role.values)}.")
    secret, prefix, digest = new_secret()
    with transaction.atomic():
        key = ApiKey.objects.create(
            workspace=workspace, name=name or f"{role} key", role=role, prefix=prefix, digest=digest
        )
        key.teams.set([Team.objects.get_or_create(workspace=workspace, external_id=team)[0] for team in teams])
        audit(workspace, actor, "key.create", key, role=role, teams=len(teams))
    return key, secret
