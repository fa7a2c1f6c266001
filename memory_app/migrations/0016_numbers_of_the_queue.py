from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0015_saved_views")]

    operations = [
        migrations.RemoveIndex(model_name="decision", name="decision_waiting"),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(("status__in", ["pending", "undone"])),
                fields=["workspace", "created_at", "id"],
                include=["status", "needs", "action", "snoozed_until", "decided_at", "session", "memory"],
                name="decision_waiting",
            ),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(("status__in", ["pending", "undone"])),
                fields=["workspace", "confidence", "id"],
                name="decision_least_certain",
            ),
        ),
        migrations.AddIndex(
            model_name="block",
            index=models.Index(
                condition=models.Q(("status", "blocked")), fields=["workspace"], name="block_not_looked_at"
            ),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(
                condition=models.Q(("status", "consolidating")), fields=["workspace"], name="session_consolidating"
            ),
        ),
    ]
