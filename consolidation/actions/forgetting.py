"""Forgetting under the policy in force, workspace by workspace."""

from collections.abc import Iterator

from django.utils import timezone

from memory_app.actions import retention
from memory_app.actions.retention import Forgetting
from memory_app.models import Workspace

from .policies import current_policy


def forgetting(workspace: Workspace) -> Forgetting:
    """What is due there now."""
    policy = current_policy(workspace)
    return Forgetting(workspace, policy.retention, timezone.now(), policy.version)


def what_would_be_forgotten(workspace: Workspace) -> dict[str, int]:
    """How much of each kind a run would forget now. Nothing is written."""
    return retention.preview(forgetting(workspace))


def forget_due(workspace: Workspace) -> Iterator[tuple[str, int]]:
    """What is due there forgotten; yields each batch as its kind and count."""
    return retention.forget(forgetting(workspace))
