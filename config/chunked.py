"""Bodies that are sent in chunks, without saying how long they are."""

from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

from django.conf import settings

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


def with_length(application: Application) -> Application:
    """The application, whose requests all say how long their body is: without that Django reads none of it. Of a body
    that is too large only so much is read as shows it."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ.get("wsgi.input_terminated") and not environ.get("CONTENT_LENGTH"):
            body = environ["wsgi.input"].read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
            environ |= {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        return application(environ, start_response)

    return answer
