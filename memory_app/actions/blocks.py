"""What people make of a block: kept as right, or released as a false positive."""

from typing import Any

from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Forbidden, NotFound
from memory_app.models import Block, BlockStatus, Decision, Workspace
from memory_app.models.decision import OPEN

from .audit import audit
from .decisions import Ruling, decline
from .guard import masked
from .locks import lock_owner, writing


def keep_block(workspace: Workspace, actor: Actor, block_id: Any, reason: str = "") -> Block:
    """The block stands. One that was released before is taken back while nothing has come of it: its decision is
    declined. Conflict when it is kept already, or when its note has been stored since."""
    block = find_block(workspace, block_id)
    with writing():
        block = lock_block(block, actor)
        if block.status == BlockStatus.KEPT:
            raise already(block)
        _take_back(block, actor, "block_kept")
        return settle(block, actor, BlockStatus.KEPT, reason)


def reopen_block(workspace: Workspace, actor: Actor, block_id: Any) -> Block:
    """The block as nobody has judged it: what a person made of it is taken back, and a release's decision declined.
    Conflict when nobody has, or when its note has been stored since."""
    block = find_block(workspace, block_id)
    with writing():
        block = lock_block(block, actor)
        if block.status == BlockStatus.BLOCKED:
            raise already(block)
        _take_back(block, actor, "block_reopened")
        block = settle(block, actor, BlockStatus.BLOCKED, "")
        block.decided_at = block.decided_by = None
        block.save(update_fields=["decided_at", "decided_by"])
    return block


def find_block(workspace: Workspace, block_id: Any) -> Block:
    """The workspace's block; NotFound when it is unknown or another's."""
    rows = Block.objects.filter(workspace=workspace, pk=block_id)
    block = rows.select_related(
        "workspace", "user", "memory", "note__turn", "note__team", "note__session__user"
    ).first()
    if block is None:
        raise NotFound("There is no such block.")
    return block


def lock_block(block: Block, actor: Actor) -> Block:
    """The block as it is now, its owners and row held until the transaction ends. Forbidden below curator."""
    if not actor.at_least("curator"):
        raise Forbidden("Blocks need the role curator.")
    team = block.note.team_id if block.note is not None else None
    for owner in sorted({o for o in (block.user_id, team) if o is not None}, key=str):
        lock_owner(owner)
    Block.objects.select_for_update().filter(pk=block.pk).first()
    return find_block(block.workspace, block.pk)


def settle(block: Block, actor: Actor, status: str, reason: str) -> Block:
    """The block with what a person made of it, audited."""
    block.status, block.reason, block.decided_at = status, masked(block.workspace.rules, reason), timezone.now()
    block.decided_by_id = int(actor.id) if actor.kind == "operator" and actor.id.isdigit() else None
    block.save(update_fields=["status", "reason", "decided_at", "decided_by"])
    audit(block.workspace, actor, f"block.{status}", block, category=block.category)
    return block


def already(block: Block) -> Conflict:
    return Conflict(f"{block.ref} is already {block.status}.", block=str(block.pk))


def _take_back(block: Block, actor: Actor, why: str) -> None:
    """What its release has made is declined; Conflict where that was stored."""
    for decision in _decisions(block):
        if decision.status in ("applied", "approved"):
            raise Conflict(f"Undo {decision.ref} first: the note was stored.", decision=str(decision.pk))
        if decision.status in OPEN:
            decline(block.workspace, actor, decision.pk, Ruling(reason_code=why))


def _decisions(block: Block) -> list[Decision]:
    """The decisions that its release has made."""
    if block.status != BlockStatus.RELEASED or block.note_id is None:
        return []
    return list(Decision.objects.filter(note=block.note_id).order_by("created_at"))
