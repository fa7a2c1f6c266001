"""Turns the database's address, embedded or given, into what Django and Celery want to be told."""

from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from config.embedded_postgres import DATABASE, PORT, ROLE, folders
from config.environment import Environment


def django_database(environment: Environment) -> dict[str, Any]:
    """The ``default`` entry of ``DATABASES``: a kept connection a thread is as fast as a pool, and safe in forks."""
    parts: dict[str, Any] = _address(environment)
    options = {name: value for name, value in parts.pop("QUERY").items() if name not in ("host", "port")}
    options.setdefault("application_name", "commonplace")
    options.setdefault("connect_timeout", 10)
    # Workers take longer to start than a user's rows take to read (measured: docs/recall.md).
    options.setdefault("options", "-c max_parallel_workers_per_gather=0 -c jit=off")
    return {
        "ENGINE": "config.postgresql",
        **parts,
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
        "ATOMIC_REQUESTS": False,
    }


def connection_arguments(environment: Environment) -> dict[str, Any]:
    """What ``psycopg.connect`` takes to reach the database without Django."""
    parts = _address(environment)
    named = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
    given = {name: parts[key] for name, key in named.items() if parts[key]}
    return {"connect_timeout": 10, **parts["QUERY"], **given}


def broker_url(environment: Environment) -> str:
    """The broker's address: the given one, or the database itself through SQLAlchemy."""
    if environment.broker_url is not None:
        return environment.broker_url
    parts = _address(environment)
    who = quote(parts["USER"], safe="")
    if parts["PASSWORD"]:
        who += ":" + quote(parts["PASSWORD"], safe="")
    query = dict(parts["QUERY"])
    host, port = parts["HOST"], parts["PORT"]
    if host.startswith("/"):
        query |= {"host": host, "port": port}
        where = ""
    else:
        where = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
    address = f"sqla+postgresql+psycopg://{who}@{where}/{quote(parts['NAME'], safe='')}"
    return address + ("?" + urlencode(query) if query else "")


def _address(environment: Environment) -> dict[str, Any]:
    if environment.database_url is None:
        return {
            "NAME": DATABASE,
            "USER": ROLE,
            "PASSWORD": "",
            "HOST": str(folders(environment.home).socket),
            "PORT": str(PORT),
            "QUERY": {},
        }
    parts = urlsplit(environment.database_url)
    query = dict(parse_qsl(parts.query))
    return {
        "NAME": unquote(parts.path.lstrip("/")) or "commonplace",
        "USER": unquote(parts.username or "") or query.pop("user", ""),
        "PASSWORD": unquote(parts.password or "") or query.pop("password", ""),
        "HOST": unquote(parts.hostname or "") or query.get("host", ""),
        "PORT": str(parts.port or query.get("port", "")),
        "QUERY": query,
    }
