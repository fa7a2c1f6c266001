"""Answers that showed what had been taken back in words already."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import BooleanField, F, Func, Q
from django.db.models.expressions import RawSQL
from django.utils import timezone

# A change that still waits counts as well; one that was declined or undone does not. One that was undone and approved again
# was in force before: an answer that showed what it had made was right. Carrying it out and undoing it write a version in
# turn, so the number of its versions up to the one that was shown says which of the two held then.
# As an array they are found once; of a subquery the planner expects few rows, and would join these one by one to a list.
_STATEMENT = """
ARRAY(SELECT i.id
  FROM {}
  JOIN memory_app_note n ON n.id = d.note_id
  LEFT JOIN memory_app_turn t ON t.id = n.turn_id
  {}
 WHERE d.action IN ('override', 'retract') AND d.origin = 'consolidation' AND i.as_of IS NULL
   AND i.workspace_id = d.workspace_id AND (i.workspace_id = %s OR %s)
   AND i.at >= %s AND i.at < %s AND i.at > coalesce(t.created_at, n.created_at)
   AND (d.status = 'pending'
        OR d.status IN ('applied', 'approved') AND coalesce(d.decided_at, d.created_at) >= %s
           AND i.at < coalesce(d.decided_at, d.created_at)
           AND (SELECT mod(count(*), 2) FROM memory_app_memoryversion v
                 WHERE v.memory_id = d.memory_id AND v.decision_id = d.id AND v.number <= (
                       SELECT max((one ->> 'version')::int) FROM jsonb_array_elements(i.included) one
                        WHERE one ->> 'memory' = d.memory_id::text)) = 0))
"""
# Of many days, beginning with the changes: they are few, and the index of shown memories finds the answers. Of a few days
# the answers are fewer: what they showed finds the changes.
_OF_MANY_DAYS = _STATEMENT.format(
    "memory_app_decision d", "JOIN memory_app_injection i ON i.memory_ids @> ARRAY[d.memory_id]"
)
_OF_FEW_DAYS = _STATEMENT.format(
    "memory_app_injection i CROSS JOIN unnest(i.memory_ids) shown JOIN memory_app_decision d ON d.memory_id = shown", ""
)
FEW, EVER = timedelta(days=4), datetime(9999, 1, 1, tzinfo=UTC)


def stale_answers(scope: Any) -> Q:
    """The injections of the scope that are stale."""
    one = scope.workspace.pk if scope.workspace is not None else None
    start, last = scope.start, scope.last or EVER
    statement = _OF_FEW_DAYS if min(last, timezone.now()) - start <= FEW else _OF_MANY_DAYS
    ids = RawSQL(statement, (one, one is None, start, last, start))  # noqa: S611  (no given text)
    return Q(Func(F("pk"), ids, template="%(expressions)s", arg_joiner=" = ANY ", output_field=BooleanField()))
