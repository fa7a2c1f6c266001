"""The overview: what waits, what was decided, what was kept out; each number with the rows behind it."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from memory_app import labels
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actor_words import decider_words, proposer_words
from memory_app.addresses import page_url
from memory_app.alert_words import words_of
from memory_app.models import Action, AlertKind, Category, Decision, DecisionStatus, Session, Stage
from memory_app.moments import age, last_days
from memory_app.queries import overview as read
from memory_app.queries.alerts import open_alerts
from memory_app.queries.overview import Counted, Decided, Span, Waiting

PAGE = "memory_app/overview.html"
ALERTS = 5
#: The six of consolidation; what people do to memory directly is counted beside them.
SHOWN = (Action.PROMOTE, Action.DEDUPE, Action.OVERRIDE, Action.SESSION_ONLY, Action.REJECT, Action.REVIEW)


@require_safe
@workspace_page()
def overview(request: WorkspaceRequest) -> HttpResponse:
    """The numbers of the last days; where nothing has happened yet, how to begin."""
    if read.is_fresh(request.workspace):
        return render(request, PAGE, {"fresh": True, "steps": _steps(request)})
    span = Span.read(request.workspace, request.GET)
    waiting = read.waiting_of(span)
    counted = read.counted_of(span, waiting)
    failed, failed_count = read.failed_sessions(span)
    alerts = open_alerts(request.workspace)[:ALERTS]
    told = any(alert.kind == AlertKind.QUEUE for alert in alerts)  # that decisions wait too long is said once
    return render(request, PAGE, _filters(span) | _charts(span, waiting, counted.decided) | {
        "tiles": _tiles(span, waiting, counted),
        "alerts": [words_of(alert, request.workspace.slug) for alert in alerts],
        "late": 0 if told else waiting.late,
        "late_url": _review(span, days=None, age__gt="24h", sort="created"),
        "matrix": _matrix(span, counted.blocks),
        "agents": [_agent(row, span) for row in counted.agents],
        "failed": [(session, _error_of(session)) for session in failed],
        "failed_count": failed_count,
        "can_decide": request.actor.at_least("curator"),
        "recent": [_recent(one, span) for one in read.recent_decisions(span)],
    })  # fmt: skip


def _filters(span: Span) -> dict[str, Any]:
    return {
        "span": span,
        "days_text": last_days(span.days),
        "spans": [{"value": days, "text": last_days(days)} for days in read.SPANS],
        "agent_options": [{"value": name, "text": name} for name in read.agents_of(span.workspace)],
    }


def _review(span: Span, **query: Any) -> str:
    """The review queue with the overview's own filters."""
    return page_url("review", span.workspace.slug, **({"agent": span.agent, "days": span.days} | query))


def _tiles(span: Span, waiting: Waiting, counted: Counted) -> list[dict[str, Any]]:
    decided, turns = counted.decided, counted.turns
    slug, by_action = span.workspace.slug, read.totals_by_day(decided)
    total = sum(decided.where(action=action) for action in SHOWN)
    overrides = decided.where(action=Action.OVERRIDE)
    applied = sum(decided.where(action=action, statuses=(DecisionStatus.APPLIED,)) for action in SHOWN)
    undone = decided.where(statuses=(DecisionStatus.UNDONE,))
    carried_out = decided.where(statuses=read.CARRIED_OUT) + undone
    blocks = sum(counted.blocks.values())
    writes = sum(decided.where(action=action, statuses=read.CARRIED_OUT) for action in read.WRITES)
    oldest = _("oldest %(age)s") % {"age": age(waiting.oldest, 2)} if waiting.oldest else ""
    return [
        {"label": _("Waiting for review"), "value": f"{waiting.total:,}", "delta": oldest,
         "href": _review(span, days=None)},
        _share(_("Override rate"), decided.share(overrides, total), _trend(decided.share(overrides, total), decided),
               _review(span, status="all", action="override")) | {"trend": by_action.get(Action.OVERRIDE, ())},
        _share(_("Taken back"), decided.share(undone, carried_out),
               _("%(part)s undone, of %(whole)s carried out") % {"part": f"{undone:,}", "whole": f"{carried_out:,}"},
               _review(span, status="undone")),
        _share(_("Applied automatically"), decided.share(applied, total), _of(applied, total),
               _review(span, status="applied")),
        {"label": _("Blocked by guardrails"), "value": f"{blocks:,}", "delta": last_days(span.days),
         "href": page_url("guardrails", slug, days=span.days, agent=span.agent)},
        {"label": _("Writes per 100 turns"), "value": f"{writes / turns * 100:.1f}" if turns else "–",
         "delta": _("%(writes)s, %(turns)s") % {
             "writes": ngettext("%(count)s write", "%(count)s writes", writes) % {"count": f"{writes:,}"},
             "turns": ngettext("%(count)s turn", "%(count)s turns", turns) % {"count": f"{turns:,}"},
         },
         "href": page_url("sessions", slug, days=span.days, agent=span.agent)},
    ]  # fmt: skip


