"""The policy in force in a workspace, and how it is replaced."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from django.db import transaction
from django.db.models import Max

from consolidation.domain.policy import MOST_HOLDS, Policy, PolicyError
from consolidation.models import PolicyVersion
from consolidation.queries.rules import find_version, newest_version, policy_of
from memory_app.actions.audit import audit
from memory_app.actions.guard import masked, strings
from memory_app.actions.indexing import reach_turns
from memory_app.domain.actor import Actor
from memory_app.domain.errors import UNFIT, FieldError, Forbidden, Invalid, PreconditionFailed
from memory_app.guardrails import BUILT_IN, OwnRule, mask
from memory_app.models import Workspace

OWN_FIELDS = frozenset(f.name for f in fields(OwnRule))


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
    rules = document.pop("own_rules", [])
    _refuse_telling(rules)
    try:
        policy = Policy.from_json(masked(BUILT_IN, document) | {"own_rules": rules})
    except PolicyError as error:
        field, _, problem = str(error).partition(": ")
        raise Invalid.field(f"policy.{field}", problem, UNFIT if error.unfit else "") from error
    except (TypeError, ValueError) as error:
        raise Invalid.field("policy", "is not a policy.") from error
    if len(policy.holds) > MOST_HOLDS:
        raise Invalid.field("policy.holds", f"must have at most {MOST_HOLDS} entries.")
    return policy


def _refuse_telling(rules: Any) -> None:
    """Invalid where an own rule holds a secret itself: it would be kept with the rule, and is found without it."""
    for place, rule in enumerate(rules if isinstance(rules, list | tuple) else ()):
        for name, value in rule.items() if isinstance(rule, Mapping) else ():
            if any(mask(text).findings for text in strings(value)):
                problem = "holds a secret, payment detail or personal identifier, which is masked without a rule. Leave it out."
                raise Invalid.field(
                    f"policy.own_rules.{place}.{name if name in OWN_FIELDS else 'name'}", problem, "secret"
                )


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
    with transaction.atomic():
        held = Workspace.objects.select_for_update().get(pk=workspace.pk)  # one at a time: each says which it replaces
        # 1 is the documented default, which was in force before anything was saved.
        last = PolicyVersion.objects.filter(workspace=workspace).aggregate(m=Max("number"))["m"] or 1
        if if_match is not None and if_match != last:
            raise PreconditionFailed(f"The policy is now version {last}, not {if_match}.")
        reach_turns(workspace, policy.recall_turns)
        policy = _dated(policy, find_version(workspace, last), last + 1)
        _guard_by(held, policy)
        workspace.guard_rules = held.guard_rules
        content = policy.to_json()
        content.pop("version")
        made = PolicyVersion.objects.create(
            workspace=workspace, number=last + 1, content=content, why=masked(workspace.rules, why), author_id=actor.id,
            author=actor.label,
        )  # fmt: skip
        audit(workspace, actor, "policy.put", made, version=made.number)
    made.refresh_from_db()
    return made


def _dated(policy: Policy, before: PolicyVersion | None, number: int) -> Policy:
    """The policy as this version, each own rule with the version that last changed it."""
    known = {rule: rule.since for rule in policy_of(before).own_rules}
    own = tuple(replace(rule, since=known.get(rule, number)) for rule in policy.own_rules)
    return replace(policy, version=number, own_rules=own)


def _guard_by(workspace: Workspace, policy: Policy) -> None:
    """The guardrails of the workspace go by this policy from now on; where it says what they do already, nothing changes."""
    if policy.rules != workspace.rules:
        workspace.guard_rules = policy.rules.to_text()
        workspace.save(update_fields=["guard_rules"])
