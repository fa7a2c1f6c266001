import django.contrib.postgres.indexes
import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0019_rulings_from_an_index")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("status", "active")),
                fields=["workspace", "owner", "-pinned", "-updated_at", "-id"],
                name="memory_owner_newest",
            ),
        ),
        migrations.AddIndex(
            model_name="note",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass(
                    django.db.models.functions.text.Upper("text"), name="gin_trgm_ops"
                ),
                django.contrib.postgres.indexes.OpClass(
                    django.db.models.functions.text.Upper("key"), name="gin_trgm_ops"
                ),
                name="note_text",
            ),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(fields=["agent", "-last_active_at"], name="session_of_agent"),
        ),
        migrations.RemoveIndex(model_name="decision", name="decision_newest"),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                fields=["workspace", "-created_at", "-id"],
                include=["action", "proposed_action", "status", "origin", "session"],
                name="decision_newest",
            ),
        ),
    ]
