"""What the web server answers to a request that it cannot even read: a problem document, as everywhere under /api/."""

from http import HTTPStatus
from typing import Any

from gunicorn import util  # type: ignore[import-untyped]

from config.problems import CONTENT_TYPE, plain
from config.rendering import to_json

#: What the middleware puts on every other answer, as far as it matters for one that nobody draws.
HARMLESS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
}


def write_problem(sock: Any, status: int, reason: str, message: str) -> None:
    """The problem of the status on the socket, and nothing of what was sent."""
    known = status if status in HTTPStatus._value2member_map_ else 400
    body = to_json(plain(known)).encode()
    headers = {"Connection": "close", "Content-Type": CONTENT_TYPE, "Content-Length": len(body)} | HARMLESS
    head = "".join(
        [f"HTTP/1.1 {status} {reason}\r\n", *(f"{name}: {value}\r\n" for name, value in headers.items()), "\r\n"]
    )
    util.write_nonblock(sock, head.encode("latin-1") + body)


def install() -> None:
    """The server's workers answer so; it has no setting for it."""
    util.write_error = write_problem
