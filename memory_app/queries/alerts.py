"""Alerts as the pages show them: the open ones first, then the last that are over."""

from django.db.models import F, QuerySet

from memory_app.models import Alert, Workspace

MOST_OPEN, MOST_CLEARED = 50, 10


def open_alerts(workspace: Workspace) -> "QuerySet[Alert]":
    return Alert.objects.filter(workspace=workspace, cleared_at=None)


def alerts_shown(workspace: Workspace) -> list[Alert]:
    """The open ones, those first that nobody has acknowledged, and the last that are over."""
    rows = Alert.objects.filter(workspace=workspace).select_related("acknowledged_by")
    first = F("acknowledged_at").asc(nulls_first=True)
    return [
        *rows.filter(cleared_at=None).order_by(first, "-raised_at")[:MOST_OPEN],
        *rows.exclude(cleared_at=None).order_by("-raised_at", "-id")[:MOST_CLEARED],
    ]
