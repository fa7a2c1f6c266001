"""What is measured: one definition each, for the page, for Prometheus and for the documents.

A metric is what is counted over what it is counted of. Both name their rows, so a number and the list behind it are
the same question. Every part adds up over days, agents and languages.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, DurationField, ExpressionWrapper, F, Model, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_app.models import Action, Block, Category, Decision, DecisionStatus, Injection, Origin, Session, Turn
from memory_app.models.decision import CARRIED_OUT, OPEN, WAITING_SINCE

from .stale import stale_answers

#: The six of consolidation; what people do to memory besides is not measured here.
DECIDED = (Action.PROMOTE, Action.DEDUPE, Action.OVERRIDE, Action.SESSION_ONLY, Action.REJECT, Action.REVIEW)
WRITES = (Action.PROMOTE, Action.DEDUPE, Action.OVERRIDE, Action.MERGE)
SENSITIVE = (Category.SECRET, Category.PAYMENT, Category.PII)
PERCENT, HUNDRED, MEAN, TIME, COUNT = "percent", "hundred", "mean", "time", "count"


@dataclass(frozen=True)
class Source:
    """A table whose rows count on the day of `at`, for the agent and the language of their session. `standing` rows
    are a state: what waited at the end of a day, and not what happened on it."""

    name: str
    model: type[Model]
    at: str
    dated: str  # the same in words, for the documents
    standing: bool = False
    session: str = "session__"  # the way to it


DECISIONS = Source("decisions", Decision, "created_at", "it was made")
RULINGS = Source("rulings", Decision, "decided_at", "a person settled it")
FIRST_USES = Source("first uses", Decision, "memory__first_recalled_at", "an agent was first shown it")
QUEUE = Source("queue", Decision, "created_at", "it still waits at the end of", standing=True)
TURNS = Source("turns", Turn, "session__started_at", "its session began")
BLOCKS = Source("blocks", Block, "created_at", "it was made")
ANSWERS = Source("answers", Injection, "at", "the agent asked")
SESSIONS = Source("sessions", Session, "started_at", "it began", session="")

Condition = Q | Callable[[Any], Q]


@dataclass(frozen=True)
class Part:
    """Rows of a source, and what of each is added up; without `value` the rows themselves are counted. Both may be told the scope."""

    source: Source
    where: Condition
    value: Callable[[Any], Any] | None = None

    def condition(self, scope: Any) -> Q:
        return self.where if isinstance(self.where, Q) else self.where(scope)


@dataclass(frozen=True)
class Metric:
    """`formula` says in words what `over` and `of` say in conditions. `split` is a column by which it is told apart."""

    name: str
    title: str | Promise
    formula: str | Promise
    unit: str
    over: Part
    of: Part | None = None
    split: Any = None

    @property
    def listed(self) -> Part:
        """The rows behind the number: what was counted, or what a mean was taken of."""
        return self.of if self.over.value is not None and self.of is not None else self.over

    def parts(self) -> Mapping[str, Part]:
        found = {f"{self.name}_over": self.over}
        return found | ({f"{self.name}_of": self.of} if self.of is not None else {})


def _between(first: Any, last: Any) -> Any:
    return ExpressionWrapper(last - first, output_field=DurationField())


def _turns_until(scope: Any) -> Any:
    """Turns of the user's sessions from when the memory was stored until it was first shown."""
    turns = Turn.objects.filter(
        session__user=OuterRef("user"),
        session__last_active_at__gte=OuterRef("memory__recorded_at"),
        session__created_at__lte=OuterRef("memory__first_recalled_at"),
        created_at__gt=OuterRef("memory__recorded_at"),
        created_at__lte=OuterRef("memory__first_recalled_at"),
    )
    counted = turns.order_by().values("session__user").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted), 0)


_decided = Part(DECISIONS, Q(action__in=DECIDED))
# A review that proposes nothing says nothing that a person could reverse.
_proposing = ~Q(action=Action.REVIEW, proposed_action="") & ~Q(proposed_action=Action.REVIEW)
JUDGED = (
    _proposing
    & Q(origin=Origin.CONSOLIDATION)
    & Q(status__in=(DecisionStatus.APPLIED, DecisionStatus.APPROVED, DecisionStatus.DECLINED, DecisionStatus.UNDONE))
)
_changed = Q(status=DecisionStatus.APPROVED) & ~Q(proposed_action="") & ~Q(proposed_action=F("action"))
REVERSED = Q(status__in=(DecisionStatus.UNDONE, DecisionStatus.DECLINED)) | _changed
_sensitive = Q(category__in=SENSITIVE)
_reviewed = Q(status__in=(DecisionStatus.APPROVED, DecisionStatus.DECLINED))
# A memory is made by one decision to promote, which stays the one when it is undone and approved again. Whatever only
# confirms or changes a memory names the version that it left.
_first_used = Q(action=Action.PROMOTE, result_version__isnull=False, user__isnull=False)
_open = Q(status__in=OPEN)

