"""What a decision has split off keeps the id of the memory that it became, found by what that said first."""

from django.db import migrations

PARTS = """
WITH parts AS (
    SELECT d.id, one.part, one.place,
           row_number() OVER (PARTITION BY d.id, part ->> 'text', part ->> 'key' ORDER BY one.place) AS nth
      FROM memory_app_decision d, jsonb_array_elements(d.params -> 'parts') WITH ORDINALITY AS one(part, place)
     WHERE d.action = 'split'
), made AS (
    SELECT v.decision_id, v.memory_id, v.text, v.key,
           row_number() OVER (PARTITION BY v.decision_id, v.text, v.key ORDER BY m.number) AS nth
      FROM memory_app_memoryversion v
      JOIN memory_app_memory m ON m.id = v.memory_id
      JOIN memory_app_decision d ON d.id = v.decision_id AND d.action = 'split'
     WHERE v.number = 1
), told AS (
    SELECT parts.id, jsonb_agg(
               parts.part || CASE WHEN made.memory_id IS NULL THEN '{}'::jsonb
                                  ELSE jsonb_build_object('memory', made.memory_id) END ORDER BY parts.place) AS parts
      FROM parts
      LEFT JOIN made ON made.decision_id = parts.id AND made.nth = parts.nth
                    AND made.text = parts.part ->> 'text' AND made.key = parts.part ->> 'key'
     GROUP BY parts.id
)
UPDATE memory_app_decision d SET params = jsonb_set(d.params, '{parts}', told.parts) FROM told WHERE told.id = d.id
"""


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0025_guard_rules")]

    operations = [migrations.RunSQL(PARTS, migrations.RunSQL.noop)]
