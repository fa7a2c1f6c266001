"""Users for people to look at: their list, and one user as they are or as they were known at a moment."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    F,
    Max,
    OuterRef,
    Q,
    QuerySet,
    When,
    Window,
)
from django.db.models.functions import RowNumber
from django.utils import timezone

from memory_app.keyset import Order, Page, page_of
from memory_app.models import (
    Decision,
    DecisionStatus,
    Kind,
    Learnt,
    Memory,
    MemoryStatus,
    MemoryVersion,
    Scope,
    Session,
    SessionStatus,
    Turn,
    User,
    Workspace,
)
from memory_app.moments import days_of, first_day
from memory_app.queries.sessions import with_opening

PAGE_SIZE = 50
SEEN_LAST = Order("last_seen_at")
NOTES, HISTORY, SESSIONS, WAITING, NAMED = 30, 10, 6, 8, 50
NEWEST = ("-updated_at", "-pk")


@dataclass(frozen=True)
class UserFilters:
    """What the address of the list says; a value that means nothing counts as not given."""

    q: str = ""
    seen: int | None = None  # days

    @classmethod
    def read(cls, query: Mapping[str, Any]) -> "UserFilters":
        return cls(q=str(query.get("q", ""))[:200].replace("\x00", "").strip(), seen=days_of(query.get("seen", "")))

    @property
    def narrowed(self) -> bool:
        return bool(self.q or self.seen)

    def rows(self, workspace: Workspace) -> "QuerySet[User]":
        found: QuerySet[User] = User.objects.filter(workspace=workspace)
        if self.q:
            found = found.filter(Q(external_id__icontains=self.q) | Q(profile__name__value__icontains=self.q))
        return found.filter(last_seen_at__gte=first_day(self.seen)) if self.seen is not None else found


def users_page(workspace: Workspace, filters: UserFilters, cursor: str = "") -> Page[User]:
    """A page of users, those seen last first."""
    return page_of(filters.rows(workspace), SEEN_LAST, cursor, PAGE_SIZE)


def snoozed_of(users: Iterable[User]) -> dict[Any, int]:
    """How many decisions about each of these users wait and are put off, by the user's id; none where none are."""
    rows = Decision.objects.snoozed().filter(user__in=[user.pk for user in users]).order_by()
    return dict(rows.values_list("user").annotate(n=Count("pk")))


def find_user(workspace: Workspace, user_id: uuid.UUID) -> User | None:
    return User.objects.select_related("workspace").filter(workspace=workspace, pk=user_id).first()


def users_named(workspace: Workspace) -> list[str]:
    """The names of the users that were seen last, for a field to propose."""
    rows = User.objects.filter(workspace=workspace).order_by("-last_seen_at", "pk")
    return list(rows.values_list("external_id", flat=True)[:NAMED])


@dataclass(frozen=True)
class Steps:
    """Where a moment stands among those at which something about the user was learnt."""

    total: int
    at: int
    earlier: datetime | None
    later: datetime | None


@dataclass(frozen=True)
class State:
    """What is known of a user, newest first, at most so many of each; `counts` are of all of it."""

    notes: tuple[Any, ...]
    history: tuple[Any, ...]
    session_notes: tuple[Any, ...]
    counts: dict[str, int]


def state_now(user: User) -> State:
    """What holds now, as rows of Memory."""
    now = timezone.now()
    live = Memory.objects.with_contested().live(now).filter(workspace=user.workspace_id)
    own = live.filter(scope=Scope.USER, owner=user.pk)
    open_now = Session.objects.filter(user=user, ended_at=None).values("pk")
    noted = live.filter(scope=Scope.SESSION, owner__in=open_now).select_related("session")
    notes, history = own.exclude(kind=Kind.EPISODIC), own.filter(kind=Kind.EPISODIC)
    counts = own.order_by().aggregate(
        notes=Count("pk", filter=~Q(kind=Kind.EPISODIC)), history=Count("pk", filter=Q(kind=Kind.EPISODIC))
    )
    return State(
        notes=tuple(notes.order_by("-pinned", *NEWEST)[:NOTES]),
        history=tuple(history.order_by(*NEWEST)[:HISTORY]),
        session_notes=tuple(noted.order_by(*NEWEST)[:NOTES]),
        counts=counts,
    )


