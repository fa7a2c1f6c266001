"""Evaluation: sets of cases and how they came out over time; begun, cancelled, sent and removed by admins."""

import json
import uuid
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from consolidation.actions.case_sets import MOST_BYTES, remove_case_set, save_case_set
from consolidation.actions.evaluating import begin_evaluation
from consolidation.evaluation.exporting import KINDS, case_lines
from consolidation.models import CaseSet, Evaluation
from consolidation.queries import evaluations as read
from consolidation.queries.labels import MOST, label_counts
from consolidation.tasks import send_job
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.audit import audit
from memory_app.actions.jobs import stop
from memory_app.addresses import page_url
from memory_app.domain.errors import Conflict, Invalid
from memory_app.models import JobStatus
from memory_app.views.files import attachment
from memory_app.views.settled import done

from .case_set_form import CaseSetForm, mark
from .evaluation_words import OUTCOMES, STATUSES, TONES, counts_of

PAGE = "consolidation/evaluations.html"


@require_safe
@workspace_page()
def evaluation(request: WorkspaceRequest) -> HttpResponse:
    """What people ruled on, or a set of case files: its runs, newest first, and how they came out over time."""
    chosen = _chosen(request, request.GET.get("set", ""))
    return render(request, PAGE, page_context(request, chosen))


@require_POST
@workspace_page("admin")
def evaluation_start(request: WorkspaceRequest) -> HttpResponse:
    """A run of the set begun in the background; its page shows how far it is."""
    chosen = _chosen(request, request.POST.get("set", ""))
    try:
        made = begin_evaluation(request.workspace, request.actor, chosen)
    except Conflict:
        problem, status = _("This set is being run already."), 409
    except Invalid:
        problem, status = _("There is no case to run yet."), 422
    else:
        send_job(Evaluation, made.pk)
        return _to(request, page_url("evaluation_run", request.workspace.slug, made.pk))
    context = page_context(request, chosen) | {"notice": {"text": problem, "tone": "warn"}}
    return render(request, PAGE, context, status=status)


@require_POST
@workspace_page("admin")
def evaluation_cancel(request: WorkspaceRequest, evaluation_id: uuid.UUID) -> HttpResponse:
    """The run ended where it stands; one that is over meanwhile stays as it is."""
    found = read.find_evaluation(request.workspace, evaluation_id)
    if found is None:
        raise Http404
    with suppress(Conflict):  # its page says how it ended
        stop(found, request.actor)
    return _to(request, page_url("evaluation_run", request.workspace.slug, found.pk))


@require_safe
@workspace_page("admin")
def evaluation_labels(request: WorkspaceRequest) -> HttpResponseBase:
    """The rulings as a case file of the kind that is asked for; that it was taken out is on record."""
    kind = request.GET.get("kind", KINDS[0])
    if kind not in KINDS:
        raise Http404
    audit(request.workspace, request.actor, "evaluation.export", request.workspace, format=kind)
    lines = (json.dumps(line, ensure_ascii=False) + "\n" for line in case_lines(request.workspace, kind))
    return attachment(request, kind, "jsonl", lines)


@require_http_methods(["GET", "POST"])
@workspace_page("admin")
def case_set_save(request: WorkspaceRequest) -> HttpResponse:
    """Case files as a set, or the form with what is wrong with them."""
    if request.method != "POST":  # the address of a form that was answered with its errors
        return redirect("evaluation", request.workspace.slug)
    form = CaseSetForm(request.POST, request.FILES)
    if form.is_valid():
        files = [(one.name or "", one.read(MOST_BYTES + 1)) for one in form.cleaned_data["files"]]
        try:
            made = save_case_set(request.workspace, request.actor, form.cleaned_data["name"], files)
        except Invalid as error:
            mark(form, error)
        else:
            return _to(request, page_url("evaluation", request.workspace.slug, set=made.pk))
    context = page_context(request, None) | {"form": form, "sending": True}
    return render(request, PAGE, context, status=422)


