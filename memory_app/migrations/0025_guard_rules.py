from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memory_app', '0024_jobs'),
    ]

    operations = [
        migrations.AddField(
            model_name='workspace',
            name='guard_rules',
            field=models.TextField(blank=True, default='', editable=False),
        ),
    ]
