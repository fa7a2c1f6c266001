"""A user's data taken out, or erased."""

from typing import Any

from ninja import Router, Status

from consolidation.actions import erase_user
from consolidation.queries.export import export_user
from consolidation.schemas import UserExport
from memory_app.api.receipts import receipt_shown
from memory_app.auth import GOVERNS, CallerRequest
from memory_app.domain.errors import Forbidden
from memory_app.queries.users import get_user
from memory_app.schemas.fields import Name
from memory_app.schemas.users import ReceiptShown

router = Router(tags=["Users"])


@router.get("/{user}/export", auth=GOVERNS, response=UserExport, summary="Export a user")
def get_export(request: CallerRequest, user: Name) -> dict[str, Any]:
    """One document with all that is held about this user, and nothing about others."""
    _whole(request)
    return export_user(get_user(request.auth.workspace, user))


@router.delete("/{user}", auth=GOVERNS, response={202: ReceiptShown}, summary="Erase a user")
def delete_user(request: CallerRequest, user: Name) -> Status[Any]:
    """Every trace of the user erased, for good: turns, notes, memories, versions, decisions, blocks, vectors, recall
    logs, kept answers; consolidations under way are cancelled. The audit log keeps the receipt: ids and counts."""
    _whole(request)
    return Status(202, receipt_shown(erase_user(request.auth.workspace, request.auth.actor, user)))


def _whole(request: CallerRequest) -> None:
    if request.auth.teams is not None:
        raise Forbidden("This key is limited to some teams; a user's whole data is not theirs alone.")
