"""The closed vocabularies of the tables. Values are the API's words; labels are what an operator reads."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Kind(models.TextChoices):
    WORKING = "working", _("Working")
    EPISODIC = "episodic", _("Episodic")
    SEMANTIC = "semantic", _("Semantic")
    PROCEDURAL = "procedural", _("Procedural")


class Scope(models.TextChoices):
    SESSION = "session", pgettext_lazy("scope", "Session")
    USER = "user", pgettext_lazy("scope", "User")
    TEAM = "team", pgettext_lazy("scope", "Team")


class MemoryStatus(models.TextChoices):
    """Stored statuses; `expired` is derived from `expires_at` and never stored."""

    ACTIVE = "active", _("Active")
    ARCHIVED = "archived", _("Archived")
    SUPERSEDED = "superseded", _("Superseded")


class Sensitivity(models.TextChoices):
    NONE = "", _("Not sensitive")
    HEALTH = "health", _("Health")
    RELIGION = "religion", _("Religion")
    SEXUALITY = "sexuality", _("Sexuality")
    MINOR = "minor", _("Minor")


class SessionStatus(models.TextChoices):
    OPEN = "open", _("Open")
    ENDED = "ended", _("Ended")
    CONSOLIDATING = "consolidating", _("Consolidating")
    CONSOLIDATED = "consolidated", _("Consolidated")
    FAILED = "failed", _("Failed")


class Outcome(models.TextChoices):
    NONE = "", _("Not given")
    SUCCESS = "success", _("Success")
    FAILURE = "failure", _("Failure")
    UNKNOWN = "unknown", _("Unknown")


class Speaker(models.TextChoices):
    USER = "user", pgettext_lazy("speaker", "User")
    ASSISTANT = "assistant", _("Assistant")
    TOOL = "tool", _("Tool")
    SYSTEM = "system", _("System")


class NoteStatus(models.TextChoices):
    STAGED = "staged", _("Staged")
    BLOCKED = "blocked", _("Blocked")
    DECIDED = "decided", _("Decided")


class NoteOrigin(models.TextChoices):
    AGENT = "agent", _("Agent")
    DISTILLED = "distilled", _("Distilled")
    OUTCOME = "outcome", _("Session outcome")


class Cardinality(models.TextChoices):
    ONE = "one", _("One value")
    MANY = "many", _("Several values")


class Exposure(models.TextChoices):
    CONTEXT = "context", _("In the context")
    TOOLS = "tools", _("Tools only")
    NONE = "none", _("Nobody")


class Origin(models.TextChoices):
    CONSOLIDATION = "consolidation", _("Consolidation")
    OPERATOR = "operator", _("Operator")
    AGENT = "agent", _("Agent")
    POLICY = "policy", _("Policy")


class Action(models.TextChoices):
    PROMOTE = "promote", _("Promote")
    DEDUPE = "dedupe", _("Dedupe")
    OVERRIDE = "override", pgettext_lazy("decision", "Override")
    SESSION_ONLY = "session_only", _("Session only")
    REJECT = "reject", _("Reject")
    REVIEW = "review", _("Needs review")
    EDIT = "edit", _("Edit")
    PIN = "pin", _("Pin")
    UNPIN = "unpin", _("Unpin")
    ARCHIVE = "archive", _("Archive")
    RESTORE = "restore", _("Restore")
    MERGE = "merge", _("Merge")
    SPLIT = "split", _("Split")
    RETRACT = "retract", _("Retract")


class DecisionStatus(models.TextChoices):
    APPLIED = "applied", _("Applied")
    PENDING = "pending", _("Pending")
    APPROVED = "approved", _("Approved")
    DECLINED = "declined", _("Declined")
    UNDONE = "undone", _("Undone")
    STALE = "stale", _("Stale")


class Needs(models.TextChoices):
    NONE = "none", _("Nobody")
    CURATOR = "curator", _("Curator")
    ADMIN = "admin", _("Admin")


class Role(models.TextChoices):
    """Roles of operators and keys, weakest first; `agent` is for keys alone."""

    AGENT = "agent", _("Agent")
    VIEWER = "viewer", _("Viewer")
    CURATOR = "curator", _("Curator")
    ADMIN = "admin", _("Admin")


class ActorKind(models.TextChoices):
    OPERATOR = "operator", _("Operator")
    KEY = "key", _("API key")
    POLICY = "policy", _("Policy")
    SYSTEM = "system", _("System")


class TurnRecall(models.TextChoices):
    """Whether recall reaches what was said: not, while older turns are made ready for it, or all of it."""

    OFF = "off"
    FILLING = "filling"
    ON = "on"


class Stage(models.TextChoices):
    CAPTURE = "capture", _("Capture")
    CONSOLIDATION = "consolidation", _("Consolidation")
    INJECTION = "injection", _("Injection")


class Category(models.TextChoices):
    SECRET = "secret", _("Secret")
    PAYMENT = "payment", _("Payment")
    PII = "pii", _("Personal data")
    INSTRUCTION = "instruction", _("Instruction")
    SPECULATION = "speculation", _("Speculation")


class BlockStatus(models.TextChoices):
    BLOCKED = "blocked", _("Blocked")
    RELEASED = "released", _("Released")
    KEPT = "kept", _("Kept")


def one_of(field: str, choices: type[models.TextChoices], name: str) -> models.CheckConstraint:
    """A constraint that keeps a column to its vocabulary whatever writes to it."""
    return models.CheckConstraint(condition=models.Q(**{f"{field}__in": choices.values}), name=name)
