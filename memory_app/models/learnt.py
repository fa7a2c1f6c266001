"""The moments at which something was learnt about a user, kept once each, for a page to step through them."""

import pgtrigger
from django.db import models


class Learnt(models.Model):
    """A moment at which a version of the user's own memory was written. Triggers keep it, in the version's transaction."""

    owner = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "at"], name="learnt_once")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"


def learnt_kept() -> list[pgtrigger.Trigger]:
    """Each moment comes with the first version that was written in it and goes with the last."""
    return [
        pgtrigger.Trigger(
            name="keep_learnt",
            when=pgtrigger.After,
            operation=pgtrigger.Insert,
            func="""
                INSERT INTO memory_app_learnt (owner, at)
                     SELECT owner, NEW.recorded_at FROM memory_app_memory WHERE id = NEW.memory_id AND scope = 'user'
                         ON CONFLICT DO NOTHING;
                RETURN NULL;
            """,
        ),
        pgtrigger.Trigger(
            name="forget_learnt",
            when=pgtrigger.After,
            operation=pgtrigger.Delete,
            level=pgtrigger.Statement,
            referencing=pgtrigger.Referencing(old="gone"),
            func="""
                WITH lost AS MATERIALIZED (
                    SELECT DISTINCT m.owner, g.recorded_at AS at
                      FROM gone g JOIN memory_app_memory m ON m.id = g.memory_id WHERE m.scope = 'user'
                ), left_over AS MATERIALIZED (
                    SELECT m.owner, v.recorded_at AS at
                      FROM memory_app_memory m JOIN memory_app_memoryversion v ON v.memory_id = m.id
                     WHERE m.owner IN (SELECT owner FROM lost) AND m.scope = 'user'
                )
                DELETE FROM memory_app_learnt l USING lost
                 WHERE l.owner = lost.owner AND l.at = lost.at
                   AND (l.owner, l.at) NOT IN (SELECT owner, at FROM left_over);
                RETURN NULL;
            """,
        ),
    ]
