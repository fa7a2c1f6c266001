"""Blocks as they are shown: masked text only."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet

from memory_app.domain.errors import NotFound
from memory_app.keyset import Order
from memory_app.models import Block, Workspace
from memory_app.queries.teams import within

ORDER = Order("created_at")


def blocks(workspace: Workspace, filters: Mapping[str, Any], teams: Iterable[str] | None = None) -> QuerySet[Block]:
    """The workspace's blocks that match every filter; with `teams`, none of another team or its sessions."""
    rows = Block.objects.filter(workspace=workspace, **filters).select_related("user", "memory__team")
    return within(rows, teams, "memory__team")


def get_block(workspace: Workspace, block_id: Any) -> Block:
    """The workspace's block; NotFound when it is unknown or another's."""
    block = blocks(workspace, {}).filter(pk=block_id).first()
    if block is None:
        raise NotFound("There is no such block.")
    return block


def block_shown(block: Block) -> dict[str, Any]:
    """What an agent is told about a note that was refused."""
    return {
        "id": block.pk,
        "stage": block.stage,
        "category": block.category,
        "rule": block.rule,
        "excerpt": block.excerpt,
    }


def block_whole(block: Block) -> dict[str, Any]:
    """The block with where it was found and what became of it."""
    return block_shown(block) | {
        "ref": block.ref,
        "status": block.status,
        "user": block.user.external_id if block.user else None,
        "session": block.session_id,
        "note": block.note_id,
        "turn": block.turn_id,
        "memory": block.memory_id,
        "field": block.field,
        "rule_set": block.rule_set,
        "masked": block.masked,
        "reason": block.reason or None,
        "decided_at": block.decided_at,
        "created_at": block.created_at,
    }
