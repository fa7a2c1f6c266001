"""The policy in force in a workspace, and how it is replaced."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max

from consolidation.domain.policy import Policy, PolicyError
from consolidation.models import PolicyVersion
from consolidation.queries.rules import newest_version, policy_of
from memory_app.actions.audit import audit
from memory_app.actions.guard import masked
from memory_app.actions.indexing import reach_turns
from memory_app.domain.actor import Actor
from memory_app.domain.errors import FieldError, Forbidden, Invalid, PreconditionFailed
from memory_app.models import Workspace

MOST_HOLDS = 100


def current_policy(workspace: Workspace) -> Policy:
    """The newest version of the workspace's policy; the documented default, version 1, where none was saved."""
    return policy_of(newest_version(workspace))


def checked(document: Mapping[str, Any], errors: Sequence[FieldError] = ()) -> Policy:
    """The policy that the document describes, its version left out; Invalid, together with `errors`, names a field that
    cannot be used."""
    document = {name: value for name, value in document.items() if name != "version"}
    found = [*(FieldError(f"policy.{name}", "no such policy field.") for name in Policy.unknown(document)), *errors]
    if found:
        raise Invalid(*found)
    try:
        policy = Policy.from_json(masked(document))
    except PolicyError as error:
        field, _, problem = str(error).partition(": ")
        raise Invalid.field(f"policy.{field}", problem) from error
    except (TypeError, ValueError) as error:
        raise Invalid.field("policy", "is not a policy.") from error
    if len(policy.holds) > MOST_HOLDS:
        raise Invalid.field("policy.holds", f"must have at most {MOST_HOLDS} entries.")
    return policy


def put_policy(
    workspace: Workspace, actor: Actor, document: Mapping[str, Any], why: str, *, if_match: int | None = None
) -> PolicyVersion:
    """A new version of the policy, in force from now on; fields that the document leaves out are as in the default.

    Invalid names a field that cannot be used; PreconditionFailed when `if_match` is not the version in force.
    """
    if not actor.at_least("admin"):
        raise Forbidden("The policy needs the role admin.")
    errors = [] if why.strip() else [FieldError("why", "must have at least 1 characters.")]
    policy = checked(document, errors)
    content = policy.to_json()
    content.pop("version")
    with transaction.atomic():
        Workspace.objects.select_for_update().get(pk=workspace.pk)  # one at a time: each says which it replaces
        # 1 is the documented default, which was in force before anything was saved.
        last = PolicyVersion.objects.filter(workspace=workspace).aggregate(m=Max("number"))["m"] or 1
        if if_match is not None and if_match != last:
            raise PreconditionFailed(f"The policy is now version {last}, not {if_match}.")
        reach_turns(workspace, policy.recall_turns)
        made = PolicyVersion.objects.create(
            workspace=workspace, number=last + 1, content=content, why=masked(why), author_id=actor.id,
            author=actor.label,
        )  # fmt: skip
        audit(workspace, actor, "policy.put", made, version=made.number)
    made.refresh_from_db()
    return made
