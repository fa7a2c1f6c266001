"""Who calls the API: a key of one workspace with one role. The browser's session is not accepted here."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from memory_app.access import address_of
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Forbidden
from memory_app.domain.keys import digest_of
from memory_app.models import ApiKey, Block, Decision, Memory, Session, Team, Workspace

from .ratelimit import count_call

USED_AT_MOST_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Caller:
    """A request's key, its workspace, and the actor that every action is told to be asked by."""

    key: ApiKey
    workspace: Workspace
    actor: Actor

    @property
    def teams(self) -> frozenset[str] | None:
        """The names of the only teams that this key may touch; None is no limit."""
        return self.actor.teams

    def may_touch(self, *teams: Team | str | None) -> None:
        """Raises Forbidden when one of these teams is not this key's."""
        for team in teams:
            name = team.external_id if isinstance(team, Team) else team
            if name is not None and self.teams is not None and name not in self.teams:
                raise Forbidden("This key is limited to other teams.")

    def may_enter(self, session: Session) -> Session:
        """The session; Forbidden when one of its teams is not this key's."""
        if self.teams is not None:
            self.may_touch(*session.teams.all())
        return session

    def may_see(self, row: Block | Decision | Memory) -> None:
        """Raises Forbidden when the row is of a team that is not this key's, or of a session of one."""
        if self.teams is not None:
            owner = row.memory if isinstance(row, Block) else row
            self.may_touch(owner.team if owner is not None else None)
            if row.session is not None:
                self.may_enter(row.session)


class CallerRequest(HttpRequest):
    """A request whose key is known. `concerns` is the user whose erasure takes a kept answer along; `unkept` names
    fields of the answer that are shown once and kept nowhere."""

    auth: Caller
    concerns: Any
    unkept: tuple[str, ...]


def identify(request: HttpRequest) -> Caller | None:
    """The caller, once a request: the key's use is noted and counted against its limit. None for an unknown,
    revoked or absent key; LimitReached once the key has called too often."""
    known: Caller | None = getattr(request, "caller", None)
    if known is None:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        known = _of_key(token.strip(), request) if scheme.lower() == "bearer" and token.strip() else None
        if known is not None:
            request.caller = known  # type: ignore[attr-defined]
            count_call(known.key.pk, known.key.role)
    return known


def _of_key(token: str, request: HttpRequest) -> Caller | None:
    teams = ArrayAgg("teams__external_id", filter=Q(teams__isnull=False), default=None)
    rows = ApiKey.objects.usable().select_related("workspace").annotate(team_names=teams)
    key = rows.filter(digest=digest_of(token)).first()
    if key is None:
        return None
    _note_use(key)
    limit = frozenset(key.team_names) if key.team_names else None
    return Caller(key, key.workspace, Actor("key", str(key.pk), key.name, key.role, address_of(request), limit))


def _note_use(key: ApiKey) -> None:
    now = timezone.now()
    if key.last_used_at is None or key.last_used_at < now - USED_AT_MOST_EVERY:
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)


class ApiKeyBearer(HttpBearer):
    """Lets keys of these roles in; others get 403, and those without a usable key 401. With `whole`, a key that is
    limited to some teams gets 403 too: what is asked here reaches further."""

    openapi_description = "An API key, as `manage.py create_api_key` prints it."

    def __init__(self, *roles: str, whole: bool = False):
        super().__init__()
        self.roles, self.whole = roles, whole

    def __call__(self, request: HttpRequest) -> Caller | None:
        return self.authenticate(request, "")

    def authenticate(self, request: HttpRequest, token: str) -> Caller | None:
        caller = identify(request)
        if caller is not None and caller.key.role not in self.roles:
            raise Forbidden(f"This needs a key of the role {' or '.join(self.roles)}; this one's is {caller.key.role}.")
        if caller is not None and self.whole and caller.teams is not None:
            raise Forbidden("This key is limited to some teams; this needs one of the whole workspace.")
        return caller


#: Agents talk; curators and admins may do what agents may, a viewer only reads.
ASKS = ApiKeyBearer("agent", "viewer", "curator", "admin")
TALKS = ApiKeyBearer("agent", "curator", "admin")
READS = ApiKeyBearer("viewer", "curator", "admin")
CURATES = ApiKeyBearer("curator", "admin")
GOVERNS = ApiKeyBearer("admin", whole=True)
