from typing import Any

from django.db import migrations, models


def without_unanswered(apps: Any, schema_editor: Any) -> None:
    """Requests in flight are no longer recorded: their rows hold no answer."""
    apps.get_model("memory_app", "IdempotencyRecord").objects.filter(status=None).delete()


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0004_orders_of_lists")]

    operations = [
        migrations.RunPython(without_unanswered, migrations.RunPython.noop),
        migrations.AlterField("idempotencyrecord", "status", models.PositiveSmallIntegerField()),
    ]
