"""Each request in the operator's language and time zone, kept by no cache, with a password of their own, and a sign-in
page that never lands inside another page."""

from collections.abc import Callable
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.http import urlencode

Answer = Callable[[HttpRequest], HttpResponseBase]
SIGN_IN = "X-Sign-In"  # read by static/js/app.js
# These know no operator, so their session is not read
WITHOUT_PREFERENCES = ("/api/", "/static/", "/healthz", "/readyz")
# What is open to an operator who has yet to choose a password
BEFORE_A_PASSWORD = ("password", "login", "logout", "set_language", "set_theme")


class PreferencesMiddleware:
    """Activates the signed-in operator's language and zone. What they see holds people's words, so no browser keeps it
    beyond the sign-out or an erasure. Stands after LocaleMiddleware and AuthenticationMiddleware."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(WITHOUT_PREFERENCES) or not request.user.is_authenticated:
            return self.get_response(request)
        language = getattr(request.user, "language", "")
        if language in dict(settings.LANGUAGES):
            translation.activate(language)
            request.LANGUAGE_CODE = language
        with timezone.override(_zone(getattr(request.user, "timezone", ""))):
            response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


class HtmxSignInMiddleware:
    """Answers 401 and where to sign in, or to choose a password, when htmx asked for a part of a page: what was typed
    on it is not lost."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        htmx = getattr(request, "htmx", None)
        to = urlsplit(response["Location"]).path if htmx and response.status_code == 302 else ""
        if not htmx or to not in (resolve_url(settings.LOGIN_URL), reverse("password")):
            return response
        back = htmx.current_url_abs_path or "/"
        return HttpResponse(status=401, headers={SIGN_IN: f"{to}?{urlencode({'next': back})}"})


class OwnPasswordMiddleware:
    """Leads an operator whose password somebody else has set, and so may know, to the page where they choose their own,
    and from there to where they wanted to go. Until then nothing else is open. Stands inside of the two above."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(WITHOUT_PREFERENCES) or not getattr(request.user, "has_first_password", False):
            return self.get_response(request)
        if request.path in {reverse(name) for name in BEFORE_A_PASSWORD}:
            return self.get_response(request)
        back = request.get_full_path() if request.method in ("GET", "HEAD") else "/"
        return HttpResponseRedirect(f"{reverse('password')}?{urlencode({'next': back})}")


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
