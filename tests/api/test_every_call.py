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

#: Who may do what, what is not there, what has moved on, and how often one may ask: no description foretells these. All
#: else that it allows is accepted, but for the kinds of problems that an operation itself lists under its answer 422.
EXPECTED = ["2xx", "401", "403", "404", "409", "412", "429"]
CONFIG = {
    "checks": {"positive_data_acceptance": {"expected-statuses": [*EXPECTED, "422"]}},
    "phases": {"coverage": {"enabled": False}, "fuzzing": {"enabled": True}},
    "generation": {"max-examples": 4},
}


def read_by_python(schema: Any) -> Any:
    """The description, with patterns as Python reads them: there, but not in JSON schemas, `$` passes over a last line
    break."""
    if isinstance(schema, list):
        return [read_by_python(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    read = {name: read_by_python(one) for name, one in schema.items()}
    pattern = read.get("pattern")
    return read | {"pattern": f"{pattern}(?!\\n)"} if isinstance(pattern, str) and pattern.endswith("$") else read


@schemathesis.check
def refused_as_described(ctx: Any, response: Any, case: Any) -> None:
    """A request that is right by the description is refused with 422 only for what its operation lists there."""
    if response.status_code == 422 and case.meta is not None and case.meta.generation.mode.is_positive:
        listed = case.operation.definition.raw["responses"]["422"].get("x-problem-types", ())
        problem = response.json()
        assert problem["type"] in listed, f"{problem['type']} is not among {listed}: {problem['detail']}"


SCHEMA = schemathesis.openapi.from_dict(read_by_python(document()), config=SchemathesisConfig.from_dict(CONFIG))
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
