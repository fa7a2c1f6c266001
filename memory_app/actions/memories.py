"""Memory written directly, by operators and by keys: made, edited, archived, restored, pinned."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.utils import timezone

from memory_app import guardrails
from memory_app.domain.actor import Actor
from memory_app.domain.errors import (
    UNFIT,
    UNKNOWN_REFERENCE,
    Blocked,
    Conflict,
    Invalid,
    NotFound,
    PreconditionFailed,
    SlotOccupied,
)
from memory_app.domain.people import whom
from memory_app.models import Decision, Memory, MemoryStatus, Needs, Session, Team, User, Workspace

from .content import TextVector, embed, ensure_slot, fill_slot, snapshot, to_json
from .decisions import Proposal, record
from .guard import Checked, check_fields, record_block, refuse_secret, released
from .locks import lock_owner, owner_of, writing
from .rulings import HOW_KEPT
from .sessions import get_team, get_user
from .versions import slot_occupant

CHECKED = ("text", "value", "condition", "subject", "keywords", "source")
EDITABLE = (
    "text", "key", "value", "condition", "subject", "keywords", "kind", "importance", "priority", "confidence",
    "occurred_at", "expires_at", "pinned",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory as the caller gives it; past memories are imported so, with their own times and status."""

    scope: str
    kind: str
    text: str
    user: str | None = None
    session: Session | None = None
    team: str | None = None
    key: str = ""
    value: Any = None
    condition: str = ""
    subject: str = ""
    keywords: tuple[str, ...] = ()
    source: str = ""
    importance: float = 0.5
    priority: int = 5
    confirmed_at: datetime | None = None
    updated_at: datetime | None = None
    occurred_at: datetime | None = None
    expires_at: datetime | None = None
    pinned: bool = False
    status: str = "active"


@dataclass(frozen=True, slots=True)
class Changed:
    """What came of a change: the memory as it is now, and the decision that made or awaits it."""

    memory: Memory
    decision: Decision
    made: bool = field(default=False)
    repeated: bool = field(default=False)  # the very same change waits already; `decision` is that one

    @property
    def pending(self) -> bool:
        return self.decision.is_open


def remember(
    workspace: Workspace,
    actor: Actor,
    new: NewMemory,
    on_conflict: str = "",
    *,
    vector: TextVector | None = None,
    decision_id: UUID | None = None,
) -> Changed:
    """A new memory. Blocked when the guardrails refuse it (the block is kept); SlotOccupied when its slot is
    filled, unless `on_conflict` is "override": then it is a new version of what fills it. `vector` is that of its
    text, where it was embedded beforehand, `decision_id` that of the decision, where it has one already."""
    refuse_secret("key", new.key)
    user, team, session = owners_of(workspace, actor, new)
    passed = partial(released, workspace, user, team=team)
    checked = check_fields(workspace.rules, {name: getattr(new, name) for name in CHECKED}, key=new.key, passed=passed)
    refuse_blocked(workspace, checked, team, user=user, session=session)
    state = new_state(workspace, new, checked.values)
    vector = vector or embed(state["text"])
    confirmed_at = new.confirmed_at or state["updated_at"]
    owner = {"user": user, "team": team, "session": session}[new.scope]
    assert owner is not None
    with writing():
        lock_owner(session.user_id if session is not None and owner == session else owner.pk)
        probe = Memory(workspace=workspace, scope=new.scope, owner=owner.pk, **state)
        occupant = slot_occupant(probe) if new.status == MemoryStatus.ACTIVE else None
        if occupant is not None and occupant.status_at(timezone.now()) == MemoryStatus.ACTIVE:
            if on_conflict != "override":
                raise SlotOccupied(f"The slot {new.key} is filled by {occupant.ref}.", memory=str(occupant.pk))
            kept = {name: getattr(occupant, name) for name in HOW_KEPT}  # it says something else, and is kept as before
            after = state | kept | {"confirmed_at": confirmed_at}
            return propose(occupant, actor, "override", after, vector, decision_id=decision_id)
        after = to_json(state | {"confirmed_at": confirmed_at})
        proposal = Proposal(
            action="promote", rule=f"promote.{actor.kind}", kind=new.kind, scope=new.scope, after=after,
            user=user, team=team, session=session, sensitivity=state["sensitivity"], id=decision_id,
        )  # fmt: skip
        decision = record(workspace, actor, proposal, vector)
        assert decision.memory is not None
        return Changed(decision.memory, decision, made=True)


