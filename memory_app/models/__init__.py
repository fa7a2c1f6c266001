"""The tables, by concept. Fields, constraints and QuerySets with domain names; no behaviour beyond one row."""

from .alert import Alert, AlertKind
from .audit import AuditEvent, IdempotencyRecord, Injection
from .choices import (
    Action,
    ActorKind,
    BlockStatus,
    Cardinality,
    Category,
    DecisionStatus,
    Exposure,
    Kind,
    MemoryStatus,
    Needs,
    NoteOrigin,
    NoteStatus,
    Origin,
    Outcome,
    Role,
    Scope,
    Sensitivity,
    SessionStatus,
    Speaker,
    Stage,
    TurnRecall,
)
from .decision import Block, Comment, Decision
from .job import Job, JobStatus
from .learnt import Learnt
from .memory import Memory, MemorySource, MemoryState, MemoryVersion, SearchEntry, Slot, TurnEntry
from .saved_view import SavedView
from .scan import Scan, ScanFinding
from .session import Note, Session, Turn
from .sums import ChangedHour, HourlySum, SummedUntil
from .use import MemoryUse
from .workspace import Agent, ApiKey, Membership, Operator, Team, User, Workspace

__all__ = [
    "Action", "ActorKind", "Agent", "Alert", "AlertKind", "ApiKey", "AuditEvent", "Block", "BlockStatus", "Cardinality", "Category",
    "ChangedHour", "Comment", "Decision", "DecisionStatus", "Exposure", "HourlySum", "IdempotencyRecord", "Injection", "Job", "JobStatus",
    "Kind", "Learnt", "Membership",
    "Memory", "MemorySource", "MemoryState", "MemoryStatus", "MemoryUse", "MemoryVersion", "Needs", "Note", "NoteOrigin",
    "NoteStatus", "Operator", "Origin", "Outcome", "Role", "SavedView", "Scan", "ScanFinding", "Scope", "SearchEntry", "Sensitivity", "Session",
    "SessionStatus", "Slot", "Speaker", "Stage", "SummedUntil", "Team", "Turn", "TurnEntry", "TurnRecall", "User", "Workspace",
]  # fmt: skip
