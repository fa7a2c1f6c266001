"""The registry of slots: which keys memory may fill, by whom, for how long, and who gets to see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Forbidden
from memory_app.domain.slots import WRITERS
from memory_app.models import Cardinality, Memory, MemoryStatus, Slot, Workspace

from .audit import audit
from .guard import refuse_secret

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


def put_slot(workspace: Workspace, actor: Actor, key: str, settings: SlotSettings) -> tuple[Slot, bool]:
    """The slot with these settings, replaced whole, and whether it is new. Conflict when it is to hold one value and
    somewhere several are active; `memories` names them."""
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
    with transaction.atomic():
        slot, made = Slot.objects.select_for_update().get_or_create(workspace=workspace, key=key, defaults=wanted)
        changed = [name for name, value in wanted.items() if getattr(slot, name) != value]
        for name in changed:
            setattr(slot, name, wanted[name])
        _fit_memories(slot)
        slot.save()
        audit(workspace, actor, "slot.create" if made else "slot.change", slot, changed=changed)
    slot.refresh_from_db()
    return slot, made


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