def edit_memory(
    memory: Memory, actor: Actor, changes: Mapping[str, Any], *, if_match: int | None = None, action: str = "edit"
) -> Changed:
    """The memory with a new version, or, where it is protected, a decision that waits for an admin.

    Invalid names a field that cannot be changed; PreconditionFailed when `if_match` is not the current version.
    """
    unknown = sorted(set(changes) - set(EDITABLE))
    if unknown:
        raise Invalid.field(unknown[0], "cannot be changed.")
    if "key" in changes:
        refuse_secret("key", changes["key"])
    fields = {k: v for k, v in changes.items() if k in CHECKED}
    checked = check_fields(
        memory.workspace.rules, fields, key=changes.get("key", memory.key), beside=memory.state(),
        passed=partial(released, memory.workspace, memory.user, team=memory.team),
    )  # fmt: skip
    refuse_blocked(memory.workspace, checked, memory.team, user=memory.user, memory=memory)
    after = memory.state() | dict(changes) | checked.values
    after["subject"] = whom(after["subject"])
    if not after["text"].strip():
        raise Invalid.field("text", "must not be empty.")
    if after["kind"] == "working" and memory.scope != "session":
        raise Invalid.field("kind", "can be working only for a memory of scope session.", UNFIT)
    if "text" in changes or "value" in changes:
        after["updated_at"] = timezone.now()
        after["sensitivity"] = guardrails.sensitivity(after["text"], after["value"]) or ""
    after = fill_slot(after, ensure_slot(memory.workspace, after["key"]))
    vector = embed(after["text"]) if after["text"] != memory.text else None
    return _locked(memory, actor, action, after, vector, if_match)


def archive_memory(memory: Memory, actor: Actor, *, if_match: int | None = None) -> Changed:
    """The memory archived: never recalled, kept with its history."""
    if memory.status == MemoryStatus.ARCHIVED:
        raise Conflict(f"{memory.ref} is archived already.", memory=str(memory.pk))
    return _locked(memory, actor, "archive", memory.state() | {"status": MemoryStatus.ARCHIVED}, None, if_match)


def restore_memory(memory: Memory, actor: Actor, version: int, *, if_match: int | None = None) -> Changed:
    """The content of an earlier version, as a new one, active again."""
    old = memory.versions.filter(number=version).first()
    if old is None:
        raise Invalid.field("version", f"{memory.ref} has no version {version}.", UNKNOWN_REFERENCE)
    after = old.state() | {"status": MemoryStatus.ACTIVE, "superseded_by": None}
    checked = check_fields(
        memory.workspace.rules, {"text": old.text, "value": old.value}, key=old.key, beside=old.state(),
        passed=partial(released, memory.workspace, memory.user, team=memory.team),
    )  # fmt: skip
    refuse_blocked(memory.workspace, checked, memory.team, user=memory.user, memory=memory)
    return _locked(memory, actor, "restore", after, embed(old.text), if_match)


def retract_memory(memory: Memory, actor: Actor, *, if_match: int | None = None) -> Changed:
    """The memory taken back as its user wishes: archived, and what was said before is not remembered again."""
    if memory.status == MemoryStatus.ARCHIVED:
        raise Conflict(f"{memory.ref} is archived already.", memory=str(memory.pk))
    return _locked(memory, actor, "retract", memory.state() | {"status": MemoryStatus.ARCHIVED}, None, if_match)


def pin_memory(memory: Memory, actor: Actor, pinned: bool = True, *, if_match: int | None = None) -> Changed:
    """The memory pinned (or not): never forgotten by policy, and protected from change."""
    action = "pin" if pinned else "unpin"
    return _locked(memory, actor, action, memory.state() | {"pinned": pinned}, None, if_match)


def find_memory(workspace: Workspace, memory_id: Any) -> Memory:
    """The workspace's memory; NotFound when it is unknown or another's."""
    found = Memory.objects.with_contested().filter(workspace=workspace, pk=memory_id)
    memory = found.select_related("workspace", "user", "team", "session").first()
    if memory is None:
        raise NotFound("There is no such memory.")
    return memory


def _locked(
    memory: Memory, actor: Actor, action: str, after: dict[str, Any], vector: Any, if_match: int | None
) -> Changed:
    seen = memory.version
    with writing():
        lock_owner(owner_of(memory))
        memory = find_memory(memory.workspace, memory.pk)
        if if_match is not None and if_match != memory.version:
            raise PreconditionFailed(f"{memory.ref} is now v{memory.version}, not v{if_match}.")
        if memory.version != seen:
            raise Conflict(f"{memory.ref} has changed meanwhile and is now v{memory.version}.", memory=str(memory.pk))
        return propose(memory, actor, action, after, vector)


