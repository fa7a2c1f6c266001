"""A broker that goes away leaves nothing of its messages on the disk."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from kombu.transport.virtual import base

from config import messages


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