def _share(label: str, share: float | None, delta: str, href: str) -> dict[str, Any]:
    known = share is not None
    return {"label": label, "value": f"{(share or 0) * 100:.1f}" if known else "–", "unit": "%" if known else "",
            "delta": delta, "href": href}  # fmt: skip


def _of(part: int, whole: int) -> str:
    return _("%(part)s of %(whole)s") % {"part": f"{part:,}", "whole": f"{whole:,}"}


def _trend(rate: float | None, decided: Decided) -> str:
    before = decided.override_rate_before
    if rate is None or before is None:
        return _of(decided.where(action=Action.OVERRIDE), decided.total)
    points = (rate - before) * 100
    told = _("up %(points)s points") if points >= 0 else _("down %(points)s points")
    return told % {"points": f"{abs(points):.1f}"}


def _charts(span: Span, waiting: Waiting, decided: Decided) -> dict[str, Any]:
    by_day, by_action = read.totals_by_day(decided), decided.by_action
    totals = [sum(values) for values in zip(*(by_day.get(a, [0] * span.days) for a in SHOWN), strict=True)]
    others = [a for a in Action if a not in SHOWN and by_action.get(a)]
    ages = list(zip(_ages(), waiting.by_age, strict=True))
    return {
        "columns": [f"{day:%m-%d}" for day in decided.dates],
        "series": [(action.value, by_day.get(action, [0] * span.days)) for action in SHOWN],
        "decided_sentence": _decided_sentence(decided.dates, totals),
        "legend": [_counted(a, by_action.get(a, 0), _review(span, status="all", action=a.value)) for a in SHOWN],
        "others": [_counted(a, by_action[a], _review(span, status="all", action=a.value)) for a in others],
        "ages": [(text, count, "session_only" if at < 3 else "override") for at, (text, count) in enumerate(ages)],
        "ages_sentence": _("Queue age: %(list)s.") % {"list": ", ".join(f"{text} {count:,}" for text, count in ages)},
        "waiting": waiting,
        "waiting_url": _review(span, days=None),
        "waiting_by_action": [
            _counted(Action(action), count, _review(span, days=None, action=action))
            for action, count in sorted(waiting.by_action.items(), key=lambda one: -one[1])
        ],
    }


def _counted(action: Action, count: int, href: str) -> dict[str, Any]:
    return {"action": action.value, "count": count, "href": href}


def _decided_sentence(dates: tuple[date, ...], totals: list[int]) -> str:
    peak = max(range(len(totals)), key=lambda at: totals[at])
    return _(
        "Decisions per day, %(first)s to %(last)s, stacked by decision: %(total)s in all. Peak %(peak)s on %(day)s."
    ) % {"first": f"{dates[0]:%Y-%m-%d}", "last": f"{dates[-1]:%Y-%m-%d}", "total": f"{sum(totals):,}",
         "peak": f"{totals[peak]:,}", "day": f"{dates[peak]:%Y-%m-%d}"}  # fmt: skip


def _ages() -> list[str]:
    return [_("< 1 h"), _("1–4 h"), _("4–24 h"), _("1–3 d"), _("> 3 d")]


def _matrix(span: Span, counts: Mapping[tuple[str, str], int]) -> dict[str, Any]:
    """Blocks by category and stage; the tint says how much of the largest number a cell is."""
    slug = span.workspace.slug
    most = max(counts.values(), default=0)
    rows = []
    for category in Category:
        cells: list[dict[str, Any]] = []
        for stage in Stage:
            count = counts.get((category, stage), 0)
            href = page_url("guardrails", slug, stage=stage.value, category=category.value, days=span.days,
                            agent=span.agent)  # fmt: skip
            tint = "h3" if count * 3 > most * 2 else "h2" if count * 3 > most else ""
            cells.append({"count": count, "href": href, "tint": tint})
        rows.append({"category": category.value, "cells": cells, "total": sum(c["count"] for c in cells)})
    return {"stages": [stage.label for stage in Stage], "rows": rows, "total": sum(counts.values()),
            "href": page_url("guardrails", slug, days=span.days, agent=span.agent)}  # fmt: skip


