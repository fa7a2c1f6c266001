"""From a pure decision to the proposal that is recorded: the same content in the tables' terms."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from consolidation.domain.decisions import Decided, Outcome, Result
from consolidation.domain.policy import Policy
from memory_app.actions.content import NO_VECTOR, TextVector, snapshot, to_json
from memory_app.actions.decisions import Proposal
from memory_app.actions.notes import importance_of
from memory_app.models import Decision, Memory, MemoryStatus, Note

from .gathering import Gathered


def proposed_texts(outcome: Outcome) -> Iterable[str]:
    """The texts that memory will hold when everything is applied."""
    return (d.result.text for d in outcome.decisions if d.result is not None)


def proposal_of(
    decided: Decided, gathered: Gathered, made: Mapping[str, Decision], *, policy: Policy
) -> tuple[Proposal, TextVector | None]:
    """The proposal and the vector of its text. `made` are the decisions of this run so far, by candidate."""
    note = gathered.notes[decided.candidate]
    memory, waits = _target(decided, gathered, made)
    result = decided.result
    vector = gathered.vectors.get(result.text if result is not None else note.text)
    if result is not None and vector is None:
        # A neighbour changed between the two readings; found by words now, by vector when the sweep has made one.
        vector = NO_VECTOR
    hold = decided.hold or waits
    return (
        Proposal(
            action=decided.action,
            proposed_action=decided.proposed_action or "",
            rule=decided.rule,
            params=dict(decided.params) | _held(decided, hold),
            kind=result.kind if result else note.kind,
            scope="team" if (result.scope if result else note.scope) == "team" else _scope(decided, note, result),
            before=snapshot(memory) if memory is not None else None,
            after=_archived(memory) if decided.proposed_action == "retract" else _after(note, memory, result),
            memory=memory,
            base_version=memory.version if memory is not None else None,
            needs=decided.needs if decided.needs != "none" or not hold else "curator",
            hold=hold,
            checks=[asdict(c) for c in decided.checks],
            neighbours=_neighbours(decided, gathered, made),
            confidence=decided.confidence,
            engine=decided.engine,
            sensitivity=note.sensitivity,
            policy_version=policy.version,
            note=note,
            session=note.session,
            user=note.user,
            team=note.team if note.scope == "team" else (memory.team if memory is not None else None),
        ),
        vector,
    )


def _held(decided: Decided, hold: bool) -> dict[str, str]:
    """Why it waits, by the name of the hold, for the page that has to say so."""
    return {"hold": decided.hold_reason or "waits_for_earlier"} if hold else {}


def _scope(decided: Decided, note: Note, result: Result | None) -> str:
    if decided.action == "session_only":
        return "session"
    return result.scope if result is not None else note.scope


def _target(decided: Decided, gathered: Gathered, made: Mapping[str, Decision]) -> tuple[Memory | None, bool]:
    """The memory that is changed, and whether this has to wait for an earlier decision of this run that waits."""
    waits = any(made[c].is_open for c in decided.depends_on if c in made)
    root = decided.root or decided.target
    if root is None:
        return None, waits
    if root in made:
        memory = made[root].memory
        if memory is not None:
            memory.refresh_from_db()
        return memory, waits or memory is None
    memory = gathered.memories.get(root)
    if memory is not None:
        memory.refresh_from_db()
    return memory, waits


def _neighbours(decided: Decided, gathered: Gathered, made: Mapping[str, Decision]) -> list[dict[str, Any]]:
    """Neighbours by the id of their memory; a note of the same run stands by its own id until it is one."""
    found = []
    for neighbour in decided.neighbours:
        decision = made.get(neighbour.memory)
        memory = decision.memory_id if decision is not None else None
        found.append(
            {"memory": str(memory or neighbour.memory), "similarity": round(neighbour.similarity, 4)}
            | ({"note": neighbour.memory} if neighbour.memory in gathered.notes else {})
        )
    return found


def _archived(memory: Memory | None) -> dict[str, Any] | None:
    return snapshot(memory) | {"status": MemoryStatus.ARCHIVED} if memory is not None else None


def _after(note: Note, memory: Memory | None, result: Result | None) -> dict[str, Any] | None:
    """The content that memory will have, complete, as JSON."""
    if result is None:
        return None
    base = memory.state() if memory is not None else {"importance": importance_of(note), "priority": 5, "pinned": False}
    base.pop("author", None)
    content = {
        "text": result.text,
        "key": result.key or "",
        "value": result.value,
        "condition": result.condition or "",
        "subject": result.subject or "",
        "keywords": list(result.keywords),
        "kind": result.kind,
        "status": MemoryStatus.ACTIVE,
        "sensitivity": result.sensitivity or "",
        "confidence": note.confidence,
        "source": note.origin,
        "updated_at": result.updated_at,
        "confirmed_at": result.confirmed_at,
        "occurred_at": result.occurred_at,
        "expires_at": result.expires_at,
    }
    if note.importance is not None:
        content["importance"] = note.importance
    return to_json(base | content)
