"""A broker that goes away leaves nothing of its messages on the disk, and no two processes share a connection to it."""

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from kombu.transport.virtual import base
from sqlalchemy import text

from config import messages
from config.celery import app
from tests.brokers import broker_at, own_database


class Message:
    def serializable(self) -> dict[str, str]:
        return {"body": "about somebody"}


def test_messages_that_cannot_be_given_back_are_written_nowhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    class Gone:
        do_restore = True

        def _restore(self, message: Any) -> None:
            raise ConnectionError("the database is gone")

    waiting = base.QoS(Gone())
    waiting.append(Message(), "tag")
    waiting.restore_unacked_once()
    assert not list(tmp_path.iterdir())
    assert "1 messages were not given back" in caplog.text
    assert "somebody" not in caplog.text
    assert base.emergency_dump_state is messages._left_to_the_rows


@pytest.mark.django_db(transaction=True)
def test_a_forked_process_talks_with_the_broker_over_a_connection_of_its_own() -> None:
    """Whichever process of a worker's pool dies or has done its share is replaced so, at any time."""
    with broker_at(own_database()), app.connection_for_write() as broker:
        engine, _ = broker.default_channel._open()

        def answers() -> int:
            with engine.connect() as connection:
                return int(connection.execute(text("SELECT pg_backend_pid()")).scalar_one())

        before = answers()
        heard, says = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(says, str(answers()).encode())
            finally:
                os._exit(0)
        os.close(says)
        with open(heard) as said:
            other = int(said.read())
        os.waitpid(child, 0)
        assert other != before
        assert answers() == before
