"""The named views of the queue that somebody may use."""

from django.db.models import Q

from memory_app.models import Operator, SavedView, Workspace


def saved_views(workspace: Workspace, operator: Operator) -> list[SavedView]:
    """Their own and those that others share, by name."""
    rows = SavedView.objects.filter(Q(owner=operator) | Q(shared=True), workspace=workspace)
    return list(rows.select_related("owner").order_by("name", "created_at", "pk"))
