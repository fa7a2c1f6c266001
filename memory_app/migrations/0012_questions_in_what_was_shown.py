import django.contrib.postgres.fields
import django.contrib.postgres.indexes
from django.db import migrations, models

#: Of what was shown before, it is known when: every question that was open then may stand in the text.
OPEN_THEN = """
UPDATE memory_app_injection i
   SET asked_about = ARRAY(
       SELECT unnest(array_remove(ARRAY[d.id, d.memory_id], NULL))
         FROM memory_app_decision d
        WHERE d.workspace_id = i.workspace_id AND (d.user_id = i.user_id OR d.team_id IS NOT NULL)
          AND d.created_at <= i.at AND (d.status = 'undone' OR d.decided_at IS NULL OR d.decided_at >= i.at))
 WHERE i.text LIKE '%Unclear, ask the user%' OR i.text LIKE '%有待澄清，请询问用户%'
"""


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0011_made_last")]

    operations = [
        migrations.AddField(
            model_name="injection",
            name="asked_about",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.UUIDField(),
                db_default=[],
                default=list,
                help_text="Decisions and memories behind its open questions.",
                size=None,
            ),
        ),
        migrations.RunSQL(OPEN_THEN, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="injection",
            index=django.contrib.postgres.indexes.GinIndex(fields=["asked_about"], name="injection_asked_about"),
        ),
    ]
