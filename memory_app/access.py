"""Who may open a page of a workspace: a member, in a role that is enough. Everybody else sees that nothing is there."""

from collections.abc import Callable
from functools import wraps
from ipaddress import ip_address
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails

from memory_app.domain.actor import ROLES, Actor
from memory_app.models import Membership, Operator, Workspace


class WorkspaceRequest(HttpRequest):
    """A request of a member, inside their workspace. `actor` is who every action is told to be asked by."""

    user: Operator
    workspace: Workspace
    membership: Membership
    role: str
    actor: Actor
    htmx: HtmxDetails


View = Callable[..., HttpResponseBase]


def workspace_page(role: str = "viewer") -> Callable[[View], Callable[..., HttpResponseBase]]:
    """The view, for members of the workspace that the address names (`workspace`, its slug) in `role` or above.

    Not signed in: to the sign-in page. No member, or no such workspace: 404. A weaker role: 403. The slug is taken
    out of the arguments; `request` carries workspace, membership, role and actor instead.
    """

    def decorate(view: View) -> Callable[..., HttpResponseBase]:
        @login_required
        @wraps(view)
        def guarded(request: HttpRequest, workspace: str, **kwargs: Any) -> HttpResponseBase:
            inside = enter(request, workspace)
            if not inside.actor.at_least(role):
                raise PermissionDenied
            response = view(inside, **kwargs)
            patch_vary_headers(response, ["HX-Request"])
            return response

        return guarded

    return decorate


def enter(request: HttpRequest, slug: str) -> WorkspaceRequest:
    """The request inside the workspace; Http404 where the operator is no member of one of this slug."""
    found = Membership.objects.select_related("workspace", "operator").filter(operator=request.user.pk)
    membership = found.filter(workspace__slug=slug).first()
    if membership is None or membership.role not in ROLES:
        raise Http404
    inside = cast(WorkspaceRequest, request)
    inside.workspace, inside.membership, inside.role = membership.workspace, membership, membership.role
    inside.actor = actor_of(membership, request)
    session = getattr(request, "session", None)
    if session is not None and session.get("workspace") != slug:
        session["workspace"] = slug  # where the start page leads to
    return inside


def actor_of(membership: Membership, request: HttpRequest) -> Actor:
    """The operator as actions see one, with the address that the request came from."""
    operator = membership.operator
    return Actor("operator", str(operator.pk), str(operator), membership.role, address_of(request))


def address_of(request: HttpRequest) -> str | None:
    """The peer's address; None over a Unix socket or where it is none."""
    given: Any = request.META.get("REMOTE_ADDR")
    try:
        return str(ip_address(given))
    except ValueError:
        return None
