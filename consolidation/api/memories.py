"""Memories merged and split; the meaning of what comes of it is compared with what was there."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from ninja import Header, Router, Status

from consolidation.actions.combining import merge, split
from memory_app.actions.combining import UNSAID
from memory_app.api.memories import CHANGED, changed_answer, enter_memory, version_of
from memory_app.auth import CURATES, CallerRequest
from memory_app.domain.errors import UNFIT, UNKNOWN_REFERENCE
from memory_app.schemas.fields import IfMatch
from memory_app.schemas.memories import MergeWanted, SplitWanted
from memory_app.schemas.problems import refuses

router = Router(tags=["Memories"])
EMPTY_FOR_NONE = ("key", "condition", "subject")


@router.post(
    "/{memory_id}/merge",
    auth=CURATES,
    response=CHANGED,
    summary="Merge memories",
    openapi_extra=refuses("blocked", UNKNOWN_REFERENCE, UNFIT),
)
def post_merge(
    request: CallerRequest,
    response: HttpResponse,
    memory_id: UUID,
    body: MergeWanted,
    if_match: IfMatch | None = Header(None, alias="If-Match", description="The version that the merge was made from."),
) -> Status[Any]:
    """A new version that stands for the others too; they are superseded by it, and undo brings all of them back. The
    text may say nothing that none of them says. Where one is protected: 202 with the decision that waits."""
    memory = enter_memory(request, memory_id)
    value = body.value if "value" in body.model_fields_set else UNSAID
    changed = merge(
        memory, request.auth.actor, body.memories, text=body.text, value=value, if_match=version_of(if_match)
    )
    return changed_answer(request, response, changed)


@router.post(
    "/{memory_id}/split",
    auth=CURATES,
    response=CHANGED,
    summary="Split a memory",
    openapi_extra=refuses("blocked", UNFIT),
)
def post_split(
    request: CallerRequest,
    response: HttpResponse,
    memory_id: UUID,
    body: SplitWanted,
    if_match: IfMatch | None = Header(None, alias="If-Match", description="The version that the parts were made from."),
) -> Status[Any]:
    """The first part becomes its next version, each other one a memory of its own with the same sources; undo makes
    them one again. No part may say what the memory does not say."""
    memory = enter_memory(request, memory_id)
    parts = []
    for part in body.parts:
        given = part.model_dump(exclude_unset=True)
        parts.append({k: "" if v is None and k in EMPTY_FOR_NONE else v for k, v in given.items()})
    changed = split(memory, request.auth.actor, parts, if_match=version_of(if_match))
    return changed_answer(request, response, changed)
