from django.db import migrations

#: What was shown before `first_recalled_at` was kept: the first answer that is on record, else the last that was counted.
FIRST_SHOWN = """
UPDATE memory_app_memory m
   SET first_recalled_at = coalesce(least(m.first_recalled_at, first.at), m.last_recalled_at)
  FROM memory_app_memory known
  LEFT JOIN (SELECT unnest(memory_ids) AS memory, min(at) AS at FROM memory_app_injection GROUP BY 1) first
         ON first.memory = known.id
 WHERE known.id = m.id AND m.recall_count > 0
   AND (m.first_recalled_at IS NULL OR first.at < m.first_recalled_at)
"""


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0009_metrics_and_alerts")]

    operations = [migrations.RunSQL(FIRST_SHOWN, migrations.RunSQL.noop)]
