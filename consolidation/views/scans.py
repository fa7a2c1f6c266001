"""What is stored, read again with the rules of today: begun and stopped by admins; what a curator chooses of its
findings is taken out of memory, and put back."""

import uuid
from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from consolidation.tasks import send_job
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.jobs import stop
from memory_app.actions.quarantine import Quarantined, of_stroke, put_back, quarantine
from memory_app.actions.scanning import begin_scan
from memory_app.addresses import page_url
from memory_app.domain.errors import Conflict
from memory_app.models import JobStatus, Scan, ScanFinding
from memory_app.queries import scans as read
from memory_app.rule_words import words_of

PAGE = "consolidation/scan.html"


@require_http_methods(["GET", "POST"])
@workspace_page("curator")
def scan_start(request: WorkspaceRequest) -> HttpResponse:
    """A reading begun in the background, by an admin; read, the newest one."""
    newest = read.newest_scan(request.workspace)
    if request.method != "POST":
        return (
            redirect("scan", request.workspace.slug, newest.pk)
            if newest
            else redirect("guardrails", request.workspace.slug)
        )
    if not request.actor.at_least("admin"):
        raise PermissionDenied
    if (
        request.POST.get("rule_set") != request.workspace.rules.version
    ):  # the page that it was sent from shows older rules
        return redirect("guardrails", request.workspace.slug)
    try:
        made = begin_scan(request.workspace, request.actor)
    except Conflict:  # its page says how far it is
        return redirect("scan_start", request.workspace.slug)
    send_job(Scan, made.pk)
    return redirect("scan", request.workspace.slug, made.pk)


@require_safe
@workspace_page("curator")
def scan(request: WorkspaceRequest, scan_id: uuid.UUID) -> HttpResponse:
    """What has been found so far; with htmx only how far it is, until it is over."""
    found = _found(request, scan_id)
    running = found.status == JobStatus.RUNNING
    if request.htmx:
        if not running:
            return HttpResponse(headers={"HX-Refresh": "true"})
        return render(request, f"{PAGE}#progress", _head(request, found))
    return render(request, PAGE, _context(request, found))


@require_POST
@workspace_page("admin")
def scan_stop(request: WorkspaceRequest, scan_id: uuid.UUID) -> HttpResponse:
    """The reading ended where it stands; one that is over meanwhile stays as it is."""
    found = _found(request, scan_id)
    with suppress(Conflict):
        stop(found, request.actor)
    return redirect("scan", request.workspace.slug, found.pk)


@require_POST
@workspace_page("curator")
def scan_quarantine(request: WorkspaceRequest, scan_id: uuid.UUID) -> HttpResponse:
    """The chosen memories taken out of recall; what was left is named."""
    found = _found(request, scan_id)
    made = quarantine(found, request.actor, _ids(request))
    said = ngettext("%(n)s memory is out of recall.", "%(n)s memories are out of recall.", len(made.done))
    return _told(request, found, made, said, undoable=True)


@require_POST
@workspace_page("curator")
def scan_put_back(request: WorkspaceRequest, scan_id: uuid.UUID) -> HttpResponse:
    """The chosen memories as they were before they were taken out, or all that one stroke has taken out."""
    found = _found(request, scan_id)
    ids = of_stroke(found, stroke) if (stroke := _id(request.GET.get("stroke", ""))) else _ids(request)
    made = put_back(found, request.actor, ids)
    said = ngettext("%(n)s memory is as it was.", "%(n)s memories are as they were.", len(made.done))
    return _told(request, found, made, said)


def _told(
    request: WorkspaceRequest, found: Scan, made: Quarantined, said: str, *, undoable: bool = False
) -> HttpResponse:
    """The page again, which says what was done and what was left; what can be taken back as a whole is there to undo."""
    slug, cursor = request.workspace.slug, (request.POST.get("cursor") or request.GET.get("cursor", ""))[:500]
    place = {"cursor": cursor} if cursor else {}
    reasons = {"changed": _("%(refs)s changed since and stays as it is."), "gone": _("%(refs)s changed since and stays as it is."),
               "protected": _("%(refs)s is protected: an admin has to do that."),
               "conflict": _("%(refs)s was built on since: undo its later decisions first.")}  # fmt: skip
    if made.done or not made.left:
        undo = page_url("scan_put_back", slug, found.pk, stroke=made.stroke, **place) if undoable and made.done else ""
        text = said % {"n": len(made.done)} if made.done else _("Nothing was chosen.")
        messages.info(request, text, extra_tags=undo)
    by_reason: dict[str, list[str]] = {}
    for finding, reason in made.left:
        by_reason.setdefault(reason, []).append(finding.memory.ref if finding.memory else "–")
    for reason, refs in by_reason.items():
        messages.warning(request, reasons[reason] % {"refs": ", ".join(refs)})
    return redirect(page_url("scan", slug, found.pk, **place))


def _ids(request: WorkspaceRequest) -> list[uuid.UUID]:
    given = request.POST.getlist("ids")[: read.PAGE_SIZE]
    return [one for one in map(_id, given) if one is not None]


def _id(given: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(given)
    except ValueError:
        return None


def _found(request: WorkspaceRequest, scan_id: uuid.UUID) -> Scan:
    found = read.find_scan(request.workspace, scan_id)
    if found is None:
        raise Http404
    return found


def _head(request: WorkspaceRequest, found: Scan) -> dict[str, Any]:
    admin, running = request.actor.at_least("admin"), found.status == JobStatus.RUNNING
    return {"scan": found, "running": running, "can_stop": running and admin, "total": found.findings.count()}


def _context(request: WorkspaceRequest, found: Scan) -> dict[str, Any]:
    slug, admin = request.workspace.slug, request.actor.at_least("admin")
    page, rows = read.findings_page(found, request.GET.get("cursor", ""))
    return _head(request, found) | {
        "page": page,
        "cursor": request.GET.get("cursor", ""),
        "rows": [_row(one, slug, admin) for one in rows],
        "can_start": admin and found.status != JobStatus.RUNNING,
        "is_due": read.is_due(request.workspace, found),
        "rule_set": request.workspace.rules.version,
    }


def _row(one: read.Found, slug: str, admin: bool) -> dict[str, Any]:
    finding: ScanFinding = one.finding
    memory, note = finding.memory, finding.note
    about = memory or note
    href = page_url("memory", slug, memory.pk) if memory else page_url("session", slug, note.session_id) if note else ""
    return {
        "one": one,
        "finding": finding,
        "href": href,
        "ref": memory.ref if memory else note.ref if note else "",
        "rule": words_of(finding.rule).title,
        "why": words_of(finding.rule).why,
        "about": about,
        "since": memory.created_at if memory else note.said_at if note else None,
        "owner": memory.team or memory.user if memory else finding.user,
        "protected": memory is not None and memory.protected,
        "can_choose": memory is not None
        and not finding.taken_out
        and not one.changed
        and (admin or not memory.protected),
    }
