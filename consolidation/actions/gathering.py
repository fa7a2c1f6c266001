"""What a decision is made from, read from the tables into frozen values."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet
from pgvector.django import CosineDistance

from consolidation.domain.decisions import Candidate, Evidence, Existing, Slot
from memory_app import guardrails
from memory_app.actions.content import TextVector
from memory_app.actions.guard import check_fields, released, strings
from memory_app.actions.notes import CHECKED
from memory_app.guardrails import RuleSet, Verdict
from memory_app.models import (
    Decision,
    Injection,
    Memory,
    MemoryStatus,
    MemoryVersion,
    Note,
    Scope,
    SearchEntry,
    Session,
    Workspace,
)
from memory_app.models import (
    Slot as SlotRow,
)

#: How many memories near to a note are compared with it; those of the same key always are.
NEAR = 20
KNOWN_TOMBSTONES = ("retract", "archive")


@dataclass(frozen=True)
class Gathered:
    """Everything `decide` needs, and the rows behind it by id."""

    notes: Mapping[str, Note]
    candidates: tuple[Candidate, ...]
    existing: tuple[Existing, ...]
    memories: Mapping[str, Memory]
    slots: Mapping[str, Slot]
    profile: Mapping[str, object]
    vectors: Mapping[str, TextVector]
    rules: RuleSet

    def similarity(self, one: str, other: str) -> float:
        """Cosine of the vectors of two texts; 0 where one has none."""
        first, second = self.vectors.get(one), self.vectors.get(other)
        if first is None or second is None or first.values is None or second.values is None:
            return 0.0
        if first.model != second.model:
            return 0.0
        return float(np.clip(np.dot(first.values, second.values), 0.0, 1.0))


def gather(
    session: Session,
    notes: Sequence[Note],
    vectors: Mapping[str, TextVector],
    known_at: datetime | None = None,
    rules: RuleSet | None = None,
) -> Gathered:
    """The notes as candidates, with the memories of their owners that they could repeat or contradict.

    `vectors` are those of the notes' texts and quotes, by text. With `known_at` the memories are as they were at that
    moment. The guardrails go by `rules`, or by those of the workspace.
    """
    memories = _neighbours(session, notes, vectors, any_status=known_at is not None)
    if known_at is not None:
        memories = _as_known(memories, known_at)
    deleted = _deleted_at(memories, known_at)
    rules = session.workspace.rules if rules is None else rules
    engines, shown = proposed_by_model(session), _shown(session)
    found = dict(vectors)
    existing = []
    for memory, entry in _with_entries(memories, past=known_at is not None):
        existing.append(_existing(memory, deleted.get(memory.pk)))
        if entry is not None and entry.vector is not None:
            found.setdefault(memory.text, TextVector.of(entry))
    return Gathered(
        notes={str(n.pk): n for n in notes},
        candidates=tuple(_candidate(n, engines.get(str(n.pk)), shown, rules) for n in notes),
        existing=tuple(existing),
        memories={str(m.pk): m for m in memories},
        slots=slots_of(session.workspace),
        profile={key: field.get("value") for key, field in session.user.profile.items()},
        vectors=found,
        rules=rules,
    )


def slots_of(workspace: Workspace) -> dict[str, Slot]:
    """The workspace's registry of slots, as decide() reads it."""
    return {row.key: _slot(row) for row in SlotRow.objects.filter(workspace=workspace)}


def _neighbours(
    session: Session, notes: Sequence[Note], vectors: Mapping[str, TextVector], *, any_status: bool
) -> list[Memory]:
    teams = list(session.teams.values_list("pk", flat=True)) + [n.team_id for n in notes if n.team_id]
    mine = Memory.objects.filter(
        Q(scope=Scope.USER, owner=session.user_id) | Q(scope=Scope.TEAM, owner__in=teams),
        workspace=session.workspace_id,
    )
    wanted: set[uuid.UUID] = set()
    keys = {n.key for n in notes if n.key}
    if keys:
        wanted |= set(mine.filter(key__in=keys).order_by("-recorded_at").values_list("pk", flat=True)[:500])
    live = mine if any_status else mine.filter(status=MemoryStatus.ACTIVE)
    ids = list(live.values_list("pk", flat=True)[: NEAR * 10 + 1])
    if len(ids) <= NEAR * 10:
        wanted |= set(ids)
    else:
        for note in notes:
            vector = vectors.get(note.text)
            if vector is not None and vector.values is not None:
                wanted |= set(_nearest(live, vector))
            wanted |= set(live.filter(text=note.text).values_list("pk", flat=True)[:NEAR])
    taken_away = Decision.objects.filter(memory=OuterRef("pk"), action__in=KNOWN_TOMBSTONES).exclude(origin="policy")
    gone = mine.filter(Exists(taken_away), status=MemoryStatus.ARCHIVED)
    wanted |= set(gone.order_by("-recorded_at").values_list("pk", flat=True)[:500])
    return list(Memory.objects.filter(pk__in=wanted).select_related("team").order_by("created_at", "number"))


def _as_known(memories: Sequence[Memory], moment: datetime) -> list[Memory]:
    """Those of the memories that there were at the moment, in the version of then."""
    versions = MemoryVersion.objects.filter(memory__in=[m.pk for m in memories], recorded_at__lt=moment)
    then = {version.memory_id: version for version in versions.order_by("memory", "number")}  # the last one stays
    known = []
    for memory in memories:
        version = then.get(memory.pk)
        if version is not None:
            for name, value in version.state().items():
                setattr(memory, name, value)
            memory.version, memory.confirmed_at = version.number, version.confirmed_at
            known.append(memory)
    return known


