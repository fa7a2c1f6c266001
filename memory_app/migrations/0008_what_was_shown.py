from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0007_recall_of_turns")]

    operations = [
        migrations.AddField(
            model_name="injection",
            name="text",
            field=models.TextField(blank=True, default="", help_text="The block as it was handed out, byte for byte."),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="injection",
            name="after_turn",
            field=models.PositiveIntegerField(
                blank=True, null=True, help_text="Index of the session's last turn then."
            ),
        ),
        migrations.AddField(
            model_name="memory",
            name="first_recalled_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        # Room in each page, so that counting a recall writes the row beside its old self and touches no index.
        migrations.RunSQL(
            "ALTER TABLE memory_app_memory SET (fillfactor = 85)", "ALTER TABLE memory_app_memory RESET (fillfactor)"
        ),
    ]
