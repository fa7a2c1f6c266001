"""Every address of the product outside the API's own calls, as the resolver knows them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver


@dataclass(frozen=True)
class Address:
    """A route as it is written, `w/<slug:workspace>/memories/<uuid:memory_id>/`, and its name."""

    route: str
    name: str

    @property
    def parameters(self) -> list[str]:
        return [name for name in re.findall(r"<(?:\w+:)?(\w+)>", self.route) if name != "workspace"]

    def at(self, workspace: str, **ids: str) -> str:
        """The address in a workspace with these ids."""
        given = {"workspace": workspace} | ids
        return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda m: given[m[1]], self.route)


def _walk(resolver: URLResolver, before: str = "", names: str = "") -> Iterator[Address]:
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern, route, names + (f"{pattern.namespace}:" if pattern.namespace else ""))
        elif isinstance(pattern, URLPattern):
            yield Address(route, names + (pattern.name or route))


def addresses() -> list[Address]:
    """All but the API's calls, which its own description lists, and the admin's, which are one thing."""
    found = [one for one in _walk(get_resolver()) if not one.route.startswith("admin/")]
    return [one for one in found if not one.route.startswith("api/") or one.name in API_PAGES]


def admin_addresses() -> list[str]:
    return sorted({"/" + re.sub(r"<.*?>|\(.*?\)|[\^$]", "1", one.route) for one in _walk(get_resolver())
                   if one.route.startswith("admin/")})  # fmt: skip


API_PAGES = {"api:openapi-json", "api:openapi-view", "api:api-root"}
