"""Whatever the description allows, and what it does not, is answered as the description says, by every call."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig

from memory_app.models import Workspace
from tests.safety.described import document
from tests.safety.rows import Rows

from .calls import Api

#: Of what a description cannot say: a cursor, or two fields that exclude each other, is refused with 422.
UNSAID = {"positive_data_acceptance": {"enabled": False}}
CONFIG = {
    "checks": UNSAID,
    "phases": {"coverage": {"enabled": False}, "fuzzing": {"enabled": True}},
    "generation": {"max-examples": 4},
}
SCHEMA = schemathesis.openapi.from_dict(document(), config=SchemathesisConfig.from_dict(CONFIG))
SCHEMA.app = get_wsgi_application()


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """The test's own transaction goes on after a request, which would close its connection."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def rows(workspace: Workspace) -> Rows:
    return Rows(workspace)


@SCHEMA.parametrize()
@settings(max_examples=4, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_a_call_answers_as_it_is_described(case: Any, admin: Api, rows: Rows) -> None:
    for name, value in (case.path_parameters or {}).items():
        with suppress(ValueError, TypeError, AttributeError):
            UUID(value)
            case.path_parameters[name] = rows.id_of(name)
    case.call_and_validate(headers={"Authorization": f"Bearer {admin.secret}"})
