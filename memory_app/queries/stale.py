"""Answers that showed what had been taken back in words already."""

from typing import Any

from django.db.models import Q
from django.db.models.expressions import RawSQL

# Beginning with the changes of the days in question: they are few, and the index of shown memories finds the answers.
# A change that still waits counts as well; one that was declined does not.
_STATEMENT = """
SELECT i.id
  FROM memory_app_decision d
  JOIN memory_app_note n ON n.id = d.note_id
  LEFT JOIN memory_app_turn t ON t.id = n.turn_id
  JOIN memory_app_injection i ON i.memory_ids @> ARRAY[d.memory_id]
 WHERE d.action IN ('override', 'retract') AND d.origin = 'consolidation' AND i.as_of IS NULL
   AND i.workspace_id = d.workspace_id AND (d.workspace_id = %s OR %s)
   AND i.at >= %s AND i.at > coalesce(t.created_at, n.created_at)
   AND (d.status IN ('pending', 'undone')
        OR d.status IN ('applied', 'approved') AND coalesce(d.decided_at, d.created_at) >= %s
           AND i.at < coalesce(d.decided_at, d.created_at))
"""


def stale_answers(scope: Any) -> Q:
    """The injections of the scope that are stale."""
    one = scope.workspace.pk if scope.workspace is not None else None
    return Q(pk__in=RawSQL(_STATEMENT, (one, one is None, scope.start, scope.start)))  # noqa: S611  (no given text)
