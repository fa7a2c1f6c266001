"""Quality: the metrics of the last days, and each with the rows behind it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.db.models import Model
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_safe

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.addresses import page_url, turn_url
from memory_app.alert_words import words_of
from memory_app.labels import ACTIONS, CATEGORIES, label_of
from memory_app.models import Block, Decision, Injection, Turn
from memory_app.moments import age, last_days
from memory_app.queries import measuring as read
from memory_app.queries.alerts import alerts_shown
from memory_app.queries.measuring import NONE, Measured, Reading, Scope
from memory_app.queries.metrics import BY_NAME, METRICS, TIME, Metric
from memory_app.queries.overview import agents_of
from memory_app.wording import together

PAGE, ONE = "memory_app/quality.html", "memory_app/metric.html"
UNITS = {"percent": "%", "hundred": "", "mean": "", "time": "", "count": ""}
#: With each row of a list, what its line shows.
WITH: dict[type[Any], tuple[str, ...]] = {
    Decision: ("session__agent", "note", "memory"), Block: ("session__agent",),
    Turn: ("session__agent",), Injection: ("session__agent", "user"),
}  # fmt: skip


@require_safe
@workspace_page()
def quality(request: WorkspaceRequest) -> HttpResponse:
    """Every metric of the days, the agent and the language that are asked for."""
    scope = replace(Scope.read(request.workspace, request.GET), day=None)
    found = read.measured(scope)
    rows = [_line(found, metric, scope) for metric in METRICS]
    return render(request, PAGE, _filters(request, scope) | {
        "rows": rows,
        "alerts": [words_of(alert, request.workspace.slug) for alert in alerts_shown(request.workspace)],
        "can_acknowledge": request.actor.at_least("curator"),
    })  # fmt: skip


@require_safe
@workspace_page()
def metric(request: WorkspaceRequest) -> HttpResponse:
    """One metric over the days, by agent, language and what it is told apart by, and exactly its rows."""
    one = BY_NAME.get(request.GET.get("metric", ""))
    if one is None:
        return redirect("quality", request.workspace.slug)
    scope = Scope.read(request.workspace, request.GET)
    found = read.measured(scope, (one,))
    whole, told = request.GET.get("whole") == "1" and one.of is not None, request.GET.get("told", "")[:100]
    which: dict[str, Any] = {"whole": whole, "told": told.replace("\x00", "")}
    page = read.rows_page(scope, one, WITH, request.GET.get("cursor", ""), **which)
    split = read.split_of(scope, one)
    counted = split.get(told) if told else found.reading(one)  # the list's own count, where it is known already
    return render(request, ONE, _filters(request, scope) | _over_time(found, one, scope) | {
        "metric": one,
        "line": _line(found, one, scope),
        "tables": [table for table in (_agents(found, one, scope), _languages(found, one, scope), _told(split, one, scope))
                   if table["rows"]],
        "page": page,
        "rows": [_row(row, one, request.workspace.slug) for row in page.rows],
        "total": read.listed(scope, one, **which).count() if counted is None else int(counted.of) if whole else counted.listed,
        "whole": whole,
        "both": one.of is not None and one.listed is one.over,
        "told": _told_words(one, told) if told else "",
    })  # fmt: skip


def _filters(request: WorkspaceRequest, scope: Scope) -> dict[str, Any]:
    return {
        "scope": scope,
        "days_text": last_days(scope.days),
        "spans": [{"value": days, "text": last_days(days)} for days in read.SPANS],
        "agent_options": [
            *({"value": name, "text": name} for name in agents_of(request.workspace)),
            {"value": NONE, "text": _("No agent")},
        ],
        "agent_title": pgettext("filter", "Agent"),
        "language_options": [{"value": one, "text": _language(one)} for one in (*read.LANGUAGES, NONE)],
        "day": scope.day.isoformat() if scope.day else "",
    }


def _url(one: Metric, scope: Scope, **query: Any) -> str:
    given = {"metric": one.name, "days": scope.days, "agent": scope.agent, "language": scope.language, "day": scope.day}
    assert scope.workspace is not None
    return page_url("metric", scope.workspace.slug, **(given | query))


def value_of(reading: Reading) -> str:
    """The number as people read it, a dash where there is nothing to count of."""
    value, unit = reading.value, reading.metric.unit
    if value is None:
        return "–"
    if unit == TIME:
        return age(timedelta(seconds=value), 2)
    return f"{value:,.0f}" if unit == "count" else f"{value:,.1f}"


def _cell(reading: Reading, one: Metric, scope: Scope, **query: Any) -> dict[str, Any]:
    """A number with the list behind it, and with the list of what it is counted of."""
    both = one.of is not None and one.listed is one.over
    return {
        "value": value_of(reading),
        "unit": UNITS[one.unit] if reading.value is not None else "",
        "listed": reading.listed,
        "of": int(reading.of) if both else None,
        "href": _url(one, scope, **query),
        "of_href": _url(one, scope, whole="1", **query) if both else "",
    }


def _line(found: Measured, one: Metric, scope: Scope) -> dict[str, Any]:
    days = [reading.value or 0 for reading in found.by_day(one)]
    return _cell(found.reading(one), one, scope) | {"metric": one, "trend": days}


def _over_time(found: Measured, one: Metric, scope: Scope) -> dict[str, Any]:
    """The chart, and the same as a table whose numbers are links."""
    readings = list(zip(scope.dates, found.by_day(one), strict=True))
    factor = 1 / 3600 if one.unit == TIME else 1
    shown = [
        (day, _cell(reading, one, scope, day=day)) for day, reading in reversed(readings) if reading.of or reading.over
    ]
    sentence = _("%(metric)s per day, %(first)s to %(last)s.") % {
        "metric": one.title, "first": readings[0][0].isoformat(), "last": readings[-1][0].isoformat()}  # fmt: skip
    if one.unit == TIME:
        sentence = together(sentence, _("In hours."))
    return {
        "columns": [f"{day:%m-%d}" for day, _reading in readings],
        "series": [("promote", [round((reading.value or 0) * factor, 2) for _day, reading in readings])],
        "sentence": sentence,
        "by_day": shown,
    }


def _agents(found: Measured, one: Metric, scope: Scope) -> dict[str, Any]:
    readings = found.by_agent(one)
    rows = [
        (name if name != NONE else _("No agent"), _cell(reading, one, scope, agent=name))
        for name, reading in list(readings.items())[: read.MOST_AGENTS]
    ]
    more = len(readings) - len(rows)
    said = ngettext("%(count)s more agent", "%(count)s more agents", more) % {"count": f"{more:,}"} if more else ""
    return {"title": _("By agent"), "head": pgettext("filter", "Agent"), "rows": rows, "more": said}


def _languages(found: Measured, one: Metric, scope: Scope) -> dict[str, Any]:
    rows = [
        (_language(name), _cell(reading, one, scope, language=name))
        for name, reading in sorted(found.by_language(one).items())
    ]
    return {"title": _("By language"), "head": _("Language"), "rows": rows}


def _told(split: Mapping[str, Reading], one: Metric, scope: Scope) -> dict[str, Any]:
    """What the metric is told apart by; nothing where it is not."""
    head = {"reversals": _("Decision"), "junk": _("Rule")}.get(one.name, _("Category"))
    return {
        "title": {"reversals": _("By decision"), "junk": _("By rule")}.get(one.name, _("By category")),
        "head": head,
        "rows": [(_told_words(one, name), _cell(reading, one, scope, told=name)) for name, reading in split.items()],
    }


def _told_words(one: Metric, name: str) -> str:
    if one.name == "junk":
        return name
    return str(label_of(ACTIONS if one.name == "reversals" else CATEGORIES, name).text)


def _language(name: str) -> str:
    return {"en": _("English"), "zh": _("Chinese")}.get(name, _("Unknown"))


def _row(row: Any, one: Metric, slug: str) -> dict[str, Any]:
    """A line of the list: what it is, its words, when, and of a mean what it adds."""
    ref, href, text = _named(row, slug)
    amount = getattr(row, "amount", None)
    shown = "" if amount is None else age(amount, 2) if isinstance(amount, timedelta) else f"{amount:,}"
    agent = row.session.agent.external_id if row.session is not None and row.session.agent is not None else ""
    return {
        "row": row, "ref": ref, "href": href, "text": Truncator(text).chars(160), "at": row.counts_at, "amount": shown,
        "agent": agent, "action": row.action if isinstance(row, Decision) else "",
        "status": row.status if isinstance(row, Decision | Block) else "",
    }  # fmt: skip


def _named(row: Model, slug: str) -> tuple[str, str, str]:
    if isinstance(row, Decision):
        return row.ref, page_url("review", slug, status="all", item=row.pk), row_text(row)
    if isinstance(row, Block):
        return row.ref, page_url("block", slug, row.pk), row.excerpt or row.masked
    if isinstance(row, Turn):
        return f"{row.session.ref} · {row.index}", turn_url(slug, row.session_id, row.index), row.content
    assert isinstance(row, Injection)
    name = _("Recall") if row.purpose == Injection.Purpose.RECALL else _("Context")
    return name, page_url("seen", slug, id=row.pk), row.query


def row_text(decision: Decision) -> str:
    """The words that a decision is about: what was said, where a note was decided on, and not what memory had already."""
    content = decision.after or {}
    if not content and decision.note is not None:
        return decision.note.text
    return str((content or decision.before or {}).get("text") or "")
