"""Whose memory may be seen: the user, the open session and the teams of one question."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Forbidden, NotFound
from memory_app.models import Session, Team, User, Workspace
from memory_app.recall.rows import columns, read


@dataclass(frozen=True)
class Asker:
    """The owners whose memory is visible, and the moment for which the answer is."""

    workspace: Workspace
    user: User | None  # None: nobody of this name; nothing is visible
    session: Session | None
    open_session: UUID | None  # its notes are visible while it is open
    teams: tuple[UUID, ...]
    now: datetime
    as_of: datetime | None
    only_teams: frozenset[str] | None = None  # of a key that is limited to some: what others said in is not its


_USER = "SELECT {columns} FROM memory_app_user u WHERE u.workspace_id = %s AND u.external_id = %s"


def asker(
    workspace: Workspace,
    user: str,
    *,
    session: UUID | str | None = None,
    teams: Sequence[str] | None = None,
    now: datetime | None = None,
    as_of: datetime | None = None,
    actor: Actor | None = None,
) -> Asker:
    """The asker. NotFound for a session that is not this user's; Forbidden for teams outside the key's own, given or the session's."""
    # Asked with every recall: a statement of its own is ready at once.
    rows = read(User, _USER.format(columns=columns(User, "u")), [workspace.pk, user])
    found = rows[0][0] if rows else None
    given: Session | None = None
    if session is not None:
        given = Session.objects.filter(workspace=workspace, user=found, pk=session).first() if found else None
        if given is None:
            raise NotFound("There is no such session of this user.")
        _refuse_foreign(given, actor)
    seen_at = as_of or timezone.now()
    is_open = given is not None and (given.ended_at is None or given.ended_at > seen_at)
    return Asker(
        workspace=workspace,
        user=found,
        session=given,
        open_session=given.pk if given is not None and is_open else None,
        teams=_team_ids(workspace, given, teams, actor),
        now=now or timezone.now(),
        as_of=as_of,
        only_teams=actor.teams if actor is not None else None,
    )


def _refuse_foreign(session: Session, actor: Actor | None) -> None:
    """Raises Forbidden for a session of a team outside the key's own: its notes are that team's too."""
    limit = actor.teams if actor is not None else None
    if limit is not None and set(session.teams.values_list("external_id", flat=True)) - limit:
        raise Forbidden("This key is limited to other teams.")


def _team_ids(
    workspace: Workspace, session: Session | None, teams: Sequence[str] | None, actor: Actor | None
) -> tuple[UUID, ...]:
    limit = actor.teams if actor is not None else None
    if teams is None:
        return tuple(sorted(team.pk for team in session.teams.all())) if session is not None else ()
    outside = sorted(set(teams) - limit) if limit is not None else []
    if outside:
        raise Forbidden("This key is limited to other teams.")
    found = Team.objects.filter(workspace=workspace, external_id__in=list(teams)).values_list("pk", flat=True)
    return tuple(sorted(found))
