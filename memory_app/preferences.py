"""How an operator wants the product to look: read from their account, and from a cookie before they sign in."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

THEMES = ("", "light", "dark")  # empty: as the system
THEME_COOKIE = "commonplace_theme"
A_YEAR = 365 * 24 * 3600


def theme_of(request: HttpRequest) -> str:
    """`light`, `dark`, or empty for the system's."""
    operator = getattr(request, "user", None)
    theme = operator.theme if operator and operator.is_authenticated else request.COOKIES.get(THEME_COOKIE, "")
    return theme if theme in THEMES else ""


def keys_on(request: HttpRequest) -> bool:
    """Whether single-key shortcuts act, and their hints show."""
    operator = getattr(request, "user", None)
    return bool(operator.shortcuts) if operator and operator.is_authenticated else True


def remember(response: HttpResponseBase, cookie: str, value: str) -> None:
    """Keeps a preference in this browser, so that the sign-in page has it as well."""
    options: dict[str, Any] = {"samesite": "Lax", "secure": settings.SESSION_COOKIE_SECURE, "httponly": True}
    if value:
        response.set_cookie(cookie, value, max_age=A_YEAR, **options)
    else:
        response.delete_cookie(cookie, samesite="Lax")
