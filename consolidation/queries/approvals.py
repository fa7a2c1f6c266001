"""Decisions that need an admin: the list by what became of them, and how far one would reach."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.keyset import Order, Page, page_of
from memory_app.models import Comment, Decision, DecisionStatus, Needs, Session, Workspace
from memory_app.models.decision import OPEN

PAGE_SIZE = 50
#: Tabs: what the address calls them, and which decisions they hold. The first is those that wait.
PENDING, MINE = "", "mine"
STATUSES = ("approved", "declined", "stale")
NEWEST = Order("created_at")
WEEK = timedelta(days=7)


@dataclass(frozen=True)
class ApprovalFilters:
    """What the address says; a value that means nothing counts as not given."""

    status: str = PENDING

    @classmethod
    def read(cls, query: Mapping[str, Any]) -> "ApprovalFilters":
        status = str(query.get("status", ""))
        return cls(status if status in (*STATUSES, MINE) else PENDING)

    def rows(self, workspace: Workspace, actor: Actor) -> "QuerySet[Decision]":
        return weighty(workspace).filter(_in(self.status, actor))


def weighty(workspace: Workspace) -> "QuerySet[Decision]":
    return Decision.objects.filter(workspace=workspace, needs=Needs.ADMIN)


def approvals_page(workspace: Workspace, actor: Actor, filters: ApprovalFilters, cursor: str = "") -> Page[Decision]:
    """A page of weighty decisions, newest first."""
    rows = filters.rows(workspace, actor).select_related("note", "memory", "user", "team")
    return page_of(rows, NEWEST, cursor, PAGE_SIZE)


def last_words(decisions: Iterable[Decision]) -> dict[uuid.UUID, Comment]:
    """The last comment on each that has one; one statement."""
    said = Comment.objects.filter(decision__in=[one.pk for one in decisions])
    return {one.decision_id: one for one in said.order_by("decision", "-created_at", "-id").distinct("decision")}


def counts_by_tab(workspace: Workspace, actor: Actor) -> dict[str, int]:
    """How many each tab holds; one statement."""
    tabs = (PENDING, *STATUSES, MINE)
    counted = {tab or "pending": Count("pk", filter=_in(tab, actor)) for tab in tabs}
    found: dict[str, int] = weighty(workspace).order_by().aggregate(**counted)
    return {tab: found[tab or "pending"] for tab in tabs}


def next_waiting(workspace: Workspace, after: Decision) -> Decision | None:
    """What to go on with: the waiting decision below, else the newest that waits."""
    waiting = weighty(workspace).filter(status__in=OPEN).exclude(pk=after.pk).order_by("-created_at", "-id")
    return waiting.filter(NEWEST.beyond(after.created_at, after.pk)).first() or waiting.first()


@dataclass(frozen=True)
class Reach:
    """How much of last week would have been touched by a change of a team's memory."""

    sessions: int
    users: int
    agents: int


def reach_of(team_id: uuid.UUID) -> Reach:
    rows = Session.objects.filter(teams=team_id, last_active_at__gte=timezone.now() - WEEK).order_by()
    found = rows.aggregate(
        sessions=Count("pk", distinct=True), users=Count("user", distinct=True), agents=Count("agent", distinct=True)
    )
    return Reach(**found)


def _in(tab: str, actor: Actor) -> Q:
    if tab == MINE:
        return Q(proposed_by_kind=actor.kind, proposed_by_id=actor.id)
    return Q(status__in=OPEN) if tab == PENDING else Q(status=DecisionStatus(tab))
