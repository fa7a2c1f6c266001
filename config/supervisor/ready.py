"""Whether the processes answer: the web server over HTTP, the others by their row in the database."""

import http.client
from typing import Any

import psycopg

from config.databases import connection_arguments
from config.environment import Environment

FRESH_SECONDS = 10
BEATS = """
    SELECT pid FROM consolidation_workerheartbeat
    WHERE kind = %s AND pid = %s AND beat_at > now() - make_interval(secs => %s)
"""


def web_answers(environment: Environment) -> bool:
    """The process is up and, where it can tell, so is everything that it needs."""
    return _status(environment, "/healthz") in (200, 404) and _status(environment, "/readyz") in (200, 404)


def _status(environment: Environment, path: str) -> int | None:
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(environment.host, environment.host)
    connection = http.client.HTTPConnection(host, environment.port, timeout=5)
    try:
        connection.request("GET", path, headers={"Host": "localhost", "X-Forwarded-Proto": "https"})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def beats(environment: Environment, kind: str, pid: int | None) -> bool:
    """The process wrote its heartbeat a moment ago."""
    arguments: dict[str, Any] = connection_arguments(environment)
    try:
        with psycopg.connect(**arguments, autocommit=True) as connection:
            return connection.execute(BEATS, (kind, pid, FRESH_SECONDS)).fetchone() is not None
    except psycopg.Error:
        return False
