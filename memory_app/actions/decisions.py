"""Decisions: recorded, approved, declined. One queue, one history, whoever asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.domain.errors import (
    CommonplaceError,
    Forbidden,
    Invalid,
    NotFound,
    SlotOccupied,
    Stale,
)
from memory_app.models import (
    Action,
    Comment,
    Decision,
    DecisionStatus,
    Memory,
    Needs,
    Note,
    NoteStatus,
    Session,
    Team,
    User,
    Workspace,
)
from memory_app.queries.approvers import Parties, made_its_agent, proposed

from .allowing import allowed, already, changes_protected, needs_role
from .audit import audit
from .content import NO_VECTOR, TextVector, embed
from .effects import PROFILE_FIELD, WRITES_VERSION, carry_out, refuse_field_of
from .guard import masked, masked_but_ids
from .locks import lock_owners, writing
from .rulings import (
    AS_IT_IS,
    UNSET,
    Ruling,
    aim,
    checked,
    content_of,
    keep_proposal,
    leave_session,
    onto,
    refuse_silent,
    refuse_unsafe,
)
from .versions import SAID

__all__ = ["UNSET", "Proposal", "Ruling", "approve", "comment", "decline", "find_decision", "record"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change of memory that somebody or something wants, with all that a person needs to judge it."""

    action: str
    rule: str
    kind: str
    scope: str
    after: Mapping[str, Any] | None = None
    before: Mapping[str, Any] | None = None
    memory: Memory | None = None
    base_version: int | None = None
    proposed_action: str = ""
    needs: str = "none"
    hold: bool = False
    params: Mapping[str, Any] = field(default_factory=dict)
    checks: Sequence[Mapping[str, Any]] = ()
    neighbours: Sequence[Mapping[str, Any]] = ()
    confidence: float = 1.0
    sensitivity: str = ""
    engine: str = "rules"
    policy_version: int | None = None
    note: Note | None = None
    session: Session | None = None
    user: User | None = None
    team: Team | None = None
    replaces: Decision | None = None
    id: UUID | None = None  # where it comes from outside, so that it is known again


def record(workspace: Workspace, actor: Actor, proposal: Proposal, vector: TextVector | None = None) -> Decision:
    """The decision, applied at once unless the proposal is held; inside the caller's transaction and owner lock."""
    decision = decision_of(workspace, actor, proposal)
    decision.save(force_insert=True)
    decision.refresh_from_db(fields=["number", "created_at"])
    if decision.status == DecisionStatus.APPLIED:
        carry_out(decision, decision.action, decision.after, vector, actor)
        decision.decided_at = timezone.now()
        decision.save(update_fields=["memory", "result_version", "decided_at", "params"])
    if proposal.note is not None:
        Note.objects.filter(pk=proposal.note.pk).update(status=NoteStatus.DECIDED)
    audit(workspace, actor, f"decision.{decision.status}", decision, action=decision.action, rule=decision.rule)
    return decision


def decision_of(workspace: Workspace, actor: Actor, proposal: Proposal) -> Decision:
    """The proposal as a row that is not yet saved: to be applied, or pending where it is held."""
    held = proposal.hold or proposal.action == Action.REVIEW
    return Decision(
        id=proposal.id or uuid4(),
        workspace=workspace,
        origin=actor.origin,
        action=proposal.action,
        proposed_action=proposal.proposed_action,
        status=DecisionStatus.PENDING if held else DecisionStatus.APPLIED,
        needs=(proposal.needs if proposal.needs != "none" else Needs.CURATOR) if held else Needs.NONE,
        kind=proposal.kind,
        scope=proposal.scope,
        sensitivity=proposal.sensitivity,
        user=proposal.user,
        team=proposal.team,
        session=proposal.session,
        note=proposal.note,
        memory=proposal.memory,
        base_version=proposal.base_version,
        before=proposal.before,
        after=proposal.after,
        rule=proposal.rule,
        params=masked_but_ids(workspace.rules, proposal.params),
        checks=list(proposal.checks),
        neighbours=list(proposal.neighbours),
        confidence=proposal.confidence,
        engine=proposal.engine,
        policy_version=proposal.policy_version,
        rule_set=workspace.rules.version,
        proposed_by_kind=actor.kind,
        proposed_by_id=actor.id,
        proposed_by=actor.label,
        replaces=proposal.replaces,
    )


