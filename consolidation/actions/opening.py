"""Who has which decision open: written down so that others see it, and left to run out."""

import uuid
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from memory_app.models import Operator, Workspace

#: A page that asks again this soon writes nothing.
WRITTEN_EVERY = timedelta(seconds=20)
WRITE = """
    INSERT INTO consolidation_openitem (id, workspace_id, operator_id, decision_id, at)
    SELECT %(id)s, %(workspace)s, %(operator)s, id, %(now)s
      FROM memory_app_decision WHERE id = %(decision)s AND workspace_id = %(workspace)s
        ON CONFLICT (operator_id, workspace_id) DO UPDATE SET decision_id = excluded.decision_id, at = excluded.at
     WHERE consolidation_openitem.decision_id <> excluded.decision_id OR consolidation_openitem.at < %(old)s
"""


def keep_open(workspace: Workspace, operator: Operator, decision_id: uuid.UUID) -> None:
    """The operator has this decision open now, and no other of the workspace; nothing where there is no such one."""
    now = timezone.now()
    given: dict[str, Any] = {"id": uuid.uuid4(), "workspace": workspace.pk, "operator": operator.pk, "decision": decision_id, "now": now,
             "old": now - WRITTEN_EVERY}  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(WRITE, given)