def state_at(user: User, moment: datetime) -> State:
    """What the store held at that moment, as rows of MemoryVersion. No index has it, so all of it is read, once."""
    then_open = Session.objects.filter(Q(ended_at=None) | Q(ended_at__gt=moment), user=user, created_at__lte=moment)
    own = _known(user, moment, memory__scope=Scope.USER, memory__owner=user.pk)
    sessions = list(then_open.values_list("pk", flat=True))
    noted = _known(user, moment, memory__scope=Scope.SESSION, memory__owner__in=sessions)
    episode = Case(When(kind=Kind.EPISODIC, then=True), default=False, output_field=BooleanField())
    pinned = Case(When(~Q(kind=Kind.EPISODIC), then=F("pinned")), default=False, output_field=BooleanField())
    order = [pinned.desc(), F("updated_at").desc(), F("pk").desc()]
    placed = own.order_by().annotate(
        episode=episode,
        place=Window(RowNumber(), partition_by=[episode], order_by=order),
        count=Window(Count("pk"), partition_by=[episode]),
    )
    shown = list(placed.filter(place__lte=NOTES).values_list("pk", "episode", "place", "count"))
    rows = MemoryVersion.objects.select_related("memory").in_bulk([pk for pk, *_ in shown])
    of = {
        told: [
            rows[pk]
            for pk, is_episode, _, _ in sorted(shown, key=lambda one: one[2])
            if is_episode is told and pk in rows  # else it was erased since
        ]
        for told in (False, True)
    }
    counts = {is_episode: count for _, is_episode, _, count in shown}
    return State(
        notes=tuple(of[False]),
        history=tuple(of[True][:HISTORY]),
        session_notes=tuple(noted.select_related("memory__session").order_by(*NEWEST)[:NOTES]),
        counts={"notes": counts.get(False, 0), "history": counts.get(True, 0)},
    )


def _known(user: User, moment: datetime, **whose: Any) -> "QuerySet[MemoryVersion]":
    """The version of each of these memories that was its newest at that moment, where it was in force."""
    versions = MemoryVersion.objects.filter(memory__workspace=user.workspace_id, recorded_at__lte=moment, **whose)
    later = MemoryVersion.objects.filter(
        memory=OuterRef("memory"), number__gt=OuterRef("number"), recorded_at__lte=moment
    )
    live = Q(expires_at=None) | Q(expires_at__gt=moment)
    # Of most memories the newest of now was it: then no other version is looked for.
    return versions.filter(live, Q(number=F("memory__version")) | ~Exists(later), status=MemoryStatus.ACTIVE)


def steps_of(user: User, moment: datetime | None) -> Steps:
    """The moment (none: now) among the changes of what is known for long."""
    all_of_it = _moments(user)
    until = all_of_it if moment is None else all_of_it.filter(at__lte=moment)
    before = list(until.order_by("-at").values_list("at", flat=True)[:2])
    later = (
        None if moment is None else all_of_it.filter(at__gt=moment).order_by("at").values_list("at", flat=True).first()
    )
    if len(before) == 2:
        earlier: datetime | None = before[1]
    else:  # before anything was known
        earlier = before[0] - timedelta(microseconds=1) if before else None
    total = all_of_it.count()
    return Steps(total, total if moment is None else until.count(), earlier, later)


def moment_of(user: User, number: int) -> datetime | None:
    """When the change of this number was written; for 0 just before the first; None where there is none."""
    moments = _moments(user).order_by("at").values_list("at", flat=True)
    found: list[datetime] = list(moments[max(0, number - 1) : max(1, number)])
    if not found:
        return None
    return found[0] - timedelta(microseconds=1) if number == 0 else found[0]


def _moments(user: User) -> "QuerySet[Learnt]":
    return Learnt.objects.filter(owner=user.pk)


