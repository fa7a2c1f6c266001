"""What each kind of decision does to memory, once it is let through. Always inside the transaction of its action."""

from collections.abc import Callable, Mapping
from typing import Any

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Stale
from memory_app.models import Action, Decision, Memory, MemoryStatus, Note

from .content import NO_VECTOR, TextVector, ensure_slot, fill_slot, from_json, only_state
from .notes import archive_session_copy, stage_in_session
from .profiles import check_field, put_profile_field
from .versions import add_source, create_memory, withdraw_wrong, write_version

#: Actions after which the target has a new version, so that a decision made against an older one is stale.
WRITES_VERSION = frozenset(
    {"override", "edit", "pin", "unpin", "archive", "restore", "retract", "merge", "split"}
)  # fmt: skip
#: Actions whose memory is another one after them; after the others it is what it was, confirmed at most.
CHANGES_MEMORY = WRITES_VERSION | {"promote"}

#: The rule of a proposal that changes no memory: it writes a field of the profile.
PROFILE_FIELD = "edit.habit_profile"


def set_field_of(decision: Decision, author: Actor) -> None:
    """The profile holds the field that the decision proposes."""
    if decision.user is None:
        raise Stale("The user is gone.", decision=str(decision.pk))
    put_profile_field(decision.workspace, author, decision.user, decision.params["key"], _field_of(decision))


def refuse_field_of(decision: Decision) -> None:
    """Raises Blocked where the guardrails refuse the field, and its block stays: so before a transaction begins."""
    if decision.user is not None:
        check_field(decision.workspace, decision.user, decision.params["key"], _field_of(decision))


def _field_of(decision: Decision) -> dict[str, Any]:
    return {"value": decision.params["value"], "source": decision.params["source"], "verified_at": None}


def take_field_of(decision: Decision, author: Actor) -> None:
    """The profile no longer holds the field, unless somebody has written it anew."""
    user, key = decision.user, decision.params["key"]
    if user is not None and (user.profile.get(key) or {}).get("source") == decision.params["source"]:
        put_profile_field(decision.workspace, author, user, key, None)


def carry_out(
    decision: Decision, action: str, after: Mapping[str, Any] | None, vector: TextVector | None, author: Actor
) -> None:
    """Memory is as the decision says; `decision.memory` and `decision.result_version` name the outcome.

    Raises Stale when the memory has moved, SlotOccupied when another one fills its slot.
    """
    state = from_json(after or {})
    EFFECTS[Action(action)](decision, state, vector, author)
    decision.result_version = decision.memory.version if decision.memory else None


def _promote(decision: Decision, state: dict[str, Any], vector: TextVector | None, author: Actor) -> None:
    said_at = _said_at(decision, state)
    made = Memory.objects.filter(versions__number=1, versions__decision=decision).first()
    if made is not None:  # approved again after an undo: the same memory comes back
        decision.memory = made
        _bring_back(made, _content(decision, state), vector, author, decision)
    else:
        if vector is None:
            raise ValueError("a new memory needs its search vector")
        decision.before = decision.base_version = None  # a memory that it was compared with stays as it is
        decision.memory = create_memory(
            decision.workspace,
            _content(decision, state),
            vector,
            author,
            scope=decision.scope,
            user=decision.user,
            team=decision.team,
            session=decision.session if decision.scope == "session" else None,
            confirmed_at=said_at,
            decision=decision,
        )
    add_source(decision.memory, said_at=said_at, note=decision.note, decision=decision)


def _dedupe(decision: Decision, state: dict[str, Any], vector: TextVector | None, author: Actor) -> None:
    memory = _target(decision)
    add_source(memory, said_at=_said_at(decision, state), note=decision.note, decision=decision)


def _override(decision: Decision, state: dict[str, Any], vector: TextVector | None, author: Actor) -> None:
    memory = _target(decision)
    memory.confirmed_at = max(memory.confirmed_at, _said_at(decision, state))  # so the version says it as well
    if decision.corrects:
        withdraw_wrong(memory, decision)
    write_version(memory, _content(decision, state) | {"status": "active"}, vector, author, decision)
    add_source(memory, said_at=_said_at(decision, state), note=decision.note, decision=decision)


def _change(decision: Decision, state: dict[str, Any], vector: TextVector | None, author: Actor) -> None:
    if decision.rule == PROFILE_FIELD:
        set_field_of(decision, author)
        return
    write_version(_target(decision, live=False), _content(decision, state), vector, author, decision)


def _archive(decision: Decision, state: dict[str, Any], vector: TextVector | None, author: Actor) -> None:
    write_version(_target(decision), {"status": MemoryStatus.ARCHIVED}, None, author, decision)


def _merge(decision: Decision, state: dict[str, Any], vector: TextVector | None, author: Actor) -> None:
    memory = _target(decision)
    others = _merged(decision)
    write_version(memory, _content(decision, state), vector, author, decision)
    if decision.note is not None:
        add_source(memory, said_at=decision.note.said_at, note=decision.note, decision=decision)
    for other in others:
        gone = {"status": MemoryStatus.SUPERSEDED, "superseded_by": memory.pk}
        write_version(other, gone, None, author, decision)
        for source in other.sources.filter(withdrawn_at=None).select_related("note__turn"):
            add_source(memory, said_at=source.said_at, note=source.note, decision=decision)


