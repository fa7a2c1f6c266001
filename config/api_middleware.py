"""What holds for every request under /api/: its size, its Idempotency-Key, and the shape of its errors."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from config import problems
from memory_app.auth import identify
from memory_app.idempotency import HEADER, answer_once

Answer = Callable[[HttpRequest], HttpResponseBase]
PREFIX = "/api/"
#: These write nothing, so there is nothing to keep.
WITHOUT_EFFECT = "/preview"


class ApiMiddleware:
    """Stands before everything that could answer with a page: under /api/ every error is a problem document."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PREFIX):
            return self.get_response(request)
        response = problems.complete(self._answer(request))
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        if _length(request) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
            return problems.answer(
                problems.plain(413, f"A request may have at most {limit:,} bytes; send it in parts.")
            )
        key = request.headers.get(HEADER)
        if request.method != "POST" or key is None or request.path_info.endswith(WITHOUT_EFFECT):
            return self.get_response(request)
        try:
            caller = identify(request)
            if caller is None:
                return problems.unauthorized()
            return answer_once(request, caller, key, self.get_response)
        except Exception as error:
            return problems.of_error(error) or problems.unexpected(request, error)


def _length(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if str(length).isdigit() else 0
