"""An operator writes a memory for a user or a team. What the guardrails refuse is said at its field, nothing typed is lost."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.memories import Changed, NewMemory, remember
from memory_app.addresses import page_url
from memory_app.domain.errors import Blocked, Invalid, SlotOccupied
from memory_app.models import Kind, Scope
from memory_app.queries.approvers import nobody_else_approves
from memory_app.queries.memory_list import is_known, owners_of
from memory_app.queries.memory_page import find_memory
from memory_app.refusals import refused
from memory_app.values import read_as
from memory_app.wording import together

from .memory import refusal_words, waiting_words
from .memory_context import stuck_words
from .memory_form import KEY, EditForm, in_future
from .settled import again

PAGE, FORM = "memory_app/memory_add.html", "memory_app/memory_add_form.html"
#: What a person writes for long; the rest is an agent's, for a session.
SCOPES = [choice for choice in Scope.choices if choice[0] != Scope.SESSION]
KINDS = [choice for choice in Kind.choices if choice[0] != Kind.WORKING]


class AddForm(forms.Form):
    """A memory from nothing: whose it is, what it says, for how long."""

    scope = forms.ChoiceField(
        label=gettext_lazy("Scope"), choices=SCOPES, initial=Scope.USER,
        help_text=gettext_lazy("A team’s memory reaches every session of the team."),
    )  # fmt: skip
    owner = forms.CharField(
        label=gettext_lazy("User or team"),
        max_length=200,
        help_text=gettext_lazy("The ID that agents use for them."),
        error_messages={"required": gettext_lazy("Say whose memory it is.")},
        widget=forms.TextInput(attrs={"list": "known-owners", "autocomplete": "off", "spellcheck": "false"}),
    )
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=KINDS, initial=Kind.SEMANTIC)
    text = forms.CharField(
        label=gettext_lazy("Memory text"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("One sentence that holds without its conversation."),
        error_messages={"required": gettext_lazy("Write what is to be remembered.")},
    )
    key, value = EditForm.base_fields["key"], EditForm.base_fields["value"]
    condition, expires_at = EditForm.base_fields["condition"], EditForm.base_fields["expires_at"]
    replace = forms.BooleanField(
        label=pgettext_lazy("button", "Write it as a new version of that memory"), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "add-%s")
        super().__init__(*args, **kwargs)
        self.occupied = False  # the box is there once a memory stands in the way

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"]
        if key and not KEY.fullmatch(key):
            raise forms.ValidationError(_("Use lower-case words joined by underscores, or leave it empty."))
        return key

    def clean_expires_at(self) -> datetime | None:
        passed = _("This moment has passed. Choose a later one, or leave it empty.")
        return in_future(self.cleaned_data["expires_at"], passed)

    @property
    def new(self) -> NewMemory:
        given = {name: self.cleaned_data[name] for name in ("scope", "kind", "text", "key", "condition", "expires_at")}
        team = given["scope"] == Scope.TEAM
        owner = {"team" if team else "user": self.cleaned_data["owner"]}
        return NewMemory(**given, **owner, value=read_as(self.cleaned_data["value"], None))


@require_safe
@workspace_page("curator")
def memory_new(request: WorkspaceRequest) -> HttpResponse:
    """The empty form; the address may say whose memory it is to be."""
    given = request.GET
    scope = Scope.TEAM if given.get("team") else Scope.USER
    owner = (given.get("team") or given.get("user") or "").replace("\x00", "")[:200]
    return render(request, PAGE, _context(request, AddForm(initial={"scope": scope, "owner": owner})))


@require_http_methods(["GET", "POST"])
@workspace_page("curator")
def memory_create(request: WorkspaceRequest) -> HttpResponse:
    """A new memory and its page, or the form with what is wrong."""
    if request.method != "POST":  # the address of a form that was answered with its errors
        return redirect("memory_new", request.workspace.slug)
    form = AddForm(request.POST)
    status = 422
    if form.is_valid() and _is_somebody(request, form):
        try:
            conflict = "override" if form.cleaned_data["replace"] else ""
            return _done(request, remember(request.workspace, request.actor, form.new, conflict))
        except SlotOccupied as error:
            status, form.occupied = 409, True
            form.add_error("key", _occupied_words(request, error))
        except (Invalid, Blocked) as error:
            _mark(form, error)
    return again(request, PAGE, FORM, _context(request, form), at="#add-form", status=status)


def _is_somebody(request: WorkspaceRequest, form: AddForm) -> bool:
    """Whether there is such a user or team: a slip of the hand makes no new one."""
    scope, owner = form.cleaned_data["scope"], form.cleaned_data["owner"]
    if is_known(request.workspace, scope, owner):
        return True
    told = _("There is no team of this ID. Teams come with their first session.")
    if scope == Scope.USER:
        told = _("There is no user of this ID. Users come with their first session.")
    form.add_error("owner", told)
    return False


def _occupied_words(request: WorkspaceRequest, error: SlotOccupied) -> str:
    found = find_memory(request.workspace, error.extra["memory"])
    ref = found.ref if found else "–"
    text = found.text if found else ""
    return _("%(ref)s fills this key: %(text)s") % {"ref": ref, "text": text}


def _mark(form: AddForm, error: Invalid | Blocked) -> None:
    if isinstance(error, Blocked):
        field = getattr(error.block, "field", "text")
        form.add_error(field if field in form.fields else "text", refusal_words(error))
        return
    for one in error.errors:
        words = refused(one)
        if one.field == "key":
            words = _("Leave secrets, payment details and personal identifiers out of the key.")
        form.add_error(one.field if one.field in form.fields else "text", words)


def _done(request: WorkspaceRequest, changed: Changed) -> HttpResponse:
    said = _("%(ref)s is added.") % {"ref": changed.memory.ref}
    if changed.pending:
        said = waiting_words(changed)
        if nobody_else_approves(request.workspace, request.actor):
            said = together(said, stuck_words())
    elif not changed.made:
        said = _("%(ref)s is now v%(version)s.") % {"ref": changed.memory.ref, "version": changed.memory.version}
    messages.info(request, said)
    url = page_url("memory", request.workspace.slug, changed.memory.pk)
    return HttpResponse(headers={"HX-Redirect": url}) if request.htmx else redirect(url)


def _context(request: WorkspaceRequest, form: AddForm) -> dict[str, Any]:
    users, teams = owners_of(request.workspace)
    return {"form": form, "known": [*users, *teams]}
