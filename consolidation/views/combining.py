"""Memories merged, and one split: each with what would come of it before it is done."""

import re
import uuid
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from consolidation.actions.combining import merge, split
from consolidation.actions.trying import tried
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.memories import Changed
from memory_app.domain.errors import Blocked, Conflict, Invalid, PreconditionFailed
from memory_app.models import Memory, MemoryStatus
from memory_app.queries.memory_page import find_memory
from memory_app.reasons import refused_because
from memory_app.refusals import refused
from memory_app.views.memory import waiting_words
from memory_app.views.remarks import SAID, storable

MERGE, SPLIT = "consolidation/memory_merge.html", "consolidation/memory_split.html"
MOST, PARTS = 21, 5
#: Where one statement ends and the next may begin: what is proposed as parts.
ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\s*[;；]\s*")
Refusal = (Invalid, Blocked, Conflict, PreconditionFailed)


@require_http_methods(["GET", "POST"])
@workspace_page("curator")
def memory_merge(request: WorkspaceRequest) -> HttpResponse:
    """The chosen memories, and what they would be as one. Nothing is written."""
    if request.method == "POST" and "into" not in request.POST:  # from the list: an address that can be come back to
        chosen = urlencode([("ids", one) for one in request.POST.getlist("ids")[:MOST]])
        return redirect(f"{reverse('memory_merge', args=[request.workspace.slug])}?{chosen}")
    context = _merge_context(request)
    if request.htmx and request.htmx.target == "merge-preview":
        return render(request, f"{MERGE}#preview", context)
    return render(request, MERGE, context)


@require_POST
@workspace_page("curator")
def memory_merge_done(request: WorkspaceRequest) -> HttpResponse:
    """The memories merged, or the proposal that waits for an admin; the page again where that cannot be."""
    chosen, into, text = _asked(request)
    refusal = _why_not(chosen)
    if into is None or refusal:
        return render(request, MERGE, _merge_context(request), status=422)
    try:
        changed = _merged(request, into, chosen, text)
    except Refusal as error:
        return render(request, MERGE, _merge_context(request) | {"refused": _words(error)}, status=422)
    said = ngettext(
        "%(ref)s stands for %(n)s memory now.", "%(ref)s stands for %(n)s memories now.", len(chosen)
    ) % {"ref": into.ref, "n": len(chosen)}  # fmt: skip
    messages.info(request, waiting_words(changed) if changed.pending else said)
    return redirect("memory", request.workspace.slug, into.pk)


@require_http_methods(["GET", "POST"])
@workspace_page("curator")
def memory_split(request: WorkspaceRequest, memory_id: uuid.UUID) -> HttpResponse:
    """The memory, and what its parts would be. Nothing is written."""
    context = _split_context(request, _found(request, memory_id))
    if request.htmx and request.htmx.target == "split-preview":
        return render(request, f"{SPLIT}#preview", context)
    return render(request, SPLIT, context)


@require_POST
@workspace_page("curator")
def memory_split_done(request: WorkspaceRequest, memory_id: uuid.UUID) -> HttpResponse:
    """The memory split, or the proposal that waits for an admin; the page again where that cannot be."""
    memory = _found(request, memory_id)
    parts = _parts(request, memory)
    try:
        changed = split(memory, request.actor, _storable(parts), if_match=_version(request, memory))
    except Refusal as error:
        return render(request, SPLIT, _split_context(request, memory) | {"refused": _words(error)}, status=422)
    words = ngettext("%(ref)s is split into %(n)s memory.", "%(ref)s is split into %(n)s memories.", len(parts))
    said = words % {"ref": memory.ref, "n": len(parts)}
    messages.info(request, waiting_words(changed) if changed.pending else said)
    return redirect("memory", request.workspace.slug, memory.pk)


# Merging ----------------------------------------------------------------------------------------------------------


def _merge_context(request: WorkspaceRequest) -> dict[str, Any]:
    chosen, into, text = _asked(request)
    context: dict[str, Any] = {"chosen": chosen, "into": into, "text": text, "refused": _why_not(chosen)}
    if into is None or context["refused"]:
        return context
    try:
        changed = tried(partial(_merged, request, into, chosen, text))
    except Refusal as error:
        return context | {"refused": _words(error)}
    return context | {"result": changed.decision.after, "waits": changed.pending,
                      "version": into.version + 1, "others": [one for one in chosen if one != into]}  # fmt: skip


