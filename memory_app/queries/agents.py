"""Agents with what they brought, and the keys they call with."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import CharField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Cast

from memory_app.keyset import Order, Page, page_of
from memory_app.models import ActorKind, Agent, ApiKey, AuditEvent, Block, Note, Session, Workspace
from memory_app.queries.counting import MOST, CountOf

PAGE_SIZE = 50
BY_NAME, NEWEST = Order("external_id", descending=False), Order("created_at")


@dataclass
class Brought:
    """What the sessions of an agent hold, each counted up to one above MOST, and when the last of them was active."""

    sessions: int = 0
    notes: int = 0
    blocks: int = 0
    last_seen: datetime | None = None


def agents_page(workspace: Workspace, q: str = "", cursor: str = "") -> Page[Agent]:
    """A page of agents by name."""
    return page_of(_agents(workspace, q), BY_NAME, cursor, PAGE_SIZE)


def agents_count(workspace: Workspace, q: str = "") -> int:
    return _agents(workspace, q).count()


def brought_by(agents: Iterable[Agent]) -> dict[Any, Brought]:
    """What each of these agents brought, by its id; one statement, however many they are."""
    sessions = Session.objects.filter(agent=OuterRef("pk")).order_by()
    rows = Agent.objects.filter(pk__in=[agent.pk for agent in agents]).values_list(
        "pk",
        _up_to_most(sessions),
        _up_to_most(Note.objects.filter(session__agent=OuterRef("pk")).order_by()),
        _up_to_most(Block.objects.filter(session__agent=OuterRef("pk")).order_by()),
        Subquery(sessions.order_by("-last_active_at").values("last_active_at")[:1]),
    )
    return {pk: Brought(*brought) for pk, *brought in rows}


def keys_page(workspace: Workspace, *, revoked: bool, cursor: str = "") -> Page[ApiKey]:
    """A page of keys, newest first, each with its teams and who made it: an operator, or a key by its name."""
    made = AuditEvent.objects.filter(
        object_id=Cast(OuterRef("pk"), CharField()), action="key.create", actor_kind=ActorKind.KEY
    )
    rows = _keys(workspace, revoked).select_related("created_by").prefetch_related("teams")
    rows = rows.annotate(made_with=Subquery(made.values("actor")[:1]))
    return page_of(rows, NEWEST, cursor, PAGE_SIZE)


def keys_count(workspace: Workspace, *, revoked: bool) -> int:
    return _keys(workspace, revoked).count()


def find_key(workspace: Workspace, key_id: Any) -> ApiKey | None:
    return ApiKey.objects.filter(workspace=workspace, pk=key_id).first()


def _agents(workspace: Workspace, q: str) -> "QuerySet[Agent]":
    found: QuerySet[Agent] = Agent.objects.filter(workspace=workspace)
    return found.filter(external_id__icontains=q) if q else found


def _keys(workspace: Workspace, revoked: bool) -> "QuerySet[ApiKey]":
    return ApiKey.objects.filter(workspace=workspace, revoked_at__isnull=not revoked)


def _up_to_most(rows: "QuerySet[Any]") -> CountOf:
    return CountOf(rows.values("pk")[: MOST + 1])
