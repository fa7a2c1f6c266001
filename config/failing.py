"""What a page answers that failed: try again soon where the database is away, and otherwise that it is in the log."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

RETRY_AFTER = "2"  # seconds; a database that starts again takes about so long


def failed(request: HttpRequest) -> HttpResponse:
    """The page for the exception that is being handled: 503 where the database does not answer, else 500."""
    if isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        # Without the request: what a page is drawn with else would ask the database.
        page = render_to_string("503.html")
        return HttpResponse(page, status=503, headers={"Retry-After": RETRY_AFTER})
    return server_error(request)
