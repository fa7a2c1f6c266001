"""The list of an agent's end users, and one of them: what is known, what an agent would be told, what waits."""

import uuid
from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.profiles import put_profile_field
from memory_app.domain.errors import Blocked, Invalid, NotFound
from memory_app.models import User
from memory_app.moments import last_days
from memory_app.queries.user_page import UserFilters, find_user, snoozed_of, users_page
from memory_app.queries.users import users_shown

from .memory import refusal_words
from .profile_form import ProfileFieldForm
from .settled import again, done
from .user_context import PAGE, name_of, page_context

LIST = "memory_app/users.html"
SPANS = (7, 30, 90)
#: Counting stops here: a list of more says that there are more.
MOST = 10_000


@require_safe
@workspace_page()
def users(request: WorkspaceRequest) -> HttpResponse:
    """The workspace's users, those seen last first."""
    filters = UserFilters.read(request.GET)
    page = users_page(request.workspace, filters, request.GET.get("cursor", ""))
    counts = {shown["id"]: shown["counts"] for shown in users_shown(page.rows)}
    snoozed = snoozed_of(page.rows)
    total = filters.rows(request.workspace).order_by()[: MOST + 1].count()
    context: dict[str, Any] = {
        "filters": filters,
        "page": page,
        "rows": [(user, name_of(user), counts[user.pk], snoozed.get(user.pk, 0)) for user in page.rows],
        "total": min(total, MOST),
        "more": total > MOST,
        "kept": [("seen", filters.seen)] if filters.seen else [],
        "spans": [{"value": str(days), "text": last_days(days)} for days in sorted({*SPANS, filters.seen or SPANS[0]})],
        "seen": str(filters.seen or ""),
    }
    part = "#table" if request.htmx and request.htmx.target == "user-table" else ""
    return render(request, LIST + part, context)


@require_safe
@workspace_page()
def user(request: WorkspaceRequest, user_id: uuid.UUID) -> HttpResponse:
    """One user, as they are or as they were known at the moment that the address names."""
    context = page_context(request, user_in(request, user_id))
    part = (
        {"user-page": "#page", "context": "#context", "context-result": "#context"}.get(request.htmx.target or "")
        if request.htmx
        else None
    )
    return render(request, PAGE + (part or ""), context)


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def user_field(request: WorkspaceRequest, user_id: uuid.UUID) -> HttpResponse:
    """One field of the user's profile set or taken out; the form comes back with what is wrong, nothing typed lost."""
    found, slug = user_in(request, user_id), request.workspace.slug
    if request.method != "POST":  # the address of a form that was answered with its errors
        return redirect("user", slug, found.pk)
    form = ProfileFieldForm(request.POST)
    if form.is_valid():
        key = form.cleaned_data["key"]
        try:
            found = put_profile_field(request.workspace, request.actor, found, key, form.entry)
        except NotFound as error:
            raise Http404 from error
        except (Invalid, Blocked) as error:
            form.mark(error, refusal_words(error))
        else:
            said = _("%(key)s is in the profile.") if form.entry is not None else _("%(key)s is out of the profile.")
            request.GET = QueryDict()  # the page as it is now, wherever the form was sent from
            url = reverse("user", args=[slug, found.pk])
            return done(request, said % {"key": key}, url, f"{PAGE}#page", page_context(request, found))
    context = page_context(request, found) | {"field_form": form, "adding_field": True}
    return again(request, PAGE, "memory_app/user_field_form.html", context, at="#field-form")


def user_in(request: WorkspaceRequest, user_id: uuid.UUID) -> User:
    found = find_user(request.workspace, user_id)
    if found is None:
        raise Http404
    return found
