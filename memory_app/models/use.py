"""How often each memory was recalled, once more and apart from it, for lists in that order.

An index of memory itself would cost every recall all indexes of every memory that it shows; a row here costs two small ones.
"""

from typing import Any

import pgtrigger
from django.db import models

from .workspace import Workspace


class MemoryUse(models.Model):
    """One of each memory; it comes, counts and goes with it, by a trigger, so nothing else writes it."""

    memory: Any = models.OneToOneField(
        "memory_app.Memory", primary_key=True, db_constraint=False, on_delete=models.DO_NOTHING, related_name="use"
    )
    workspace = models.ForeignKey(
        Workspace, db_constraint=False, db_index=False, on_delete=models.DO_NOTHING, related_name="+"
    )
    recall_count = models.PositiveIntegerField()

    class Meta:
        indexes = [models.Index(fields=["workspace", "-recall_count", "-memory"], name="memory_by_recalls")]

    def __str__(self) -> str:
        return str(self.recall_count)


def use_kept() -> pgtrigger.Trigger:
    """What MemoryUse says is what the memory's row says, in the same transaction."""
    return pgtrigger.Trigger(
        name="keep_use",
        when=pgtrigger.After,
        operation=pgtrigger.Insert | pgtrigger.UpdateOf("recall_count") | pgtrigger.Delete,
        func="""
            IF TG_OP = 'INSERT' THEN
                INSERT INTO memory_app_memoryuse (memory_id, workspace_id, recall_count)
                     VALUES (NEW.id, NEW.workspace_id, NEW.recall_count);
            ELSIF TG_OP = 'DELETE' THEN
                DELETE FROM memory_app_memoryuse WHERE memory_id = OLD.id;
            ELSIF NEW.recall_count <> OLD.recall_count THEN
                UPDATE memory_app_memoryuse SET recall_count = NEW.recall_count WHERE memory_id = NEW.id;
            END IF;
            RETURN NULL;
        """,
    )
