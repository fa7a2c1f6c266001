"""What waits for a slot, and the moments at which something was learnt about a user, are read from indexes of their own."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0034_orders_of_a_million"),
    ]

    operations = [
        migrations.CreateModel(
            name="Learnt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner", models.UUIDField()),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="decision",
            name="keys",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=100), default=list, editable=False, size=None
            ),
        ),
        migrations.AddConstraint(
            model_name="learnt",
            constraint=models.UniqueConstraint(fields=("owner", "at"), name="learnt_once"),
        ),
        # First: they keep writers waiting, so that none comes between the rows there are and those that follow.
        pgtrigger.migrations.AddTrigger(
            model_name="decision",
            trigger=pgtrigger.compiler.Trigger(
                name="keep_keys",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            NEW.keys = CASE WHEN NEW.status IN ('pending', 'undone') THEN ARRAY(SELECT DISTINCT key FROM (\n    SELECT key FROM memory_app_note WHERE id = NEW.note_id UNION ALL SELECT key FROM memory_app_memory WHERE id = NEW.memory_id) said WHERE key <> '') ELSE '{}' END;\n            RETURN NEW;\n        ",
                    hash="2afeae5a6e6a69915d03df83146c8b139b8cf918",
                    operation='INSERT OR UPDATE OF "status", "note_id", "memory_id"',
                    pgid="pgtrigger_keep_keys_ac4ea",
                    table="memory_app_decision",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="memory",
            trigger=pgtrigger.compiler.Trigger(
                name="keep_keys",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.key IS DISTINCT FROM NEW.key)",
                    func="\n            UPDATE memory_app_decision d SET keys = ARRAY(SELECT DISTINCT key FROM (\n    SELECT key FROM memory_app_note WHERE id = d.note_id UNION ALL SELECT NEW.key) said WHERE key <> '')\n             WHERE d.memory_id = NEW.id AND d.status IN ('pending', 'undone');\n            RETURN NULL;\n        ",
                    hash="6dc638bc4b89852682efe66b84c29fe9d70edb73",
                    operation='UPDATE OF "key"',
                    pgid="pgtrigger_keep_keys_1a7f7",
                    table="memory_app_memory",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="memoryversion",
            trigger=pgtrigger.compiler.Trigger(
                name="keep_learnt",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                INSERT INTO memory_app_learnt (owner, at)\n                     SELECT owner, NEW.recorded_at FROM memory_app_memory WHERE id = NEW.memory_id AND scope = 'user'\n                         ON CONFLICT DO NOTHING;\n                RETURN NULL;\n            ",
                    hash="877188388115f85ea02eec8239225f6480250291",
                    operation="INSERT",
                    pgid="pgtrigger_keep_learnt_fa61f",
                    table="memory_app_memoryversion",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="memoryversion",
            trigger=pgtrigger.compiler.Trigger(
                name="forget_learnt",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                WITH lost AS MATERIALIZED (\n                    SELECT DISTINCT m.owner, g.recorded_at AS at\n                      FROM gone g JOIN memory_app_memory m ON m.id = g.memory_id WHERE m.scope = 'user'\n                ), left_over AS MATERIALIZED (\n                    SELECT m.owner, v.recorded_at AS at\n                      FROM memory_app_memory m JOIN memory_app_memoryversion v ON v.memory_id = m.id\n                     WHERE m.owner IN (SELECT owner FROM lost) AND m.scope = 'user'\n                )\n                DELETE FROM memory_app_learnt l USING lost\n                 WHERE l.owner = lost.owner AND l.at = lost.at\n                   AND (l.owner, l.at) NOT IN (SELECT owner, at FROM left_over);\n                RETURN NULL;\n            ",
                    hash="8befe34a36bb520e48d945e43d262e8684798362",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_forget_learnt_01b97",
                    referencing="REFERENCING OLD TABLE AS gone ",
                    table="memory_app_memoryversion",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(
            """
            INSERT INTO memory_app_learnt (owner, at)
                 SELECT m.owner, v.recorded_at FROM memory_app_memory m JOIN memory_app_memoryversion v ON v.memory_id = m.id
                  WHERE m.scope = 'user' GROUP BY 1, 2 ON CONFLICT DO NOTHING;
            UPDATE memory_app_decision d
               SET keys = ARRAY(SELECT DISTINCT key FROM (
                       SELECT key FROM memory_app_note WHERE id = d.note_id UNION ALL
                       SELECT key FROM memory_app_memory WHERE id = d.memory_id) said WHERE key <> '')
             WHERE status IN ('pending', 'undone');
            """,
            migrations.RunSQL.noop,
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(("status__in", ["pending", "undone"])),
                fields=["workspace", "action", "-created_at", "-id"],
                name="decision_waiting_of_action",
            ),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=django.contrib.postgres.indexes.GinIndex(
                condition=models.Q(("status__in", ["pending", "undone"])), fields=["keys"], name="decision_waiting_keys"
            ),
        ),
    ]
