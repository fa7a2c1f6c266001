"""The policy in force in a workspace."""

from django.conf import settings

from consolidation.domain.policy import Policy
from consolidation.models import PolicyVersion
from memory_app.models import Workspace


def current_policy(workspace: Workspace) -> Policy:
    """The newest version of the workspace's policy; the documented default, version 1, where none was saved. When a
    silent session is consolidated is a setting, unless the policy says it."""
    idle = {"idle_minutes": settings.COMMONPLACE.session_idle_minutes}
    newest = PolicyVersion.objects.filter(workspace=workspace).order_by("-number").first()
    if newest is None:
        return Policy.from_json(idle)
    return Policy.from_json(idle | newest.content | {"version": newest.number})
