"""A server on a real socket that speaks the OpenAI chat protocol, well or badly, as a test tells it."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Asked = dict[str, Any]


@dataclass
class Reply:
    """One answer on the wire. `drip` sends the body a byte at a time, so many seconds apart."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: threading.Event | None = None
    drip: float = 0.0


Answer = Callable[[Asked], Reply]


class Server:
    """What it was asked, and what it answers: the next of `queue`, then `otherwise` for ever."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.keys: list[str] = []
        self.queue: list[Answer] = []
        self.otherwise: Answer = lambda asked: said({"notes": []})
        self.url = ""
        self.lock = threading.Lock()

    def answer(self, asked: Asked, key: str) -> Reply:
        with self.lock:
            self.asked.append(asked)
            self.keys.append(key)
            chosen = self.queue.pop(0) if self.queue else self.otherwise
        return chosen(asked)

    def says(self, *replies: Any) -> None:
        """Answers with these in turn: a Reply, a function of the request, or content as JSON."""
        for one in replies:
            self.queue.append(
                one if callable(one) else (lambda asked, one=one: one if isinstance(one, Reply) else said(one))
            )

    @property
    def sent(self) -> str:
        """Everything that was ever sent here."""
        return json.dumps(self.asked, ensure_ascii=False)


def completion(
    content: str | None, finish: str = "stop", tokens: int | None = 500, refusal: str | None = None
) -> Reply:
    body: dict[str, Any] = {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "told",
        "choices": [{"index": 0, "finish_reason": finish,
                     "message": {"role": "assistant", "content": content, "refusal": refusal}}],
    }  # fmt: skip
    if tokens is not None:
        body["usage"] = {
            "prompt_tokens": tokens // 2,
            "completion_tokens": tokens - tokens // 2,
            "total_tokens": tokens,
        }
    return Reply(json.dumps(body).encode())


def said(document: Any, **more: Any) -> Reply:
    """A good completion with this document as its content."""
    return completion(json.dumps(document, ensure_ascii=False), **more)


def data_of(asked: Asked) -> dict[str, Any]:
    """The document that the model was given."""
    found: dict[str, Any] = json.loads(asked["messages"][-1]["content"])
    return found


def note(turn: int, quote: str, text: str, **more: Any) -> dict[str, Any]:
    return {"turn": turn, "quote": quote, "text": text, "kind": "semantic", "scope": "user", "key": None, "value": None,
            "condition": None, "subject": None} | more  # fmt: skip


def verdict(choice: str, quote: str = "", why: str = "The words say so.", **more: Any) -> dict[str, Any]:
    return {"choice": choice, "quote": quote, "text": None, "value": None, "why": why} | more


class Quiet(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # whoever asked has gone


def talking_for(server: Server) -> type[BaseHTTPRequestHandler]:
    class Talk(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            asked = json.loads(self.rfile.read(length) or b"{}")
            self._send(server.answer(asked | {"path": self.path}, self.headers.get("Authorization", "")))

        def do_GET(self) -> None:
            self._send(server.answer({"path": self.path, "method": "GET"}, self.headers.get("Authorization", "")))

        def _send(self, reply: Reply) -> None:
            if reply.wait is not None:
                reply.wait.wait(60)
            try:
                self.send_response(reply.status)
                headers = {"Content-Type": "application/json", "Content-Length": str(len(reply.body))} | reply.headers
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if reply.drip:
                    for at in range(len(reply.body)):
                        self.wfile.write(reply.body[at : at + 1])
                        self.wfile.flush()
                        time.sleep(reply.drip)
                else:
                    self.wfile.write(reply.body)
                self.close_connection = reply.headers.get("Connection") == "close"
            except OSError:
                pass  # whoever asked has gone

        def log_message(self, *args: Any) -> None:
            pass

    return Talk


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    http = Quiet(("127.0.0.1", 0), talking_for(server))
    http.daemon_threads = True
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
