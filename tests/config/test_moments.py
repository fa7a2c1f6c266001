"""Moments are read as PostgreSQL wrote them, by the quick way and by the other one."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from psycopg import DataError

from config.postgresql.base import MomentLoader

WRITTEN = {
    "2026-11-21 17:48:33.1234+00": datetime(2026, 11, 21, 17, 48, 33, 123400, UTC),
    "0200-01-01 00:00:00+00": datetime(200, 1, 1, tzinfo=UTC),
    "2026-11-21 17:48:33.5+08": datetime(2026, 11, 21, 9, 48, 33, 500000, UTC),
    "2026-11-21 17:48:33+00:30": datetime(2026, 11, 21, 17, 18, 33, tzinfo=UTC),
}


@pytest.mark.django_db
def test_moments_are_read_as_they_are_written() -> None:
    with connection.cursor() as cursor:
        loader = cursor.connection.adapters.get_loader(1184, 0)
        cursor.execute(f"SELECT {', '.join(['%s::timestamptz'] * len(WRITTEN))}", [*WRITTEN])
        assert list(cursor.fetchone()) == [*WRITTEN.values()]
    assert loader is MomentLoader
    assert [MomentLoader(1184).load(text.encode()) for text in WRITTEN] == [*WRITTEN.values()]


@pytest.mark.parametrize("far", [b"infinity", b"12026-11-21 17:48:33+00", b"0044-03-15 12:00:00+00 BC"])
def test_what_no_moment_is_too_far_for_is_refused(far: bytes) -> None:
    with pytest.raises(DataError):
        MomentLoader(1184).load(far)
