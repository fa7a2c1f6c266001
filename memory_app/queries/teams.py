"""What a key that is limited to some teams may see: nothing of another team, and nothing of a session of one."""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.db.models import Q, QuerySet

from memory_app.models import Session

Rows = TypeVar("Rows", bound=QuerySet[Any])


def foreign_sessions(teams: Iterable[str]) -> "QuerySet[Session]":
    """Sessions that belong to a team outside these, also where one of these shares them."""
    outside = Session.teams.through.objects.exclude(team__external_id__in=list(teams))
    return Session.objects.filter(pk__in=outside.values("session"))


def within(rows: Rows, teams: Iterable[str] | None, team: str = "team") -> Rows:
    """The rows with a `session` that these teams may see; `team` leads to whose they are. None is no limit."""
    if teams is None:
        return rows
    named = list(teams)
    own = rows.filter(Q(**{team: None}) | Q(**{f"{team}__external_id__in": named}))
    return own.exclude(session__in=foreign_sessions(named))
