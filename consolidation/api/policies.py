"""The policy: which decisions go through by themselves and which wait for a person."""

from collections.abc import Callable
from typing import Any

from ninja import Header, Query, Router

from consolidation.actions.policies import put_policy
from consolidation.domain.policy import Policy
from consolidation.models import PolicyVersion
from consolidation.queries.rules import policy_of
from consolidation.schemas import PolicyGiven, PolicyShown
from memory_app.api.lists import each, listed
from memory_app.api.memories import version_of
from memory_app.auth import GOVERNS, READS, CallerRequest
from memory_app.domain.errors import UNFIT
from memory_app.keyset import Order
from memory_app.schemas.fields import IfMatch
from memory_app.schemas.listing import Asked, Listed
from memory_app.schemas.problems import refuses

router = Router(tags=["Policy"])


@router.get("", auth=READS, response=PolicyShown, summary="Read the policy in force")
def get_policy(request: CallerRequest) -> dict[str, Any]:
    """Version 1 is the documented default."""
    newest = PolicyVersion.objects.filter(workspace=request.auth.workspace).order_by("-number").first()
    return _shown(request)(newest) if newest is not None else _default()


@router.get("/versions", auth=READS, response=Listed[PolicyShown], summary="List versions of the policy")
def get_versions(request: CallerRequest, asked: Query[Asked]) -> dict[str, Any]:
    """Those that were saved; before the first one the documented default, version 1, was in force."""
    rows = PolicyVersion.objects.filter(workspace=request.auth.workspace)
    return listed(request, rows, Order("number"), asked, each(_shown(request)))


@router.put("", auth=GOVERNS, response=PolicyShown, summary="Replace the policy", openapi_extra=refuses(UNFIT))
def replace_policy(
    request: CallerRequest,
    body: PolicyGiven,
    if_match: IfMatch | None = Header(None, alias="If-Match", description="The version that this one was made from."),
) -> dict[str, Any]:
    """A new version, in force for every run that begins from now on. Protected memory is held whatever it says."""
    made = put_policy(request.auth.workspace, request.auth.actor, body.policy, body.why, if_match=version_of(if_match))
    return _shown(request)(made)


def _shown(request: CallerRequest) -> Callable[[PolicyVersion], dict[str, Any]]:
    """A version as the caller may see it: what the workspace's own rules look for is for admins."""
    entire = request.auth.actor.at_least("admin")

    def shown(row: PolicyVersion) -> dict[str, Any]:
        policy = policy_of(row)
        return {
            "version": row.number,
            "policy": policy.to_json() if entire else policy.without_entries(),
            "why": row.why or None,
            "author": row.author or None,
            "created_at": row.created_at,
        }

    return shown


def _default() -> dict[str, Any]:
    return {"version": 1, "policy": Policy().to_json(), "why": None, "author": None, "created_at": None}
