"""One evaluation: its progress, its numbers and its cases; and two of them, case by case."""

import uuid
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from consolidation.models import Evaluation, EvaluationCase
from consolidation.queries import evaluations as read
from consolidation.queries.labels import texts_of
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.addresses import page_url
from memory_app.keyset import page_of
from memory_app.models import JobStatus

from .evaluation_words import (
    KINDS,
    MEANINGS,
    OUTCOMES,
    RULINGS,
    counts_of,
    expected_words,
    group_words,
    outcome_of,
    set_words,
    subject_words,
)
from .evaluations import run_words

PAGE, COMPARE = "consolidation/evaluation.html", "consolidation/evaluation_compare.html"
WAYS = (read.BROKEN, read.FIXED, read.OTHERWISE)


@require_safe
@workspace_page()
def evaluation_run(request: WorkspaceRequest, evaluation_id: uuid.UUID) -> HttpResponse:
    """The run's numbers and the cases that were not right; with htmx how far it is, until it is over."""
    run = read.find_evaluation(request.workspace, evaluation_id)
    if run is None:
        raise Http404
    running = run.status == JobStatus.RUNNING
    context = _head(run) | {"running": running, "can_cancel": running and request.actor.at_least("admin")}
    if request.htmx:
        if running:
            return render(request, f"{PAGE}#progress", context)
        return HttpResponse(headers={"HX-Refresh": "true"})
    filters = read.CaseFilters.read(request.GET)
    page = read.cases_page(run, filters, request.GET.get("cursor", ""))
    groups = read.breakdown(run)
    earlier = read.before(run) if not running else None
    return render(request, PAGE, context | {
        "tables": {group: _table(group, groups[group]) for group in read.GROUPS},
        "chips": _chips(groups),
        "page_outcome": filters.outcome,
        "told": [(group, group_words(group, name)) for group, name in filters.told.items()],
        "page": page,
        "rows": case_rows(page.rows, request.workspace.slug),
        "compare": page_url("evaluation_compare", request.workspace.slug, first=earlier.pk, second=run.pk) if earlier else "",
    })  # fmt: skip


@require_safe
@workspace_page()
def evaluation_compare(request: WorkspaceRequest) -> HttpResponse:
    """Two runs of one set, case by case: newly right, newly wrong, and wrong in another way."""
    first = read.find_evaluation(request.workspace, request.GET.get("first", ""))
    second = read.find_evaluation(request.workspace, request.GET.get("second", ""))
    if first is None or second is None or first.case_set_id != second.case_set_id:
        return redirect("evaluation", request.workspace.slug)
    counts = read.differences(first, second)
    way = request.GET.get("way", "")
    way = way if way in WAYS else next((one for one in WAYS if counts[one]), WAYS[0])
    page = page_of(read.differing(first, second, way), read.CASES, request.GET.get("cursor", ""), read.PAGE_SIZE)
    words = {"fixed": _("Newly right"), "broken": _("Newly wrong"), "otherwise": _("Wrong in another way")}
    return render(request, COMPARE, {
        "first": run_words(first),
        "second": run_words(second),
        "sides": [run_words(first), run_words(second)],
        "set_name": set_words(second),
        "set_url": _set_url(second),
        "runs": [run_words(run) for run in read.runs_of(request.workspace, second.case_set).order_by("-created_at", "-pk")],
        "both": counts["both"],
        "tabs": [{"value": one, "text": words[one], "count": counts[one]} for one in WAYS],
        "way": way,
        "page": page,
        "rows": case_rows(page.rows, request.workspace.slug),
    })  # fmt: skip


def case_rows(cases: list[EvaluationCase], slug: str) -> list[dict[str, Any]]:
    """Lines of a list of cases; two statements for all of them."""
    subjects = texts_of([case.subject for case in cases if case.subject is not None])
    rows = []
    for case in cases:
        subject = subjects.get(case.subject) if case.subject is not None else None
        ref, text = subject_words(subject) if case.subject is not None else (case.case, case.title)
        was = getattr(case, "was", "")
        rows.append({
            "case": case,
            "ref": ref or "–",
            "text": Truncator(text).chars(160) if text else "",
            "gone": case.subject is not None and subject is None,
            "href": page_url("evaluation_case", slug, case.pk),
            "kind": KINDS.get(case.kind, case.kind),
            "expected": expected_words(case.expected),
            "got": got_words(case),
            "ruling": RULINGS.get(case.ruling, ""),
            "outcome": outcome_of(case.outcome),
            "was": outcome_of(was) if was else None,
        })  # fmt: skip
    return rows


def got_words(case: EvaluationCase) -> str:
    """What came, in a word; of a file's case only where it is one decision or verdict."""
    got = case.got
    if got.get("error"):
        return _("It could not be run")
    if case.kind == "guardrail":
        return expected_words(got.get("category") or "allow")
    if case.kind == "consolidation":
        made = got.get("decisions") or [got]
        return expected_words(str(made[0].get("action", ""))) if len(made) == 1 else ""
    if case.kind == "distill":
        return expected_words("notes" if got.get("notes") else "nothing")
    return expected_words("memories" if got.get("ids") else "nothing")


def _head(run: Evaluation) -> dict[str, Any]:
    told = counts_of(run.counts)
    return run_words(run) | {
        "set_name": set_words(run),
        "set_url": _set_url(run),
        "tiles": [
            {
                "label": OUTCOMES[one["outcome"]["name"]],
                "value": f"{one['count']:,}",
                "share": one["count"] / told["total"] if told["total"] else None,
                "meaning": MEANINGS[one["outcome"]["name"]],
                "href": "?outcome=" + one["outcome"]["name"],
            }
            for one in told["numbers"]
        ],
    }


def _set_url(run: Evaluation) -> str:
    return page_url("evaluation", run.workspace.slug, set=run.case_set_id or "")


def _table(group: str, counts: dict[str, Any]) -> dict[str, Any]:
    heads = {
        "kind": (_("By kind"), _("Kind")),
        "expected": (_("By what was expected"), _("Expected")),
        "language": (_("By language"), _("Language")),
    }
    return {
        "title": heads[group][0],
        "head": heads[group][1],
        "rows": [
            counts_of(found) | {"name": group_words(group, name), "group": group, "value": name}
            for name, found in counts.items()
        ],
    }


def _chips(groups: dict[str, Any]) -> list[dict[str, Any]]:
    """Which outcomes can be listed, each with its number."""
    counts: dict[str, int] = {}
    for found in groups["kind"].values():
        for name, count in found.items():
            counts[name] = counts.get(name, 0) + count
    total = sum(counts.values())
    choices = [("", pgettext("cases", "Not right"), total - counts.get("right", 0))]
    choices += [(name, str(text), counts.get(name, 0)) for name, text in OUTCOMES.items()]
    choices.append(("all", _("All"), total))
    return [{"value": value, "text": text, "count": count} for value, text, count in choices]