@require_POST
@workspace_page("admin")
def case_set_remove(request: WorkspaceRequest, set_id: uuid.UUID) -> HttpResponse:
    """The set and its runs gone."""
    found = read.find_set(request.workspace, set_id)
    if found is None:
        raise Http404
    name = found.name
    remove_case_set(found, request.actor)
    url = reverse("evaluation", args=[request.workspace.slug])
    said = _("“%(name)s” is gone, with its runs.") % {"name": name}
    return done(request, said, url, f"{PAGE}#page", page_context(request, None, plain=True))


def page_context(request: WorkspaceRequest, chosen: CaseSet | None, *, plain: bool = False) -> dict[str, Any]:
    """What the page shows of a set, or of the labels; `plain` leaves the address out."""
    workspace, admin = request.workspace, request.actor.at_least("admin")
    sets = read.sets_of(workspace)
    page = read.runs_page(workspace, chosen, "" if plain else request.GET.get("cursor", ""))
    labels = label_counts(workspace)
    of_labels = labels["decisions"] + labels["blocks"]
    return {
        "chosen": chosen,
        "chosen_id": str(chosen.pk) if chosen is not None else "",
        "sets": sets,
        "tabs": [
            {"value": "", "text": _("People's rulings"), "count": min(of_labels, MOST), "more": of_labels > MOST},
            *({"value": str(one.pk), "text": one.name, "count": one.total} for one in sets),
        ],
        "labels": {name: f"{MOST:,}+" if count > MOST else f"{count:,}" for name, count in labels.items()},
        "cases": chosen.total if chosen is not None else of_labels,
        "page": page,
        "rows": [_row(run, request) for run in page.rows],
        "running": any(run.status == JobStatus.RUNNING for run in page.rows),
        "chart": _chart(read.history(workspace, chosen)),
        "can_start": admin,
        "form": CaseSetForm() if admin else None,
    }


def run_words(run: Evaluation) -> dict[str, Any]:
    """A run as a line says it: how it ended, its numbers, and under what it was run."""
    return counts_of(run.counts) | {"run": run, "status": STATUSES[run.status]}


def _row(run: Evaluation, request: WorkspaceRequest) -> dict[str, Any]:
    return run_words(run) | {"href": page_url("evaluation_run", request.workspace.slug, run.pk)}


def _chart(runs: list[Evaluation]) -> dict[str, Any] | None:
    """Each run as a column of a hundred, told apart by outcome, and the same as a sentence; None below two runs."""
    if len(runs) < 2:
        return None
    told = [counts_of(run.counts) for run in runs]
    series = [
        (TONES[name], [round(100 * run.counts.get(name, 0) / max(one["total"], 1), 1) for run, one in zip(runs, told, strict=True)])
        for name in OUTCOMES
    ]  # fmt: skip
    shares = ", ".join(f"{(one['share'] or 0) * 100:.0f}%" for one in told)
    return {
        "columns": _column_names([timezone.localtime(run.created_at) for run in runs]),
        "series": series,
        "sentence": _("Share of right answers, run by run, oldest first: %(shares)s.") % {"shares": shares},
        "legend": [{"tone": TONES[name], "text": text} for name, text in OUTCOMES.items()],
    }


def _column_names(begun: list[datetime]) -> list[str]:
    """Each run by the minute it began in, and to the second where another began in the same."""
    minutes = [f"{one:%m-%d %H:%M}" for one in begun]
    return [f"{one:%H:%M:%S}" if minutes.count(name) > 1 else name for one, name in zip(begun, minutes, strict=True)]


def _chosen(request: WorkspaceRequest, named: str) -> CaseSet | None:
    """The set that is named; none for the labels. Http404 where there is no such set here."""
    if not named:
        return None
    found = read.find_set(request.workspace, named)
    if found is None:
        raise Http404
    return found


def _to(request: WorkspaceRequest, url: str) -> HttpResponse:
    return HttpResponse(headers={"HX-Redirect": url}) if request.htmx else redirect(url)