METRICS: tuple[Metric, ...] = (
    Metric(
        "writes", _("Writes per 100 turns"),
        _("Decisions that promote, dedupe, override or merge and are in force, per 100 turns of the sessions that began."),
        HUNDRED, Part(DECISIONS, Q(action__in=WRITES, status__in=CARRIED_OUT)), Part(TURNS, Q()),
    ),
    Metric(
        "duplicates", _("Duplicate rate"),
        _("Decisions to dedupe, of all decisions to promote, dedupe, override, keep for the session, reject or review."),
        PERCENT, Part(DECISIONS, Q(action=Action.DEDUPE)), _decided,
    ),
    Metric(
        "overrides", _("Override rate"),
        _("Decisions to override, of all decisions to promote, dedupe, override, keep for the session, reject or review."),
        PERCENT, Part(DECISIONS, Q(action=Action.OVERRIDE)), _decided,
    ),
    Metric(
        "reversals", _("Reversal rate"),
        _("Decisions of consolidation that a person declined, undid or approved as another action, of those that proposed something and were applied or judged; by the action that was proposed."),
        PERCENT, Part(DECISIONS, JUDGED & REVERSED), Part(DECISIONS, JUDGED),
        Coalesce(NullIf(F("proposed_action"), Value("")), F("action")),
    ),
    Metric(
        "junk", _("Junk rate"),
        _("Decisions to reject, of all decisions to promote, dedupe, override, keep for the session, reject or review; by the rule that rejected."),
        PERCENT, Part(DECISIONS, Q(action=Action.REJECT)), _decided, F("rule"),
    ),
    Metric(
        "blocked", _("Blocked sensitive writes"),
        _("Blocks of secrets, payment data and personal data, without those that a person released; by category."),
        COUNT, Part(BLOCKS, _sensitive & ~Q(status="released")), None, F("category"),
    ),
    Metric(
        "missed", _("Found late"),
        _("Blocks of secrets, payment data and personal data that capture let pass and a later stage found, of all such blocks that no person released; by category."),
        PERCENT, Part(BLOCKS, _sensitive & ~Q(status="released") & ~Q(stage="capture")),
        Part(BLOCKS, _sensitive & ~Q(status="released")), F("category"),
    ),
    Metric(
        "false_alarms", _("False alarms"),
        _("Blocks that a person released, of those that a person released or kept; by category."),
        PERCENT, Part(BLOCKS, Q(status="released")), Part(BLOCKS, Q(status__in=("released", "kept"))), F("category"),
    ),
    Metric(
        "first_use", _("Turns until first injected"),
        _("Turns of the user from when a memory was stored until an agent was first shown it, as the mean of the memories that were first shown."),
        MEAN, Part(FIRST_USES, _first_used, _turns_until), Part(FIRST_USES, _first_used),
    ),
    Metric(
        "stale", _("Stale injections"),
        _("Answers that showed a memory although the words that override or retract it had been received, of all answers that showed any memory."),
        PERCENT, Part(ANSWERS, stale_answers), Part(ANSWERS, Q(as_of=None) & ~Q(memory_ids=[])),
    ),
    Metric(
        "tokens", _("Tokens per request"),
        _("Tokens of the contexts that were handed out, as the mean of the requests for a context."),
        MEAN, Part(ANSWERS, Q(tokens__isnull=False), lambda scope: F("tokens")), Part(ANSWERS, Q(tokens__isnull=False)),
    ),
    Metric(
        "review_time", _("Time to review"),
        _("Time from the decision until a person approved or declined it, as the mean of those that were, on the day they were."),
        TIME, Part(RULINGS, _reviewed, lambda scope: _between(F("created_at"), F("decided_at"))), Part(RULINGS, _reviewed),
    ),
    Metric(
        "queue_age", _("Queue age"),
        _("Age of the decisions that wait, as their mean: now, and at the end of each day."),
        TIME, Part(QUEUE, _open, lambda scope: _between(WAITING_SINCE, scope.until)), Part(QUEUE, _open),
    ),
)  # fmt: skip
BY_NAME: Mapping[str, Metric] = {metric.name: metric for metric in METRICS}
