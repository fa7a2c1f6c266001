"""The registry of slots: which keys memory may fill, by whom, for how long, and who gets to see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Forbidden, PreconditionFailed
from memory_app.domain.slots import WRITERS
from memory_app.models import Cardinality, Memory, MemoryStatus, Slot, Workspace

from .audit import audit
from .guard import refuse_secret
from .locks import writing

#: What makes two memories want the same place.
PLACE = ("scope", "owner", "subject", "condition")
MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class SlotSettings:
    cardinality: str = "one"
    values: Sequence[str] = ()
    writers: Sequence[str] = WRITERS
    expires_after: timedelta | None = None
    exposure: str = "context"

    @property
    def digest(self) -> str:
        """A few letters that change with any setting."""
        plain = repr((self.cardinality, [*self.values], [*self.writers], self.expires_after, self.exposure))
        return sha256(plain.encode()).hexdigest()[:16]


def settings_of(slot: Slot) -> SlotSettings:
    """The slot's settings as they are stored."""
    return SlotSettings(slot.cardinality, slot.values, slot.writers, slot.expires_after, slot.exposure)


def put_slot(
    workspace: Workspace, actor: Actor, key: str, settings: SlotSettings, *, seen: str | None = None, new: bool = False
) -> tuple[Slot, bool]:
    """The slot with these settings, replaced whole, and whether it is new. Conflict when it is to hold one value and
    somewhere several are active (`memories` names them), or is to be `new` and is not; PreconditionFailed when its
    settings are not those of the digest `seen` any more."""
    if not actor.at_least("admin"):
        raise Forbidden("Slots need the role admin.")
    refuse_secret("key", key)
    for place, value in enumerate(settings.values):
        refuse_secret(f"values.{place}", value)
    wanted: Mapping[str, Any] = {
        "cardinality": settings.cardinality,
        "values": list(dict.fromkeys(settings.values)),
        "writers": [writer for writer in WRITERS if writer in settings.writers],
        "expires_after": settings.expires_after,
        "exposure": settings.exposure,
    }
    with writing():
        slot, made = Slot.objects.select_for_update().get_or_create(workspace=workspace, key=key, defaults=wanted)
        if new and not made:
            raise Conflict(f"There is a slot {key} already.", slot=str(slot.pk))
        if seen is not None and settings_of(slot).digest != seen:
            raise PreconditionFailed("The slot has other settings now.")
        changed = [name for name, value in wanted.items() if getattr(slot, name) != value]
        was = {name: _kept(getattr(slot, name)) for name in changed}
        for name in changed:
            setattr(slot, name, wanted[name])
        _fit_memories(slot)
        slot.save()
        now = {name: _kept(wanted[name]) for name in changed}
        told = {} if made else {"was": was, "now": now}
        audit(workspace, actor, "slot.create" if made else "slot.change", slot, changed=changed, **told)
    slot.refresh_from_db()
    return slot, made


def _kept(value: Any) -> Any:
    """The setting as the audit log keeps it: a duration by its seconds."""
    return value.total_seconds() if isinstance(value, timedelta) else value


def _fit_memories(slot: Slot) -> None:
    """The columns by which the database guards a slot, as its cardinality wants them."""
    single = slot.cardinality == Cardinality.ONE
    active = Memory.objects.filter(workspace=slot.workspace, key=slot.key, status=MemoryStatus.ACTIVE)
    if single:
        crowded = active.values(*PLACE).annotate(n=Count("pk")).filter(n__gt=1).order_by(*PLACE)
        if first := crowded.first():
            rows = active.filter(**{name: first[name] for name in PLACE}).order_by("number")
            raise Conflict(
                f"{slot.key} has several values for one owner; merge or archive them first.",
                memories=[str(pk) for pk in rows.values_list("pk", flat=True)[:MOST_NAMED]],
            )
    try:
        with transaction.atomic():
            active.exclude(single=single).update(single=single)
    except IntegrityError as error:
        raise Conflict(f"{slot.key} was written to meanwhile; try again.") from error
