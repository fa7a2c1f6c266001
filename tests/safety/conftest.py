"""The cast of the access tests: put together once for a file, and given to each test as if for it alone."""

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction

from .cast import Cast, MarkedRows, Rows, assemble


@pytest.fixture(scope="module")
def _assembled(django_db_setup: None, django_db_blocker: Any) -> Iterator[Cast]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield assemble()
        transaction.set_rollback(True)


@pytest.fixture
def cast(_assembled: Cast, db: None) -> Iterator[Cast]:
    """What a test does with it is taken back with the test's own transaction, inside that of the file."""
    mine = copy.deepcopy(_assembled)
    yield replace(mine, rows=MarkedRows(mine.workspace), other_rows=Rows(mine.elsewhere))
    cache.clear()
