"""Members and their roles, and whether one person alone may approve here."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions import members as actions
from memory_app.domain.errors import Conflict, Invalid
from memory_app.models import Membership
from memory_app.queries import members as read

from .member_forms import ROLES, AddForm, CreateForm
from .settled import again, done, mark, shown_once, told

PAGE = "memory_app/members.html"


@require_safe
@workspace_page()
def members(request: WorkspaceRequest) -> HttpResponse:
    """Who works here, and in which role."""
    return render(request, PAGE, page_context(request, request.GET.get("cursor", "")))


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def member_add(request: WorkspaceRequest) -> HttpResponse:
    """An operator who has a name already, now a member."""
    if request.method != "POST":  # the address of a form that was answered with its errors
        return redirect(members_url(request))
    form, status = AddForm(request.POST), 422
    if form.is_valid():
        try:
            added = actions.add_member(request.workspace, request.actor, **form.cleaned_data)
        except Invalid as error:
            mark(form, error, "", {"username": _("No operator has this username. Create a new one instead.")})
        except Conflict:
            form.add_error("username", _("This operator is a member already."))
            status = 409
        else:
            return _done(request, _("%(who)s is now a member.") % {"who": added.operator})
    context = page_context(request) | {"add": form, "adding": True}
    return again(request, PAGE, "memory_app/member_add_form.html", context, at="#add-form", status=status)


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def member_create(request: WorkspaceRequest) -> HttpResponse:
    """A new operator who is a member; the answer shows their first password, and nothing else ever does."""
    url = members_url(request)
    if request.method != "POST":
        return redirect(url)
    form = CreateForm(request.POST)
    if form.is_valid():
        try:
            made, password = actions.create_member(request.workspace, request.actor, **form.cleaned_data)
        except Invalid as error:
            words = {"username": _("This username is taken, or cannot be used. Choose another."),
                     "first_name": _("Leave secrets, payment details and personal identifiers out of it."),
                     "last_name": _("Leave secrets, payment details and personal identifiers out of it.")}  # fmt: skip
            mark(form, error, "", words)
        else:
            context = page_context(request) | {"made": made, "password": password}
            if not request.htmx:
                return shown_once(render(request, PAGE, context))
            said = _("%(who)s is now a member. Copy the password now: it is not shown again.") % {"who": made.operator}
            return shown_once(done(request, said, url, f"{PAGE}#page", context))
    context = page_context(request) | {"create": form, "creating": True}
    return again(request, PAGE, "memory_app/member_create_form.html", context, at="#create-form")


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def member_role(request: WorkspaceRequest, member_id: int) -> HttpResponse:
    """The member in another role."""
    found = _find(request, member_id)
    if request.method != "POST":
        return redirect(members_url(request))
    role = request.POST.get("role", "")
    if role not in dict(ROLES):
        return told(request, PAGE, page_context(request), _("Choose one of the roles."), 422)
    try:
        changed = actions.change_role(request.workspace, request.actor, found.pk, role)
    except Conflict:
        return told(request, PAGE, page_context(request), _last_admin(), 409)
    _forget(request, changed)
    said = _("%(who)s is now %(role)s.") % {"who": changed.operator, "role": changed.get_role_display()}
    return _done(request, said)


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def member_remove(request: WorkspaceRequest, member_id: int) -> HttpResponse:
    """The member is none any more; one who removes themselves is led to the start page."""
    found = _find(request, member_id)
    if request.method != "POST":
        return redirect(members_url(request))
    try:
        removed = actions.remove_member(request.workspace, request.actor, found.pk)
    except Conflict:
        return told(request, PAGE, page_context(request), _last_admin(), 409)
    if removed.pk == request.user.pk:
        return HttpResponse(headers={"HX-Redirect": "/"}) if request.htmx else redirect("home")
    return _done(request, _("%(who)s is no longer a member.") % {"who": removed})


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def member_password(request: WorkspaceRequest, member_id: int) -> HttpResponse:
    """A new first password for the member; the answer shows it, and nothing else ever does."""
    found, url = _find(request, member_id), members_url(request)
    if request.method != "POST":
        return redirect(url)
    try:
        made, password = actions.reset_password(request.workspace, request.actor, found.pk)
    except Conflict:
        words = _("Their password is not yours to reset: they work in other workspaces, or it is your own.")
        return told(request, PAGE, page_context(request), words, 409)
    context = page_context(request) | {"made": made, "password": password}
    if not request.htmx:
        return shown_once(render(request, PAGE, context))
    said = _("%(who)s has a new password. Copy it now: it is not shown again.") % {"who": made.operator}
    return shown_once(done(request, said, url, f"{PAGE}#page", context))


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def workspace_solo(request: WorkspaceRequest) -> HttpResponse:
    """Whether a person may approve here what they proposed themselves; on record in the audit log."""
    if request.method != "POST":
        return redirect(members_url(request))
    solo = request.POST.get("solo") == "1"
    try:
        actions.set_solo(request.workspace, request.actor, solo)
    except Conflict:
        words = _("Another admin can approve here, so solo stays off: it is for a workspace with one admin.")
        return told(request, PAGE, page_context(request), words, 409)
    if solo:
        return _done(request, _("Solo is on: a person may approve what they proposed themselves."))
    return _done(request, _("Solo is off: nobody approves their own proposal."))


def members_url(request: WorkspaceRequest) -> str:
    return reverse("members", args=[request.workspace.slug])


def page_context(request: WorkspaceRequest, cursor: str = "") -> dict[str, Any]:
    page = read.members_page(request.workspace, cursor)
    admins = read.admins_count(request.workspace)
    return {
        "page": page,
        "rows": [(row, _is_last(row, admins)) for row in page.rows],
        "total": read.members_count(request.workspace),
        "can_change": request.actor.at_least("admin"),
        "roles": ROLES,
        "add": AddForm(initial={"role": "viewer"}),
        "create": CreateForm(initial={"role": "viewer"}),
        "solo": request.workspace.solo,
        "can_be_solo": admins <= 1,
    }


def _is_last(member: Membership, admins: int) -> bool:
    return member.role == "admin" and (admins == 0 or (admins == 1 and member.operator.is_active))


def _last_admin() -> str:
    return _("The last admin stays. Make somebody else an admin first.")


def _forget(request: WorkspaceRequest, changed: Membership) -> None:
    """The page that answers a change of one's own role shows what the new role may do."""
    if changed.pk == request.membership.pk:
        request.membership, request.role = changed, changed.role
        actor = request.actor
        request.actor = type(actor)(actor.kind, actor.id, actor.label, changed.role, actor.address)


def _done(request: WorkspaceRequest, said: str) -> HttpResponse:
    return done(request, said, members_url(request), f"{PAGE}#page", page_context(request))


def _find(request: WorkspaceRequest, member_id: int) -> Membership:
    found = read.find_member(request.workspace, member_id)
    if found is None:
        raise Http404
    return found
