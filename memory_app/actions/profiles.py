"""A user's profile: trusted fields from the caller's own systems."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from memory_app.domain.actor import Actor
from memory_app.domain.errors import UNFIT, Blocked, FieldError, Forbidden, Invalid, NotFound
from memory_app.models import Slot, User, Workspace

from .audit import audit
from .content import to_json
from .guard import check_fields, record_block, refuse_secret
from .locks import lock_owner
from .sessions import get_user

WRITER = "profile"


def put_profile(workspace: Workspace, actor: Actor, name: str, fields: Mapping[str, Mapping[str, Any]]) -> User:
    """The user's profile replaced whole, masked; a user who is new is made. What contradicts it goes to review from
    now on. Invalid names a field that the profile may not write; Blocked when one gives orders to agents."""
    if not actor.at_least("admin"):
        raise Forbidden("The profile needs the role admin.")
    for key in fields:
        refuse_secret(f"fields.{key}", key)
    _refuse_slots(workspace, fields)
    user = get_user(workspace, name)
    stored = {key: check_field(workspace, user, key, entry) for key, entry in fields.items()}
    with transaction.atomic():
        user = _held(user)
        before = set(user.profile)
        user.profile = stored
        user.save(update_fields=["profile"])
        audit(
            workspace, actor, "profile.put", user,
            fields=len(stored), added=len(set(stored) - before), removed=len(before - set(stored)),
        )  # fmt: skip
    return user


def put_profile_field(
    workspace: Workspace, actor: Actor, user: User, key: str, entry: Mapping[str, Any] | None
) -> User:
    """One field of the profile set, masked, or with None taken out; the others stay. Refused as put_profile refuses."""
    if not actor.at_least("admin"):
        raise Forbidden("The profile needs the role admin.")
    refuse_secret(f"fields.{key}", key)
    if entry is not None:
        _refuse_slots(workspace, {key: entry})
    stored = check_field(workspace, user, key, entry) if entry is not None else None
    with transaction.atomic():
        user = _held(user)
        fields = {name: value for name, value in user.profile.items() if name != key}
        added, removed = key not in user.profile and stored is not None, key in user.profile and stored is None
        user.profile = fields | ({key: stored} if stored is not None else {})
        user.save(update_fields=["profile"])
        audit(workspace, actor, "profile.put", user, fields=len(user.profile), added=int(added), removed=int(removed))
    return user


def _held(user: User) -> User:
    """The user as they are now, held until the transaction ends; NotFound when they were erased meanwhile."""
    lock_owner(user.pk)
    held = User.objects.select_for_update().filter(pk=user.pk).first()
    if held is None:
        raise NotFound("There is no such user.")
    return held


def _refuse_slots(workspace: Workspace, fields: Mapping[str, Mapping[str, Any]]) -> None:
    wrong = []
    for slot in Slot.objects.filter(workspace=workspace, key__in=fields):
        value = fields[slot.key].get("value")
        if slot.writers and WRITER not in slot.writers:
            wrong.append(
                FieldError(f"fields.{slot.key}", "may not be written by the profile in this workspace.", "writer")
            )
        elif slot.values and value is not None and str(value) not in slot.values:
            wrong.append(FieldError(f"fields.{slot.key}.value", f"must be one of {', '.join(slot.values)}.", UNFIT))
    if wrong:
        raise Invalid(*wrong)


def check_field(workspace: Workspace, user: User, key: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The field masked. What your systems say is no guess, but an order to agents, and what a slot is never filled with,
    is refused from there too."""
    given = {"value": entry.get("value"), "source": entry.get("source")}
    checked = check_fields(workspace.rules, given, key=key)
    verdict = checked.verdict
    if verdict is not None and (verdict.category == "instruction" or checked.field == "key"):
        block = record_block(workspace, verdict, field="profile", user=user)
        raise Blocked(f"The guardrails refuse the field {key}.", block, verdict.category or "")
    return to_json({**checked.values, "verified_at": entry.get("verified_at")})
