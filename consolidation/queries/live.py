"""What an open page is told by itself: numbers beside the links, what is new in its list, who else has its item open."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from consolidation.models import OpenItem
from memory_app.access import WorkspaceRequest
from memory_app.models import Operator, Session, Workspace
from memory_app.queries.block_page import BlockFilters

from .queue import QueueFilters
from .sessions import SessionFilters

#: An item counts as open for so long after its page last asked.
OPEN_FOR = timedelta(seconds=60)
MOST_PRESENT, MOST_WATCHED = 50, 60


@dataclass(frozen=True)
class Present:
    """Somebody else who has had a decision open within the last minute."""

    decision: uuid.UUID
    name: str


def present_in(workspace: Workspace, but: Operator) -> list[Present]:
    """Which decisions others have open, by name; the last to come first."""
    found = OpenItem.objects.filter(workspace=workspace, at__gte=timezone.now() - OPEN_FOR).exclude(operator=but.pk)
    rows = found.select_related("operator").order_by("-at")[:MOST_PRESENT]
    return sorted((Present(row.decision_id, str(row.operator)) for row in rows), key=lambda one: one.name)


@dataclass(frozen=True)
class Watched:
    """What a page says that it shows; a value that means nothing counts as not given."""

    listed: str = ""
    query: Mapping[str, str] | None = None
    since: datetime | None = None
    item: uuid.UUID | None = None
    was: str = ""
    sessions: tuple[uuid.UUID, ...] = ()

    def new_rows(self, workspace: Workspace) -> "QuerySet[Any] | None":
        """What came into its list since it was drawn; None where it has no list."""
        if self.since is None:
            return None
        if self.listed == "review":
            return QueueFilters.read(self.query or {}).rows(workspace).filter(created_at__gt=self.since)
        if self.listed == "sessions":
            return SessionFilters.read(self.query or {}).rows(workspace).filter(created_at__gt=self.since)
        if self.listed == "blocks":
            return BlockFilters.read(self.query or {}).rows(workspace).filter(created_at__gt=self.since)
        return None

    def states(self, workspace: Workspace) -> list[tuple[uuid.UUID, str]]:
        """How far the listed sessions are that were not consolidated yet."""
        found = Session.objects.filter(workspace=workspace, pk__in=self.sessions).order_by("number")
        return list(found.values_list("pk", "status")) if self.sessions else []


def watched_by(request: WorkspaceRequest, query: Mapping[str, str]) -> Watched:
    """What the page that asks shows."""
    given = request.GET
    return Watched(
        listed=given.get("list", ""),
        query=query,
        since=moment_in(given.get("since", "")),
        item=uuid_in(given.get("item", "")),
        was=given.get("was", ""),
        sessions=tuple(one for one in map(uuid_in, _some(given.get("sessions", ""))) if one is not None),
    )


def _some(given: str) -> Iterable[str]:
    return given.split(",")[:MOST_WATCHED]


def uuid_in(given: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(given)
    except ValueError:
        return None


def moment_in(given: str) -> datetime | None:
    """The moment of an address; its `+` may have become a space."""
    try:
        moment = parse_datetime(given.replace(" ", "+"))
    except ValueError:
        return None
    return moment if moment is not None and timezone.is_aware(moment) else None
