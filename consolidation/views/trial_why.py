"""The reason that an operator wrote for a policy that is being tried: it waits in their session, from form to form."""

import uuid

from memory_app.access import WorkspaceRequest
from memory_app.actions.guard import masked
from memory_app.views.remarks import LONGEST, typed

#: Where the operator's session keeps it, for the newest trial alone.
WHY = "trial_why"
#: So much of it, without what the guardrails mask: sessions are rows of the database.
KEPT = 1_000


def keep_why(request: WorkspaceRequest, trial: uuid.UUID) -> None:
    """What was sent as the reason waits with this trial, in place of what waited before."""
    written = masked(request.workspace.rules, typed(request, "why")[:LONGEST])
    request.session[WHY] = {str(trial): written[:KEPT]}


def kept_why(request: WorkspaceRequest, trial: str) -> str:
    """The reason that waits with this trial; empty where none does."""
    return str(request.session.get(WHY, {}).get(trial, ""))
