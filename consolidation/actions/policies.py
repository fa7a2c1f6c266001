"""The policy in force in a workspace."""

from consolidation.domain.policy import Policy
from consolidation.models import PolicyVersion
from memory_app.models import Workspace


def current_policy(workspace: Workspace) -> Policy:
    """The newest version of the workspace's policy; the documented default, version 1, where none was saved."""
    newest = PolicyVersion.objects.filter(workspace=workspace).order_by("-number").first()
    if newest is None:
        return Policy()
    return Policy.from_json(newest.content | {"version": newest.number})