def propose(
    memory: Memory,
    actor: Actor,
    action: str,
    after: dict[str, Any],
    vector: Any,
    *,
    params: Mapping[str, Any] = MappingProxyType({}),
    protected: bool = False,
    decision_id: UUID | None = None,
) -> Changed:
    """The memory changed, or, where it or anything else in the change is protected, the decision that waits for an
    admin. Inside the caller's transaction and owner lock."""
    held = protected or memory.protected
    after.pop("author", None)
    proposal = Proposal(
        action=action,
        rule=f"{action}.{actor.kind}",
        kind=memory.kind,
        scope=memory.scope,
        before=snapshot(memory),
        after=to_json(after),
        memory=memory,
        base_version=memory.version,
        user=memory.user,
        team=memory.team,
        session=memory.session,
        sensitivity=after.get("sensitivity", ""),
        params=params,
        hold=held,
        needs=Needs.ADMIN if held else Needs.NONE,
        id=decision_id,
    )
    if proposal.hold and (waiting := _waiting_alike(memory, proposal)) is not None:
        return Changed(find_memory(memory.workspace, memory.pk), waiting, repeated=True)
    decision = record(memory.workspace, actor, proposal, vector)
    return Changed(find_memory(memory.workspace, memory.pk), decision)


def _waiting_alike(memory: Memory, proposal: Proposal) -> Decision | None:
    """The open decision that asks for just this already, so that asking again stacks no second one."""
    rows = Decision.objects.waiting().filter(
        memory=memory.pk, action=proposal.action, base_version=memory.version, params=dict(proposal.params)
    )
    wanted = _but_for_its_time(proposal.after)
    return next((one for one in rows.order_by("created_at", "id") if _but_for_its_time(one.after) == wanted), None)


def _but_for_its_time(after: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (after or {}).items() if name != "updated_at"}


def owners_of(workspace: Workspace, actor: Actor, new: NewMemory) -> tuple[User | None, Team | None, Session | None]:
    """Whose it will be, made where they are new. Invalid names what its scope lacks."""
    if new.scope == "user" and not new.user:
        raise Invalid.field("user", "is needed for a memory of scope user.")
    if new.scope == "team" and not new.team:
        raise Invalid.field("team", "is needed for a memory of scope team.")
    if new.scope == "session" and new.session is None:
        raise Invalid.field("session", "is needed for a memory of scope session.")
    if new.kind == "working" and new.scope != "session":
        raise Invalid.field("scope", "must be session for a memory of kind working.")
    user = get_user(workspace, new.user) if new.user else new.session.user if new.session else None
    if new.session is not None and user != new.session.user:
        raise Invalid.field("session", "is not one of this user.", UNKNOWN_REFERENCE)
    return user, get_team(workspace, new.team, actor) if new.team else None, new.session


def new_state(workspace: Workspace, new: NewMemory, values: Mapping[str, Any]) -> dict[str, Any]:
    """The content of its first version, of fields that the guardrails have checked."""
    slot = ensure_slot(workspace, new.key)
    updated_at = new.updated_at or timezone.now()
    expires_at = new.expires_at
    if expires_at is None and slot is not None and slot.expires_after is not None:
        expires_at = updated_at + slot.expires_after
    state = {
        "text": values["text"],
        "key": new.key,
        "value": values["value"],
        "condition": values["condition"],
        "subject": whom(values["subject"]),
        "keywords": list(values["keywords"]),
        "kind": new.kind,
        "status": new.status,
        "pinned": new.pinned,
        "sensitivity": guardrails.sensitivity(values["text"], values["value"]) or "",
        "importance": new.importance,
        "priority": new.priority,
        "source": values["source"],
        "updated_at": updated_at,
        "occurred_at": new.occurred_at,
        "expires_at": expires_at,
    }
    return fill_slot(state, slot)


def refuse_blocked(workspace: Workspace, checked: Checked, team: Team | None = None, **found_in: Any) -> None:
    """Raises Blocked, after the block is stored on its own: a refusal is a recorded outcome."""
    if checked.verdict is None:
        return
    block = record_block(workspace, checked.verdict, field=checked.field or "text", **found_in)
    raise Blocked("The guardrails refuse this text.", block, checked.verdict.category or "")
