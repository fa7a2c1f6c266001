"""Users: lists, state, profile. Export and erasure reach into consolidation and are there."""

from typing import Any

from ninja import Query, Router

from memory_app.actions.profiles import put_profile
from memory_app.auth import ASKS, GOVERNS, READS, CallerRequest
from memory_app.domain.errors import UNFIT
from memory_app.queries import users as shown
from memory_app.schemas.fields import Name, Wanted
from memory_app.schemas.listing import Listed, UsersAsked
from memory_app.schemas.problems import refuses
from memory_app.schemas.users import ProfileGiven, ProfileShown, UserShown, UserState

from .lists import listed

router = Router(tags=["Users"])


@router.get("", auth=READS, response=Listed[UserShown], summary="List users", openapi_extra=refuses(UNFIT))
def get_users(request: CallerRequest, asked: Query[UsersAsked]) -> dict[str, Any]:
    """Those seen last come first."""
    rows = shown.users(request.auth.workspace, asked.filters())
    return listed(request, rows, shown.ORDER, asked, shown.users_shown)


@router.get("/{user}/state", auth=ASKS, response=UserState, summary="Read what is known of a user")
def get_state(request: CallerRequest, user: Name, limit: Wanted = 50) -> dict[str, Any]:
    """Profile, long-term memory, what the open sessions go by, and history, each list newest first."""
    teams = sorted(request.auth.teams) if request.auth.teams is not None else None
    return shown.user_state(shown.get_user(request.auth.workspace, user), limit, teams)


@router.put(
    "/{user}/profile",
    auth=GOVERNS,
    response=ProfileShown,
    summary="Replace a user's profile",
    openapi_extra=refuses("blocked", UNFIT),
)
def replace_profile(request: CallerRequest, user: Name, body: ProfileGiven) -> dict[str, Any]:
    """Trusted fields from your own systems, replaced whole and masked. A note that contradicts one goes to review.
    A user who is new is made."""
    fields = {key: entry.model_dump() for key, entry in body.fields.items()}
    made = put_profile(request.auth.workspace, request.auth.actor, user, fields)
    return {"user": made.external_id, "fields": shown.profile_shown(made)}
