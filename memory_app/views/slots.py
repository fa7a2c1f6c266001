"""The registry of slots: the keys that memory fills, and what each takes."""

import uuid
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_safe

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.slots import put_slot, settings_of
from memory_app.addresses import page_url
from memory_app.domain.errors import Conflict, Invalid, PreconditionFailed
from memory_app.models import Cardinality, Exposure, Slot
from memory_app.queries import slots as read

from .settled import again, done, mark
from .slot_form import WRITER_WORDS, SlotForm, duration_words

LIST, PAGE, FORM = "memory_app/slots.html", "memory_app/slot.html", "memory_app/slot_form.html"


@require_safe
@workspace_page()
def slots(request: WorkspaceRequest) -> HttpResponse:
    """The workspace's slots by key."""
    filters = read.SlotFilters.read(request.GET)
    page = read.slots_page(request.workspace, filters, request.GET.get("cursor", ""))
    counts, slug = read.memories_in(request.workspace, page.rows), request.workspace.slug
    context = {
        "filters": filters,
        "page": page,
        "rows": [_row(slot, counts.get(slot.key, 0), slug) for slot in page.rows],
        "total": filters.rows(request.workspace).count(),
        "kept": [(name, value) for name in ("cardinality", "exposure") if (value := getattr(filters, name))],
        "cardinalities": [{"value": value, "text": text} for value, text in Cardinality.choices],
        "exposures": [{"value": value, "text": text} for value, text in Exposure.choices],
        "can_change": request.actor.at_least("admin"),
    }
    part = "#table" if request.htmx and request.htmx.target == "slot-table" else ""
    return render(request, LIST + part, context)


@require_safe
@workspace_page("admin")
def slot_new(request: WorkspaceRequest) -> HttpResponse:
    """The form for a key that nothing has filled yet."""
    return render(request, PAGE, {"slot": None, "form": SlotForm(), "can_change": True})


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def slot_create(request: WorkspaceRequest) -> HttpResponse:
    """A key registered before anything fills it."""
    if request.method != "POST":  # the address of a form that was answered with its errors
        return redirect("slot_new", request.workspace.slug)
    form = SlotForm(request.POST)
    if not form.is_valid():
        return _form_again(request, None, form, status=422)
    key = form.cleaned_data["key"]
    try:
        made, _new = put_slot(request.workspace, request.actor, key, form.settings, new=True)
    except Conflict:
        form.add_error("key", _("There is a slot of this key already."))
        return _form_again(request, None, form, status=409)
    except Invalid as error:
        _mark(form, error)
        return _form_again(request, None, form, status=422)
    return _done(request, made, _("%(key)s is registered.") % {"key": made.key})


@require_safe
@workspace_page()
def slot(request: WorkspaceRequest, slot_id: uuid.UUID) -> HttpResponse:
    """One slot: what it takes and what it holds."""
    return render(request, PAGE, page_context(request, _find(request, slot_id)))


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def slot_change(request: WorkspaceRequest, slot_id: uuid.UUID) -> HttpResponse:
    """The slot with other settings; where its memory does not fit them, nothing changes and the page names it."""
    found = _find(request, slot_id)
    if request.method != "POST":
        return redirect(slot_url(request, found))
    form = SlotForm(request.POST, slot=found)
    if not form.is_valid():
        return _form_again(request, found, form, status=422)
    try:
        changed, _made = put_slot(
            request.workspace, request.actor, found.key, form.settings, seen=request.POST.get("seen") or None
        )
    except PreconditionFailed:
        return _form_again(request, _find(request, slot_id), form, status=412, moved=True)
    except Conflict as error:
        named = read.memories_named(request.workspace, error.extra.get("memories", []))
        words = _("Several values stand side by side for one owner. Merge or archive all but one of them first.")
        form.add_error("cardinality", words if named else _("The slot was written to meanwhile. Save again."))
        return _form_again(request, found, form, status=409, named=named)
    except Invalid as error:
        _mark(form, error)
        return _form_again(request, found, form, status=422)
    return _done(request, changed, _("%(key)s is saved.") % {"key": changed.key})


def slot_url(request: WorkspaceRequest, found: Slot) -> str:
    return reverse("slot", args=[request.workspace.slug, found.pk])


def page_context(request: WorkspaceRequest, found: Slot, form: SlotForm | None = None) -> dict[str, Any]:
    slug = request.workspace.slug
    return {
        "slot": found,
        "form": form or SlotForm(slot=found),
        "seen": settings_of(found).digest,
        "lasts": duration_words(found.expires_after),
        "writers": [WRITER_WORDS.get(writer, writer) for writer in found.writers],
        "can_change": request.actor.at_least("admin"),
        "holds": read.holds_of(found),
        "memories_url": page_url("memories", slug, key=found.key),
        "live_url": page_url("memories", slug, key=found.key, status="active"),
    }


def _form_again(
    request: WorkspaceRequest, found: Slot | None, form: SlotForm, status: int, **more: Any
) -> HttpResponse:
    """The form with what is wrong; nothing typed is lost, and after a conflict saving again means it."""
    if found is None:
        context: dict[str, Any] = {"slot": None, "form": form, "can_change": True}
    else:
        context = page_context(request, found, form)
    if status != 412 and found is not None and request.POST.get("seen"):
        context["seen"] = request.POST["seen"]
    return again(request, PAGE, FORM, context | more, at="#slot-form", status=status)


def _row(found: Slot, count: int, slug: str) -> dict[str, Any]:
    return {"slot": found, "count": count, "lasts": duration_words(found.expires_after),
            "writers": _writers(found.writers),
            "live_url": page_url("memories", slug, key=found.key, status="active")}  # fmt: skip


def _writers(writers: list[str]) -> str:
    words = {
        "user": pgettext("speaker", "User"),
        "agent": _("Agent"),
        "operator": _("Operator"),
        "profile": _("Profile"),
    }
    return _("Anyone") if set(words) <= {*writers} else ", ".join(words.get(name, name) for name in writers)


def _mark(form: SlotForm, error: Invalid) -> None:
    words = _("Leave secrets, payment details and personal identifiers out of it.")
    mark(form, error, words, {"key": words, "values": words})


def _done(request: WorkspaceRequest, found: Slot, said: str) -> HttpResponse:
    return done(request, said, slot_url(request, found), f"{PAGE}#page", page_context(request, found))


def _find(request: WorkspaceRequest, slot_id: uuid.UUID) -> Slot:
    found = read.find_slot(request.workspace, slot_id)
    if found is None:
        raise Http404
    return found
