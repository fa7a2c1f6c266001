"""What is remembered: memory, its append-only versions, where each came from, and what recall searches."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import Count, Exists, ExpressionWrapper, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Upper
from pgvector.django import VectorField

from .about import keys_follow
from .base import WorkspaceRow, created_field, number_field, numbered, words_field
from .choices import (
    Action,
    ActorKind,
    Cardinality,
    DecisionStatus,
    Exposure,
    Kind,
    MemoryStatus,
    Scope,
    Sensitivity,
    SessionStatus,
    one_of,
)
from .learnt import learnt_kept
from .session import Note, Session, Turn
from .sums import told_anew
from .use import use_kept
from .workspace import Team, User

#: Where a memory without an expiry stands among those that have one.
NEVER = datetime(9999, 1, 1, tzinfo=UTC)
#: Memory whose value was replaced so often in so long keeps drifting: whoever is told it is told that as well.
DRIFT_CHANGES, DRIFT_SPAN = 3, timedelta(days=365)
#: Earlier moments have no such span before them.
BEGINNING = datetime.min.replace(tzinfo=UTC) + DRIFT_SPAN


class Slot(WorkspaceRow):
    """A key that memory may fill. An unknown key makes one with the defaults below."""

    key = models.CharField(max_length=100)
    cardinality = models.CharField(max_length=4, choices=Cardinality.choices, default=Cardinality.ONE)
    values = words_field()
    writers = ArrayField(models.CharField(max_length=10), default=list, blank=True)
    expires_after = models.DurationField(null=True, blank=True)
    exposure = models.CharField(max_length=8, choices=Exposure.choices, default=Exposure.CONTEXT)
    created_at = created_field()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "key"], name="slot_once"),
            one_of("cardinality", Cardinality, "slot_cardinality"),
            one_of("exposure", Exposure, "slot_exposure"),
        ]

    def __str__(self) -> str:
        return self.key


class MemoryState(models.Model):
    """What a version holds and what the current row repeats, so that recall reads one table.

    `updated_at` is the moment since which this content is true (when it was said), not when the row was written.
    `subject` and `condition` are empty where there is none: the user, always. `single` says that the slot held one
    value when this was written; `value_key` is the value in its comparable form.
    """

    text = models.TextField()
    key = models.CharField(max_length=100, blank=True)
    value = models.JSONField(null=True, blank=True)
    value_key = models.TextField(blank=True)
    single = models.BooleanField(default=False)
    condition = models.CharField(max_length=200, blank=True)
    subject = models.CharField(max_length=200, blank=True)
    keywords = words_field()
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.SEMANTIC)
    status = models.CharField(max_length=10, choices=MemoryStatus.choices, default=MemoryStatus.ACTIVE)
    superseded_by = models.UUIDField(null=True, blank=True)
    pinned = models.BooleanField(default=False)
    sensitivity = models.CharField(max_length=10, choices=Sensitivity.choices, blank=True)
    importance = models.FloatField(default=0.5)
    priority = models.PositiveSmallIntegerField(default=5)
    confidence = models.FloatField(null=True, blank=True)
    source = models.CharField(max_length=100, blank=True)
    author = models.CharField(max_length=10, choices=ActorKind.choices, default=ActorKind.SYSTEM)
    updated_at = models.DateTimeField()
    occurred_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    STATE = (
        "text", "key", "value", "value_key", "single", "condition", "subject", "keywords", "kind", "status",
        "superseded_by", "pinned", "sensitivity", "importance", "priority", "confidence", "source", "author",
        "updated_at", "occurred_at", "expires_at",
    )  # fmt: skip

    def state(self) -> dict[str, Any]:
        """The content of this row as Python values, ready for another version."""
        return {name: getattr(self, name) for name in self.STATE}


#: The same as Memory.protected, for the database.
PROTECTED = Q(pinned=True) | Q(scope=Scope.TEAM) | Q(kind=Kind.PROCEDURAL) | Q(author=ActorKind.OPERATOR)


class MemoryQuerySet(models.QuerySet["Memory"]):
    def live(self, now: datetime) -> "MemoryQuerySet":
        """Active and not expired: `expires_at <= now` is expired."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now), status=MemoryStatus.ACTIVE)

    def expired(self, now: datetime) -> "MemoryQuerySet":
        return self.filter(status=MemoryStatus.ACTIVE, expires_at__lte=now)

    def beyond_sessions(self) -> "MemoryQuerySet":
        """Without what was remembered for a session that is consolidated: whatever lasts of that is memory of its own."""
        # Compared as a value: asked whether it exists, the database would read every session there is at the first one.
        state = Subquery(Session.objects.filter(pk=OuterRef("session")).values("status")[:1])
        others = [one for one in SessionStatus.values if one != SessionStatus.CONSOLIDATED]
        return self.alias(session_state=state).filter(~Q(scope=Scope.SESSION) | Q(session_state__in=others))

    def with_contested(self) -> "MemoryQuerySet":
        """Annotates `contested`: an open decision would change this memory, which holds. What is archived, also by an
        undo that leaves its decision open, is not in doubt."""
        from .decision import Decision

        open_changes = Decision.objects.filter(
            memory=OuterRef("pk"), status__in=[DecisionStatus.PENDING, DecisionStatus.UNDONE]
        ).exclude(action="dedupe")
        in_doubt = Q(Exists(open_changes), status=MemoryStatus.ACTIVE)
        return self.annotate(contested=ExpressionWrapper(in_doubt, output_field=models.BooleanField()))

    def with_marks(self, now: datetime) -> "MemoryQuerySet":
        """Annotates `contested`, and `changes`: how often its value was replaced in the span before now."""
        replaced = MemoryVersion.objects.replacing().filter(
            memory=OuterRef("pk"), updated_at__gt=max(now, BEGINNING) - DRIFT_SPAN, updated_at__lte=now
        )
        counted = replaced.order_by().values("memory").annotate(n=Count("decision", distinct=True)).values("n")
        return self.with_contested().annotate(changes=Coalesce(Subquery(counted), 0))


