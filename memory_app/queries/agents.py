"""Agents with what they brought, and the keys they call with."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, QuerySet

from memory_app.keyset import Order, Page, page_of
from memory_app.models import Agent, ApiKey, Block, Note, Session, Workspace

PAGE_SIZE = 50
BY_NAME, NEWEST = Order("external_id", descending=False), Order("created_at")


@dataclass
class Brought:
    """What the sessions of an agent hold, and when the last of them was active."""

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
    """What each of these agents brought, by its id; three statements, however many they are."""
    found = {agent.pk: Brought() for agent in agents}
    sessions = Session.objects.filter(agent__in=list(found)).order_by().values_list("agent")
    for pk, count, last in sessions.annotate(Count("pk"), Max("last_active_at")):
        found[pk].sessions, found[pk].last_seen = count, last
    for pk, count in _by_agent(Note.objects.filter(session__agent__in=list(found))):
        found[pk].notes = count
    for pk, count in _by_agent(Block.objects.filter(session__agent__in=list(found))):
        found[pk].blocks = count
    return found


def keys_page(workspace: Workspace, *, revoked: bool, cursor: str = "") -> Page[ApiKey]:
    """A page of keys, newest first, each with its teams and who made it."""
    rows = _keys(workspace, revoked).select_related("created_by").prefetch_related("teams")
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


def _by_agent(rows: "QuerySet[Any]") -> list[tuple[Any, int]]:
    return list(rows.order_by().values_list("session__agent").annotate(Count("pk")))
