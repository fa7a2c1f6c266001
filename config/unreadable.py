"""What the web server answers to a request that it cannot even read: a problem document, as everywhere under /api/."""

from http import HTTPStatus
from typing import Any

from gunicorn import util  # type: ignore[import-untyped]

from config.problems import CONTENT_TYPE, plain
from config.rendering import to_json


def write_problem(sock: Any, status: int, reason: str, message: str) -> None:
    """The problem of the status on the socket, and nothing of what was sent."""
    known = status if status in HTTPStatus._value2member_map_ else 400
    body = to_json(plain(known)).encode()
    head = f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Type: {CONTENT_TYPE}\r\nContent-Length: {len(body)}\r\n\r\n"
    util.write_nonblock(sock, head.encode("latin-1") + body)


def install() -> None:
    """The server's workers answer so; it has no setting for it."""
    util.write_error = write_problem
