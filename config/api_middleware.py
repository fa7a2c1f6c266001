"""What holds for every request under /api/: its size, its type, its Idempotency-Key, and the shape of its errors."""

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from config import problems
from memory_app.auth import identify
from memory_app.idempotency import HEADER, answer_once

Answer = Callable[[HttpRequest], HttpResponseBase]
PREFIX, JSON = "/api/", "application/json"
#: The web server's own limit lies above it, so that what is a little too long is answered by a problem document.
MOST_ADDRESS = 4_000
#: These write nothing, so there is nothing to keep.
WITHOUT_EFFECT = "/preview"
#: These act on many decisions, each on its own, or change nothing that a repeat could double. One transaction would
#: hold all their rows to the end.
IN_PARTS = re.compile(r"/(?:decisions/bulk|sessions/[^/]+/approve|recall|context)$")


class ApiMiddleware:
    """Stands before everything that could answer with a page: under /api/ every error is a problem document."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not f"{request.path_info}/".startswith(PREFIX):
            return self.get_response(request)
        asked = request.method
        if asked == "HEAD":
            request.method = "GET"
        response = problems.complete(self._answer(request))
        response.headers.setdefault("Cache-Control", "no-store")
        if asked == "HEAD":
            request.method = asked
            _without_body(response)
        return response

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        refusal = _refusal(request)
        if refusal is not None:
            return problems.answer(problems.plain(*refusal))
        key = request.headers.get(HEADER)
        if request.method != "POST" or key is None or request.path_info.endswith(WITHOUT_EFFECT):
            return self.get_response(request)
        try:
            caller = identify(request)
            if caller is None:
                return problems.unauthorized()
            return answer_once(request, caller, key, self.get_response, whole=not IN_PARTS.search(request.path_info))
        except Exception as error:
            return problems.of_error(error) or problems.unexpected(request, error)


def _refusal(request: HttpRequest) -> tuple[int, str] | None:
    """The status and the reason for what no call takes: an address or a body too long, a body that is no JSON."""
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if len(request.get_full_path()) > MOST_ADDRESS:
        return 414, f"An address may have at most {MOST_ADDRESS:,} characters; narrow it by other fields."
    if _length(request) > limit:
        return 413, f"A request may have at most {limit:,} bytes; send it in parts."
    if _length(request) and request.content_type not in ("", JSON):
        return 415, ""
    return None


def _without_body(response: HttpResponseBase) -> None:
    """What GET answers, and nothing of what it says."""
    if isinstance(response, HttpResponse):
        response.headers.setdefault("Content-Length", str(len(response.content)))
        response.content = b""
    elif isinstance(response, StreamingHttpResponse):
        response.streaming_content = []


def _length(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if str(length).isdigit() else 0
