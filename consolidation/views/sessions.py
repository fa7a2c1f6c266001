"""Sessions: their list, and the workbench of one, which follows a run of consolidation by itself."""

import uuid
from collections import defaultdict
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from consolidation.actions import queue_session, retry_run
from consolidation.queries.queue import agents_of
from consolidation.queries.sessions import SessionFilters, held_by, sessions_page, status_counts
from consolidation.queries.workbench import Workbench, find_session, is_live, last_run, workbench_of
from consolidation.tasks import send
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.allowing import read_written
from memory_app.addresses import page_url, row_url
from memory_app.domain.errors import Conflict
from memory_app.models import Block, Session, SessionStatus, Turn
from memory_app.moments import last_days
from memory_app.queries.counting import UpTo, shown
from memory_app.queries.sessions import names_cut
from memory_app.titles import session_title

from .bulk import rule_on_each
from .guardrail_context import withheld
from .model_words import calls_of
from .queue import CONSOLIDATION_ACTIONS
from .rows import row_of, summary_context

LIST, PAGE = "consolidation/sessions.html", "consolidation/session.html"
KEPT = ("status", "agent", "user", "days", "q")
#: What a list shows of these may be over soon.
UNSETTLED = (SessionStatus.OPEN, SessionStatus.ENDED, SessionStatus.CONSOLIDATING)


@require_safe
@workspace_page()
def sessions(request: WorkspaceRequest) -> HttpResponse:
    """The workspace's sessions, newest first."""
    filters = SessionFilters.read(request.GET)
    page = sessions_page(request.workspace, filters, request.GET.get("cursor", ""))
    held = held_by(page.rows)
    for found in page.rows:
        found.words = session_title(found)  # type: ignore[attr-defined]
    counts = status_counts(request.workspace, filters)
    context = {
        "filters": filters,
        "cut": names_cut(request.workspace, filters.q),
        "days_text": last_days(filters.days) if filters.days else "",
        "page": page,
        "rows": [(session, held[session.pk], _by_action(held[session.pk].actions)) for session in page.rows],
        "tabs": _tabs(counts),
        **shown(counts.get(filters.status), "total"),
        "kept": [(name, value) for name in KEPT[:-1] if (value := getattr(filters, name))],
        "agents": [{"value": name, "text": name} for name in agents_of(request.workspace)],
        "since": timezone.now().isoformat(),
        "list_query": urlencode([(name, value) for name in KEPT if (value := getattr(filters, name))]),
        "unsettled": ",".join(str(one.pk) for one in page.rows if one.status in UNSETTLED),
    }
    part = "#table" if request.htmx and request.htmx.target == "session-table" else ""
    return render(request, LIST + part, context)


@require_safe
@workspace_page()
def session(request: WorkspaceRequest, session_id: uuid.UUID) -> HttpResponse:
    """One session: what was said, and what became of it."""
    part = "#page" if request.htmx and request.htmx.target == "session-page" else ""
    return render(request, PAGE + part, _page_context(request, _session(request, session_id)))


@require_safe
@workspace_page()
def session_status(request: WorkspaceRequest, session_id: uuid.UUID) -> HttpResponse:
    """The run's state, asking again while it lives; once it is over, the whole page as it is now."""
    found = _session(request, session_id)
    run = last_run(found)
    if not request.htmx:
        return redirect("session", request.workspace.slug, found.pk)
    if is_live(run):
        return render(request, f"{PAGE}#run", {"session": found, "run": run, "live": True})
    context = _page_context(request, found) | {"said": _run_said(run), "over": True}
    response = render(request, "consolidation/session_settled.html", context)
    response["HX-Retarget"], response["HX-Reswap"] = "#session-page", "outerHTML"
    return response


@require_POST
@workspace_page("curator")
def session_consolidate(request: WorkspaceRequest, session_id: uuid.UUID) -> HttpResponse:
    """A run of the session queued and sent; the live one where there is one."""
    found = _session(request, session_id)
    run = queue_session(found, request.actor)
    send(run.pk)
    return _after(request, found, _("Consolidation is queued."))


@require_POST
@workspace_page("curator")
def session_retry(request: WorkspaceRequest, session_id: uuid.UUID) -> HttpResponse:
    """A new run in place of the one that failed."""
    found = _session(request, session_id)
    run = last_run(found)
    if run is None:
        raise Http404
    try:
        send(retry_run(run, request.actor).pk)
    except Conflict:
        return _after(request, found, _("The run has not failed; it is not tried again."))
    return _after(request, found, _("Consolidation is queued again."))


@require_POST
@workspace_page("curator")
def session_approve(request: WorkspaceRequest, session_id: uuid.UUID) -> HttpResponse:
    """The decisions of the session that the button counts approved, each undoable on its own."""
    found = _session(request, session_id)
    waiting = summary_context(found.pk, request.actor)["approvable"]
    return _after(request, found, rule_on_each(request, "approve", [decision.pk for decision in waiting]))


def _after(request: WorkspaceRequest, found: Session, said: str) -> HttpResponse:
    """The page as it is now, with what was done."""
    if not request.htmx:
        messages.info(request, said)
        return redirect(reverse("session", args=[request.workspace.slug, found.pk]) + _place(request))
    found = _session(request, found.pk)
    context = _page_context(request, found) | {"said": said, "over": True}
    return render(request, "consolidation/session_settled.html", context)


