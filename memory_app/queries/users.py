"""Users as they are shown, and what is known of one."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, QuerySet
from django.utils import timezone

from memory_app.domain.errors import NotFound
from memory_app.keyset import Order
from memory_app.models import Decision, Kind, Memory, Scope, Session, User, Workspace
from memory_app.models.decision import OPEN
from memory_app.queries.teams import foreign_sessions

from .memories import memory_shown

ORDER = Order("last_seen_at")
FILTERS = {
    "q": "external_id__icontains",
    "seen_after": "last_seen_at__gt",
    "seen_before": "last_seen_at__lt",
}


def users(workspace: Workspace, filters: Mapping[str, Any]) -> QuerySet[User]:
    """The workspace's users that match every filter."""
    return User.objects.filter(workspace=workspace, **{FILTERS[name]: value for name, value in filters.items()})


def get_user(workspace: Workspace, name: str) -> User:
    """The workspace's user of this name; NotFound when it is unknown."""
    user = User.objects.select_related("workspace").filter(workspace=workspace, external_id=name).first()
    if user is None:
        raise NotFound("There is no such user.")
    return user


def users_shown(rows: Sequence[User]) -> list[dict[str, Any]]:
    """The users with their counts, in three statements however many there are."""
    ids = [user.pk for user in rows]
    # What is of a user is owned by them: so it is counted from an index.
    live = Memory.objects.live(timezone.now()).filter(
        workspace__in={user.workspace_id for user in rows}, scope=Scope.USER, owner__in=ids
    )
    counted = [
        ("memories", live.order_by().values_list("owner").annotate(n=Count("pk"))),
        ("sessions", Session.objects.filter(user__in=ids).order_by().values_list("user").annotate(n=Count("pk"))),
        (
            "waiting",
            Decision.objects.filter(user__in=ids, status__in=OPEN).values_list("user").annotate(n=Count("pk")),
        ),
    ]
    counts: dict[str, dict[Any, int]] = {name: dict(found) for name, found in counted}
    return [
        {
            "id": user.pk,
            "user": user.external_id,
            "created_at": user.created_at,
            "last_seen_at": user.last_seen_at,
            "profile_fields": len(user.profile),
            "counts": {name: found.get(user.pk, 0) for name, found in counts.items()},
        }
        for user in rows
    ]


def user_state(user: User, limit: int, teams: Sequence[str] | None = None) -> dict[str, Any]:
    """What is known of the user, newest first; with `teams`, nothing of a session of another team."""
    now = timezone.now()
    live = Memory.objects.with_contested().live(now).filter(workspace=user.workspace_id)
    live = live.select_related("user", "team")
    own = live.filter(scope=Scope.USER, owner=user.pk)
    open_sessions = Session.objects.filter(user=user, ended_at=None)
    if teams is not None:
        open_sessions = open_sessions.exclude(pk__in=foreign_sessions(teams))
    parts = {
        "notes": own.exclude(kind=Kind.EPISODIC),
        "session_notes": live.filter(scope=Scope.SESSION, owner__in=open_sessions.values("pk")),
        "history": own.filter(kind=Kind.EPISODIC),
    }
    shown = {
        name: [memory_shown(memory, now) for memory in rows.order_by("-updated_at", "-pk")[:limit]]
        for name, rows in parts.items()
    }
    return {"profile": profile_shown(user), **shown}


def profile_shown(user: User) -> dict[str, dict[str, Any]]:
    """The profile's fields, each with where it comes from and since when that is known."""
    names = ("value", "source", "verified_at")
    return {key: {name: entry.get(name) for name in names} for key, entry in sorted(user.profile.items())}
