"""Who works here and for whom: workspaces, operators, keys, end users, teams and agents."""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory_app.guardrails import RuleSet

from .base import WorkspaceRow, counted, created_field
from .choices import ActorKind, Role, TurnRecall, one_of


class Workspace(models.Model):
    """A tenant. Nothing is visible from one workspace to another."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    solo = models.BooleanField(default=False, help_text=_("One person may approve what they proposed themselves."))
    # What recall has to know of the policy, which lives where recall must not look.
    turn_recall = models.CharField(max_length=7, choices=TurnRecall.choices, default=TurnRecall.OFF, editable=False)
    # And what the guardrails have to know of it: its own rules, as RuleSet writes them.
    guard_rules = models.TextField(default="", blank=True, editable=False)
    created_at = created_field()

    class Meta:
        constraints = [one_of("turn_recall", TurnRecall, "workspace_turn_recall")]
        triggers = counted()

    def __str__(self) -> str:
        return self.name

    @property
    def rules(self) -> RuleSet:
        """What the guardrails go by in this workspace."""
        return RuleSet.read(self.guard_rules)


class Operator(AbstractUser):
    """A person who works in the browser; what they may do is said by their membership in each workspace."""

    class Theme(models.TextChoices):
        SYSTEM = "", _("As the system")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    language = models.CharField(max_length=10, blank=True, choices=[("en", "English"), ("zh-hans", "简体中文")])
    theme = models.CharField(max_length=5, blank=True, choices=Theme.choices)
    timezone = models.CharField(max_length=60, default="UTC")
    shortcuts = models.BooleanField(default=True)
    # Who set the password, where that was somebody else: they may know it, until its owner replaces it.
    password_by_kind = models.CharField(
        max_length=10, blank=True, choices=ActorKind.choices, default="", db_default="", editable=False
    )
    password_by_id = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)

    def __str__(self) -> str:
        return self.get_full_name() or self.username

    @property
    def has_first_password(self) -> bool:
        """Whether somebody else set the password, and so may know it."""
        return bool(self.password_by_kind)


class Membership(models.Model):
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="memberships")
    operator = models.ForeignKey(Operator, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=[c for c in Role.choices if c[0] != Role.AGENT])
    created_at = created_field()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "operator"], name="membership_once"),
            models.CheckConstraint(condition=models.Q(role__in=["viewer", "curator", "admin"]), name="membership_role"),
        ]

    def __str__(self) -> str:
        return f"{self.operator} ({self.role})"


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def usable(self) -> "ApiKeyQuerySet":
        return self.filter(revoked_at=None)


class ApiKey(WorkspaceRow):
    """A credential of one workspace. Only its prefix and SHA-256 digest are kept; `teams` empty means all teams."""

    name = models.CharField(max_length=120)
    prefix = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=10, choices=Role.choices)
    teams = models.ManyToManyField("memory_app.Team", blank=True, related_name="+")
    created_by = models.ForeignKey(Operator, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = created_field()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        constraints = [one_of("role", Role, "api_key_role")]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class Named(WorkspaceRow):
    """Something the caller names with a string of their own."""

    external_id = models.CharField(max_length=200)
    created_at = created_field()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.external_id


class User(Named):
    """An agent's end user. `profile` holds trusted fields from the caller's own systems:
    {key: {value, source, verified_at}}, replaced whole."""

    profile = models.JSONField(default=dict, blank=True)
    last_seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "external_id"], name="user_once")]
        indexes = [models.Index(fields=["workspace", "-last_seen_at", "id"], name="user_seen")]


class Team(Named):
    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "external_id"], name="team_once")]


class Agent(Named):
    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "external_id"], name="agent_once")]
