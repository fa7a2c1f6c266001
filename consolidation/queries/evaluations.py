"""Evaluations as pages show them: sets, runs over time, what failed, and two runs case by case."""

import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from consolidation.domain.labels import RIGHT
from consolidation.models import CaseSet, Evaluation, EvaluationCase
from memory_app.keyset import Order, Page, page_of
from memory_app.models import JobStatus, Workspace

RUNS, CASES = Order("created_at"), Order("place", descending=False)
PAGE_SIZE, IN_CHART = 50, 20
GROUPS = ("kind", "expected", "language")
#: What a comparison lists: the second run got it right and the first did not, the reverse, or both otherwise.
FIXED, BROKEN, OTHERWISE = "fixed", "broken", "otherwise"


def sets_of(workspace: Workspace) -> list[CaseSet]:
    """The workspace's sets by name, without their cases."""
    return list(CaseSet.objects.filter(workspace=workspace).defer("cases").order_by("name"))


def find_set(workspace: Workspace, set_id: Any) -> CaseSet | None:
    try:
        return CaseSet.objects.filter(workspace=workspace, pk=uuid.UUID(str(set_id))).first()
    except ValueError:
        return None


def find_evaluation(workspace: Workspace, evaluation_id: Any) -> Evaluation | None:
    """The workspace's evaluation with the name of its set."""
    try:
        found = Evaluation.objects.filter(workspace=workspace, pk=uuid.UUID(str(evaluation_id)))
    except ValueError:
        return None
    return found.select_related("case_set").defer("case_set__cases").first()


def runs_of(workspace: Workspace, case_set: CaseSet | None) -> QuerySet[Evaluation]:
    """The runs of a set, or of the labels."""
    return Evaluation.objects.filter(workspace=workspace, case_set=case_set)


def runs_page(workspace: Workspace, case_set: CaseSet | None, cursor: str) -> Page[Evaluation]:
    return page_of(runs_of(workspace, case_set), RUNS, cursor, IN_CHART)


def history(workspace: Workspace, case_set: CaseSet | None) -> list[Evaluation]:
    """The last runs that are done, oldest first."""
    done = runs_of(workspace, case_set).filter(status=JobStatus.DONE)
    return list(reversed(done.order_by("-created_at", "-pk")[:IN_CHART]))


def before(evaluation: Evaluation) -> Evaluation | None:
    """The run of the same set that was done before this one."""
    earlier = Evaluation.objects.filter(
        workspace=evaluation.workspace_id, case_set=evaluation.case_set_id, status=JobStatus.DONE,
        created_at__lt=evaluation.created_at,
    )  # fmt: skip
    return earlier.order_by("-created_at").first()


def breakdown(evaluation: Evaluation) -> dict[str, dict[str, Counter[str]]]:
    """The run's cases by outcome, told apart by kind, by what was expected and by language; one statement."""
    found: dict[str, dict[str, Counter[str]]] = {group: {} for group in GROUPS}
    rows = evaluation.cases.exclude(outcome="").order_by().values(*GROUPS, "outcome").annotate(n=Count("pk"))
    for row in rows:
        for group in GROUPS:
            found[group].setdefault(row[group], Counter())[row["outcome"]] += row["n"]
    return {
        group: dict(sorted(counts.items(), key=lambda pair: (-pair[1].total(), pair[0])))
        for group, counts in found.items()
    }


@dataclass(frozen=True)
class CaseFilters:
    """Which cases of a run are listed; without an outcome, those that were not right."""

    outcome: str = ""
    told: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, query: Mapping[str, Any]) -> "CaseFilters":
        told = {group: str(query.get(group, ""))[:20].replace("\x00", "") for group in GROUPS}
        return cls(str(query.get("outcome", ""))[:10].replace("\x00", ""), {k: v for k, v in told.items() if v})

    def of(self, evaluation: Evaluation) -> QuerySet[EvaluationCase]:
        cases = evaluation.cases.exclude(outcome="").filter(**self.told)
        if self.outcome == "all":
            return cases
        return cases.filter(outcome=self.outcome) if self.outcome else cases.exclude(outcome=RIGHT)


def cases_page(evaluation: Evaluation, filters: CaseFilters, cursor: str) -> Page[EvaluationCase]:
    return page_of(filters.of(evaluation), CASES, cursor, PAGE_SIZE)


def find_case(workspace: Workspace, case_id: uuid.UUID) -> EvaluationCase | None:
    """The workspace's case with its run and set."""
    found = EvaluationCase.objects.filter(workspace=workspace, pk=case_id).exclude(outcome="")
    return found.select_related("evaluation__case_set").first()


def document_of(case: EvaluationCase) -> dict[str, Any] | None:
    """A file's case as it was sent; None of a label, or where the set no longer has it."""
    case_set = case.evaluation.case_set
    cases = case_set.cases if case_set is not None else ()
    return next((document for document in cases if document["id"] == case.case), None)


def compared(first: Evaluation, second: Evaluation) -> "QuerySet[Any]":
    """The second run's cases that the first had too, with what it came to there (`was`), and under which id (`then`)."""
    then = EvaluationCase.objects.filter(evaluation=first, case=OuterRef("case")).exclude(outcome="")
    both = second.cases.exclude(outcome="").annotate(
        was=Subquery(then.values("outcome")[:1]), then=Subquery(then.values("pk")[:1])
    )
    return both.exclude(was=None)


def differing(first: Evaluation, second: Evaluation, way: str) -> "QuerySet[Any]":
    """The cases that came otherwise: newly right, newly wrong, or wrong in another way."""
    cases = compared(first, second)
    if way == FIXED:
        return cases.filter(~Q(was=RIGHT), outcome=RIGHT)
    if way == BROKEN:
        return cases.filter(~Q(outcome=RIGHT), was=RIGHT)
    return cases.exclude(was=RIGHT).exclude(outcome=RIGHT).exclude(was=F("outcome"))


def differences(first: Evaluation, second: Evaluation) -> dict[str, int]:
    """How many cases both runs have, and how many of them went which way; one statement."""
    counts: Counter[str] = Counter()
    for row in compared(first, second).order_by().values("was", "outcome").annotate(n=Count("pk")):
        counts["both"] += row["n"]
        if row["was"] != row["outcome"]:
            way = FIXED if row["outcome"] == RIGHT else BROKEN if row["was"] == RIGHT else OTHERWISE
            counts[way] += row["n"]
    return {way: counts[way] for way in ("both", FIXED, BROKEN, OTHERWISE)}
