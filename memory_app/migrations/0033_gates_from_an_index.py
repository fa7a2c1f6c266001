"""What recall's gates ask of each memory of an owner is read from an index, and no row for it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0032_rows_that_are_few"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                fields=["workspace", "owner", "status"],
                include=("scope", "kind", "expires_at", "updated_at", "id", "version", "user"),
                name="memory_of_owner_gates",
            ),
        ),
        # Last: it takes the lock that keeps readers out too, and its successor is there by now.
        migrations.RemoveIndex(
            model_name="memory",
            name="memory_of_owner",
        ),
    ]
