"""Runs of consolidation (also the outbox of its tasks), versions and trials of the policy, evaluations, who has what open,
and who is alive to do the work."""

import uuid

import pgtrigger
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from memory_app.models import Decision, Job, Operator, Session, User
from memory_app.models.base import WorkspaceRow, created_field
from memory_app.models.choices import one_of


class RunStatus(models.TextChoices):
    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class RunCause(models.TextChoices):
    END = "end"
    IDLE = "idle"
    BUTTON = "button"


class ConsolidationRun(WorkspaceRow):
    """One consolidation of one session. The row is the truth and a broker message only a hint: whatever is pending,
    or running with a lease that ran out, is sent again. `claim` fences a worker that lost its lease."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="runs")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    status = models.CharField(max_length=8, choices=RunStatus.choices, default=RunStatus.PENDING)
    cause = models.CharField(max_length=8, choices=RunCause.choices)
    attempts = models.PositiveSmallIntegerField(default=0)
    claim = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    not_before = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)
    counts = models.JSONField(default=dict, blank=True)
    model_calls = models.JSONField(
        default=list, blank=True, help_text="What a language model was asked: purpose, cost and outcome, no content."
    )
    created_at = created_field()
    #: Turns that this run did not distill, because the session says more than one run reads.
    passed_over = 0

    class Meta:
        constraints = [
            one_of("status", RunStatus, "run_status"),
            models.UniqueConstraint(
                fields=["session"],
                condition=Q(status__in=["pending", "running"]),
                name="run_one_live_a_session",
            ),
        ]
        indexes = [
            models.Index(fields=["created_at"], condition=Q(status__in=["pending", "running"]), name="run_live"),
            models.Index(fields=["workspace", "-created_at", "-id"], name="run_newest"),
            models.Index(fields=["finished_at"], condition=Q(status="failed"), name="run_failed_last"),
        ]

    def __str__(self) -> str:
        return f"{self.session} {self.status}"


class PolicyVersion(WorkspaceRow):
    """A policy as it was in force; append-only, the highest number is current."""

    number = models.PositiveIntegerField()
    content = models.JSONField()
    why = models.TextField(blank=True)
    author_id = models.CharField(max_length=64, blank=True)
    author = models.CharField(max_length=200, blank=True)
    created_at = created_field()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "number"], name="policy_once")]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]


class OpenItem(WorkspaceRow):
    """The decision that an operator has open in a workspace, and when their page last said so. It holds nobody up, and
    counts for nothing a minute later."""

    operator = models.ForeignKey(Operator, on_delete=models.CASCADE, related_name="+", db_index=False)
    # No constraint: whoever erases a decision need not know who is looking at it.
    decision = models.ForeignKey(Decision, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["operator", "workspace"], name="open_item_once")]

    def __str__(self) -> str:
        return f"{self.operator} {self.decision}"


class PolicyTrial(Job):
    """A policy tried on sessions of the past, and what it would have decided otherwise. It holds ids and names, no word
    of anybody's. `base_number` is the version that was in force when it began.

    With `replay` it is one session run again in thought: by which engine and guardrails, and what could not be restored;
    then `changes` are all of its notes, `base_number` is the version that it is run under, and `state` what a model has
    answered so far."""

    content = models.JSONField()
    base_number = models.PositiveIntegerField()
    sessions = models.JSONField(default=list)
    compared = models.PositiveIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0)
    changes = models.JSONField(default=list)
    replay = models.JSONField(null=True, blank=True)

    class Meta(Job.Meta):
        pass


class CaseSet(WorkspaceRow):
    """Cases that somebody sent as files, in the format of case files and each with its kind. Only masked text is here:
    a case that masking would change is left out, and counted."""

    name = models.CharField(max_length=100)
    cases = models.JSONField()
    total = models.PositiveIntegerField()
    left_out = models.PositiveIntegerField(default=0)
    author_id = models.CharField(max_length=64, blank=True)
    author = models.CharField(max_length=200, blank=True)
    created_at = created_field()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "name"], name="case_set_once")]

    def __str__(self) -> str:
        return self.name


class Evaluation(Job):
    """One run of a set of cases (of the workspace's own labels where `case_set` is null), and under which rules, policy,
    engine and embedder. `counts` are its cases by outcome; those in `gone` could not be run, because what they were
    made from is no longer there."""

    case_set = models.ForeignKey(CaseSet, null=True, blank=True, on_delete=models.CASCADE, related_name="evaluations")
    gone = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict, blank=True)
    policy_version = models.PositiveIntegerField()
    rule_set = models.CharField(max_length=40)
    engine = models.CharField(max_length=60, default="rules")
    embedder = models.CharField(max_length=100, blank=True)

    class Meta(Job.Meta):
        pass


class CaseOutcome(models.TextChoices):
    """What became of a case. Harmful: memory or a prompt would hold what it should not. Missed: memory would lack what
    it should hold. Other: neither, such as a person being asked. Empty: it has not been run yet."""

    WAITING = ""
    RIGHT = "right"
    HARMFUL = "harmful"
    MISSED = "missed"
    OTHER = "other"


class EvaluationCase(WorkspaceRow):
    """A case of a run and what became of it. `case` is the same in every run of its set. Of a label, `subject` is its
    decision or block, and only ids and names are kept here; of a file's case, its masked words."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="cases")
    place = models.PositiveIntegerField()
    kind = models.CharField(max_length=13)
    case = models.CharField(max_length=200)
    title = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=8, blank=True)
    expected = models.CharField(max_length=20)
    ruling = models.CharField(max_length=10, blank=True)
    outcome = models.CharField(max_length=7, choices=CaseOutcome.choices, blank=True, default=CaseOutcome.WAITING)
    expect = models.JSONField(default=dict)
    got = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    subject = models.UUIDField(null=True, blank=True)
    # No constraint: whoever erases a user through other rooms need not know of evaluations.
    user = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.CASCADE, related_name="+", db_constraint=False
    )

    class Meta:
        constraints = [
            one_of("outcome", CaseOutcome, "case_outcome"),
            models.UniqueConstraint(fields=["evaluation", "case"], name="case_once"),
        ]
        indexes = [models.Index(fields=["evaluation", "outcome", "place"], name="case_by_outcome")]

    def __str__(self) -> str:
        return self.case


class WorkerHeartbeat(models.Model):
    """A process that does background work and when it last said so."""

    name = models.CharField(primary_key=True, max_length=200, default=uuid.uuid4)
    kind = models.CharField(max_length=10)
    pid = models.PositiveIntegerField()
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"
