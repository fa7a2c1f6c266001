"""Every column that can hold words: each is filled before an erasure is looked at, or it says here why it holds none."""

from collections.abc import Iterator

from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models

OURS, OPERATORS, IDS, COMPUTED = (
    "a word of the product's own",
    "an operator's or a key's",
    "ids and numbers",
    "a digest",
)
#: Columns, or whole tables, that no user's words reach.
HOLDS_NONE = {
    "memory_app_alert.detail": IDS,
    "memory_app_workspace": OPERATORS,
    "memory_app_operator": OPERATORS,
    "memory_app_apikey": OPERATORS,
    "memory_app_auditevent": IDS,
    "memory_app_session.language": OURS,
    "memory_app_injection.excluded": IDS,
    "memory_app_idempotencyrecord.method": OURS,
    "memory_app_idempotencyrecord.path": COMPUTED,
    "memory_app_idempotencyrecord.key": COMPUTED,
    "memory_app_idempotencyrecord.body_digest": COMPUTED,
    "memory_app_savedview.name": OPERATORS,
    "memory_app_slot.values": OPERATORS,
    "memory_app_slot.writers": OURS,
    "memory_app_memoryversion.author_id": OPERATORS,
    "memory_app_memoryversion.author_label": OPERATORS,
    "memory_app_searchentry.model": OURS,
    "memory_app_turnentry.model": OURS,
    "memory_app_decision.sensitivity": OURS,
    "memory_app_decision.rule": OURS,
    "memory_app_decision.checks": OURS,
    "memory_app_decision.neighbours": IDS,
    "memory_app_decision.engine": OURS,
    "memory_app_decision.rule_set": OURS,
    "memory_app_decision.proposed_by_id": OPERATORS,
    "memory_app_decision.proposed_by": OPERATORS,
    "memory_app_decision.decided_by_id": OPERATORS,
    "memory_app_decision.decided_by": OPERATORS,
    "memory_app_decision.reason_code": OURS,
    "memory_app_comment.author_id": OPERATORS,
    "memory_app_comment.author": OPERATORS,
    "memory_app_block.rule": OURS,
    "memory_app_block.rule_set": OURS,
    "memory_app_block.field": OURS,
    "memory_app_scan": OPERATORS,
    "memory_app_summeduntil": COMPUTED,
    "memory_app_changedhour": OURS,
    "memory_app_hourlysum": OURS,
    "memory_app_scanfinding": OURS,
    "consolidation_policyversion": OPERATORS,
    "consolidation_policytrial": OPERATORS,
    "consolidation_caseset": OPERATORS,
    "consolidation_evaluation": OPERATORS,
    "consolidation_evaluationcase": OPERATORS,
    "consolidation_workerheartbeat": OURS,
}


def without(mark: str) -> list[str]:
    """The columns in no row of which the marker stands, though they could hold a user's words."""
    with connection.cursor() as cursor:
        empty = []
        for table, column in _columns():
            cursor.execute(f'SELECT EXISTS (SELECT 1 FROM {table} WHERE "{column}"::text ILIKE %s)', [f"%{mark}%"])
            if not cursor.fetchone()[0]:
                empty.append(f"{table}.{column}")
    return empty


def _columns() -> Iterator[tuple[str, str]]:
    """Columns of words, lists of words and JSON, but those that hold one of a few given words."""
    for app in ("memory_app", "consolidation"):
        for model in apps.get_app_config(app).get_models(include_auto_created=True):
            table = model._meta.db_table
            for field in model._meta.concrete_fields:
                held = field.base_field if isinstance(field, ArrayField) else field
                worded = isinstance(held, models.CharField | models.TextField | models.JSONField)
                if worded and not field.choices and not {table, f"{table}.{field.column}"} & HOLDS_NONE.keys():
                    yield table, field.column
