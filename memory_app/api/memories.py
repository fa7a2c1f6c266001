"""Memory: list, write directly, change, archive, restore, with its whole history."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from ninja import Header, Query, Router, Status

from memory_app.actions import memories as actions
from memory_app.actions.erasing import erase_memory
from memory_app.actions.memories import Changed, NewMemory
from memory_app.actions.outcomes import record_outcome
from memory_app.auth import CURATES, READS, TALKS, CallerRequest
from memory_app.domain.errors import UNFIT, UNKNOWN_REFERENCE, Invalid, PreconditionFailed
from memory_app.keyset import Order
from memory_app.models import Memory, Session
from memory_app.queries import memories as shown
from memory_app.queries.decisions import decision_shown, get_decision
from memory_app.schemas.decisions import DecisionShown
from memory_app.schemas.fields import IfMatch
from memory_app.schemas.listing import Asked, Listed, MemoriesAsked
from memory_app.schemas.memories import (
    MemoryChanges,
    MemoryGiven,
    MemoryShown,
    OutcomeGiven,
    VersionShown,
    VersionWanted,
)
from memory_app.schemas.problems import refuses
from memory_app.schemas.users import ReceiptShown

from .lists import each, listed
from .receipts import receipt_shown

router = Router(tags=["Memories"])
CHANGED = {200: MemoryShown, 202: DecisionShown}
EMPTY_FOR_NONE = ("key", "condition", "subject", "source")


@router.get("", auth=READS, response=Listed[MemoryShown], summary="List memories", openapi_extra=refuses(UNFIT))
def get_memories(request: CallerRequest, asked: Query[MemoriesAsked]) -> dict[str, Any]:
    rows = shown.memories(request.auth.workspace, asked.filters(), request.auth.teams)
    return listed(request, rows, shown.ORDER, asked, each(shown.memory_shown))


@router.post(
    "",
    auth=CURATES,
    response={201: MemoryShown, 202: DecisionShown},
    summary="Write a memory",
    openapi_extra=refuses("blocked", UNKNOWN_REFERENCE),
)
def post_memory(request: CallerRequest, response: HttpResponse, body: MemoryGiven) -> Status[Any]:
    """A new memory, or with `on_conflict: "override"` a new version of what fills its slot. Where that one is
    protected, 202 with the decision that waits for an admin."""
    caller = request.auth
    caller.may_touch(body.team)
    fields = body.model_dump(exclude={"on_conflict", "session"})
    fields |= {name: fields[name] or "" for name in EMPTY_FOR_NONE} | {"keywords": tuple(body.keywords)}
    new = NewMemory(**fields, session=_session(request, body.session))
    changed = actions.remember(caller.workspace, caller.actor, new, body.on_conflict or "")
    return changed_answer(request, response, changed, 201)


@router.get("/{memory_id}", auth=READS, response=MemoryShown, summary="Read a memory")
def get_memory(request: CallerRequest, response: HttpResponse, memory_id: UUID) -> dict[str, Any]:
    memory = enter_memory(request, memory_id)
    response["ETag"] = f'"{memory.version}"'
    return shown.memory_shown(memory)


@router.patch(
    "/{memory_id}", auth=CURATES, response=CHANGED, summary="Change a memory", openapi_extra=refuses("blocked", UNFIT)
)
def patch_memory(
    request: CallerRequest,
    response: HttpResponse,
    memory_id: UUID,
    body: MemoryChanges,
    if_match: IfMatch | None = Header(None, alias="If-Match", description="The version that the change was made from."),
) -> Status[Any]:
    """A new version; of protected memory (202) a decision that waits for an admin. A stale `If-Match`: 412."""
    memory = enter_memory(request, memory_id)
    changes = body.model_dump(exclude_unset=True)
    if not changes:
        raise Invalid.field("body", "must name at least one field to change.")
    changes = {k: "" if v is None and k in EMPTY_FOR_NONE else v for k, v in changes.items()}
    if set(changes) == {"pinned"}:
        pinned = actions.pin_memory(memory, request.auth.actor, changes["pinned"], if_match=version_of(if_match))
        return changed_answer(request, response, pinned)
    edited = actions.edit_memory(memory, request.auth.actor, changes, if_match=version_of(if_match))
    return changed_answer(request, response, edited)


@router.delete(
    "/{memory_id}",
    auth=CURATES,
    response={200: MemoryShown | ReceiptShown, 202: DecisionShown},
    summary="Archive a memory",
)
def delete_memory(
    request: CallerRequest,
    response: HttpResponse,
    memory_id: UUID,
    erase: bool = Query(False, description="Remove every version and trace, for good (admin); answers a receipt."),
    if_match: IfMatch | None = Header(None, alias="If-Match", description="The version that is to be archived."),
) -> Status[Any]:
    """Archived: never recalled, kept with its history, and restorable. With `erase` gone at once and for good,
    protected or not: every version, vector and decision, the notes that it came from and what they quoted."""
    memory = enter_memory(request, memory_id)
    if erase:
        if (wanted := version_of(if_match)) is not None and wanted != memory.version:
            raise PreconditionFailed(f"{memory.ref} is now v{memory.version}, not v{wanted}.")
        return Status(200, receipt_shown(erase_memory(memory, request.auth.actor)))
    archived = actions.archive_memory(memory, request.auth.actor, if_match=version_of(if_match))
    return changed_answer(request, response, archived)


@router.get("/{memory_id}/history", auth=READS, response=Listed[VersionShown], summary="List a memory's versions")
def get_history(request: CallerRequest, memory_id: UUID, asked: Query[Asked]) -> dict[str, Any]:
    """Versions, newest first, each with its author and the decision that made it."""
    rows = shown.versions(enter_memory(request, memory_id))
    return listed(request, rows, Order("number"), asked, each(shown.version_shown))


@router.post(
    "/{memory_id}/restore",
    auth=CURATES,
    response=CHANGED,
    summary="Restore a version",
    openapi_extra=refuses("blocked", UNKNOWN_REFERENCE),
)
def restore_version(
    request: CallerRequest,
    response: HttpResponse,
    memory_id: UUID,
    body: VersionWanted,
    if_match: IfMatch | None = Header(
        None, alias="If-Match", description="The version that is current for the caller."
    ),
) -> Status[Any]:
    """The content of an earlier version, as a new one, active again."""
    memory = enter_memory(request, memory_id)
    changed = actions.restore_memory(memory, request.auth.actor, body.version, if_match=version_of(if_match))
    return changed_answer(request, response, changed)


@router.post("/{memory_id}/retract", auth=CURATES, response=CHANGED, summary="Retract a memory")
def retract(
    request: CallerRequest,
    response: HttpResponse,
    memory_id: UUID,
    if_match: IfMatch | None = Header(None, alias="If-Match", description="The version that is to be retracted."),
) -> Status[Any]:
    """Archived because its user wants it forgotten: what was said before is not remembered again."""
    memory = enter_memory(request, memory_id)
    return changed_answer(
        request, response, actions.retract_memory(memory, request.auth.actor, if_match=version_of(if_match))
    )


@router.post("/{memory_id}/outcome", auth=TALKS, response=MemoryShown, summary="Report how a procedure went")
def post_outcome(request: CallerRequest, memory_id: UUID, body: OutcomeGiven) -> dict[str, Any]:
    """One more success or failure of a procedural memory (others: 409). No new version."""
    memory = enter_memory(request, memory_id)
    record_outcome(memory, request.auth.actor, body.success)
    return shown.memory_shown(shown.get_memory(request.auth.workspace, memory.pk))


def enter_memory(request: CallerRequest, memory_id: UUID) -> Memory:
    """The memory; NotFound or Forbidden where the caller may not touch it."""
    memory = shown.get_memory(request.auth.workspace, memory_id)
    request.auth.may_see(memory)
    request.concerns = memory.user_id
    return memory


def _session(request: CallerRequest, session_id: UUID | None) -> Session | None:
    if session_id is None:
        return None
    rows = Session.objects.filter(workspace=request.auth.workspace, pk=session_id)
    session = rows.select_related("user", "workspace").first()
    if session is None:
        raise Invalid.field("session", "is not a session of this workspace.", UNKNOWN_REFERENCE)
    return request.auth.may_enter(session)


def changed_answer(request: CallerRequest, response: HttpResponse, changed: Changed, done: int = 200) -> Status[Any]:
    """The memory as it is now, its version as the ETag; or 202 with the decision that waits."""
    request.concerns = changed.memory.user_id
    if changed.pending:
        return Status(202, decision_shown(get_decision(request.auth.workspace, changed.decision.pk)))
    memory = shown.get_memory(request.auth.workspace, changed.memory.pk)
    response["ETag"] = f'"{memory.version}"'
    return Status(done, shown.memory_shown(memory))


def version_of(if_match: str | None) -> int | None:
    """The version that If-Match names; None where it is absent or matches any."""
    if if_match is None or if_match.strip() == "*":
        return None
    plain = if_match.strip().removeprefix("W/").strip('"')
    if not plain.isascii() or not plain.isdigit() or len(plain) > 9:
        raise Invalid.field("If-Match", 'must be a version, such as 3 or "3".')
    return int(plain)
