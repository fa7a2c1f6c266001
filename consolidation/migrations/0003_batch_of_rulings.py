from typing import Any

from django.db import migrations


def without_runs(apps: Any, schema_editor: Any) -> None:
    """A batch is what one call ruled on; the id of a run stood there too, until somebody ruled on the decision."""
    runs = apps.get_model("consolidation", "ConsolidationRun").objects.values("pk")
    apps.get_model("memory_app", "Decision").objects.filter(batch__in=runs).update(batch=None)


class Migration(migrations.Migration):
    dependencies = [("consolidation", "0002_initial"), ("memory_app", "0006_turns_by_age")]

    operations = [migrations.RunPython(without_runs, migrations.RunPython.noop)]
