"""What few rows have, of the audit log and of one stroke of rulings, is found without reading the others."""

import django.contrib.postgres.indexes
import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0031_lists_of_a_million"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="auditevent",
            index=models.Index(fields=["workspace", "action", "-at", "-id"], name="audit_by_action"),
        ),
        migrations.AddIndex(
            model_name="auditevent",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass(
                    django.db.models.functions.text.Upper("actor"), name="gin_trgm_ops"
                ),
                name="audit_actor",
            ),
        ),
        migrations.AddIndex(
            model_name="auditevent",
            index=models.Index(fields=["workspace", "actor_id", "-at"], name="audit_by_actor"),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(("batch", None), _negated=True),
                fields=["batch", "-created_at"],
                name="decision_of_batch",
            ),
        ),
    ]
