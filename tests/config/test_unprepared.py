"""A command on a database without this release's tables says what to do, in one line."""

import pytest
from django.db import Error, OperationalError, connection, transaction

from manage import unprepared


@pytest.mark.parametrize("statement", ["SELECT 1 FROM not_there", "SELECT nothing FROM memory_app_workspace"])
def test_what_is_missing_is_told_with_its_remedy(statement: str, db: None) -> None:
    with pytest.raises(Error) as caught, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert "manage.py prepare" in (unprepared(caught.value) or "")


def test_any_other_error_stays_what_it_is(db: None) -> None:
    with pytest.raises(Error) as caught, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1 / 0")
    assert unprepared(caught.value) is None
    assert "DATABASE_URL" in (unprepared(OperationalError("connection refused")) or "")