def _session(request: WorkspaceRequest, session_id: uuid.UUID) -> Session:
    found = find_session(request.workspace, session_id)
    if found is None:
        raise Http404
    return found


def _place(request: WorkspaceRequest) -> str:
    """The query that says which rows and turns are shown; empty for the first ones."""
    asked = urlencode([(name, value) for name in ("cursor", "turn") if (value := request.GET.get(name))])
    return f"?{asked}" if asked else ""


def _page_context(request: WorkspaceRequest, found: Session) -> dict[str, Any]:
    given = request.GET.get("turn", "")
    around = int(given) if given.isascii() and given.isdigit() and len(given) < 9 else None
    cursor, slug = request.GET.get("cursor", ""), request.workspace.slug
    bench = workbench_of(found, around, cursor)
    read_written(bench.decisions)
    turn_count = bench.counts["turns"]
    href = page_url("session", slug, found.pk, cursor=cursor) if turn_count > len(bench.turns) else ""
    curator, live = request.actor.at_least("curator"), is_live(bench.run)
    failed = bench.run is not None and bench.run.status == "failed"
    turns, loose = _turns(bench, slug)
    summary = summary_context(found.pk, request.actor, bench.decisions)
    return summary | {
        "session": found,
        "title": session_title(found),
        "place": _place(request),
        "cursor": cursor,
        "turns": turns,
        "loose": loose,
        "turn_count": turn_count,
        "earlier": bench.turns[0].index - 1 if bench.turns and bench.turns[0].index > 1 else None,
        "later": bench.turns[-1].index + 1 if bench.turns and bench.turns[-1].index < turn_count else None,
        "rows": [row_of(one, request.actor, bench.sources, href, summary["parties"]) for one in bench.entries.rows],
        "page": bench.entries,
        "candidates": bench.counts["candidates"],
        "blocks": bench.counts["blocks"],
        "beside": bench.cut,
        "run": bench.run,
        "model_calls": calls_of(bench.run.model_calls) if bench.run is not None else [],
        "live": live,
        "failed": failed,
        "can_consolidate": curator and not live and not failed and _has_work(found, bench),
        "can_decide": curator,
        "approve_title": _approve_title(len(summary["approvable"])),
    }


def _has_work(found: Session, bench: Workbench) -> bool:
    """Whether a run would look at anything: notes that wait, or what was said since the last one."""
    if bench.counts["undecided"] or found.status == SessionStatus.ENDED:
        return True
    return found.status == SessionStatus.OPEN and bench.counts["turns"] > 0


def _turns(bench: Workbench, slug: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The turns with the notes and blocks that came of each, and beside the first ones what came of no turn."""
    anchors: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    spans: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    here = {entry.anchor for entry in bench.entries.rows}
    for note, action in bench.beside:
        anchor = f"c-{note.number}"
        href = f"#{anchor}" if anchor in here else row_url(slug, bench.session.pk, anchor)
        anchors[note.turn_id].append({"action": action, "text": note.text, "href": href, "ref": note.ref})
        if note.evidence_start is not None and note.evidence_end is not None:
            spans[note.turn_id].append((note.evidence_start, note.evidence_end))
    for block in bench.blocks:
        anchors[block.turn_id].append(_blocked(block, slug))
    return [_turn(turn, spans[turn.pk], anchors[turn.pk]) for turn in bench.turns], anchors[None]


def _turn(turn: Turn, spans: list[tuple[int, int]], anchors: list[dict[str, Any]]) -> dict[str, Any]:
    return {"number": turn.index, "role": turn.role, "text": turn.content, "at": turn.at, "spans": spans,
            "anchors": anchors, "recalled": turn.recalled, "calls": turn.tool_calls}  # fmt: skip


def _blocked(block: Block, slug: str) -> dict[str, Any]:
    guardrails = page_url("guardrails", slug)
    return {"category": block.category, "text": block.excerpt or block.masked, "withheld": withheld(block),
            "ref": block.ref, "href": f"{guardrails}?id={block.pk}" if guardrails else ""}  # fmt: skip


def _run_said(run: Any) -> str:
    if run is None:
        return ""
    if run.status == "failed":
        return _("Consolidation failed.")
    count = sum(run.counts.values())
    return ngettext("Consolidated: %(count)d decision.", "Consolidated: %(count)d decisions.", count) % {"count": count}


def _approve_title(count: int) -> str:
    return ngettext("Approve %(count)d pending decision?", "Approve %(count)d pending decisions?", count) % {
        "count": count
    }


def _by_action(actions: dict[str, int]) -> list[tuple[str, int]]:
    known = [(a.value, actions[a.value]) for a in CONSOLIDATION_ACTIONS if actions.get(a.value)]
    return known + [(name, count) for name, count in actions.items() if name not in dict(known)]


def _tabs(counts: dict[str, UpTo]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"value": "", "text": _("All"), **shown(counts.get(""))}]
    return found + [{"value": s.value, "text": s.label, **shown(counts.get(s.value))} for s in SessionStatus]