def approve(
    workspace: Workspace,
    actor: Actor,
    decision_id: Any,
    ruling: Ruling = AS_IT_IS,
    vectors: Mapping[str, TextVector] | None = None,
    parties: Parties | None = None,
) -> Decision:
    """The decision approved and carried out. `vectors` are those of texts that were embedded beforehand, `parties` those of
    many decisions that are ruled on together.

    Raises AlreadyDecided when another was first, Stale when the memory has moved (the decision is marked stale),
    Invalid when a review names no action, Forbidden, Blocked when the guardrails of now refuse what it would keep.
    """
    decision = find_decision(workspace, decision_id)
    parties = parties or Parties(actor, [decision])
    # A refused text leaves a block: whoever may not rule leaves none.
    action, _ = allowed(decision, actor, ruling, parties)
    ruling = checked(decision, ruling)
    ready = _ready(decision, ruling, action, vectors or {})
    failure: CommonplaceError | None = None
    with writing():
        [decision] = lock_decisions([decision])
        action, target = allowed(decision, actor, ruling, parties)
        after = onto(decision, target, action, content_of(decision, ruling, action))
        its_agent = made_its_agent(decision, actor, parties, protected=changes_protected(decision, action, target))
        text = after.get("text")
        # Changed since it was read: found by its words now, by meaning when the sweep has made a vector.
        vector = ready.get(text, NO_VECTOR) if text else None
        try:
            with transaction.atomic():
                _refuse_moved(decision, target, action, ruling)
                keep_proposal(decision, action, after, target)
                aim(decision, target)
                leave_session(decision, action)
                carry_out(decision, action, after, vector, _author(decision, actor, ruling))
        except (Stale, SlotOccupied) as error:
            decision = find_decision(workspace, decision_id)  # still held; what was written to it is taken back
            decision.status = DecisionStatus.STALE
            failure = Stale(error.message, decision=str(decision.pk))
        else:
            decision.status = DecisionStatus.APPROVED
            if action != decision.action:
                decision.proposed_action = decision.proposed_action or decision.action
                decision.action = action
            decision.after = after or decision.after
        _settle(decision, actor, ruling, its_agent)
    if failure is not None:
        raise failure
    return decision


def _ready(decision: Decision, ruling: Ruling, action: str, vectors: Mapping[str, TextVector]) -> dict[str, TextVector]:
    """The vectors and that of the text that memory will hold, made before anything is held. Blocked where the guardrails
    refuse what it will hold."""
    after = content_of(decision, ruling, action)
    refuse_unsafe(decision, action, after)
    if decision.rule == PROFILE_FIELD:
        refuse_field_of(decision)
    text = after.get("text")
    return {**vectors} if not text or text in vectors else {**vectors, text: embed(text)}


def decline(workspace: Workspace, actor: Actor, decision_id: Any, ruling: Ruling = AS_IT_IS) -> Decision:
    """The decision declined: nothing is written to memory, the note stays what its session had.

    Whoever proposed a change takes it back in the same way, also where approving it needs an admin.
    """
    decision = find_decision(workspace, decision_id)
    _may_decline(decision, actor, ruling)
    ruling = checked(decision, ruling)
    with writing():
        [decision] = lock_decisions([decision])
        _may_decline(decision, actor, ruling)
        decision.status = DecisionStatus.DECLINED
        _settle(decision, actor, ruling)
    return decision


def comment(workspace: Workspace, actor: Actor, decision_id: Any, text: str) -> Comment:
    """A remark on a decision, masked like everything that is stored."""
    decision = find_decision(workspace, decision_id)
    if not actor.at_least("curator"):
        raise Forbidden("Comments need the role curator.")
    if not text.strip():
        raise Invalid.field("comment", "must not be empty.")
    with transaction.atomic():
        audit(workspace, actor, "decision.comment", decision)
        made = _comment(decision, actor, masked(workspace.rules, text))
        made.refresh_from_db(fields=["created_at"])
        return made


