"""A memory keeps the mark under which the injection guardrail let it pass; what has none gets it with its next recall."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0028_first_passwords")]

    operations = [
        migrations.AddField(
            model_name="memory",
            name="passed",
            field=models.BinaryField(max_length=16, null=True, editable=False),
        ),
    ]
