"""Memories imported many at a time: each through the guardrails, with its own decision, version and audit row.

A memory's id comes from the line's own name, or from all that the line says, and so does that of the decision where a
line overrides what fills its slot. So a line that was imported before is known again, whatever has become of it, and an
import that was stopped anywhere goes on where it stopped.
"""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import DatabaseError, transaction
from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.domain.errors import CommonplaceError, Invalid, SlotOccupied
from memory_app.models import AuditEvent, Block, Decision, Memory, MemoryStatus, Session, Workspace
from memory_app.recorded import MemoryRecorded

from .audit import event_of
from .content import NO_VECTOR, TextVector, to_json
from .decisions import Proposal, decision_of
from .guard import Checked, check_fields, record_block, refuse_secret, released
from .locks import lock_owners
from .memories import CHECKED, NewMemory, new_state, owners_of, remember
from .versions import create_memories, slot_occupant

RULE = "import.file"
EMPTY_FOR_NONE = ("key", "condition", "subject", "source")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that has been through the guardrails; nothing of it is stored yet."""

    id: uuid.UUID
    given: MemoryRecorded
    checked: Checked

    @property
    def text(self) -> str:
        """What will be stored, masked; empty where it is refused."""
        return str(self.checked.values["text"]) if self.checked.allowed else ""


@dataclass(frozen=True, slots=True)
class Stored:
    """What became of a line: new, overridden, pending, known, blocked, or refused, and why."""

    outcome: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Ready:
    line: Line
    new: NewMemory
    memory: Memory
    proposal: Proposal


def id_of(workspace: Workspace, given: MemoryRecorded) -> uuid.UUID:
    """The id that the line's memory has, or will have; where it overrides one, its decision."""
    name = given.name or json.dumps(given.model_dump(mode="json"), sort_keys=True)
    return uuid.uuid5(workspace.pk, f"memory {name}")


def known_ids(ids: Sequence[uuid.UUID]) -> set[uuid.UUID]:
    """Those of which there is a memory, or a decision, already."""
    rows = (Memory.objects.filter(pk__in=ids), Decision.objects.filter(pk__in=ids))
    return {pk for found in rows for pk in found.values_list("pk", flat=True)}


def check_line(workspace: Workspace, given: MemoryRecorded) -> Line:
    """The line's fields through the guardrails. Invalid where an identifier holds a secret."""
    refuse_secret("key", given.key)
    refuse_secret("id", given.name)
    empty: dict[str, Any] = dict.fromkeys(CHECKED, "") | {"value": None, "keywords": ()}
    fields = {name: getattr(given, name) for name in CHECKED if getattr(given, name) not in (None, "", [])}
    checked = check_fields(workspace.rules, fields, key=given.key or "")
    return Line(id_of(workspace, given), given, replace(checked, values=empty | checked.values))


def store_lines(
    workspace: Workspace, actor: Actor, lines: Sequence[Line], vectors: Mapping[str, TextVector]
) -> list[Stored]:
    """What became of each line. One transaction for all; where that fails, one for each, and only the wrong one is
    refused."""
    try:
        with transaction.atomic():
            return _store(workspace, actor, lines, vectors)
    except (CommonplaceError, DatabaseError) as error:
        if len(lines) == 1:
            return [Stored("refused", str(error) if isinstance(error, CommonplaceError) else type(error).__name__)]
    return [store_lines(workspace, actor, [line], vectors)[0] for line in lines]


def _store(
    workspace: Workspace, actor: Actor, lines: Sequence[Line], vectors: Mapping[str, TextVector]
) -> list[Stored]:
    known = known_ids([line.id for line in lines])
    found: dict[int, Stored] = {}
    ready: dict[int, _Ready] = {}
    for place, line in enumerate(lines):
        if line.id in known:
            found[place] = Stored("known")
            continue
        try:
            made = _ready(workspace, actor, line)
        except CommonplaceError as error:
            found[place] = Stored("refused", error.message)
            continue
        if made is None:
            found[place] = Stored("blocked", line.checked.verdict.category or "" if line.checked.verdict else "")
        else:
            ready[place] = made
            known.add(line.id)
    lock_owners(_held(one) for one in ready.values())
    batch: list[_Ready] = []
    for place, one in ready.items():
        found[place] = _place(workspace, actor, one, batch, vectors)
    _write(workspace, actor, batch, vectors)
    return [found[place] for place in range(len(lines))]