def find_decision(workspace: Workspace, decision_id: Any) -> Decision:
    """The workspace's decision; NotFound when it is unknown or another's."""
    found = Decision.objects.filter(workspace=workspace, pk=decision_id)
    decision = found.select_related("workspace", "note__turn", "user", "team", "session", "memory").first()
    if decision is None:
        raise NotFound("There is no such decision.")
    return decision


def owners_of(decision: Decision) -> set[UUID]:
    """Everybody whose memory it may change: what a session kept for itself may be meant for a team."""
    meant_for = decision.note.team_id if decision.note is not None else None
    owners = {owner for owner in (decision.user_id, decision.team_id, meant_for) if owner is not None}
    return owners or {decision.workspace_id}


def lock_decisions(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions as they are now, held until the transaction ends with their rows and all of their owners.

    All that a transaction is about are locked by one call: a second one could wait for whoever waits for the first.
    """
    lock_owners(owner for decision in decisions for owner in owners_of(decision))
    list(Decision.objects.select_for_update().filter(pk__in=[one.pk for one in decisions]).order_by("pk"))
    return [find_decision(one.workspace, one.pk) for one in decisions]


def _settle(decision: Decision, actor: Actor, ruling: Ruling, its_agent: bool = False) -> None:
    decision.decided_at = timezone.now()
    decision.decided_by_kind, decision.decided_by_id, decision.decided_by = actor.kind, actor.id, actor.label
    decision.reason_code = ruling.reason_code
    decision.batch = ruling.batch
    decision.snoozed_until = None  # undone, it is open again, and in the queue
    decision.save()
    if ruling.comment:
        _comment(decision, actor, ruling.comment)
    detail: dict[str, Any] = {"batch": str(ruling.batch)} if ruling.batch else {}
    if ruling.reason_code:
        detail["reason_code"] = ruling.reason_code
    if decision.status == DecisionStatus.APPROVED and ruling.edits:
        detail["edited"] = decision.edited(decision.after or {})
    if decision.status == DecisionStatus.APPROVED and its_agent:
        detail["made_its_agent"] = True
    audit(decision.workspace, actor, f"decision.{decision.status}", decision, action=decision.action, **detail)


def _comment(decision: Decision, actor: Actor, text: str) -> Comment:
    return Comment.objects.create(
        workspace_id=decision.workspace_id,
        decision=decision,
        author_kind=actor.kind,
        author_id=actor.id,
        author=actor.label,
        text=text,
    )


def _may_decline(decision: Decision, actor: Actor, ruling: Ruling) -> None:
    if not decision.is_open:
        raise already(decision)
    if not (proposed(decision, actor) and actor.at_least("curator")):
        needs_role(decision, actor)
        refuse_silent(decision, actor, ruling)


def _refuse_moved(decision: Decision, target: Memory | None, action: str, ruling: Ruling) -> None:
    if target is not None and action == Action.DEDUPE and target == decision.memory:
        _refuse_reworded(decision, target)
    if target is None or action not in WRITES_VERSION:
        return
    bases = {ruling.base_version} if ruling.base_version is not None else set()
    if target == decision.memory and decision.base_version is not None:
        # An undone decision is open again, and was made against what the undo has put back.
        bases.add(decision.base_version)
    if bases - {target.version}:
        raise Stale(f"{target.ref} is now v{target.version}; the decision was made against another version.")


def _refuse_reworded(decision: Decision, target: Memory) -> None:
    """A confirmation speaks for the words that it was compared with, and not for others that are there by now."""
    read = target.versions.filter(number=decision.base_version or 0).first()
    if read is not None and any(getattr(read, name) != getattr(target, name) for name in SAID):
        raise Stale(f"{target.ref} says something else by now than the decision was made against.")


def _author(decision: Decision, actor: Actor, ruling: Ruling) -> Actor:
    """Whoever's words they are: the person who edited, else the one who proposed."""
    if ruling.edits:
        return actor
    return Actor(decision.proposed_by_kind, decision.proposed_by_id, decision.proposed_by, actor.role)
