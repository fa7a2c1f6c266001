"""A set of cases run in the background, from its beginning to its numbers."""

import logging
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import transaction
from django.db.models import Count, F

from consolidation.domain.labels import OTHER
from consolidation.evaluation.labels import run_label
from consolidation.evaluation.outcomes import expected_by, outcome_of, title_of
from consolidation.evaluation.running import run_cases
from consolidation.models import CaseOutcome, CaseSet, Evaluation, EvaluationCase
from consolidation.queries.labels import labels
from memory_app.actions.audit import audit
from memory_app.actions.jobs import drop_older, keep
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Invalid
from memory_app.embedding import get_embedder
from memory_app.models import JobStatus, Workspace

from .case_sets import case_of, needs_admin
from .policies import current_policy

log = logging.getLogger(__name__)

KEPT = 30  # evaluations of a set; older ones are dropped
TOGETHER = 10  # cases of a file that are one step


def begin_evaluation(workspace: Workspace, actor: Actor, case_set: CaseSet | None = None) -> Evaluation:
    """A run of the set, or of the workspace's labels, to be gone through in the background. Its cases are those of now.
    Invalid where there are none, Conflict while the set is being run."""
    needs_admin(actor)
    with transaction.atomic():
        Workspace.objects.select_for_update(no_key=True).get(pk=workspace.pk)  # one at a time
        if case_set is not None and not CaseSet.objects.filter(pk=case_set.pk).exists():
            raise Invalid.field("set", "is gone.", "empty")
        of_set = Evaluation.objects.filter(workspace=workspace, case_set=case_set)
        if of_set.filter(status=JobStatus.RUNNING).exists():
            raise Conflict("This set is being run already.")
        made = Evaluation(
            workspace=workspace, case_set=case_set, policy_version=current_policy(workspace).version,
            rule_set=workspace.rules.version, embedder=get_embedder().name, author_id=actor.id, author=actor.label,
        )  # fmt: skip
        cases = list(_of_labels(made) if case_set is None else _of_file(made, case_set))
        if not cases:
            raise Invalid.field("set", "has no cases yet.", "empty")
        made.total = len(cases)
        made.save(force_insert=True)
        EvaluationCase.objects.bulk_create(cases)
        drop_older(of_set, KEPT)
        audit(workspace, actor, "evaluation.begin", made, count=made.total)
    return made


def evaluation_steps(run: Evaluation) -> Iterator[None]:
    """The run gone on with, a case of the labels or some of a file a step."""
    for done, gone in _labels_of(run) if run.case_set is None else _file_of(run, run.case_set):
        with transaction.atomic():
            keep(run)
            EvaluationCase.objects.bulk_update(done, ["outcome", "got", "expected"])
            EvaluationCase.objects.filter(pk__in=[case.pk for case in gone]).delete()
            count_again(run.pk, gone=len(gone))
        yield


def count_again(evaluation_id: uuid.UUID, gone: int = 0) -> None:
    """The run's numbers are those of its cases, and so many more are gone. Its row is held by the caller."""
    cases = EvaluationCase.objects.filter(evaluation=evaluation_id)
    counts = dict(cases.order_by().values_list("outcome").annotate(Count("pk")))
    total = sum(counts.values())
    counts.pop(CaseOutcome.WAITING, None)
    run = Evaluation.objects.filter(pk=evaluation_id)
    run.update(counts=counts, gone=F("gone") + gone, done=F("gone") + gone + sum(counts.values()),
               total=F("gone") + gone + total)  # fmt: skip


Step = tuple[list[EvaluationCase], list[EvaluationCase]]


def _waiting(run: Evaluation) -> list[EvaluationCase]:
    return list(run.cases.filter(outcome=CaseOutcome.WAITING).order_by("place"))


def _labels_of(run: Evaluation) -> Iterable[Step]:
    policy = current_policy(run.workspace)
    for case in _waiting(run):
        assert case.subject is not None
        try:
            answer = run_label(run.workspace, case.kind, case.subject, case.expect, policy)
        except Exception as error:  # one strange case does not end the run; it is shown
            log.exception("case %s could not be run", case.pk)
            case.outcome, case.got = OTHER, {"error": type(error).__name__}
            yield [case], []
            continue
        if answer is None:
            yield [], [case]
        else:
            case.outcome, case.got = answer.outcome, answer.got
            yield [case], []


def _file_of(run: Evaluation, case_set: CaseSet) -> Iterable[Step]:
    documents = {document["id"]: document for document in case_set.cases}
    waiting = _waiting(run)
    for start in range(0, len(waiting), TOGETHER):
        some = waiting[start : start + TOGETHER]
        known = [case_of(documents[case.case]) for case in some]
        # All of it, and then kept: what is written while they run is taken back with them.
        for case, result in zip(some, list(run_cases(known, like=run.workspace)), strict=True):
            case.outcome = outcome_of(result)
            case.got = result.got | ({"error": result.said} if result.error else {})
            case.expected = expected_by(result.case, result.got)[:20]
        yield some, []


def _of_labels(run: Evaluation) -> Iterable[EvaluationCase]:
    for place, label in enumerate(labels(run.workspace), start=1):
        yield EvaluationCase(
            workspace=run.workspace, evaluation=run, place=place, kind=label.kind, case=str(label.subject),
            language=label.language, expected=label.expected, ruling=label.ruling, expect=label.expect,
            subject=label.subject, user_id=label.user,
        )  # fmt: skip


def _of_file(run: Evaluation, case_set: CaseSet) -> Iterable[EvaluationCase]:
    for place, document in enumerate(case_set.cases, start=1):
        case: Any = case_of(document)
        yield EvaluationCase(
            workspace=run.workspace, evaluation=run, place=place, kind=case.kind, case=case.id,
            title=title_of(case)[:200], language=case.lang, expected=expected_by(case)[:20],
        )  # fmt: skip
