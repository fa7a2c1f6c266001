from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("consolidation", "0004_model_calls")]

    operations = [
        migrations.AddIndex(
            model_name="consolidationrun",
            index=models.Index(
                condition=models.Q(("status", "failed")), fields=["finished_at"], name="run_failed_last"
            ),
        ),
    ]
