from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0017_numbers_of_their_own")]

    operations = [
        migrations.RemoveIndex(model_name="decision", name="decision_newest"),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                fields=["workspace", "-created_at", "-id"],
                include=["action", "status", "session"],
                name="decision_newest",
            ),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(("needs", "admin")),
                fields=["workspace", "created_at", "id"],
                include=["status", "proposed_by_kind", "proposed_by_id"],
                name="decision_weighty",
            ),
        ),
    ]
