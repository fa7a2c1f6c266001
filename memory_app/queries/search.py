"""What a word finds in a workspace, by kind of thing; a ref such as M-412 names one."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Q, QuerySet, When

from memory_app.models import Decision, Memory, Session, User, Workspace
from memory_app.queries.sessions import holding, with_opening

from .memory_list import matching
from .user_page import UserFilters

SHOWN = 8


@dataclass(frozen=True)
class Found:
    """The first of each kind; one more than are shown says that there are more."""

    memories: tuple[Memory, ...] = ()
    users: tuple[User, ...] = ()
    sessions: tuple[Session, ...] = ()
    decisions: tuple[Decision, ...] = ()

    @property
    def nothing(self) -> bool:
        return not (self.memories or self.users or self.sessions or self.decisions)


def search(workspace: Workspace, q: str) -> Found:
    """What the text finds: memories by their words, users and sessions by names, decisions by the notes they decide."""
    if not q:
        return Found()
    memories = Memory.objects.filter(matching(workspace, q).where, workspace=workspace).select_related("user", "team")
    another = Case(When(external_id__iexact=q, then=0), default=1)  # whoever is called just that comes first
    users = UserFilters(q=q).rows(workspace).order_by(another, "-last_seen_at", "-pk")
    return Found(
        memories=_first(memories.order_by("-updated_at", "-pk")),
        users=_first(users),
        sessions=_first(_sessions(workspace, q)),
        decisions=_first(_decisions(workspace, q)),
    )


def _sessions(workspace: Workspace, q: str) -> "QuerySet[Session]":
    rows = Session.objects.filter(holding(workspace, q), workspace=workspace).select_related("user", "agent")
    return with_opening(rows).order_by("-started_at", "-pk")


def _decisions(workspace: Workspace, q: str) -> "QuerySet[Decision]":
    """Those that wait and whose note holds the text, the newest first."""
    waiting = Decision.objects.waiting().filter(workspace=workspace)
    holds = Q(note__text__icontains=q) | Q(note__key__icontains=q)
    return waiting.filter(holds).select_related("note", "memory", "user").order_by("-created_at", "-pk")


def _first(rows: "QuerySet[Any]") -> tuple[Any, ...]:
    return tuple(rows[: SHOWN + 1])