def _asked(request: WorkspaceRequest) -> tuple[list[Memory], Memory | None, str]:
    """The memories, the one that stays, and its words: those of the one that stays unless others were written."""
    given = request.POST if request.method == "POST" else request.GET
    ids = [pk for one in given.getlist("ids")[:MOST] if (pk := _uuid(one)) is not None]
    rows = Memory.objects.filter(workspace=request.workspace, pk__in=ids).select_related("workspace", "user", "team")
    chosen = sorted(rows, key=lambda one: ids.index(one.pk))
    into = next((one for one in chosen if str(one.pk) == given.get("into")), chosen[0] if chosen else None)
    text = given.get("text", "").replace("\r\n", "\n").strip()
    if into is not None and (not text or text in [one.text for one in chosen]):
        text = into.text
    return chosen, into, text


def _merged(request: WorkspaceRequest, into: Memory, chosen: Sequence[Memory], text: str) -> Changed:
    others = [one for one in chosen if one != into]
    words = storable(text, "text") if text != into.text else None
    seen = {str(one.pk): version for one in others if (version := _version(request, one)) is not None}
    return merge(
        into, request.actor, [one.pk for one in others], text=words, if_match=_version(request, into), seen=seen
    )


def _why_not(chosen: Sequence[Memory]) -> str:
    """Why these are no memories that can be merged; empty where they are."""
    if len(chosen) < 2:
        return _("Choose two memories or more on the list of memories.")
    if any(one.status != MemoryStatus.ACTIVE for one in chosen):
        return _("Only active memories are merged.")
    if len({(one.scope, one.owner) for one in chosen}) > 1:
        return _("They belong to different users, sessions or teams.")
    if len({(one.kind, one.subject) for one in chosen}) > 1:
        return _("They are of different kinds, or about different people.")
    return ""


# Splitting --------------------------------------------------------------------------------------------------------


def _split_context(request: WorkspaceRequest, memory: Memory) -> dict[str, Any]:
    asked = request.method == "POST"
    texts = request.POST.getlist("part")[:PARTS] if asked else _proposed(memory.text)
    fields = [*texts, *[""] * PARTS][:PARTS]
    context: dict[str, Any] = {
        "memory": memory,
        "fields": list(enumerate(fields, start=1)),
        "keeps": request.POST.get("keeps", "1"),
        "refused": "",
    }
    parts = _parts(request, memory) if asked else [{"text": one} for one in texts if one.strip()]
    if len(parts) < 2:
        return context | {"refused": _("Write two parts or more.") if asked else ""}
    try:
        changed = tried(lambda: split(memory, request.actor, _storable(parts)))
    except Refusal as error:
        return context | {"refused": _words(error)}
    return context | {"parts": parts, "waits": changed.pending, "version": memory.version + 1}


def _proposed(text: str) -> list[str]:
    """The statements of a text; the last part has all that is left, so that none is lost."""
    return [one for one in ENDS.split(text, PARTS - 1) if one]


def _parts(request: WorkspaceRequest, memory: Memory) -> list[dict[str, Any]]:
    """The parts that say something; the one that keeps the key is first, and so the memory's own next version."""
    texts = [one.replace("\r\n", "\n").strip() for one in request.POST.getlist("part")[:PARTS]]
    keeps = request.POST.get("keeps", "1")
    first = int(keeps) - 1 if keeps.isascii() and keeps.isdigit() and 0 < int(keeps) <= len(texts) else 0
    order = [first, *(place for place in range(len(texts)) if place != first)]
    parts: list[dict[str, Any]] = [{"text": texts[place]} for place in order if place < len(texts) and texts[place]]
    if parts and memory.key:
        parts[0] |= {"key": memory.key, "value": memory.value}
    return parts


def _storable(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The parts; Invalid where one is too long or cannot be stored."""
    return [part | {"text": storable(part["text"], "part")} for part in parts]


# Both -------------------------------------------------------------------------------------------------------------


def _found(request: WorkspaceRequest, memory_id: uuid.UUID) -> Memory:
    memory = find_memory(request.workspace, memory_id)
    if memory is None:
        raise Http404
    return memory


def _version(request: WorkspaceRequest, memory: Memory) -> int | None:
    """The version that the person has before them, where the form says it."""
    given = request.POST.get(f"version-{memory.pk}", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 9 else None


def _words(error: Exception) -> str:
    """Why it cannot be, in the language of the page."""
    if isinstance(error, Blocked):
        return refused_because(error.category)
    if isinstance(error, Invalid):
        first = error.errors[0]
        field = "" if first.code == SAID else first.field
        if field.endswith("text"):
            return _("It says something that was not there before: a number, a name, a part or the reverse of it.")
        if field == "parts":
            return _("Write two parts or more.")
        return _("Two parts would fill the same slot.") if field.startswith("parts.") else refused(first, named=True)
    return _("A memory has changed meanwhile. This is how it is now; look again.")


def _uuid(given: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(given)
    except ValueError:
        return None
