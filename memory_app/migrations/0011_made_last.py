from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0010_first_shown_before")]

    operations = [
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(fields=["created_at"], name="decision_made"),
        ),
        migrations.AddIndex(
            model_name="block",
            index=models.Index(
                condition=models.Q(("category", "instruction")), fields=["created_at"], name="block_instruction_made"
            ),
        ),
    ]
