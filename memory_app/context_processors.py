"""What base.html needs on every page: workspace, theme, key hints, counts. Queried only if a template asks."""

from functools import cache
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from memory_app.navigation import shell_numbers, workspaces_of
from memory_app.preferences import keys_on, theme_of


def shell(request: HttpRequest) -> dict[str, Any]:
    """`workspace`, `membership`, `switcher`, `nav_counts`, `nav_oldest`, `theme`, `keys_on` for the shell of a page.

    A view inside a workspace sets `request.workspace` and `request.membership`; elsewhere the shell has no sidebar.
    """
    workspace = getattr(request, "workspace", None)
    given: dict[str, Any] = {
        "workspace": workspace,
        "membership": getattr(request, "membership", None),
        "theme": theme_of(request),
        "keys_on": keys_on(request),
        "switcher": SimpleLazyObject(lambda: workspaces_of(request.user)),
    }
    if workspace is not None:
        numbers = cache(lambda: shell_numbers(workspace))
        here = cache(lambda: {workspace.pk: numbers()["review"]})
        given["switcher"] = SimpleLazyObject(lambda: workspaces_of(request.user, here))
        given["nav_counts"] = SimpleLazyObject(numbers)
        # Called by the template: a lazy object would be no number or moment to reckon with, and true without one.
        given["nav_alerts"] = lambda: numbers()["alerts"]
        given["nav_oldest"] = lambda: numbers()["oldest"]
    return given
