"""Addresses of pages that may be missing: a link is drawn only where its page exists."""

from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.http import urlencode


def page_url(name: str, *args: Any, **query: Any) -> str:
    """The address of a page, with the query's values that say something; empty while the product has no such page."""
    try:
        address = reverse(name, args=args)
    except NoReverseMatch:
        return ""
    asked = urlencode([(key, value) for key, value in query.items() if value not in (None, "")])
    return f"{address}?{asked}" if asked else address


def turn_url(slug: str, session_id: Any, index: int) -> str:
    """The very turn on the page of its session."""
    address = page_url("session", slug, session_id, turn=index)
    return address and f"{address}#turn-{index}"


def row_url(slug: str, session_id: Any, anchor: str) -> str:
    """The very row of the workbench on the page of its session: `c-` and the number of its note, else `d-` and the decision's."""
    address = page_url("session", slug, session_id, cursor=anchor)
    return address and f"{address}#{anchor}"


def list_url(request: HttpRequest, name: str, slug: str) -> str:
    """The list as it was when the form was sent; only its query is taken from what the browser says."""
    query = request.META.get("HTTP_REFERER", "").partition("#")[0].partition("?")[2]
    return f"{reverse(name, args=[slug])}?{query}"
