"""What cannot be read as HTTP is answered by a problem document too, by the server's own worker."""

import json
import socket
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn import util
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.http.errors import InvalidHeader, InvalidRequestLine, LimitRequestHeaders, LimitRequestLine
from gunicorn.workers.base import Worker

from config import unreadable


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (InvalidRequestLine("GET /api <b>sk-secret</b>"), 400, "malformed"),
        (InvalidHeader("sk-secret"), 400, "malformed"),
        (LimitRequestLine(9_000, 8_190), 414, "address-too-long"),
        (LimitRequestHeaders("limit request headers fields size"), 431, "headers-too-large"),
    ],
)
def test_it_is_a_problem(monkeypatch: pytest.MonkeyPatch, error: Any, status: int, kind: str) -> None:
    monkeypatch.setattr(util, "write_error", util.write_error)  # as it was, afterwards
    unreadable.install()
    settings = Config()
    worker = Worker(0, 0, [], SimpleNamespace(), 1, settings, Logger(settings))
    ours, theirs = socket.socketpair()
    with ours, theirs:
        worker.handle_error(None, ours, ("127.0.0.1", 1), error)
        head, _, body = theirs.recv(65_536).partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"Content-Type: application/problem+json" in head
    assert {b"X-Content-Type-Options: nosniff", b"X-Frame-Options: DENY"} < set(head.split(b"\r\n"))
    assert b"Content-Security-Policy: default-src 'none'" in head
    document = json.loads(body)
    assert (document["status"], document["type"].rpartition(":")[2]) == (status, kind)
    assert b"secret" not in body
