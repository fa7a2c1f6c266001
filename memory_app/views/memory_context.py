"""What the page of a memory shows, drawn from what is read of it."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory_app.access import WorkspaceRequest
from memory_app.addresses import page_url
from memory_app.domain.words import count_tokens
from memory_app.models import Memory, MemoryVersion, Needs, NoteOrigin
from memory_app.queries.approvers import nobody_else_approves
from memory_app.queries.memory_list import EXPIRING
from memory_app.queries.memory_page import MemoryPage, Shown, memory_page, version_of
from memory_app.values import told

from . import memory_history as history
from .considered import reason_words
from .memory_form import EditForm

PAGE = "memory_app/memory.html"


def page_context(request: WorkspaceRequest, memory: Memory) -> dict[str, Any]:
    """Everything that templates/memory_app/memory.html asks for."""
    slug, can_edit = request.workspace.slug, request.actor.at_least("curator")
    page = memory_page(memory, number_of(request.GET.get("before", "")))
    compared = _compared(memory, request.GET.get("compare", ""))
    return edit_context(memory, EditForm(seen=memory)) | {
        "memory": memory,
        "owner": owner_of(memory, slug),
        "marks": marks_of(memory, contested=getattr(memory, "contested", False)),
        "facts": _facts(memory),
        "can_edit": can_edit,
        "archived": memory.status != "active",
        "split_url": page_url("memory_split", slug, memory.pk) if can_edit else "",
        "editing": can_edit and request.GET.get("edit") == "1",
        "versions": history.versions(page, slug, restorable=can_edit),
        "earlier": page.earlier,
        "compared": compared,
        "compare_options": _compare_options(memory, page),
        "restores": _restores(memory, page) if can_edit else [],
        "provenance": history.provenance(page, slug),
        "sources": history.sources(page.sources, slug),
        "source_count": page.source_count,
        "stuck": _stuck(request, memory, page) if can_edit else "",
        "waiting": [(one, history.decision_url(one, slug)) for one in page.waiting],
        "near": [_near(one.memory, one.similarity, slug) for one in page.near],
        "shown": [_shown(one, slug) for one in page.shown],
        "successor": page.successor,
        "details": _details(memory),
    }


def _stuck(request: WorkspaceRequest, memory: Memory, page: MemoryPage) -> str:
    """Why nobody can approve a change of it, where that is so and it matters."""
    matters = memory.protected or any(one.needs == Needs.ADMIN for one in page.waiting)
    return stuck_words() if matters and nobody_else_approves(request.workspace, request.actor) else ""


def stuck_words() -> str:
    return _(
        "Changes of protected memory need an admin other than who proposes them, and this workspace has no other "
        "who could approve them: they would wait for ever. Add an admin, or let people approve their own proposals."
    )


def edit_context(memory: Memory, form: EditForm) -> dict[str, Any]:
    """The edit form, and the version that it was filled from."""
    seen = form.seen
    return {"form": form, "form_version": seen.number if isinstance(seen, MemoryVersion) else memory.version}


def owner_of(memory: Memory, slug: str) -> dict[str, str]:
    """Whose it is: the name, its symbol, and the page about them or the list of what is theirs."""
    if memory.team is not None:
        name = memory.team.external_id
        return {"name": name, "icon": "team", "href": page_url("memories", slug, team=name)}
    if memory.user is None:
        return {"name": "", "icon": "user", "href": ""}
    name = memory.user.external_id
    href = page_url("user", slug, memory.user_id) or page_url("memories", slug, user=name)
    return {"name": name, "icon": "user", "href": href}


def marks_of(memory: Memory, *, contested: bool) -> list[str]:
    """What stands out about it, as names of badges; `active` alone where nothing does."""
    now = timezone.now()
    status = memory.status_at(now)
    found = [status] if status != "active" else []
    if memory.pinned:
        found.append("pinned")
    if status == "active" and memory.expires_at is not None and memory.expires_at <= now + EXPIRING:
        found.append("expiring")
    if contested:
        found.append("contested")
    if memory.drifting:
        found.append("drifting")
    return found or ["active"]


def _facts(memory: Memory) -> list[str]:
    expires, count = history.drawn("expires_at", memory.expires_at), memory.recall_count
    recalled = ngettext("recalled %(count)s time", "recalled %(count)s times", count) % {"count": f"{count:,}"}
    return [
        f"v{memory.version}",
        recalled if count else _("never recalled"),
        _("expires %(when)s") % {"when": expires} if expires else _("no expiry"),
    ]


def _compared(memory: Memory, given: str) -> dict[str, Any] | None:
    """Two versions side by side, for `compare=1..4`; None where the address names none."""
    first, _dots, second = given.partition("..")
    numbers = number_of(first), number_of(second)
    if numbers[0] is None or numbers[1] is None:
        return None
    before, after = version_of(memory, numbers[0]), version_of(memory, numbers[1])
    if before is None or after is None:
        return None
    return {"before": before, "after": after, "changes": history.changes(before, after),
            "value": f"{before.number}..{after.number}"}  # fmt: skip


def _compare_options(memory: Memory, page: MemoryPage) -> list[tuple[str, str]]:
    numbers = [version.number for version, _before in page.versions if version.number != memory.version]
    if memory.version > 1 and 1 not in numbers:
        numbers.append(1)
    return [(f"{number}..{memory.version}", f"v{number} – v{memory.version}") for number in numbers]


def _restores(memory: Memory, page: MemoryPage) -> list[dict[str, Any]]:
    """A dialog for each version that can be put back: what that changes, and what it is called."""
    words = {"next": memory.version + 1}
    return [
        {
            "number": version.number,
            "title": _("Restore v%(number)s as v%(next)s?") % ({"number": version.number} | words),
            "text": version.text,
            "confirm": _("Restore as v%(next)s") % words,
            "changes": [one for one in history.changes(memory, version) if one["name"] != _("Status")],
        }
        for version, _before in page.versions
        if version.number != memory.version
    ]


def _near(memory: Memory, similarity: float, slug: str) -> dict[str, Any]:
    return {"id": memory.pk, "text": memory.text, "href": page_url("memory", slug, memory.pk), "ref": memory.ref,
            "similarity": similarity, "note": str(memory.get_kind_display())}  # fmt: skip


def _shown(one: Shown, slug: str) -> dict[str, Any]:
    row = one.injection
    return {
        "at": row.at,
        "session": row.session.ref if row.session else "",
        "href": page_url("session", slug, row.session_id) if row.session_id else "",
        "user": row.user.external_id,
        "query": row.query,
        "purpose": _("Recall") if row.purpose == "recall" else _("Context"),
        "version": one.version,
        "reason": reason_words(one.reason),
        "place": one.place,
        "seen": page_url("seen", slug, id=row.pk),
    }


def _details(memory: Memory) -> list[tuple[str, Any, str]]:
    """Terms, values, and how a value is drawn: text, time or code."""
    rows: list[tuple[str, Any, str]] = [
        (_("Key"), memory.key, "code"),
        (_("Value"), told(memory.value), "text"),
        (_("Condition"), memory.condition, "text"),
        (_("Subject"), memory.subject, "text"),
        (_("Keywords"), ", ".join(memory.keywords), "text"),
        (_("Sensitivity"), history.drawn("sensitivity", memory.sensitivity), "text"),
        (_("Source"), dict(NoteOrigin.choices).get(memory.source, memory.source), "text"),
        (_("Importance"), f"{memory.importance:.2f}", "text"),
        (_("Priority"), str(memory.priority), "text"),
        (_("Success and failure"), f"{memory.success_count:,} / {memory.failure_count:,}", "text"),
        (_("Occurred"), memory.occurred_at, "time"),
        (_("True since"), memory.updated_at, "time"),
        (_("Confirmed"), memory.confirmed_at, "time"),
        (_("Created"), memory.created_at, "time"),
        (_("Expires"), memory.expires_at, "time"),
        (_("Tokens"), str(count_tokens(memory.text)), "text"),
        (_("ID"), str(memory.pk), "code"),
    ]
    return [row for row in rows if row[1]]


def number_of(given: str) -> int | None:
    """The version number that an address or a form names; None where it is none."""
    return int(given) if given.isascii() and given.isdigit() and len(given) < 9 else None
