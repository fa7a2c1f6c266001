"""What pages of a large workspace read has an index that fits: without reading tables whole, the database takes it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q

from memory_app.models import Decision, Memory, Note, Session, Workspace

pytestmark = pytest.mark.django_db

READ: dict[str, Callable[[Any], Any]] = {
    "note_text": lambda _own: Note.objects.filter(Q(text__icontains="early train") | Q(key__icontains="early train")),
    "memory_owner_newest": lambda own: Memory.objects.filter(
        workspace=own, owner=own, status="active"
    ).order_by("-pinned", "-updated_at", "-id")[:30],
    "session_of_agent": lambda own: Session.objects.filter(agent=own).order_by("-last_active_at")[:1],
    "decision_settled_last": lambda own: Decision.objects.filter(
        workspace=own, decided_at__gte="2026-01-01T00:00Z"
    ).values("created_at", "status", "session"),
    "decision_newest": lambda own: Decision.objects.filter(
        workspace=own, created_at__gte="2026-01-01T00:00Z"
    ).values("action", "proposed_action", "status", "origin", "session"),
}  # fmt: skip


# What an empty table is read by is chosen by chance among its indexes: the others are gone for the time of the test.
OTHERS = """
    SELECT CASE WHEN c.conname IS NULL THEN format('DROP INDEX %%I', i.relname)
                ELSE format('ALTER TABLE %%s DROP CONSTRAINT %%I', x.indrelid::regclass, c.conname) END
      FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
      LEFT JOIN pg_constraint c ON c.conindid = x.indexrelid AND c.conrelid = x.indrelid
     WHERE x.indrelid = (SELECT indrelid FROM pg_index WHERE indexrelid = %s::regclass)
       AND i.relname <> %s AND NOT x.indisprimary
"""


@pytest.mark.parametrize("index", READ)
def test_it_is_read_from_its_index(workspace: Workspace, index: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(OTHERS, [index, index])
        for (drop,) in cursor.fetchall():
            cursor.execute(drop)
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
    assert index in READ[index](workspace.pk).explain()
