"""Numbers by the hour, so that a page of ninety days does not count row by row; what they are is said in
memory_app/queries/tallies.py.

The hours before `SummedUntil.until` hold as they are summed, but for those in ChangedHour: a trigger writes there what a
change of rows makes untrue, in the change's own transaction. Whatever does not hold is counted from its rows.
"""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models

from .workspace import Agent, Workspace


class SummedUntil(models.Model):
    """How far a workspace is summed, and by which definition."""

    workspace = models.OneToOneField(Workspace, primary_key=True, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField()
    definition = models.CharField(max_length=32)

    def __str__(self) -> str:
        return f"{self.until:%Y-%m-%d %H:%M}"


class ChangedHour(models.Model):
    """An hour of a source whose sums do not hold any more. Rows are only added, so that no writer waits for another,
    and nothing hangs on a workspace that is being deleted."""

    workspace = models.ForeignKey(
        Workspace, db_constraint=False, db_index=False, on_delete=models.DO_NOTHING, related_name="+"
    )
    source = models.CharField(max_length=12)
    hour = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["workspace", "source", "hour"], name="changed_hour")]

    def __str__(self) -> str:
        return f"{self.source} {self.hour:%Y-%m-%d %H:%M}"


class HourlySum(models.Model):
    """What a tally counts in one hour, for one agent, language and `told` (by what it is told apart). The agent may be
    gone: then the hour is a changed one."""

    workspace = models.ForeignKey(Workspace, db_index=False, on_delete=models.CASCADE, related_name="+")
    tally = models.CharField(max_length=12)
    hour = models.DateTimeField()
    agent = models.ForeignKey(
        Agent, null=True, db_constraint=False, db_index=False, on_delete=models.DO_NOTHING, related_name="+"
    )
    language = models.CharField(max_length=2, blank=True)
    told = models.CharField(max_length=100, blank=True)
    numbers = ArrayField(models.DecimalField(max_digits=30, decimal_places=6))

    class Meta:
        indexes = [models.Index(fields=["workspace", "tally", "hour"], name="hourly_sum")]

    def __str__(self) -> str:
        return f"{self.tally} {self.hour:%Y-%m-%d %H:%M}"


def marking(table: str, *columns: str) -> pgtrigger.Trigger:
    """The hours in which a row counted and counts are changed ones; `mark_<table>` knows which these are."""
    return pgtrigger.Trigger(
        name="mark_hours",
        when=pgtrigger.After,
        operation=pgtrigger.Insert | pgtrigger.UpdateOf(*columns) | pgtrigger.Delete,
        func=f"""
            IF TG_OP <> 'INSERT' THEN PERFORM mark_{table}(OLD); END IF;
            IF TG_OP <> 'DELETE' THEN PERFORM mark_{table}(NEW); END IF;
            RETURN NULL;
        """,
    )


def told_anew(name: str, marked: str, *columns: str) -> pgtrigger.Trigger:
    """Where one of these columns changes, what other rows count by changes as well."""
    changed = " OR ".join(f"OLD.{column} IS DISTINCT FROM NEW.{column}" for column in columns)
    return pgtrigger.Trigger(
        name=name,
        when=pgtrigger.After,
        operation=pgtrigger.UpdateOf(*columns),
        condition=pgtrigger.Condition(changed),
        func=f"PERFORM {marked}; RETURN NULL;",
    )


def turns_gone() -> pgtrigger.Trigger:
    """Turns that are no more are not counted between storing a memory and its first use either."""
    return pgtrigger.Trigger(
        name="mark_first_uses",
        when=pgtrigger.After,
        operation=pgtrigger.Delete,
        level=pgtrigger.Statement,
        referencing=pgtrigger.Referencing(old="gone"),
        func="""
            PERFORM mark_hour(used.workspace_id, 'first uses', used.hour)
               FROM (SELECT DISTINCT m.workspace_id, date_trunc('hour', m.first_recalled_at, 'UTC') AS hour
                       FROM (SELECT s.user_id, min(g.created_at) AS first, max(g.created_at) AS last
                               FROM gone g JOIN memory_app_session s ON s.id = g.session_id GROUP BY 1) said
                       JOIN memory_app_decision d ON d.user_id = said.user_id AND d.action = 'promote'
                       JOIN memory_app_memory m ON m.id = d.memory_id
                      WHERE m.first_recalled_at >= said.first AND m.recorded_at < said.last) used;
            RETURN NULL;
        """,
    )
