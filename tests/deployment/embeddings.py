"""An OpenAI-compatible server of embeddings on a real socket."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

KEY = "the-key-of-the-embeddings"


class Embeddings(BaseHTTPRequestHandler):
    """An OpenAI-compatible server of embeddings, as far as the product needs one."""

    asked: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert (self.path, self.headers["Authorization"]) == ("/v1/embeddings", f"Bearer {KEY}")
        self.asked.extend(body["input"])
        rows = [
            {"object": "embedding", "index": number, "embedding": [1.0 + len(text) % 7, 2.0, float("seat" in text)]}
            for number, text in enumerate(body["input"])
        ]
        answer = json.dumps({"object": "list", "model": body["model"], "data": rows}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *values: object) -> None:
        """It says nothing."""


@contextmanager
def embeddings_server() -> Iterator[dict[str, str]]:
    """The settings that lead to it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Embeddings)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/v1"
    yield {"EMBEDDINGS_URL": address, "EMBEDDINGS_MODEL": "three", "EMBEDDINGS_KEY": KEY}
    server.shutdown()
    server.server_close()
