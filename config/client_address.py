"""Who really asks, where a reverse proxy stands before the web server."""

import ipaddress
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class ClientAddress:
    """REMOTE_ADDR is the caller's own address: what trusted proxies forwarded counts, and nobody else's word does."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        forwarded = str(request.META.get("HTTP_X_FORWARDED_FOR") or "")
        request.META["REMOTE_ADDR"] = behind_proxies(str(request.META.get("REMOTE_ADDR") or ""), forwarded)
        return self.get_response(request)


def behind_proxies(peer: str, forwarded: str) -> str:
    """The nearest address that is no trusted proxy's. Each proxy appends its peer, so only the end is to be believed."""
    nearest = peer
    for hop in [*forwarded.split(","), peer][::-1]:
        found = _address(hop)
        if found is None:
            break
        nearest = str(found)
        if not any(found in network for network in settings.COMMONPLACE.trusted_proxies):
            break
    return nearest


def _address(text: str) -> Address | None:
    try:
        found = ipaddress.ip_address(text.strip())
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
