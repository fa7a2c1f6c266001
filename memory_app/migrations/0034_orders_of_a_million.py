"""Lists by recalls, and what a night may forget, are read from indexes, however many memories there are."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0033_gates_from_an_index"),
    ]

    operations = [
        migrations.CreateModel(
            name="MemoryUse",
            fields=[
                (
                    "memory",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="use",
                        serialize=False,
                        to="memory_app.memory",
                    ),
                ),
                ("recall_count", models.PositiveIntegerField()),
                (
                    "workspace",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory_app.workspace",
                    ),
                ),
            ],
        ),
        # First: it keeps writers waiting, so that none comes between the rows there are and those that follow.
        pgtrigger.migrations.AddTrigger(
            model_name="memory",
            trigger=pgtrigger.compiler.Trigger(
                name="keep_use",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF TG_OP = 'INSERT' THEN\n                INSERT INTO memory_app_memoryuse (memory_id, workspace_id, recall_count)\n                     VALUES (NEW.id, NEW.workspace_id, NEW.recall_count);\n            ELSIF TG_OP = 'DELETE' THEN\n                DELETE FROM memory_app_memoryuse WHERE memory_id = OLD.id;\n            ELSIF NEW.recall_count <> OLD.recall_count THEN\n                UPDATE memory_app_memoryuse SET recall_count = NEW.recall_count WHERE memory_id = NEW.id;\n            END IF;\n            RETURN NULL;\n        ",
                    hash="fd4e93fe8c5a7d5813b703908c3cbae137d7d1b0",
                    operation='INSERT OR UPDATE OF "recall_count" OR DELETE',
                    pgid="pgtrigger_keep_use_1cdec",
                    table="memory_app_memory",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(
            "INSERT INTO memory_app_memoryuse (memory_id, workspace_id, recall_count)"
            " SELECT id, workspace_id, recall_count FROM memory_app_memory ON CONFLICT DO NOTHING",
            migrations.RunSQL.noop,
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("kind", "episodic"), ("scope", "user"), ("status", "active")),
                fields=["workspace", "confirmed_at"],
                include=("owner", "importance", "pinned", "author", "id"),
                name="memory_episodes",
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("status__in", ["archived", "superseded"])),
                fields=["workspace", "recorded_at"],
                name="memory_put_away",
            ),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(
                condition=models.Q(("working__isnull", False)), fields=["workspace"], name="session_with_working_state"
            ),
        ),
        migrations.AddIndex(
            model_name="memoryuse",
            index=models.Index(fields=["workspace", "-recall_count", "-memory"], name="memory_by_recalls"),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(
                    ("status__in", ["pending", "undone"]),
                    models.Q(("memory", None), _negated=True),
                    models.Q(("action", "dedupe"), _negated=True),
                ),
                fields=["workspace", "memory"],
                name="decision_contesting",
            ),
        ),
    ]