@dataclass(frozen=True)
class Around:
    """What stands around a user's memory: how much there is, their last sessions, and what waits."""

    memories: int
    sessions: int
    waiting: int
    snoozed: int  # of those that wait
    last_seen_at: datetime | None
    last_sessions: tuple[Session, ...]
    open_decisions: tuple[Decision, ...]


def around(user: User) -> Around:
    """What stands around the user now."""
    live = Memory.objects.live(timezone.now()).filter(scope=Scope.USER, owner=user.pk)
    waiting = Decision.objects.waiting().filter(user=user)
    sessions = with_opening(Session.objects.filter(user=user))
    return _around(live.count(), sessions, waiting, user.last_seen_at, waiting.snoozed().count())


def around_at(user: User, moment: datetime, memories: int) -> Around:
    """What stood around the user at that moment, with so many memories; of a session only what it had come to by then."""
    sessions = Session.objects.filter(user=user, created_at__lte=moment)
    # What was carried out at once never waited.
    held = Decision.objects.filter(user=user, created_at__lte=moment).exclude(status=DecisionStatus.APPLIED)
    waiting = held.filter(Q(decided_at=None) | Q(decided_at__gt=moment))
    said = Turn.objects.filter(session__user=user, created_at__lte=moment).aggregate(last=Max("created_at"))["last"]
    seen = said or sessions.aggregate(last=Max("started_at"))["last"]
    found = _around(memories, with_opening(sessions, moment), waiting, seen)
    for session in found.last_sessions:
        _as_it_was(session, moment)
    return found


def _around(memories: int, sessions: Any, waiting: Any, seen: datetime | None, snoozed: int = 0) -> Around:
    return Around(
        memories=memories,
        sessions=sessions.count(),
        waiting=waiting.count(),
        snoozed=snoozed,
        last_seen_at=seen,
        last_sessions=tuple(sessions.select_related("agent").order_by("-started_at", "-pk")[:SESSIONS]),
        open_decisions=tuple(waiting.select_related("note", "memory").order_by("created_at", "number")[:WAITING]),
    )


def _as_it_was(session: Session, moment: datetime) -> None:
    """The session before it ended, where it ended later: open, and nobody knew yet what its task or summary would be."""
    if session.ended_at is None or session.ended_at > moment:
        session.status, session.task, session.summary = SessionStatus.OPEN, "", ""
    elif session.consolidated_at is None or session.consolidated_at > moment:
        session.status = SessionStatus.ENDED


def held_of(user: User) -> dict[str, int]:
    """How much of each kind an erasure would take, session memory and what is over included."""
    sessions = Session.objects.filter(user=user)
    # Apart, each is counted from an index; either of the two in one condition would read every memory.
    own = Memory.objects.filter(user=user)
    of_sessions = Memory.objects.filter(session__in=sessions).exclude(user=user)
    return {"memories": own.count() + of_sessions.count(), "sessions": sessions.count()}


def open_sessions(user: User, moment: datetime | None = None) -> list[Session]:
    """The sessions that are open, or were at a moment, the last active one first."""
    rows = Session.objects.filter(user=user)
    if moment is None:
        rows = rows.filter(ended_at=None)
    else:
        rows = rows.filter(Q(ended_at=None) | Q(ended_at__gt=moment), created_at__lte=moment)
    return list(rows.order_by("-last_active_at", "-pk")[:SESSIONS])


def contents_of(workspace: Workspace, versions: Mapping[str, int]) -> dict[str, MemoryVersion]:
    """The very versions by the id of their memory, in one statement."""
    rows = MemoryVersion.objects.filter(
        workspace=workspace, memory__in=list(versions), number__in=sorted(set(versions.values()))
    ).select_related("memory__team")
    return {str(row.memory_id): row for row in rows if versions[str(row.memory_id)] == row.number}


def newest_of(workspace: Workspace, ids: Iterable[str]) -> dict[str, int]:
    """The version that each of these memories is at."""
    rows = Memory.objects.filter(workspace=workspace, pk__in=list(ids)).values_list("pk", "version")
    return {str(pk): version for pk, version in rows}
