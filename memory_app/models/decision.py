"""Why memory changed, or waits to: decisions with their comments, and what the guardrails blocked."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Case, F, Q, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from memory_app.guardrails import JUDGED_CATEGORIES

from .about import keys_kept
from .base import WorkspaceRow, created_field, number_field, numbered
from .choices import (
    Action,
    ActorKind,
    BlockStatus,
    Category,
    DecisionStatus,
    Kind,
    Needs,
    Origin,
    Scope,
    Stage,
    one_of,
)
from .memory import Memory
from .session import Note, Session, Turn
from .sums import marking
from .workspace import Team, User

OPEN = (DecisionStatus.PENDING, DecisionStatus.UNDONE)
#: In force: memory is as these decisions say.
CARRIED_OUT = (DecisionStatus.APPLIED, DecisionStatus.APPROVED)
#: Since when a decision waits (`open_since` of one): since it was first held. One that was held from the start does not
#: grow young by an undo; one that was applied by itself is held since it was undone.
WAITING_SINCE = Coalesce(
    Case(When(status=DecisionStatus.UNDONE, needs=Needs.NONE, then=F("decided_at"))), F("created_at")
)


def in_queue_now() -> Q:
    """Of what waits: nobody has put it off until later than now."""
    return Q(snoozed_until=None) | Q(snoozed_until__lte=timezone.now())


class DecisionQuerySet(models.QuerySet["Decision"]):
    def waiting(self) -> "DecisionQuerySet":
        """Open: pending, or undone and so open again."""
        return self.filter(status__in=OPEN)

    def in_queue(self) -> "DecisionQuerySet":
        """Those that wait and that nobody has put off until later than now."""
        return self.waiting().filter(in_queue_now())

    def snoozed(self) -> "DecisionQuerySet":
        """Those that wait and are put off until later than now; they come back by themselves."""
        return self.waiting().filter(snoozed_until__gt=timezone.now())

    def waiting_since(self) -> "DecisionQuerySet":
        """Annotates `waits_since`; of what does not wait, it is when it was made."""
        return self.annotate(waits_since=WAITING_SINCE)

    def older_than(self, moment: datetime) -> "DecisionQuerySet":
        """Those that wait since before the moment; of what does not wait, those made before it."""
        return self.annotate(waits_since=WAITING_SINCE).filter(waits_since__lt=moment)

    def of_key(self, key: str) -> "DecisionQuerySet":
        """Those about a slot: of what their notes say of it, or on what memory holds in it."""
        return self.filter(Q(note__key=key) | Q(memory__key=key))

    def waiting_for(self, key: str) -> "DecisionQuerySet":
        """Those of `of_key` that wait, by an index."""
        return self.waiting().filter(keys__contains=[key])

    def weighty(self) -> "DecisionQuerySet":
        return self.filter(needs=Needs.ADMIN)


class Decision(WorkspaceRow):
    """The one cause of every version, whoever asked. `before` and `after` are memory content as JSON (null where
    there is none); `base_version` is the version of `memory` that the decision was made against."""

    number = number_field()
    origin = models.CharField(max_length=14, choices=Origin.choices)
    action = models.CharField(max_length=12, choices=Action.choices)
    proposed_action = models.CharField(max_length=12, choices=Action.choices, blank=True)
    status = models.CharField(max_length=8, choices=DecisionStatus.choices)
    needs = models.CharField(max_length=7, choices=Needs.choices, default=Needs.NONE)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    scope = models.CharField(max_length=8, choices=Scope.choices)
    sensitivity = models.CharField(max_length=10, blank=True)
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="decisions")
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    session = models.ForeignKey(Session, null=True, blank=True, on_delete=models.CASCADE, related_name="decisions")
    note = models.ForeignKey(Note, null=True, blank=True, on_delete=models.CASCADE, related_name="decisions")
    memory = models.ForeignKey(Memory, null=True, blank=True, on_delete=models.CASCADE, related_name="decisions")
    base_version = models.PositiveIntegerField(null=True, blank=True)
    result_version = models.PositiveIntegerField(null=True, blank=True)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    rule = models.CharField(max_length=80)
    params = models.JSONField(default=dict, blank=True)
    checks = models.JSONField(default=list, blank=True)
    neighbours = models.JSONField(default=list, blank=True)
    confidence = models.FloatField(default=1.0)
    engine = models.CharField(max_length=60, default="rules")
    policy_version = models.PositiveIntegerField(null=True, blank=True)
    rule_set = models.CharField(max_length=40, blank=True)
    batch = models.UUIDField(null=True, blank=True)  # of the call for many that last ruled on it
    proposed_by_kind = models.CharField(max_length=10, choices=ActorKind.choices)
    proposed_by_id = models.CharField(max_length=64, blank=True)
    proposed_by = models.CharField(max_length=200, blank=True)
    decided_by_kind = models.CharField(max_length=10, choices=ActorKind.choices, blank=True)
    decided_by_id = models.CharField(max_length=64, blank=True)
    decided_by = models.CharField(max_length=200, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    reason_code = models.CharField(max_length=40, blank=True)
    snoozed_until = models.DateTimeField(null=True, blank=True)
    keys = ArrayField(models.CharField(max_length=100), default=list, editable=False)  # of its slots, while it waits
    replaces = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaced_by")
    created_at = created_field()

    objects = DecisionQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("origin", Origin, "decision_origin"),
            one_of("action", Action, "decision_action"),
            one_of("status", DecisionStatus, "decision_status"),
            one_of("needs", Needs, "decision_needs"),
            models.UniqueConstraint(
                fields=["note"],
                condition=Q(origin="consolidation") & ~Q(status="stale"),
                name="decision_once_a_note",
            ),
            models.UniqueConstraint(fields=["workspace", "number"], name="decision_number_once"),
        ]
        indexes = [
            # What the overview and the metrics count by is in the index: ninety days are read without their rows.
            models.Index(
                fields=["workspace", "-created_at", "-id"],
                include=["action", "proposed_action", "status", "origin", "session"],
                name="decision_newest",
            ),
            models.Index(
                fields=["workspace", "created_at", "id"],
                include=["status", "proposed_by_kind", "proposed_by_id"],
                condition=Q(needs="admin"),
                name="decision_weighty",
            ),
            # What the list narrows by, however many there are.
            models.Index(fields=["workspace", "status", "-created_at", "-id"], name="decision_by_status"),
            models.Index(fields=["workspace", "action", "-created_at", "-id"], name="decision_by_action"),
            models.Index(fields=["workspace", "rule", "-created_at", "-id"], name="decision_by_rule"),
            models.Index(fields=["batch", "-created_at"], condition=~Q(batch=None), name="decision_of_batch"),
            # What somebody has ruled on today.
            models.Index(
                fields=["workspace", "decided_by_kind", "decided_by_id", "-decided_at"],
                condition=Q(status__in=["approved", "declined"]),
                name="decision_ruled_by",
            ),
            # With what the time to review and the age of the queue are counted by.
            models.Index(
                fields=["workspace", "-decided_at"],
                include=["status", "created_at", "session"],
                condition=~Q(decided_at=None),
                name="decision_settled_last",
            ),
            # What people ruled on, among the many that were applied and left alone.
            models.Index(
                fields=["workspace", "-decided_at", "-id"],
                condition=Q(status__in=["approved", "declined", "undone"], origin="consolidation"),
                name="decision_ruled_on",
            ),
            # With all that the numbers beside links and filters are counted by, so that no row is read for them.
            models.Index(
                fields=["workspace", "created_at", "id"],
                include=["status", "needs", "action", "snoozed_until", "decided_at", "session", "memory"],
                condition=Q(status__in=["pending", "undone"]),
                name="decision_waiting",
            ),
            models.Index(
                fields=["workspace", "confidence", "id"],
                condition=Q(status__in=["pending", "undone"]),
                name="decision_least_certain",
            ),
            models.Index(
                fields=["user", "created_at", "number"],
                condition=Q(status__in=["pending", "undone"]),
                name="decision_waiting_of_user",
            ),
            models.Index(
                fields=["workspace", "action", "-created_at", "-id"],
                condition=Q(status__in=["pending", "undone"]),
                name="decision_waiting_of_action",
            ),
            GinIndex(fields=["keys"], condition=Q(status__in=["pending", "undone"]), name="decision_waiting_keys"),
            # What holds and is in doubt.
            models.Index(
                fields=["workspace", "memory"],
                condition=Q(status__in=["pending", "undone"]) & ~Q(memory=None) & ~Q(action="dedupe"),
                name="decision_contesting",
            ),
            # Of every workspace, for what looks at the last days of all of them each minute.
            models.Index(fields=["created_at"], name="decision_made"),
            models.Index(fields=["memory", "created_at"], name="decision_of_memory"),
            models.Index(fields=["session", "created_at"], name="decision_of_session"),
        ]
        triggers = [
            numbered("decision"),
            keys_kept(),
            marking(
                "decision", "created_at", "decided_at", "status", "action", "proposed_action", "origin", "rule", "session_id",
                "memory_id", "result_version", "user_id",
            ),
        ]  # fmt: skip

    @property
    def ref(self) -> str:
        return f"D-{self.number}"

    @property
    def is_open(self) -> bool:
        return self.status in OPEN

    @property
    def was_carried_out(self) -> bool:
        """Whether it has changed what it is about, be it undone since."""
        return self.status in (DecisionStatus.APPLIED, DecisionStatus.APPROVED, DecisionStatus.UNDONE)

    @property
    def is_withdrawn(self) -> bool:
        """Whether whoever proposed it took it back."""
        proposed = (self.proposed_by_kind, self.proposed_by_id)
        return self.status == DecisionStatus.DECLINED and proposed == (self.decided_by_kind, self.decided_by_id)

    @property
    def open_since(self) -> datetime:
        """Since when it waits, as WAITING_SINCE has it; of what does not wait, when it was made."""
        applied = self.status == DecisionStatus.UNDONE and self.needs == Needs.NONE
        return (self.decided_at if applied else None) or self.created_at

    @property
    def is_snoozed(self) -> bool:
        return self.is_open and self.snoozed_until is not None and self.snoozed_until > timezone.now()

    @property
    def slot_key(self) -> str:
        """The key of the slot that it is about; empty where it is about none."""
        after = (self.after or {}).get("key")
        return str(after or (self.note.key if self.note else "") or (self.memory.key if self.memory else ""))

    @property
    def corrects(self) -> bool:
        """The user says that what memory holds was never right."""
        return self.rule == "override.correction" or bool(self.params.get("correction"))

    @property
    def proposed(self) -> dict[str, Any]:
        """What was proposed to be remembered, also where a person has made something else of it."""
        kept = self.params.get("proposal")
        found: dict[str, Any] = (kept["after"] if kept is not None else self.after) or {}
        if not found.get("text") and self.note is not None:
            return {"text": self.note.text, "value": self.note.value}
        return found

    def edited(self, content: Mapping[str, Any]) -> list[str]:
        """Which words of this content are not those that were proposed: `text`, `value`, or none."""
        return [name for name in ("text", "value") if name in content and content[name] != self.proposed.get(name)]

    def __str__(self) -> str:
        return self.ref


class Comment(WorkspaceRow):
    decision = models.ForeignKey(Decision, on_delete=models.CASCADE, related_name="comments")
    author_kind = models.CharField(max_length=10, choices=ActorKind.choices)
    author_id = models.CharField(max_length=64, blank=True)
    author = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    created_at = created_field()

    class Meta:
        ordering = ["created_at", "id"]


class BlockQuerySet(models.QuerySet["Block"]):
    def released_for(self, workspace_id: Any, user_id: Any, team_id: Any = None) -> "BlockQuerySet":
        """What people let pass as false positives for this user; with a team, for that team's memory, whose author
        `user_id` is. What one user's text was released for says nothing of another's."""
        whose = Q(user=user_id)
        if team_id is not None:
            written = Q(note=None, memory=None, user=user_id)
            whose = Q(note__team=team_id) | Q(memory__team=team_id) | written
        return self.filter(whose, workspace=workspace_id, status=BlockStatus.RELEASED, category__in=JUDGED_CATEGORIES)


class Block(WorkspaceRow):
    """Something a guardrail refused or masked. Only masked text is here; `field` names where it was found."""

    number = number_field()
    session = models.ForeignKey(Session, null=True, blank=True, on_delete=models.CASCADE, related_name="blocks")
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="blocks")
    note = models.ForeignKey(Note, null=True, blank=True, on_delete=models.CASCADE, related_name="blocks")
    turn = models.ForeignKey(Turn, null=True, blank=True, on_delete=models.CASCADE, related_name="blocks")
    memory = models.ForeignKey(Memory, null=True, blank=True, on_delete=models.CASCADE, related_name="blocks")
    stage = models.CharField(max_length=14, choices=Stage.choices)
    category = models.CharField(max_length=12, choices=Category.choices)
    rule = models.CharField(max_length=80)
    rule_set = models.CharField(max_length=40)
    field = models.CharField(max_length=60, default="text")
    excerpt = models.TextField(blank=True)
    masked = models.TextField(blank=True)
    status = models.CharField(max_length=8, choices=BlockStatus.choices, default=BlockStatus.BLOCKED)
    reason = models.TextField(blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    created_at = created_field()

    objects = BlockQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("stage", Stage, "block_stage"),
            one_of("category", Category, "block_category"),
            one_of("status", BlockStatus, "block_status"),
            models.UniqueConstraint(fields=["workspace", "number"], name="block_number_once"),
        ]
        indexes = [
            models.Index(fields=["workspace", "-created_at", "-id"], name="block_newest"),
            models.Index(fields=["workspace"], condition=Q(status="blocked"), name="block_not_looked_at"),
            models.Index(
                fields=["workspace", "-decided_at", "-id"],
                condition=Q(status__in=["released", "kept"]),
                name="block_ruled_on",
            ),
            models.Index(fields=["created_at"], condition=Q(category="instruction"), name="block_instruction_made"),
        ]
        triggers = [numbered("block"), marking("block", "created_at", "status", "category", "stage", "session_id")]

    @property
    def ref(self) -> str:
        return f"G-{self.number}"

    def __str__(self) -> str:
        return self.ref
