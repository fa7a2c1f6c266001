import django.db.models.deletion
from django.db import migrations, models

#: Each entry learns the owner of its memory and the number of its version.
FILL = """
UPDATE memory_app_searchentry e SET owner = m.owner, number = v.number
  FROM memory_app_memoryversion v JOIN memory_app_memory m ON m.id = v.memory_id
 WHERE v.id = e.version_id
"""


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0012_questions_in_what_was_shown")]

    operations = [
        migrations.AddField("searchentry", "number", models.PositiveIntegerField(null=True)),
        migrations.AddField("searchentry", "owner", models.UUIDField(null=True)),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField("searchentry", "number", models.PositiveIntegerField()),
        migrations.AlterField("searchentry", "owner", models.UUIDField()),
        migrations.AlterField(
            "searchentry",
            "memory",
            models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory_app.memory"
            ),
        ),
        migrations.AddIndex("searchentry", models.Index(fields=["workspace", "owner"], name="search_of_owner")),
        migrations.AddConstraint(
            "searchentry", models.UniqueConstraint(fields=("memory", "number"), name="search_of_version")
        ),
    ]