class Memory(MemoryState, WorkspaceRow):
    """The only table that recall reads. Content changes only together with a new version; `owner` is the id of
    the user, session or team that the scope names, so that one index can guard every slot."""

    number = number_field()
    version = models.PositiveIntegerField(default=1)
    scope = models.CharField(max_length=8, choices=Scope.choices)
    owner = models.UUIDField()
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="memories")
    session = models.ForeignKey(Session, null=True, blank=True, on_delete=models.CASCADE, related_name="memories")
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.CASCADE, related_name="memories")
    confirmed_at = models.DateTimeField()
    created_at = models.DateTimeField()
    recorded_at = created_field()
    success_count = models.PositiveIntegerField(default=0)
    failure_count = models.PositiveIntegerField(default=0)
    recall_count = models.PositiveIntegerField(default=0)
    first_recalled_at = models.DateTimeField(null=True, blank=True)
    last_recalled_at = models.DateTimeField(null=True, blank=True)
    # The mark under which the injection guardrail let pass what this says. Under any other it is read again.
    passed = models.BinaryField(max_length=16, null=True, editable=False)

    objects = MemoryQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("kind", Kind, "memory_kind"),
            one_of("scope", Scope, "memory_scope"),
            one_of("status", MemoryStatus, "memory_status"),
            models.CheckConstraint(
                condition=(Q(scope="user") & Q(user__isnull=False) & Q(owner=models.F("user")))
                | (Q(scope="session") & Q(session__isnull=False) & Q(owner=models.F("session")))
                | (Q(scope="team") & Q(team__isnull=False) & Q(owner=models.F("team"))),
                name="memory_owner_fits_scope",
            ),
            models.CheckConstraint(condition=~Q(kind="working") | Q(scope="session"), name="memory_working_is_session"),
            models.UniqueConstraint(
                fields=["workspace", "scope", "owner", "subject", "condition", "key"],
                condition=Q(status="active", single=True),
                name="memory_one_slot",
            ),
            models.UniqueConstraint(
                fields=["workspace", "scope", "owner", "subject", "condition", "key", "value_key"],
                condition=Q(status="active", single=False) & ~Q(key=""),
                name="memory_many_slot",
            ),
            models.UniqueConstraint(fields=["workspace", "number"], name="memory_number_once"),
        ]
        indexes = [
            models.Index(fields=["workspace", "-recorded_at", "-id"], name="memory_newest"),
            # With what is counted of an owner, and what recall's gates ask of each of theirs, so that no row is read for it.
            models.Index(
                fields=["workspace", "owner", "status"],
                include=["scope", "kind", "expires_at", "updated_at", "id", "version", "user"],
                name="memory_of_owner_gates",
            ),
            models.Index(fields=["workspace", "user", "-recorded_at"], name="memory_of_user"),
            # What holds of one owner as their page lists it, however much there is.
            models.Index(
                fields=["workspace", "owner", "-pinned", "-updated_at", "-id"],
                condition=Q(status="active"),
                name="memory_owner_newest",
            ),
            models.Index(fields=["workspace", "key"], name="memory_key"),
            # What the list of memories sorts, narrows and searches by, however many there are.
            models.Index(fields=["workspace", "-updated_at", "-id"], name="memory_updated"),
            models.Index(fields=["workspace", "status", "-updated_at", "-id"], name="memory_by_status"),
            models.Index(fields=["workspace", "kind", "-updated_at", "-id"], name="memory_by_kind"),
            models.Index(
                fields=["workspace", "scope", "-updated_at", "-id"], condition=~Q(scope="user"), name="memory_by_scope"
            ),
            models.Index(fields=["workspace", "-updated_at", "-id"], condition=PROTECTED, name="memory_protected"),
            # With all that the numbers of the tabs are counted by, so that no row is read for them.
            models.Index(
                fields=["workspace", "status", "expires_at"], include=["scope", "session"], name="memory_counted"
            ),
            models.Index("workspace", Coalesce("expires_at", Value(NEVER)), "id", name="memory_by_expiry"),
            models.Index(fields=["workspace", "-updated_at", "-id"], condition=Q(pinned=True), name="memory_pinned"),
            models.Index(fields=["workspace", "expires_at"], condition=~Q(expires_at=None), name="memory_expiry"),
            models.Index(
                fields=["workspace", "first_recalled_at"],
                condition=~Q(first_recalled_at=None),
                name="memory_first_recalled",
            ),
            # What a night may forget, without the rows of what it keeps.
            models.Index(
                fields=["workspace", "confirmed_at"],
                include=["owner", "importance", "pinned", "author", "id"],
                condition=Q(kind="episodic", scope="user", status="active"),
                name="memory_episodes",
            ),
            models.Index(
                fields=["workspace", "recorded_at"],
                condition=Q(status__in=["archived", "superseded"]),
                name="memory_put_away",
            ),
            GinIndex(OpClass(Upper("text"), name="gin_trgm_ops"), name="memory_text"),
        ]
        triggers = [
            numbered("memory"),
            use_kept(),
            keys_follow(),
            # Each recall counts itself here; only the first changes a number of the metrics.
            told_anew("mark_hours", "mark_memory(OLD), mark_memory(NEW)", "first_recalled_at", "recorded_at"),
        ]

    def __str__(self) -> str:
        return self.ref

    @property
    def ref(self) -> str:
        return f"M-{self.number}"

    @property
    def protected(self) -> bool:
        """Pinned, team, procedural, or last written by a person: changes wait for an admin."""
        return self.of_a_person or self.scope == Scope.TEAM or self.kind == Kind.PROCEDURAL

    @property
    def of_a_person(self) -> bool:
        """Pinned, or last written by a person: protected whatever it is, also in a session."""
        return self.pinned or self.author == ActorKind.OPERATOR

    @property
    def drifting(self) -> bool:
        """Its value keeps changing. Known where `with_marks()` has counted."""
        return int(getattr(self, "changes", 0)) >= DRIFT_CHANGES

    def counting_sources(self) -> "QuerySet[MemorySource]":
        """The sources of what it says now: a value that has taken another's place starts with its own."""
        since = self.versions.replacing().aggregate(last=Max("number"))["last"] or 0
        return self.sources.filter(withdrawn_at=None, version__gte=since)

    def status_at(self, now: datetime) -> str:
        """The stored status, or `expired` where `expires_at` has passed."""
        if self.status == MemoryStatus.ACTIVE and self.expires_at is not None and self.expires_at <= now:
            return "expired"
        return self.status


