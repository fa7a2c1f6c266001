from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0013_entries_of_owners")]

    operations = [
        migrations.AddField(
            model_name="decision",
            name="snoozed_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
