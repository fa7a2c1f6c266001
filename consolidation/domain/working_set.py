"""The live records while one run decides: what stands in memory, changed by each decision in turn."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from .decisions import ActiveMemory, Candidate, Existing, Needs, Result, Slot
from .matching import Statement
from .slots import cardinality


@dataclass(slots=True)
class Record:
    """One live record. `ref` is who wrote its content, `root` the record that it is a version of."""

    ref: str
    root: str
    version: int | None
    content: Result
    sources: list[str]
    many: bool
    pinned: bool = False
    protected: bool = False
    contested: bool = False
    waits_for: tuple[str, ...] = ()  # held candidates that its content hangs on
    needs: Needs = "none"
    _said: tuple[Result, Statement] | None = field(default=None, repr=False, compare=False)

    @property
    def said_at(self) -> datetime:
        """The newest moment at which what it says was said."""
        return max(self.content.updated_at, self.content.confirmed_at)

    @property
    def statement(self) -> Statement:
        """What is compared. Every candidate asks for it, and it changes with the content only."""
        c = self.content
        if self._said is None or self._said[0] is not c:
            made = Statement(
                text=c.text, key=c.key, value=c.value, condition=c.condition, subject=c.subject, kind=c.kind,
                scope=c.scope, team=c.team, many=self.many, day=day_of(c.kind, c.occurred_at), ended=c.polarity == "past",
            )  # fmt: skip
            self._said = c, made
        return self._said[1]

    def active(self) -> ActiveMemory:
        """The record as part of an outcome."""
        return ActiveMemory(
            id=self.root, sources=tuple(self.sources), memory=self.content, pinned=self.pinned,
            protected=self.protected, contested=self.contested,
        )  # fmt: skip


def day_of(kind: str, occurred_at: datetime | None) -> str | None:
    """The day of an event; other statements have none."""
    return occurred_at.date().isoformat() if kind == "episodic" and occurred_at else None


def statement_of(candidate: Candidate, slots: Mapping[str, Slot]) -> Statement:
    """What is compared of a candidate."""
    return Statement(
        text=candidate.text, key=candidate.key, value=candidate.value, condition=candidate.condition,
        subject=candidate.subject, kind=candidate.kind, scope=candidate.scope, team=candidate.team,
        many=cardinality(candidate.key, slots) == "many", day=day_of(candidate.kind, candidate.occurred_at),
        ended=candidate.polarity == "past",
    )  # fmt: skip


def result_of(candidate: Candidate, slots: Mapping[str, Slot]) -> Result:
    """The memory that the candidate would make."""
    slot = slots.get(candidate.key or "")
    expires = candidate.expires_at
    if expires is None and slot is not None and slot.expires_after is not None:
        lasts = min(slot.expires_after, datetime.max.replace(tzinfo=candidate.said_at.tzinfo) - candidate.said_at)
        expires = candidate.said_at + lasts
    return Result(
        text=candidate.text, key=candidate.key, value=candidate.value, condition=candidate.condition,
        subject=candidate.subject, kind=candidate.kind, scope=candidate.scope, team=candidate.team,
        updated_at=candidate.said_at, confirmed_at=candidate.said_at, occurred_at=candidate.occurred_at,
        expires_at=expires, keywords=candidate.keywords, sensitivity=candidate.sensitivity, polarity=candidate.polarity,
    )  # fmt: skip


def record_of(existing: Existing, slots: Mapping[str, Slot]) -> Record:
    """An existing memory as a live record."""
    content = Result(
        text=existing.text, key=existing.key, value=existing.value, condition=existing.condition,
        subject=existing.subject, kind=existing.kind, scope=existing.scope, team=existing.team,
        updated_at=existing.updated_at, confirmed_at=existing.confirmed_at or existing.updated_at,
        occurred_at=existing.occurred_at, expires_at=existing.expires_at, sensitivity=existing.sensitivity,
        polarity=existing.polarity,
    )  # fmt: skip
    return Record(
        ref=existing.id, root=existing.id, version=existing.version, content=content, sources=[existing.id],
        many=cardinality(existing.key, slots, existing.cardinality) == "many", pinned=existing.pinned,
        protected=existing.protected or existing.pinned or existing.scope == "team" or existing.kind == "procedural",
    )  # fmt: skip


def is_live(existing: Existing, now: datetime) -> bool:
    """Active and not past its end; a memory that expires this very moment has expired."""
    return existing.status == "active" and (existing.expires_at is None or now < existing.expires_at)


def is_tombstone(existing: Existing) -> bool:
    """Removed because somebody wanted it gone."""
    return existing.status == "deleted" or (existing.status == "archived" and existing.deleted_at is not None)


def confirmed(record: Record, candidate: Candidate) -> Result:
    """The record's content, confirmed by the candidate: its wording stays and the time never moves back."""
    return replace(record.content, confirmed_at=max(record.content.confirmed_at, candidate.said_at))


def overridden(record: Record, candidate: Candidate, slots: Mapping[str, Slot]) -> Result:
    """The record's next version, as the candidate says it: it stays in its slot, scope and team."""
    old, new = record.content, result_of(candidate, slots)
    return replace(
        new, key=new.key or old.key, condition=new.condition or old.condition, subject=new.subject or old.subject,
        scope=old.scope, team=old.team,
    )  # fmt: skip