def _agent(row: read.AgentRow, span: Span) -> dict[str, Any]:
    slug = span.workspace.slug
    rate = row.overrides / row.decisions if row.decisions else None
    return {
        "row": row,
        "writes": f"{row.writes / row.turns * 100:.1f}" if row.turns else "–",
        "rate": rate,
        "sessions_url": page_url("sessions", slug, agent=row.name, days=span.days),
        "overrides_url": _review(span, status="all", action="override", agent=row.name),
        "waiting_url": _review(span, days=None, agent=row.name),
        "blocks_url": page_url("guardrails", slug, days=span.days, agent=row.name),
    }


def _error_of(session: Session) -> str:
    runs = sorted(getattr(session, "runs").all(), key=lambda run: run.created_at)  # noqa: B009  (of another app)
    return str(runs[-1].error) if runs else ""


def _recent(decision: Decision, span: Span) -> dict[str, Any]:
    """A row of what happened last: who, what, to which words."""
    before, after = (decision.before or {}).get("text"), (decision.after or {}).get("text")
    text = after or (decision.note.text if decision.note else before or "")
    keeps = decision.action in (Action.DEDUPE, Action.PIN, Action.UNPIN, Action.ARCHIVE, Action.RETRACT)
    slug = span.workspace.slug
    item = page_url("review", slug, status="all", item=decision.pk)
    return {
        "decision": decision,
        "who": decider_words(decision)
        or (_("Automatic") if decision.origin == "consolidation" else proposer_words(decision)),
        "text": before if keeps and before else text,
        "before": before if not keeps and decision.action in (Action.OVERRIDE, Action.EDIT, Action.RESTORE) else text,
        "href": page_url("memory", slug, decision.memory_id) if decision.memory_id else item,
        "item": item,
        "note": _note(decision),
    }


def _note(decision: Decision) -> str:
    if decision.status == DecisionStatus.APPLIED:
        if decision.origin != "consolidation":
            return ""
        return _("confidence %(confidence)s") % {"confidence": f"{decision.confidence:.2f}"}
    if decision.status == DecisionStatus.APPROVED:
        proposed = decision.proposed_action
        if proposed and proposed != decision.action:
            return _("changed from %(action)s") % {"action": labels.label_of(labels.ACTIONS, proposed).text}
        return _("approved as proposed")
    return str(labels.label_of(labels.STATUSES, decision.status).text)


def _steps(request: WorkspaceRequest) -> list[dict[str, str]]:
    """How to make a key and send a first note, with commands to copy."""
    slug, api = request.workspace.slug, request.build_absolute_uri("/api/v1")
    head = '  -H "Authorization: Bearer $COMMONPLACE_KEY" -H "Content-Type: application/json" \\\n'
    note = '{"text": "Prefers aisle seats", "evidence": {"role": "user", "quote": "I usually take an aisle seat"}}'
    return [
        {"title": _("Make a key for your agent"), "text": _("It is shown once."),
         "command": f"COMMONPLACE_KEY=$(python manage.py create_api_key --workspace {slug} --role agent)"},
        {"title": _("Open a session of one of your users"), "text": _("The answer holds the session’s id."),
         "command": f'curl -X POST {api}/sessions \\\n{head}  -d \'{{"user": "user-1", "agent": "my-agent"}}\''},
        {"title": _("Say something, and keep a note of it"), "text": _("A note is a candidate: it waits in its session."),
         "command": f"curl -X POST {api}/sessions/$SESSION/turns \\\n{head}"
                    '  -d \'{"turns": [{"role": "user", "content": "I usually take an aisle seat."}]}\'\n\n'
                    f"curl -X POST {api}/sessions/$SESSION/notes \\\n{head}  -d '{note}'"},
        {"title": _("End the session"), "text": _("Its notes are decided, and what is decided shows here."),
         "command": f"curl -X POST {api}/sessions/$SESSION/end \\\n{head}  -d '{{}}'"},
    ]  # fmt: skip