class MemoryVersionQuerySet(models.QuerySet["MemoryVersion"]):
    def replacing(self) -> "MemoryVersionQuerySet":
        """Those in which another value took the place of the last one, and which nobody has taken back."""
        in_force = [DecisionStatus.APPLIED, DecisionStatus.APPROVED]
        return self.filter(decision__action=Action.OVERRIDE, decision__status__in=in_force)


class MemoryVersion(MemoryState, WorkspaceRow):
    """One version, never changed and never deleted but by erasure. `recorded_at` is when the store learnt it."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    decision = models.ForeignKey(
        "memory_app.Decision", null=True, blank=True, on_delete=models.PROTECT, related_name="versions"
    )
    author_id = models.CharField(max_length=64, blank=True)
    author_label = models.CharField(max_length=200, blank=True)
    confirmed_at = models.DateTimeField()
    recorded_at = created_field()

    objects = MemoryVersionQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            # With when the store learnt it, for all that happened to a user's memory to be counted without its rows.
            models.UniqueConstraint(fields=["memory", "number"], include=["recorded_at"], name="version_once")
        ]
        triggers = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
            *learnt_kept(),
        ]

    def __str__(self) -> str:
        return f"v{self.number}"


class SearchEntry(WorkspaceRow):
    """What recall searches of one version: its words, and its vector with the model that made it (null until
    embedded). Changing the model rewrites these rows and no version.

    The memory's `owner` and the version's `number`, neither of which ever changes, are repeated here: so one reading
    of one index gives all entries of an owner, in the order in which they lie on disk.
    Beside `tokens` the database keeps `hashes` of its own making (`word_hashes`), which only recall's statement reads.
    """

    version = models.OneToOneField(MemoryVersion, on_delete=models.CASCADE, related_name="search_entry")
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    owner = models.UUIDField()
    tokens = ArrayField(models.TextField(), default=list)
    model = models.CharField(max_length=100, blank=True)
    vector = VectorField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["memory", "number"], name="search_of_version")]
        indexes = [
            models.Index(fields=["workspace", "owner"], name="search_of_owner"),
            GinIndex(fields=["tokens"], name="search_tokens"),
            # What another model made, or none (""), is found without reading the rest.
            models.Index(fields=["model", "id"], name="search_by_model"),
        ]


class TurnEntry(WorkspaceRow):
    """What recall searches of one turn, where the workspace lets it: like a SearchEntry, and where the turn stands.

    `speaker` is the name that the turn begins with ("Ann: …"), else its role. The turn's words are in the turn alone.
    """

    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="entry")
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    index = models.PositiveIntegerField()
    at = models.DateTimeField()
    speaker = models.CharField(max_length=40)
    tokens = ArrayField(models.TextField(), default=list)
    model = models.CharField(max_length=100, blank=True)
    vector = VectorField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["workspace", "user"], name="turn_entry_of_user"),
            models.Index(fields=["model", "id"], name="turn_entry_by_model"),
        ]


class MemorySource(WorkspaceRow):
    """Where content, or a confirmation of it, comes from. `withdrawn_at` is set when its decision is undone, or
    when the user says that it was wrong."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="sources")
    version = models.PositiveIntegerField()
    decision = models.ForeignKey(
        "memory_app.Decision", null=True, blank=True, on_delete=models.CASCADE, related_name="sources"
    )
    note = models.ForeignKey(Note, null=True, blank=True, on_delete=models.SET_NULL, related_name="sources")
    turn = models.ForeignKey(Turn, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    said_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    created_at = created_field()

    class Meta:
        indexes = [models.Index(fields=["memory", "said_at"], name="source_of_memory")]
