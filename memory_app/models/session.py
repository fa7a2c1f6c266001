"""What was said and what an agent wants remembered of it: sessions, turns, notes."""

from datetime import datetime

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models.functions import Upper
from django.utils import timezone

from .base import WorkspaceRow, created_field, number_field, numbered, words_field
from .choices import (
    Kind,
    NoteOrigin,
    NoteStatus,
    Outcome,
    Scope,
    Sensitivity,
    SessionStatus,
    Speaker,
    one_of,
)
from .sums import marking, told_anew, turns_gone
from .workspace import Agent, Team, User


class SessionQuerySet(models.QuerySet["Session"]):
    def idle_since(self, moment: datetime) -> "SessionQuerySet":
        """Open sessions in which nothing was said after `moment`."""
        return self.filter(status=SessionStatus.OPEN, ended_at=None, last_active_at__lte=moment)


class Session(WorkspaceRow):
    """One conversation of one user. `ended_at` is set once, by the caller; an idle session is consolidated
    without it and opens again with its next turn."""

    number = number_field()
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sessions")
    agent = models.ForeignKey(Agent, null=True, blank=True, on_delete=models.SET_NULL, related_name="sessions")
    teams = models.ManyToManyField(Team, blank=True, related_name="sessions")
    external_id = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001  (null: not unique)
    status = models.CharField(max_length=14, choices=SessionStatus.choices, default=SessionStatus.OPEN)
    started_at = models.DateTimeField(default=timezone.now)
    last_active_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    consolidated_at = models.DateTimeField(null=True, blank=True)
    distilled_to = models.PositiveIntegerField(default=0, help_text="Index of the last turn that was distilled.")
    metadata = models.JSONField(default=dict, blank=True)
    working = models.JSONField(null=True, blank=True)
    task = models.TextField(blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, blank=True)
    summary = models.TextField(blank=True)
    # Of what the user said first; empty while nothing with letters was said.
    language = models.CharField(max_length=2, blank=True, default="", db_default="", editable=False)
    created_at = created_field()

    objects = SessionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "user", "external_id"], name="session_once"),
            models.UniqueConstraint(fields=["workspace", "number"], name="session_number_once"),
            one_of("status", SessionStatus, "session_status"),
            one_of("outcome", Outcome, "session_outcome"),
        ]
        indexes = [
            models.Index(fields=["workspace", "-started_at", "-id"], name="session_newest"),
            models.Index(fields=["workspace", "status", "-started_at", "-id"], name="session_by_status"),
            # What numbers of other rows are told apart by, without the session's own row.
            models.Index(fields=["id"], include=["agent", "language"], name="session_told"),
            GinIndex(
                OpClass(Upper("external_id"), name="gin_trgm_ops"),
                OpClass(Upper("task"), name="gin_trgm_ops"),
                OpClass(Upper("summary"), name="gin_trgm_ops"),
                name="session_text",
            ),
            # What holds a working state: few do, and those that are over lose it.
            models.Index(
                fields=["workspace"], condition=models.Q(working__isnull=False), name="session_with_working_state"
            ),
            models.Index(fields=["user", "started_at"], name="session_of_user"),
            models.Index(fields=["agent", "-last_active_at"], name="session_of_agent"),
            models.Index(fields=["last_active_at"], condition=models.Q(status="open"), name="session_open_activity"),
            models.Index(
                fields=["workspace"], condition=models.Q(status="consolidating"), name="session_consolidating"
            ),
        ]
        triggers = [
            numbered("session"),
            marking("session", "started_at"),
            told_anew("mark_rows", "mark_session_rows(NEW)", "language", "agent_id"),
        ]

    @property
    def ref(self) -> str:
        return f"S-{self.number}"

    def __str__(self) -> str:
        return self.ref


class Turn(WorkspaceRow):
    """One message, word for word, but masked before it was stored. Offsets elsewhere point into `content`.
    `recalled` marks text that came out of recall and is never a source again."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="turns")
    index = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=Speaker.choices)
    content = models.TextField(blank=True)
    tool_calls = models.JSONField(null=True, blank=True)
    at = models.DateTimeField()
    recalled = models.BooleanField(default=False)
    created_at = created_field()

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["session", "index"], name="turn_index_once"),
            one_of("role", Speaker, "turn_role"),
        ]
        indexes = [models.Index(fields=["workspace", "created_at"], name="turn_by_age")]
        triggers = [marking("turn", "session_id"), turns_gone()]

    def __str__(self) -> str:
        return f"{self.role} {self.index}"


class NoteQuerySet(models.QuerySet["Note"]):
    def waiting(self) -> "NoteQuerySet":
        """Candidates that no consolidation has decided yet."""
        return self.filter(status=NoteStatus.STAGED)


class Note(WorkspaceRow):
    """A candidate for memory with its evidence. It is never recalled itself."""

    number = number_field()
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="notes")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notes")
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    status = models.CharField(max_length=8, choices=NoteStatus.choices, default=NoteStatus.STAGED)
    origin = models.CharField(max_length=10, choices=NoteOrigin.choices, default=NoteOrigin.AGENT)
    text = models.TextField()
    key = models.CharField(max_length=100, blank=True)
    value = models.JSONField(null=True, blank=True)
    condition = models.CharField(max_length=200, blank=True)
    subject = models.CharField(max_length=200, blank=True)
    keywords = words_field()
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.SEMANTIC)
    scope = models.CharField(max_length=8, choices=Scope.choices, default=Scope.USER)
    sensitivity = models.CharField(max_length=10, choices=Sensitivity.choices, blank=True)
    said_at = models.DateTimeField()
    occurred_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    importance = models.FloatField(null=True, blank=True)
    confidence = models.FloatField(null=True, blank=True)
    retract = models.BooleanField(default=False)
    turn = models.ForeignKey(Turn, null=True, blank=True, on_delete=models.SET_NULL, related_name="notes")
    evidence_role = models.CharField(max_length=10, choices=Speaker.choices, blank=True)
    evidence_quote = models.TextField(blank=True)
    evidence_start = models.PositiveIntegerField(null=True, blank=True)
    evidence_end = models.PositiveIntegerField(null=True, blank=True)
    anchored = models.BooleanField(null=True, help_text="Whether the quote was found in its turn; null: no quote.")
    recalled = models.BooleanField(default=False)
    created_at = created_field()

    objects = NoteQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("status", NoteStatus, "note_status"),
            one_of("origin", NoteOrigin, "note_origin"),
            one_of("kind", Kind, "note_kind"),
            one_of("scope", Scope, "note_scope"),
            models.CheckConstraint(
                condition=~models.Q(kind="working") | models.Q(scope="session"),
                name="note_working_is_session",
            ),
        ]
        indexes = [
            models.Index(fields=["session", "said_at", "number"], name="note_of_session"),
            # Of those that wait for a decision, the search finds the ones that hold a text, however many there are.
            GinIndex(
                OpClass(Upper("text"), name="gin_trgm_ops"),
                OpClass(Upper("key"), name="gin_trgm_ops"),
                name="note_text",
            ),
        ]
        triggers = [numbered("note"), told_anew("mark_answers", "mark_note(OLD)", "turn_id")]

    @property
    def ref(self) -> str:
        return f"C-{self.number}"

    def __str__(self) -> str:
        return self.ref
