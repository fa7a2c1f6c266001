"""The only place where memory and its versions are written."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from memory_app.domain.actor import Actor
from memory_app.domain.errors import SlotOccupied, Stale
from memory_app.domain.ranking import entry_text
from memory_app.domain.words import words
from memory_app.models import (
    Decision,
    Memory,
    MemorySource,
    MemoryStatus,
    MemoryVersion,
    Note,
    Scope,
    SearchEntry,
    Session,
    Team,
    User,
    Workspace,
)
from memory_app.models.decision import CARRIED_OUT
from memory_app.recall.injectable import mark_if_harmless

from .content import TextVector, ensure_slot, fill_slot

#: What a memory says; the rest of its state is how it is kept.
SAID = frozenset({"text", "value", "key", "condition", "subject"})
SLOT_CONSTRAINTS = ("memory_one_slot", "memory_many_slot")


def create_memory(
    workspace: Workspace,
    state: dict[str, Any],
    vector: TextVector,
    actor: Actor,
    *,
    scope: str,
    confirmed_at: datetime,
    user: User | None = None,
    session: Session | None = None,
    team: Team | None = None,
    decision: Decision | None = None,
    created_at: datetime | None = None,
) -> Memory:
    """A memory with its first version, searchable at once. SlotOccupied when a live one fills the slot."""
    owner = {Scope.USER: user, Scope.SESSION: session, Scope.TEAM: team}[Scope(scope)]
    if owner is None:
        raise ValueError(f"a memory of scope {scope} needs its {scope}")
    memory = Memory(
        workspace=workspace,
        scope=scope,
        owner=owner.pk,
        user=user,
        session=session,
        team=team,
        confirmed_at=confirmed_at,
        created_at=created_at or state["updated_at"],
        version=1,
        **(state | {"author": actor.kind}),
    )
    memory.passed = mark_if_harmless(workspace.rules, memory)
    _archive_expired_occupants(memory, actor, decision)
    _guarded_save(memory, force_insert=True)
    _append(memory, vector, actor, decision)
    memory.refresh_from_db(fields=["number", "recorded_at"])
    return memory


def create_memories(made: Sequence[tuple[Memory, TextVector, Decision]], actor: Actor) -> None:
    """All of these new memories with their first versions and sources, searchable at once, in a few statements.

    The caller holds their owners, and has seen that no slot that they want is filled.
    """
    versions = [_version(memory, actor, decision) for memory, _, decision in made]
    for memory, _, _ in made:
        memory.passed = mark_if_harmless(memory.workspace.rules, memory)
    Memory.objects.bulk_create([memory for memory, _, _ in made])
    Decision.objects.bulk_create([decision for _, _, decision in made])
    MemoryVersion.objects.bulk_create(versions)
    entries = [_entry(memory, version, v) for (memory, v, _), version in zip(made, versions, strict=True)]
    SearchEntry.objects.bulk_create(entries)
    MemorySource.objects.bulk_create(
        MemorySource(
            workspace_id=memory.workspace_id, memory=memory, version=1, decision=decision, said_at=memory.confirmed_at
        )
        for memory, _, decision in made
    )


def write_version(
    memory: Memory,
    changes: dict[str, Any],
    vector: TextVector | None,
    actor: Actor,
    decision: Decision | None,
) -> Memory:
    """The memory with one more version; the old one stays in its history. `vector` None keeps the last one's
    (the text has not changed). Stale when another writer was faster."""
    base = memory.version
    # Archiving or pinning leaves the words whose they were; only new words are their writer's.
    said_anew = any(name in SAID and value != getattr(memory, name) for name, value in changes.items())
    for name, value in changes.items():
        setattr(memory, name, value)
    if said_anew and "author" not in changes:
        memory.author = actor.kind
    memory.version = base + 1
    if memory.status == MemoryStatus.ACTIVE:
        memory.passed = mark_if_harmless(memory.workspace.rules, memory)
        _fit_slot(memory)
        _archive_expired_occupants(memory, actor, decision)
    if vector is None:
        vector = TextVector.of(SearchEntry.objects.get(memory=memory, number=base))
    columns = {name: getattr(memory, name) for name in memory.STATE}
    try:
        with transaction.atomic():
            changed = Memory.objects.filter(pk=memory.pk, version=base).update(
                version=base + 1, confirmed_at=memory.confirmed_at, passed=memory.passed, **columns
            )
    except IntegrityError as error:
        raise _occupied(error, memory) from error
    if changed != 1:
        raise Stale("The memory has changed meanwhile.", memory=str(memory.pk))
    _append(memory, vector, actor, decision)
    return memory


def add_source(
    memory: Memory,
    *,
    said_at: datetime,
    note: Note | None = None,
    decision: Decision | None = None,
) -> MemorySource:
    """One more source of the memory; `confirmed_at` moves forward to it, never back."""
    source = MemorySource.objects.create(
        workspace_id=memory.workspace_id,
        memory=memory,
        version=memory.version,
        decision=decision,
        note=note,
        turn=note.turn if note else None,
        said_at=said_at,
    )
    if said_at > memory.confirmed_at:
        memory.confirmed_at = said_at
        Memory.objects.filter(pk=memory.pk, confirmed_at__lt=said_at).update(confirmed_at=said_at)
    return source


def withdraw_wrong(memory: Memory, decision: Decision) -> None:
    """What spoke for a value that was wrong no longer counts, until the decision that corrects it is undone."""
    wrong = list(memory.sources.filter(withdrawn_at=None).values_list("pk", flat=True))
    decision.params = decision.params | {"withdrew": [str(pk) for pk in wrong]}
    MemorySource.objects.filter(pk__in=wrong).update(withdrawn_at=timezone.now())


def withdraw_sources(decision: Decision) -> None:
    """The sources that a decision added no longer count, and those that it had withdrawn do again, but for those whose
    own decision was taken back meanwhile; `confirmed_at` is what they say."""
    decision.sources.filter(withdrawn_at=None).update(withdrawn_at=timezone.now())
    memory = decision.memory
    if memory is None:
        return
    own = Q(decision=None) | Q(decision__status__in=CARRIED_OUT)
    memory.sources.filter(own, pk__in=decision.params.get("withdrew", ())).update(withdrawn_at=None)
    said = [s.said_at for s in memory.sources.filter(withdrawn_at=None)]
    if decision.before and decision.before.get("confirmed_at"):
        said.append(datetime.fromisoformat(decision.before["confirmed_at"]))
    if said:
        memory.confirmed_at = max(said)
        Memory.objects.filter(pk=memory.pk).update(confirmed_at=memory.confirmed_at)


def _append(memory: Memory, vector: TextVector, actor: Actor, decision: Decision | None) -> None:
    version = _version(memory, actor, decision)
    version.save(force_insert=True)
    _entry(memory, version, vector).save(force_insert=True)


def _version(memory: Memory, actor: Actor, decision: Decision | None) -> MemoryVersion:
    return MemoryVersion(
        workspace_id=memory.workspace_id,
        memory=memory,
        number=memory.version,
        decision=decision,
        author_id=actor.id,
        author_label=actor.label,
        confirmed_at=memory.confirmed_at,
        **memory.state(),
    )


def _entry(memory: Memory, version: MemoryVersion, vector: TextVector) -> SearchEntry:
    return SearchEntry(
        workspace_id=memory.workspace_id,
        version=version,
        memory=memory,
        number=version.number,
        owner=memory.owner,
        tokens=words(entry_text(memory.text, memory.key, memory.value, memory.subject, memory.keywords)),
        model=vector.model,
        vector=vector.values,
    )


def _fit_slot(memory: Memory) -> None:
    """The columns by which the database guards a slot are as the slot wants them now: what comes back may have been
    written when it was set up otherwise."""
    slot = ensure_slot(memory.workspace, memory.key)
    fitted = fill_slot({"text": memory.text, "value": memory.value}, slot)
    memory.single, memory.value_key = fitted["single"], fitted["value_key"]


def _archive_expired_occupants(memory: Memory, actor: Actor, decision: Decision | None) -> None:
    """An expired memory still fills its slot in the index, so whoever takes the slot archives it first."""
    if not memory.key:
        return
    occupants = Memory.objects.expired(timezone.now()).filter(
        workspace_id=memory.workspace_id,
        scope=memory.scope,
        owner=memory.owner,
        subject=memory.subject,
        condition=memory.condition,
        key=memory.key,
    )
    for occupant in occupants.exclude(pk=memory.pk):
        write_version(occupant, {"status": MemoryStatus.ARCHIVED}, None, actor, decision)


def _guarded_save(memory: Memory, **options: Any) -> None:
    try:
        with transaction.atomic():
            memory.save(**options)
    except IntegrityError as error:
        raise _occupied(error, memory) from error


def _occupied(error: IntegrityError, memory: Memory) -> Exception:
    constraint = getattr(getattr(error.__cause__, "diag", None), "constraint_name", "")
    if constraint not in SLOT_CONSTRAINTS:
        return error
    occupant = slot_occupant(memory)
    return SlotOccupied(
        f"Another memory already fills the slot {memory.key}.", memory=str(occupant.pk) if occupant else None
    )


def slot_occupant(memory: Memory) -> Memory | None:
    """The active memory that fills the slot which this one wants."""
    if not memory.key:
        return None
    found = Memory.objects.filter(
        workspace_id=memory.workspace_id,
        scope=memory.scope,
        owner=memory.owner,
        subject=memory.subject,
        condition=memory.condition,
        key=memory.key,
        status=MemoryStatus.ACTIVE,
    ).exclude(pk=memory.pk)
    if not memory.single:
        found = found.filter(value_key=memory.value_key)
    return found.first()
