"""Pages and their files are sent compressed; what the API says is not."""

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class PageCompression(GZipMiddleware):
    """As Django's own, which hides lengths by random padding; tokens in pages are masked anew each time as well."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.path.startswith("/api/") or response.get("Content-Type", "").startswith(("image/png", "font/")):
            return response
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed
