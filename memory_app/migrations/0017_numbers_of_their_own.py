import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


#: Refs that are there stay; each workspace goes on from its own highest.
GO_ON = """
DO $$
DECLARE
  kind text;
  own uuid;
  last bigint;
BEGIN
  FOREACH kind IN ARRAY ARRAY['session', 'note', 'memory', 'decision', 'block'] LOOP
    FOR own IN SELECT id FROM memory_app_workspace LOOP
      EXECUTE format('SELECT coalesce(max(number), 0) FROM memory_app_%s WHERE workspace_id = $1', kind) INTO last USING own;
      EXECUTE format('CREATE SEQUENCE %I START %s', kind || '_number_' || replace(own::text, '-', ''), last + 1);
    END LOOP;
    EXECUTE format('DROP SEQUENCE %I', kind || '_number');
  END LOOP;
END $$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('memory_app', '0016_numbers_of_the_queue'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='memory',
            name='memory_by_number',
        ),
        migrations.AlterField(
            model_name='block',
            name='number',
            field=models.BigIntegerField(db_default=0, editable=False),
        ),
        migrations.AlterField(
            model_name='decision',
            name='number',
            field=models.BigIntegerField(db_default=0, editable=False),
        ),
        migrations.AlterField(
            model_name='memory',
            name='number',
            field=models.BigIntegerField(db_default=0, editable=False),
        ),
        migrations.AlterField(
            model_name='note',
            name='number',
            field=models.BigIntegerField(db_default=0, editable=False),
        ),
        migrations.AlterField(
            model_name='session',
            name='number',
            field=models.BigIntegerField(db_default=0, editable=False),
        ),
        migrations.RunSQL(GO_ON),
        pgtrigger.migrations.AddTrigger(
            model_name='block',
            trigger=pgtrigger.compiler.Trigger(name='numbered', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."number" = 0)', func="NEW.number = nextval('block_number_' || replace(NEW.workspace_id::text, '-', '')); RETURN NEW;", hash='c0ed43e0e3dbaac86763ce90e70b48b279c00a1e', operation='INSERT', pgid='pgtrigger_numbered_440c1', table='memory_app_block', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='decision',
            trigger=pgtrigger.compiler.Trigger(name='numbered', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."number" = 0)', func="NEW.number = nextval('decision_number_' || replace(NEW.workspace_id::text, '-', '')); RETURN NEW;", hash='2262f660c0ccf4be7ab63c9a6992b1eaa486b8b3', operation='INSERT', pgid='pgtrigger_numbered_03164', table='memory_app_decision', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memory',
            trigger=pgtrigger.compiler.Trigger(name='numbered', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."number" = 0)', func="NEW.number = nextval('memory_number_' || replace(NEW.workspace_id::text, '-', '')); RETURN NEW;", hash='7b930f2afe18e5f5b6f4d77257d9ef25ba7e3263', operation='INSERT', pgid='pgtrigger_numbered_b83de', table='memory_app_memory', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='note',
            trigger=pgtrigger.compiler.Trigger(name='numbered', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."number" = 0)', func="NEW.number = nextval('note_number_' || replace(NEW.workspace_id::text, '-', '')); RETURN NEW;", hash='a9ea53890443c51f342fe208c9802aba31c4f9f1', operation='INSERT', pgid='pgtrigger_numbered_cca54', table='memory_app_note', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='session',
            trigger=pgtrigger.compiler.Trigger(name='numbered', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."number" = 0)', func="NEW.number = nextval('session_number_' || replace(NEW.workspace_id::text, '-', '')); RETURN NEW;", hash='9deccee0c26bfccb245926017d350698f14ffe4a', operation='INSERT', pgid='pgtrigger_numbered_91d47', table='memory_app_session', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='workspace',
            trigger=pgtrigger.compiler.Trigger(name='count_anew', sql=pgtrigger.compiler.UpsertTriggerSql(declare='DECLARE kind TEXT;', func="FOREACH kind IN ARRAY ARRAY['session', 'note', 'memory', 'decision', 'block'] LOOP EXECUTE format('CREATE SEQUENCE %I', kind || '_number_' || replace(NEW.id::text, '-', '')); END LOOP; RETURN NULL;", hash='2527122adfab1f344f4faa321bd9d482a528b984', operation='INSERT', pgid='pgtrigger_count_anew_38e36', table='memory_app_workspace', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='workspace',
            trigger=pgtrigger.compiler.Trigger(name='count_no_more', sql=pgtrigger.compiler.UpsertTriggerSql(declare='DECLARE kind TEXT;', func="FOREACH kind IN ARRAY ARRAY['session', 'note', 'memory', 'decision', 'block'] LOOP EXECUTE format('DROP SEQUENCE IF EXISTS %I', kind || '_number_' || replace(OLD.id::text, '-', '')); END LOOP; RETURN NULL;", hash='096c1b050967f63e34fdf8722b8d29ee20b5c455', operation='DELETE', pgid='pgtrigger_count_no_more_b9110', table='memory_app_workspace', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='block',
            constraint=models.UniqueConstraint(fields=('workspace', 'number'), name='block_number_once'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.UniqueConstraint(fields=('workspace', 'number'), name='decision_number_once'),
        ),
        migrations.AddConstraint(
            model_name='memory',
            constraint=models.UniqueConstraint(fields=('workspace', 'number'), name='memory_number_once'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.UniqueConstraint(fields=('workspace', 'number'), name='session_number_once'),
        ),
    ]
