"""What the guardrails' pages show."""

from typing import Any

from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from memory_app.access import WorkspaceRequest
from memory_app.addresses import page_url, turn_url
from memory_app.domain.actor import Actor
from memory_app.guardrails import JUDGED_CATEGORIES
from memory_app.labels import CATEGORIES, label_of
from memory_app.models import Block, BlockStatus, Category, Stage
from memory_app.moments import last_days
from memory_app.queries import block_page as read
from memory_app.queries.scans import is_due, newest_scan
from memory_app.rule_words import rules_by_category, words_of

from .guardrail_form import ReasonForm

SPANS = (7, 30, 90)
KEPT = ("stage", "category", "status", "agent", "days")


def counts_context(request: WorkspaceRequest) -> dict[str, Any]:
    """The numbers beside the list, for an answer that has changed one of its rows."""
    filters = read.BlockFilters.read(request.GET)
    statuses = read.counts_of(request.workspace, filters).by_status
    span = last_days(filters.days) if filters.days else _("all time")
    return {"filters": filters, "tabs": _tabs(statuses), "judged": _judged(statuses), "span_text": span,
            "list_query": _query(request)}  # fmt: skip


def list_context(request: WorkspaceRequest) -> dict[str, Any]:
    """A page of the list, the table of its numbers, and the rules."""
    filters = read.BlockFilters.read(request.GET)
    page = read.blocks_page(request.workspace, filters, request.GET.get("cursor", ""))
    counts = read.counts_of(request.workspace, filters)
    places, statuses = counts.by_place, counts.by_status
    return {
        "filters": filters,
        "cut": read.names_cut(request.workspace, filters),
        "page": page,
        "rows": [row_of(block, request.actor) for block in page.rows],
        "total": statuses.get(filters.status, 0) if filters.status else sum(statuses.values()),
        "tabs": _tabs(statuses),
        "matrix": _matrix(places),
        "judged": _judged(statuses),
        "span_text": last_days(filters.days) if filters.days else _("all time"),
        "kept": [(name, value) for name in KEPT if (value := getattr(filters, name))],
        "stages": [{"value": value, "text": text} for value, text in Stage.choices],
        "categories": [{"value": value, "text": text} for value, text in Category.choices],
        "spans": [{"value": str(d), "text": last_days(d)} for d in sorted({*SPANS, filters.days or SPANS[0]})],
        "days": str(filters.days or ""),
        "agent_title": pgettext("filter", "Agent"),
        "can_decide": request.actor.at_least("curator"),
        "can_start": request.actor.at_least("admin"),
        "scan": (last_scan := newest_scan(request.workspace) if request.actor.at_least("curator") else None),
        "scan_due": is_due(request.workspace, last_scan),
        "list_query": _query(request),
        "news_query": _query(request, "cursor"),
        "since": timezone.now().isoformat(),
        "rules": rules_by_category(),
        "rule_set": request.workspace.rules.version,
        "rules_url": page_url("rules", request.workspace.slug),
        "stage_words": dict(Stage.choices),
    }


def _query(request: WorkspaceRequest, without: str = "") -> str:
    """The list's address, to come back to it."""
    given = [(name, request.GET.get(name)) for name in (*KEPT, "q", "cursor")]
    return urlencode([(name, value) for name, value in given if value and name != without])


def block_context(request: WorkspaceRequest, block: Block) -> dict[str, Any]:
    """Everything that templates/consolidation/block.html asks of a block."""
    slug = request.workspace.slug
    previous, following = [one and page_url("block", slug, one.pk) for one in read.beside(block)]
    return {
        "row": row_of(block, request.actor),
        "previous": previous,
        "following": following,
        "can_decide": request.actor.at_least("curator"),
        "decisions": [(one, page_url("review", slug, status="all", item=one.pk)) for one in read.decisions_of(block)],
        "reason_form": ReasonForm(number=block.number),
    }