def _nearest(live: QuerySet[Memory], vector: TextVector) -> Iterable[uuid.UUID]:
    entries = SearchEntry.objects.filter(memory__in=live, model=vector.model, vector__isnull=False)
    return entries.order_by(CosineDistance("vector", vector.values)).values_list("memory_id", flat=True)[:NEAR]


def _with_entries(memories: Sequence[Memory], *, past: bool) -> list[tuple[Memory, SearchEntry | None]]:
    """Each with the entry of its version. Of those that may be `past` ones, the entries of all versions are read."""
    entries = SearchEntry.objects.filter(memory__in=memories)
    if not past:
        entries = entries.filter(number=F("memory__version"))
    by_version = {(e.memory_id, e.number): e for e in entries}
    return [(m, by_version.get((m.pk, m.version))) for m in memories]


def _deleted_at(memories: Sequence[Memory], known_at: datetime | None = None) -> dict[uuid.UUID, object]:
    """When each archived memory was taken away by a person or by its user's wish, not by an undo or a policy."""
    gone = [m.pk for m in memories if m.status == MemoryStatus.ARCHIVED]
    rows = (
        Decision.objects.filter(memory__in=gone, action__in=KNOWN_TOMBSTONES, status__in=["applied", "approved"])
        .exclude(origin="policy")
        .values("memory")
    )
    if known_at is not None:
        rows = rows.filter(decided_at__lt=known_at)
    return {row["memory"]: row["at"] for row in rows.annotate(at=Max("decided_at"))}


def proposed_by_model(session: Session) -> dict[str, str]:
    """The notes of the session that a language model has proposed, by id, with the model and its prompt."""
    calls = [call for made in session.runs.values_list("model_calls", flat=True) for call in made]
    return {note: call["engine"] for call in calls for note in call.get("notes", ())}


def _shown(session: Session) -> list[tuple[datetime, frozenset[str]]]:
    """Which memories recall gave the session, and when."""
    rows = Injection.objects.filter(session=session).values_list("at", "memory_ids")
    return [(at, frozenset(str(memory) for memory in memories)) for at, memories in rows]


def _candidate(
    note: Note, engine: str | None, shown: Sequence[tuple[datetime, frozenset[str]]], rules: RuleSet
) -> Candidate:
    quote = note.evidence_quote
    return Candidate(
        id=str(note.pk),
        text=note.text,
        said_at=note.said_at,
        key=note.key or None,
        value=note.value,
        condition=note.condition or None,
        subject=note.subject or None,
        kind=note.kind,
        scope=note.scope,
        team=note.team.external_id if note.team else None,
        occurred_at=note.occurred_at,
        expires_at=note.expires_at,
        evidence=Evidence(note.evidence_role or "user", quote, note.anchored) if note.evidence_role or quote else None,
        keywords=tuple(note.keywords),
        confidence=note.confidence,
        retract=note.retract,
        origin=note.origin if engine is None else "llm",
        engine=engine or "rules",
        **guarded(rules, note),
        sensitivity=note.sensitivity or None,
        recalled=note.recalled,
        shown=frozenset().union(*(memories for at, memories in shown if at <= note.created_at)),
        order=note.number,
    )


def guarded(rules: RuleSet, note: Note) -> dict[str, Any]:
    """What the guardrails say of a note that is decided: why it is blocked, and by which own rule a person looks."""
    if not rules.own:
        verdict: Verdict | None = guardrails.check(note.text, "consolidation", rules)
    else:
        fields = {name: getattr(note, name) for name in CHECKED}
        verdict = check_fields(rules, fields, "consolidation", key=note.key).verdict
    if verdict is None or verdict.allowed or released(note.workspace, note.user, verdict):
        return {"blocked": None, "held": rules.holds(list(strings({n: getattr(note, n) for n in CHECKED})), note.key)}
    return {"blocked": verdict.category, "found_by": verdict.rule or "", "held": None}


def _existing(memory: Memory, deleted_at: object) -> Existing:
    return Existing(
        id=str(memory.pk),
        text=memory.text,
        updated_at=memory.updated_at,
        version=memory.version,
        key=memory.key or None,
        value=memory.value,
        condition=memory.condition or None,
        subject=memory.subject or None,
        kind=memory.kind,
        scope=memory.scope,
        team=memory.team.external_id if memory.team else None,
        status="deleted" if deleted_at is not None else memory.status,
        pinned=memory.pinned,
        protected=memory.protected,
        source=memory.source or None,
        confirmed_at=memory.confirmed_at,
        occurred_at=memory.occurred_at,
        expires_at=memory.expires_at,
        deleted_at=deleted_at,  # type: ignore[arg-type]
        cardinality=("one" if memory.single else "many") if memory.key else None,
        sensitivity=memory.sensitivity or None,
    )


def _slot(row: SlotRow) -> Slot:
    return Slot(
        key=row.key,
        cardinality=row.cardinality,
        writers=tuple(row.writers),
        expires_after=row.expires_after,
        exposure=row.exposure,
        values=tuple(row.values),
    )
