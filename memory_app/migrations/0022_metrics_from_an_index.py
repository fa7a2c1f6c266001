from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0021_scans")]

    operations = [
        migrations.RemoveIndex(model_name="decision", name="decision_settled_last"),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(("decided_at", None), _negated=True),
                fields=["workspace", "-decided_at"],
                include=["status", "created_at", "session"],
                name="decision_settled_last",
            ),
        ),
    ]