def row_of(block: Block, actor: Actor) -> dict[str, Any]:
    """A block with its links and what this person may make of it."""
    slug = block.workspace.slug
    curator = actor.at_least("curator")
    words = words_of(block.rule)
    session_url = page_url("session", slug, block.session_id) if block.session_id else ""
    return {
        "block": block,
        "text": block.excerpt or block.masked,
        "place": _place(block),
        "withheld": withheld(block),
        "rule": words.title,
        "why": words.why,
        "category": label_of(CATEGORIES, block.category).text,
        "href": page_url("block", slug, block.pk),
        "session_url": turn_url(slug, block.session_id, block.turn.index) if block.turn else session_url,
        "user_url": page_url("user", slug, block.user_id) if block.user_id else "",
        "memory_url": page_url("memory", slug, block.memory_id) if block.memory_id else "",
        "passes": passes(block),
        "can_release": curator and block.status != BlockStatus.RELEASED,
        "can_keep": curator and block.status == BlockStatus.BLOCKED,
        "can_undo": curator and block.status != BlockStatus.BLOCKED,
    }


def passes(block: Block) -> str:
    """For whom the same text passes once the block is released, as BlockQuerySet.released_for has it."""
    team = (
        block.note.team if block.note is not None and block.note.team else block.memory.team if block.memory else None
    )
    if block.category not in JUDGED_CATEGORIES:
        return _("The same text is refused again: what is masked never passes.")
    words = {"user": block.user.external_id if block.user else "", "team": team.external_id if team else ""}
    if block.user and team:
        return (
            _("From now on the same text passes for the user %(user)s and the team %(team)s, and for nobody else.")
            % words
        )
    if block.user:
        return _("From now on the same text passes for the user %(user)s, and for nobody else.") % words
    if team:
        return _("From now on the same text passes for the team %(team)s, and for nobody else.") % words
    return _("From now on the same text passes where it belongs to no user.")


def withheld(block: Block) -> str:
    """What was found and where, for a block that keeps no words of its own."""
    return _("%(what)s, found in %(place)s") % {"what": words_of(block.rule).title, "place": _place(block)}


def _place(block: Block) -> str:
    """Where the words were found, as people call it; a field that is not known here shows by its name."""
    words = {"text": _("the text"), "key": _("the key"), "value": _("the value"), "turn": _("a turn"), "content": _("a turn"),
             "profile": _("the profile"), "evidence": _("the quote"), "condition": _("the condition"),
             "subject": _("the subject"), "keywords": _("the keywords"), "working": _("working memory")}  # fmt: skip
    return words.get(block.field, block.field)


def _matrix(places: dict[tuple[str, str], int]) -> dict[str, Any]:
    """Blocks by category and stage, as on the overview; the tint says how much of the largest number a cell is."""
    most = max(places.values(), default=0)
    rows = []
    for category in Category:
        cells: list[dict[str, Any]] = []
        for stage in Stage:
            count = places.get((stage.value, category.value), 0)
            tint = "h3" if count * 3 > most * 2 else "h2" if count * 3 > most else ""
            cells.append({"count": count, "tint": tint, "stage": stage.value})
        rows.append({"category": category.value, "cells": cells, "total": sum(cell["count"] for cell in cells)})
    return {"stages": [stage.label for stage in Stage], "rows": rows, "total": sum(places.values())}


def _judged(statuses: dict[str, int]) -> dict[str, Any]:
    """How many people have looked at, and how many of those were false positives."""
    released, kept = statuses.get("released", 0), statuses.get("kept", 0)
    judged = released + kept
    return {"judged": judged, "released": released, "kept": kept, "waiting": statuses.get("blocked", 0),
            "share": released / judged if judged else None}  # fmt: skip


def _tabs(statuses: dict[str, int]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"value": "", "text": _("All"), "count": sum(statuses.values())}]
    return found + [{"value": s.value, "text": s.label, "count": statuses.get(s.value, 0)} for s in BlockStatus]
