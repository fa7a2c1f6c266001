"""The named views in the queue's bar: saved, renamed, shared and removed. The address stays the truth: a view is a link."""

import uuid
from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.saved_views import change_view, remove_view, save_view
from memory_app.domain.errors import Conflict, Invalid, NotFound

from .answers import keep_list, review_url
from .queue import query_of, views_context

Act = Callable[..., str]


def _changes(act: Act) -> Callable[..., HttpResponseBase]:
    """A view of Django that lets `act` change a named view, and answers with those that there are."""

    @require_POST
    @workspace_page()
    def view(request: WorkspaceRequest, **ids: uuid.UUID) -> HttpResponse:
        if not request.actor.at_least("curator"):
            raise PermissionDenied
        keep_list(request)
        try:
            return _answer(request, act(request, **ids))
        except NotFound as error:
            raise Http404 from error
        except (Invalid, Conflict) as error:
            return _answer(request, _refusal(error), refused=True)

    return view


def _save(request: WorkspaceRequest) -> str:
    view = save_view(
        request.workspace, request.actor, request.user,
        name=request.POST.get("name", ""), query=query_of(request.GET), shared=request.POST.get("shared") == "1",
    )  # fmt: skip
    return _("Saved as “%(name)s”.") % {"name": view.name}


def _change(request: WorkspaceRequest, view_id: uuid.UUID) -> str:
    view = change_view(
        request.workspace, request.actor, request.user, view_id,
        name=request.POST.get("name", ""), shared=request.POST.get("shared") == "1",
    )  # fmt: skip
    return _("The view is now “%(name)s”.") % {"name": view.name}


def _remove(request: WorkspaceRequest, view_id: uuid.UUID) -> str:
    remove_view(request.workspace, request.actor, request.user, view_id)
    return _("The view is removed.")


view_save, view_change, view_remove = _changes(_save), _changes(_change), _changes(_remove)


def _refusal(error: Invalid | Conflict) -> str:
    if isinstance(error, Conflict):
        return _("You have a view of this name already.")
    return {
        "query": _("Choose filters first, then save them."),
        "full": _("You have as many views as there can be; remove one first."),
        "secret": _("The name or a filter holds a secret or personal identifier; choose another."),
    }.get(error.errors[0].code or error.errors[0].field, _("Give it a name of 1 to 60 characters."))


def _answer(request: WorkspaceRequest, said: str, *, refused: bool = False) -> HttpResponse:
    if not request.htmx:
        messages.info(request, said)
        return redirect(review_url(request))
    context = views_context(request) | {"said": said, "oob": False}
    if refused:
        context["refused_name"] = request.POST.get("name", "")
    return render(request, "consolidation/queue_views_changed.html", context, status=422 if refused else 200)