def _ready(workspace: Workspace, actor: Actor, line: Line) -> _Ready | None:
    """The memory as it would be; None where the guardrails refuse it, and the block is kept."""
    given = line.given
    fields = given.model_dump(exclude={"on_conflict", "session", "id", "external_id", "status"})
    fields |= {name: fields[name] or "" for name in EMPTY_FOR_NONE} | {"keywords": tuple(given.keywords)}
    status = "active" if given.status == "expired" else given.status
    new = NewMemory(**fields, status=status, session=_session(workspace, given))
    user, team, session = owners_of(workspace, actor, new)
    verdict = line.checked.verdict
    if verdict is not None and not released(workspace, user, verdict, team):
        same = Block.objects.filter(
            workspace=workspace, user=user, note=None, memory=None, category=verdict.category, masked=verdict.masked
        )
        if not same.exists():
            record_block(workspace, verdict, field=line.checked.field or "text", user=user, session=session)
        return None
    state = new_state(workspace, new, line.checked.values)
    confirmed_at = new.confirmed_at or state["updated_at"]
    owner = {"user": user, "team": team, "session": session}[new.scope]
    assert owner is not None
    memory = Memory(
        id=line.id, workspace=workspace, scope=new.scope, owner=owner.pk, user=user, team=team, session=session,
        confirmed_at=confirmed_at, created_at=state["updated_at"], version=1, **(state | {"author": actor.kind}),
    )  # fmt: skip
    proposal = Proposal(
        action="promote", rule=RULE, kind=new.kind, scope=new.scope, user=user, team=team, session=session,
        after=to_json(state | {"confirmed_at": confirmed_at}), sensitivity=state["sensitivity"],
    )  # fmt: skip
    return _Ready(line, new, memory, proposal)


def _session(workspace: Workspace, given: MemoryRecorded) -> Session | None:
    if not given.session:
        return None
    rows = Session.objects.filter(workspace=workspace).select_related("user", "workspace")
    try:
        session = rows.filter(pk=uuid.UUID(given.session)).first()
    except ValueError:
        session = rows.filter(user__external_id=given.user, external_id=given.session).first()
    if session is None:
        raise Invalid.field("session", "is not a session of this user in this workspace.")
    return session


def _held(one: _Ready) -> uuid.UUID:
    session = one.memory.session
    return session.user_id if one.memory.scope == "session" and session is not None else one.memory.owner


def _place(
    workspace: Workspace, actor: Actor, one: _Ready, batch: list[_Ready], vectors: Mapping[str, TextVector]
) -> Stored:
    """Into the batch where its slot is free; else what the line says is to be done then."""
    if one.memory.status != MemoryStatus.ACTIVE or not one.memory.key:
        batch.append(one)
        return Stored("new")
    if any(_same_slot(one.memory, other.memory) for other in batch):
        _write(workspace, actor, batch, vectors)
    occupant = slot_occupant(one.memory)
    if occupant is None:
        batch.append(one)
        return Stored("new")
    if (occupant.text, occupant.value) == (one.memory.text, one.memory.value):
        return Stored("known")
    if one.line.given.on_conflict == "override" and one.memory.updated_at < occupant.updated_at:
        return Stored("refused", f"The line is older than {occupant.ref}, which fills the slot {occupant.key}.")
    _write(workspace, actor, batch, vectors)
    try:
        with transaction.atomic():
            changed = remember(
                workspace, actor, one.new, one.line.given.on_conflict or "",
                vector=vectors.get(one.memory.text, NO_VECTOR), decision_id=one.line.id,
            )  # fmt: skip
    except SlotOccupied as error:
        return Stored("refused", error.message)
    if changed.pending:
        return Stored("pending")
    return Stored("new" if changed.made else "overridden")


def _same_slot(one: Memory, other: Memory) -> bool:
    names = ("scope", "owner", "subject", "condition", "key", "status")
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _write(workspace: Workspace, actor: Actor, batch: list[_Ready], vectors: Mapping[str, TextVector]) -> None:
    """The batch stored, and emptied."""
    if not batch:
        return
    now = timezone.now()
    rows, events = [], []
    for one in batch:
        decision = decision_of(workspace, actor, one.proposal)
        decision.memory, decision.result_version, decision.decided_at = one.memory, 1, now
        rows.append((one.memory, vectors.get(one.memory.text, NO_VECTOR), decision))
        events.append(
            event_of(workspace, actor, f"decision.{decision.status}", decision, action=decision.action, rule=RULE)
        )
    create_memories(rows, actor)
    AuditEvent.objects.bulk_create(events)
    batch.clear()
