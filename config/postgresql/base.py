"""What settings name as the database's engine."""

from datetime import UTC, datetime
from typing import Any

from django.db.backends.postgresql import base
from django.db.backends.postgresql.psycopg_any import BaseTzLoader


class MomentLoader(BaseTzLoader):
    """A moment of a session whose time zone is UTC, as all of ours are: a page of fifty memories has four hundred, and
    Django's way to read one takes thirty times as long."""

    timezone = UTC

    def load(self, data: Any) -> datetime:
        text = bytes(data).decode()
        if text.endswith("+00") and text[4] == "-":
            return datetime.fromisoformat(text)
        found: datetime = super().load(data)  # far from now, or of another zone
        return found


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        connection.adapters.register_loader("timestamptz", MomentLoader)
        return connection
