"""Named filters of the review queue: kept, renamed, shared and removed. An audit row says who did, not what is in them."""

from typing import Any
from urllib.parse import parse_qsl

from django.db import IntegrityError, transaction

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Forbidden, Invalid, NotFound
from memory_app.models import Operator, SavedView, Workspace

from .audit import audit
from .guard import refuse_secret

#: So many views has one operator in one workspace.
MOST = 50
LONGEST = 60


def save_view(
    workspace: Workspace, actor: Actor, owner: Operator, *, name: str, query: str, shared: bool = False
) -> SavedView:
    """The filters under this name. Conflict where the owner has another view of that name."""
    name = _checked(actor, name)
    if not query or len(query) > 1000:
        raise Invalid.field("query", "must be filters, at most 1,000 characters of them.")
    for _name, value in parse_qsl(query):
        refuse_secret("query", value)
    if SavedView.objects.filter(workspace=workspace, owner=owner).count() >= MOST:
        raise Invalid.field("name", f"would be more than {MOST} views; remove one first.", "full")
    view = SavedView(workspace=workspace, owner=owner, name=name, query=query, shared=shared)
    return _written(view, actor, "view.saved")


def change_view(
    workspace: Workspace, actor: Actor, operator: Operator, view_id: Any, *, name: str, shared: bool
) -> SavedView:
    """The view under this name, shared or not. Conflict where its owner has another view of that name."""
    view = _own(workspace, actor, operator, view_id)
    view.name, view.shared = _checked(actor, name), shared
    return _written(view, actor, "view.changed")


def remove_view(workspace: Workspace, actor: Actor, operator: Operator, view_id: Any) -> None:
    """The view is gone."""
    view = _own(workspace, actor, operator, view_id)
    with transaction.atomic():
        audit(workspace, actor, "view.removed", view, shared=view.shared)
        view.delete()


def naming(workspace: Workspace, user: str) -> list[SavedView]:
    """The views that filter by this end user: their name is in them."""
    rows = SavedView.objects.filter(workspace=workspace, query__contains="user=")
    return [one for one in rows if ("user", user) in parse_qsl(one.query)]


def _written(view: SavedView, actor: Actor, action: str) -> SavedView:
    try:
        with transaction.atomic():
            view.save()
            audit(view.workspace, actor, action, view, shared=view.shared)
    except IntegrityError as error:
        raise Conflict(f"There is a view called {view.name} already.") from error
    return view


def _own(workspace: Workspace, actor: Actor, operator: Operator, view_id: Any) -> SavedView:
    """The operator's own view, or, for an admin, a shared one; NotFound for everybody else's."""
    view = SavedView.objects.filter(workspace=workspace, pk=view_id).select_related("workspace").first()
    if view is None or (view.owner_id != operator.pk and not (view.shared and actor.at_least("admin"))):
        raise NotFound("There is no such view.")
    _needs_curator(actor)
    return view


def _checked(actor: Actor, name: str) -> str:
    _needs_curator(actor)
    name = " ".join(name.replace("\x00", "").split())
    if not name or len(name) > LONGEST:
        raise Invalid.field("name", f"must be 1 to {LONGEST} characters.", "length")
    refuse_secret("name", name)
    return name


def _needs_curator(actor: Actor) -> None:
    if not actor.at_least("curator"):
        raise Forbidden("Views need the role curator.")
