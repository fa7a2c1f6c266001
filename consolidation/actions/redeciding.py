"""A stale decision made anew, against memory as it is now."""

from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from consolidation.domain.decide import decide
from memory_app.actions.content import embed_all, snapshot
from memory_app.actions.decisions import Proposal, record
from memory_app.actions.locks import lock_owner, owner_of
from memory_app.domain.actor import SYSTEM, Actor
from memory_app.models import Decision, DecisionStatus, Needs

from .gathering import gather
from .policies import current_policy
from .proposing import proposal_of


def redecide(stale: Decision) -> Decision | None:
    """A fresh decision that waits in place of the stale one, or None where it has one already or has no subject."""
    if stale.status != DecisionStatus.STALE or stale.replaced_by.exists():
        return _replacement(stale)
    return _from_note(stale) if stale.note_id else _from_change(stale)


def _replacement(stale: Decision) -> Decision | None:
    return stale.replaced_by.order_by("-created_at").first()


def _from_note(stale: Decision) -> Decision:
    note = stale.note
    assert note is not None
    policy = current_policy(stale.workspace)
    vectors = embed_all([note.text, note.evidence_quote or note.text])
    with transaction.atomic():
        lock_owner(note.team_id if stale.scope == "team" and note.team_id else note.user_id)
        if (known := _replacement(stale)) is not None:  # another was faster
            return known
        gathered = gather(note.session, [note], vectors)
        outcome = decide(
            gathered.candidates, gathered.existing, now=timezone.now(), policy=policy, slots=gathered.slots,
            similarity=gathered.similarity, profile=gathered.profile,
        )  # fmt: skip
        proposal, _ = proposal_of(outcome.decisions[0], gathered, {}, policy=policy)
        return record(stale.workspace, SYSTEM, _waiting(proposal, stale))


def _from_change(stale: Decision) -> Decision | None:
    """The same change of the memory as it is now: what it leaves alone stays as others have made it meanwhile."""
    memory = stale.memory
    if memory is None:
        return None
    author = Actor(stale.proposed_by_kind, stale.proposed_by_id, stale.proposed_by, "curator")
    with transaction.atomic():
        lock_owner(owner_of(memory))
        if (known := _replacement(stale)) is not None:
            return known
        memory.refresh_from_db()
        was, now = stale.before or {}, snapshot(memory)
        changed = {name: value for name, value in (stale.after or {}).items() if was.get(name) != value}
        proposal = Proposal(
            action=stale.action, rule=stale.rule, params=stale.params, kind=stale.kind, scope=stale.scope,
            before=now, after={name: now[name] for name in stale.after or now if name in now} | changed,
            memory=memory, base_version=memory.version, sensitivity=stale.sensitivity,
            needs=stale.needs, user=stale.user, team=stale.team, session=stale.session,
            policy_version=stale.policy_version, engine=stale.engine,
        )  # fmt: skip
        return record(stale.workspace, author, _waiting(proposal, stale))


def _waiting(proposal: Proposal, stale: Decision) -> Proposal:
    """A person was at it, so whatever comes out of it waits for a person."""
    needs = Needs.ADMIN if Needs.ADMIN in (proposal.needs, stale.needs) else Needs.CURATOR
    return replace(proposal, hold=True, needs=needs, replaces=stale)
