"""All that is held about a user: taken out as one document, or erased. Both are for admins."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from consolidation.actions import erase_user
from consolidation.queries.export import export_user
from consolidation.schemas import UserExport
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.erasing import Receipt
from memory_app.domain.errors import Conflict, NotFound
from memory_app.models import User
from memory_app.views.user_context import PAGE, page_context
from memory_app.views.users import user_in


@require_safe
@workspace_page("admin")
def user_export(request: WorkspaceRequest, user_id: uuid.UUID) -> HttpResponse:
    """One JSON document with all that is held about this user, and nothing about others; the same as the API's."""
    found = user_in(request, user_id)
    document = UserExport.model_validate(export_user(found)).model_dump_json(indent=2)
    response = HttpResponse(document, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="user-{found.pk}.json"'
    response["Cache-Control"] = "no-store"
    return response


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def user_erase(request: WorkspaceRequest, user_id: uuid.UUID) -> HttpResponse:
    """Every trace of the user erased, once their name has been typed; what to say of it names nobody."""
    found = user_in(request, user_id)
    if request.method != "POST":  # the address of a form that was answered with its errors
        return redirect("user", request.workspace.slug, found.pk)
    if request.POST.get("confirm", "").strip() != found.external_id.strip():
        return _again(request, found, _("This is not the user's ID. Nothing was erased."), 422)
    try:
        receipt = erase_user(request.workspace, request.actor, found.external_id)
    except NotFound:
        return _done(request, _("The user had been erased already."))
    except Conflict:
        return _again(request, found, _("The user is being written to; try again in a moment."), 409)
    return _done(request, _told(receipt))


def _told(receipt: Receipt) -> str:
    count = sum(receipt.counts.values())
    rows = ngettext("%(count)s row erased.", "%(count)s rows erased.", count) % {"count": f"{count:,}"}
    return rows + " " + _("Receipt %(id)s is in the audit log.") % {"id": receipt.id}


def _done(request: WorkspaceRequest, said: str) -> HttpResponse:
    messages.info(request, said)
    address = reverse("users", args=[request.workspace.slug])
    if not request.htmx:
        return redirect(address)
    return HttpResponse(headers={"HX-Redirect": address})


def _again(request: WorkspaceRequest, found: User, error: str, status: int) -> HttpResponse:
    """The form where it was, with what is wrong; what was typed is kept."""
    typed = request.POST.get("confirm", "")[:300]
    context = page_context(request, found) | {"erase_error": error, "erase_typed": typed}
    return render(request, "memory_app/user_erase_form.html" if request.htmx else PAGE, context, status=status)