def _merged(decision: Decision) -> list[Memory]:
    """The memories that go into the target, as they were when this was proposed; Stale when one has moved."""
    wanted = decision.params.get("merged", [])
    versions = decision.params.get("versions", {})
    rows = Memory.objects.select_for_update(of=("self",)).filter(
        workspace=decision.workspace, pk__in=wanted, status=MemoryStatus.ACTIVE
    )
    found = list(rows.order_by("number"))
    moved = [m for m in found if versions.get(str(m.pk), m.version) != m.version]
    if moved or (versions and len(found) < len(wanted)):
        names = ", ".join(m.ref for m in moved) or "One of them"
        raise Stale(f"{names} has changed since the merge was proposed.")
    return found


def _session_only(decision: Decision, state: dict[str, Any], vector: TextVector | None, author: Actor) -> None:
    """Nothing changes for a note that its session goes by already; one found in the turns is put there."""
    note = decision.note
    if note is None or vector is None or note.sources.exists() or note.retract:
        return
    stage_in_session(note, vector, author)


def _reject(decision: Decision, state: dict[str, Any], vector: TextVector | None, author: Actor) -> None:
    if decision.note is not None:
        archive_session_copy(decision.note, author, decision)


def _split(decision: Decision, state: dict[str, Any], vector: TextVector | None, author: Actor) -> None:
    """The first part is the memory's next version; each other one is a memory of its own, with the same sources, and
    keeps the id of it: approved again after an undo, the same memories come back."""
    memory = _target(decision)
    sources = list(memory.sources.filter(withdrawn_at=None).select_related("note__turn"))
    write_version(memory, _content(decision, state), vector, author, decision)
    parts = []
    for part in decision.params.get("parts", []):
        content = only_state(from_json(part))
        content = fill_slot(content, ensure_slot(decision.workspace, content["key"]))
        before = Memory.objects.filter(workspace=decision.workspace, pk=part.get("memory")).first()
        if before is not None:
            _bring_back(before, content, NO_VECTOR, author, decision)
            parts.append(part)
            continue
        made = create_memory(
            decision.workspace, content, NO_VECTOR, author, scope=memory.scope, user=memory.user, team=memory.team,
            session=memory.session, confirmed_at=memory.confirmed_at, decision=decision, created_at=memory.created_at,
        )  # fmt: skip
        for source in sources:
            add_source(made, said_at=source.said_at, note=source.note, decision=decision)
        parts.append(part | {"memory": str(made.pk)})
    decision.params = decision.params | {"parts": parts}


def _bring_back(
    made: Memory, content: dict[str, Any], vector: TextVector | None, author: Actor, decision: Decision
) -> None:
    """What the decision had made before it was undone is there again, unless somebody else has brought it back."""
    if made.status == MemoryStatus.ACTIVE:
        raise Stale(f"{made.ref}, which this made, is back already.", decision=str(decision.pk))
    if not made.versions.filter(number=made.version, decision=decision).exists():
        raise Stale(f"{made.ref}, which this made, has changed since it was undone.", decision=str(decision.pk))
    write_version(made, content | {"status": MemoryStatus.ACTIVE}, vector, author, decision)


EFFECTS: dict[Action, Callable[[Decision, dict[str, Any], TextVector | None, Actor], None]] = {
    Action.PROMOTE: _promote,
    Action.DEDUPE: _dedupe,
    Action.OVERRIDE: _override,
    Action.SESSION_ONLY: _session_only,
    Action.REJECT: _reject,
    Action.EDIT: _change,
    Action.PIN: _change,
    Action.UNPIN: _change,
    Action.ARCHIVE: _archive,
    Action.RESTORE: _change,
    Action.RETRACT: _archive,
    Action.MERGE: _merge,
    Action.SPLIT: _split,
}


def _target(decision: Decision, live: bool = True) -> Memory:
    memory = decision.memory
    if memory is None:
        raise Stale("The memory that this changes is gone.", decision=str(decision.pk))
    if live and memory.status != MemoryStatus.ACTIVE:
        raise Stale("The memory that this changes is no longer active.", decision=str(decision.pk))
    return memory


def _content(decision: Decision, state: dict[str, Any]) -> dict[str, Any]:
    """The columns of the new version, with the slot's columns where key or text are given."""
    content = only_state(state)
    if "text" in content:
        key = content.get("key", decision.memory.key if decision.memory else "")
        value = content.get("value", decision.memory.value if decision.memory else None)
        content = fill_slot(content | {"key": key, "value": value}, ensure_slot(decision.workspace, key))
    return content


def _said_at(decision: Decision, state: dict[str, Any]) -> Any:
    note: Note | None = decision.note
    return note.said_at if note is not None else state.get("confirmed_at") or state["updated_at"]
