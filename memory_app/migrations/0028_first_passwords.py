from django.db import migrations, models

#: Who has not signed in since somebody set their password has not replaced it. Of others nothing is known.
FIRST_PASSWORDS = """
UPDATE memory_app_operator SET password_by_kind = last.actor_kind, password_by_id = last.actor_id
FROM (
    SELECT DISTINCT ON (object_id) object_id, at, actor_kind, actor_id FROM memory_app_auditevent
    WHERE object_type = 'operator' AND action IN ('member.create', 'member.password')
    ORDER BY object_id, at DESC
) last
WHERE last.object_id = memory_app_operator.id::text AND (last_login IS NULL OR last_login < last.at)
"""
KINDS = [("operator", "Operator"), ("key", "API key"), ("policy", "Policy"), ("system", "System")]


class Migration(migrations.Migration):
    dependencies = [
        ("memory_app", "0027_waiting_of_a_user"),
    ]

    operations = [
        migrations.AddField(
            model_name="operator",
            name="password_by_kind",
            field=models.CharField(blank=True, choices=KINDS, db_default="", default="", editable=False, max_length=10),
        ),
        migrations.AddField(
            model_name="operator",
            name="password_by_id",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=64),
        ),
        migrations.RunSQL(FIRST_PASSWORDS, migrations.RunSQL.noop),
    ]
