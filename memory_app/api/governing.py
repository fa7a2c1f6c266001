"""The workspace, its slots, keys, and the audit log."""

from typing import Any
from uuid import UUID

from ninja import Query, Router, Status

from memory_app.actions.keys import create_key, revoke_key
from memory_app.actions.members import set_solo
from memory_app.actions.slots import SlotSettings, put_slot
from memory_app.auth import GOVERNS, READS, CallerRequest
from memory_app.domain.errors import UNFIT
from memory_app.queries import governing as shown
from memory_app.schemas.fields import Key
from memory_app.schemas.governing import (
    AuditAsked,
    AuditShown,
    KeyGiven,
    KeyMade,
    KeysAsked,
    KeyShown,
    SlotGiven,
    SlotsAsked,
    SlotShown,
    WorkspaceGiven,
    WorkspaceShown,
)
from memory_app.schemas.listing import Listed
from memory_app.schemas.problems import refuses

from .lists import each, listed

router = Router()


@router.get("/workspace", auth=READS, response=WorkspaceShown, summary="Read the workspace", tags=["Workspace"])
def get_workspace(request: CallerRequest) -> dict[str, Any]:
    return shown.workspace_shown(request.auth.workspace)


@router.patch("/workspace", auth=GOVERNS, response=WorkspaceShown, summary="Set the workspace", tags=["Workspace"])
def patch_workspace(request: CallerRequest, body: WorkspaceGiven) -> dict[str, Any]:
    """`solo`: whether a person may approve what they proposed themselves; each change of it is in the audit log."""
    return shown.workspace_shown(set_solo(request.auth.workspace, request.auth.actor, body.solo))


@router.get("/slots", auth=READS, response=Listed[SlotShown], summary="List slots", tags=["Slots"])
def get_slots(request: CallerRequest, asked: Query[SlotsAsked]) -> dict[str, Any]:
    rows = shown.slots(request.auth.workspace, asked.filters())
    return listed(request, rows, shown.ORDER, asked, each(shown.slot_shown))


@router.get("/slots/{key}", auth=READS, response=SlotShown, summary="Read a slot", tags=["Slots"])
def get_slot(request: CallerRequest, key: Key) -> dict[str, Any]:
    return shown.slot_shown(shown.get_slot(request.auth.workspace, key))


@router.put(
    "/slots/{key}", auth=GOVERNS, response={200: SlotShown, 201: SlotShown}, summary="Set up a slot", tags=["Slots"]
)
def set_slot(request: CallerRequest, key: Key, body: SlotGiven) -> Status[Any]:
    """The slot's settings, replaced whole; one that is new is made (201). It is to hold one value, and somewhere
    several are active: 409 with `memories`. What is stored already keeps its `expires_at`."""
    slot, made = put_slot(request.auth.workspace, request.auth.actor, key, SlotSettings(**body.model_dump()))
    return Status(201 if made else 200, shown.slot_shown(slot))


@router.get("/keys", auth=GOVERNS, response=Listed[KeyShown], summary="List keys", tags=["Keys"])
def get_keys(request: CallerRequest, asked: Query[KeysAsked]) -> dict[str, Any]:
    rows = shown.keys(request.auth.workspace, asked.filters())
    return listed(request, rows, shown.ORDER, asked, each(shown.key_shown))


@router.post("/keys", auth=GOVERNS, response={201: KeyMade}, summary="Make a key", tags=["Keys"])
def post_key(request: CallerRequest, body: KeyGiven) -> Status[Any]:
    """The key is in this answer and nowhere else: neither here nor with an Idempotency-Key can it be had again."""
    caller = request.auth
    request.unkept = ("key",)
    key, secret = create_key(caller.workspace, caller.actor, role=body.role, name=body.name, teams=body.teams)
    return Status(201, shown.key_shown(key) | {"key": secret})


@router.delete("/keys/{key_id}", auth=GOVERNS, response=KeyShown, summary="Revoke a key", tags=["Keys"])
def delete_key(request: CallerRequest, key_id: UUID) -> dict[str, Any]:
    """Its next call is answered 401. The key stays in the list, and twice is the same as once."""
    return shown.key_shown(revoke_key(request.auth.workspace, request.auth.actor, key_id))


@router.get(
    "/audit",
    auth=GOVERNS,
    response=Listed[AuditShown],
    summary="Read the audit log",
    tags=["Audit"],
    openapi_extra=refuses(UNFIT),
)
def get_audit(request: CallerRequest, asked: Query[AuditAsked]) -> dict[str, Any]:
    """Who did what to which object, when and from where: ids and counts, never content."""
    rows = shown.audit_events(request.auth.workspace, asked.filters())
    return listed(request, rows, shown.AUDIT_ORDER, asked, each(shown.event_shown))
