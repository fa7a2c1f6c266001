"""What the next night forgets under the policy in force, and what the last one did."""

from typing import Any

from django.utils.translation import gettext as _

from consolidation.actions.forgetting import what_would_be_forgotten
from memory_app.models import Workspace
from memory_app.queries.audit_log import last_event


def forgetting_context(workspace: Workspace, *, counted: bool) -> dict[str, Any]:
    """Each step with what becomes of it and what the last run did; how much is due where it is to be counted, which takes
    longer the more there is. Nothing is written."""
    due = what_would_be_forgotten(workspace) if counted else {}
    last = last_event(workspace, "retention.run")
    rows = [
        {"step": step, "what": what, "outcome": outcome, "due": due.get(step), "done": last.detail.get(step, 0) if last else None}
        for step, (what, outcome) in _words().items()
    ]  # fmt: skip
    return {"rows": rows, "counted": counted, "total": sum(due.values()), "last": last}


def _words() -> dict[str, tuple[str, str]]:
    """What is due in each step, and what is done to it."""
    archived, deleted = _("archived; can be undone"), _("deleted for good")
    return {
        "working_states": (_("Working state of sessions that are over"), _("emptied")),
        "working_memories": (_("Working memory of sessions that are over"), archived),
        "expired_memories": (_("Memory that expired long ago"), archived),
        "old_episodes": (_("Minor episodes that nobody has confirmed for long"), archived),
        "surplus_episodes": (_("The least important episodes of users with too many"), archived),
        "archived_memories": (_("Memory that was archived long ago, but for what its user took back"), deleted),
        "turns": (_("Old turns of consolidated sessions; notes keep their quotes"), deleted),
        "recall_logs": (_("Old records of what agents were shown"), deleted),
    }
