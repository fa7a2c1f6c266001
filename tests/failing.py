"""Writes that the database itself refuses, as it refuses one of two writers who wait for each other."""

from django.db import connection

from memory_app.models import Decision, Memory

DEADLOCK = "40P01"


def refuse_updates(table: type[Memory] | type[Decision], column: str, value: object, sqlstate: str) -> None:
    """Until the test's transaction ends, an update of rows with this value fails with this SQLSTATE."""
    name = table._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table with waiting checks takes no trigger
        cursor.execute(
            "CREATE OR REPLACE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{sqlstate}'; END $$"
        )
        cursor.execute(
            f"CREATE TRIGGER refused BEFORE UPDATE ON {name} FOR EACH ROW "
            f"WHEN (OLD.{column}::text = '{value}') EXECUTE FUNCTION refused()"
        )
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
