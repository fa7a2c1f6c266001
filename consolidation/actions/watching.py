"""Alerts kept in step with what is wrong."""

from consolidation.queries.alarms import alarms
from memory_app.actions.alerts import settle_alerts


def watch() -> None:
    """The open alerts of every workspace are what is wrong now. Whoever runs this is a worker that lives."""
    settle_alerts(alarms())
