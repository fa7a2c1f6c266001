"""The blocks of the guardrails as a file."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.http import HttpResponseBase
from django.views.decorators.http import require_safe

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.audit import audit as record
from memory_app.models import Block
from memory_app.queries.block_page import BlockFilters, all_blocks
from memory_app.views.files import attachment, csv_lines

from .guardrail_context import KEPT

COLUMNS = ("ref", "at", "stage", "category", "rule", "rule_set", "field", "excerpt", "status", "user", "session", "agent",
           "decided_by", "decided_at", "reason")  # fmt: skip


@require_safe
@workspace_page()
def guardrails_export(request: WorkspaceRequest) -> HttpResponseBase:
    """Every block that the filters match, as CSV, masked as on the page; that it was taken out is on record."""
    filters = BlockFilters.read(request.GET)
    asked = sorted(name for name in (*KEPT, "q") if getattr(filters, name))
    record(request.workspace, request.actor, "block.export", request.workspace, format="csv", filters=asked)
    return attachment(request, "blocks", "csv", csv_lines(COLUMNS, _rows(all_blocks(request.workspace, filters))))


def _rows(blocks: Iterable[Block]) -> Iterator[dict[str, Any]]:
    for block in blocks:
        session = block.session
        yield {
            "ref": block.ref, "at": block.created_at.isoformat(), "stage": block.stage, "category": block.category,
            "rule": block.rule, "rule_set": block.rule_set, "field": block.field,
            "excerpt": block.excerpt or block.masked, "status": block.status,
            "user": block.user.external_id if block.user else None, "session": session.ref if session else None,
            "agent": session.agent.external_id if session and session.agent else None,
            "decided_by": str(block.decided_by or ""), "decided_at": block.decided_at.isoformat() if block.decided_at else None,
            "reason": block.reason,
        }  # fmt: skip
