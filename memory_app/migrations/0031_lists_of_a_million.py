"""Lists narrowed by what few rows have, and the numbers beside them, are read from indexes, however many rows there are."""

import django.contrib.postgres.indexes
import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0030_hashes_of_words"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(fields=["workspace", "status", "-created_at", "-id"], name="decision_by_status"),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(fields=["workspace", "action", "-created_at", "-id"], name="decision_by_action"),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(fields=["workspace", "rule", "-created_at", "-id"], name="decision_by_rule"),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(("status__in", ["approved", "declined"])),
                fields=["workspace", "decided_by_kind", "decided_by_id", "-decided_at"],
                name="decision_ruled_by",
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                fields=["workspace", "owner", "status"], include=("scope", "kind", "expires_at"), name="memory_of_owner"
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(fields=["workspace", "kind", "-updated_at", "-id"], name="memory_by_kind"),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("scope", "user"), _negated=True),
                fields=["workspace", "scope", "-updated_at", "-id"],
                name="memory_by_scope",
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(
                    ("pinned", True), ("scope", "team"), ("kind", "procedural"), ("author", "operator"), _connector="OR"
                ),
                fields=["workspace", "-updated_at", "-id"],
                name="memory_protected",
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                fields=["workspace", "status", "expires_at"], include=("scope", "session"), name="memory_counted"
            ),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(fields=["workspace", "status", "-started_at", "-id"], name="session_by_status"),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(fields=["id"], include=("agent", "language"), name="session_told"),
        ),
        migrations.AddIndex(
            model_name="session",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass(
                    django.db.models.functions.text.Upper("external_id"), name="gin_trgm_ops"
                ),
                django.contrib.postgres.indexes.OpClass(
                    django.db.models.functions.text.Upper("task"), name="gin_trgm_ops"
                ),
                django.contrib.postgres.indexes.OpClass(
                    django.db.models.functions.text.Upper("summary"), name="gin_trgm_ops"
                ),
                name="session_text",
            ),
        ),
        # Last: it takes the lock that keeps readers out too, and its successor is there by now.
        migrations.RemoveIndex(
            model_name="memory",
            name="memory_owner",
        ),
    ]
