"""The registry of slots as a page: which match, how much memory each holds, where one is too small for it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Cast
from django.utils import timezone

from memory_app.keyset import Order, Page, page_of
from memory_app.models import AuditEvent, Cardinality, Exposure, Memory, MemoryStatus, Slot, Workspace

PAGE_SIZE = 50
BY_KEY = Order("key", descending=False)
#: What makes two memories want the same place; the same as the action's.
PLACE = ("scope", "owner", "subject", "condition")
PLACES, NAMED = 5, 5


@dataclass(frozen=True)
class SlotFilters:
    """What the address says; a value that means nothing counts as not given."""

    q: str = ""
    cardinality: str = ""
    exposure: str = ""

    @classmethod
    def read(cls, query: Mapping[str, Any]) -> "SlotFilters":
        def one_of(name: str, values: Iterable[str]) -> str:
            given = str(query.get(name, ""))
            return given if given in values else ""

        q = str(query.get("q", ""))[:100].replace("\x00", "").strip()
        return cls(q, one_of("cardinality", Cardinality.values), one_of("exposure", Exposure.values))

    @property
    def narrowed(self) -> bool:
        return self != SlotFilters()

    def rows(self, workspace: Workspace) -> "QuerySet[Slot]":
        found: QuerySet[Slot] = Slot.objects.filter(workspace=workspace)
        if self.q:
            found = found.filter(key__icontains=self.q)
        if self.cardinality:
            found = found.filter(cardinality=self.cardinality)
        return found.filter(exposure=self.exposure) if self.exposure else found


def is_set_up() -> Exists:
    """Of a slot: somebody has set it up, whatever they chose. The others were made for a key that came up."""
    events = AuditEvent.objects.filter(object_type="slot", action__in=("slot.create", "slot.change"))
    return Exists(events.filter(object_id=Cast(OuterRef("pk"), CharField())))


def slots_page(workspace: Workspace, filters: SlotFilters, cursor: str = "") -> Page[Slot]:
    """A page of slots by key."""
    return page_of(filters.rows(workspace), BY_KEY, cursor, PAGE_SIZE)


def memories_in(workspace: Workspace, slots: Iterable[Slot]) -> dict[str, int]:
    """How many memories hold now under each of these keys: those that the list of memories shows as active."""
    live = Memory.objects.live(timezone.now()).beyond_sessions().filter(workspace=workspace)
    live = live.filter(key__in=[slot.key for slot in slots])
    return dict(live.order_by().values_list("key").annotate(Count("pk")))


def find_slot(workspace: Workspace, slot_id: Any) -> Slot | None:
    return Slot.objects.filter(workspace=workspace, pk=slot_id).first()


@dataclass(frozen=True)
class Holds:
    """The memory of a slot: how much holds and how much is kept of what the list of memories shows, and places with several values, each with its memories."""

    live: int
    kept: int
    owners: int
    crowded: int
    places: tuple[tuple[Memory, ...], ...]


def holds_of(slot: Slot) -> Holds:
    """What the slot holds; at most so many crowded places are named."""
    memories = Memory.objects.filter(workspace=slot.workspace_id, key=slot.key)
    listed = memories.beyond_sessions()
    now = timezone.now()
    live = Q(status=MemoryStatus.ACTIVE) & (Q(expires_at=None) | Q(expires_at__gt=now))
    counts = listed.aggregate(
        live=Count("pk", filter=live), kept=Count("pk"), owners=Count("owner", filter=live, distinct=True)
    )
    active = memories.filter(status=MemoryStatus.ACTIVE)
    crowded = active.order_by().values(*PLACE).annotate(n=Count("pk")).filter(n__gt=1)
    found = list(crowded.order_by(*PLACE)[:PLACES])
    wanted = Q(pk=None)
    for place in found:
        wanted |= Q(**{name: place[name] for name in PLACE})
    rows = active.filter(wanted).select_related("user", "team").order_by("number") if found else []
    by_place: dict[tuple[Any, ...], list[Memory]] = {}
    for row in rows:
        by_place.setdefault(tuple(getattr(row, name) for name in PLACE), []).append(row)
    places = tuple(tuple(these[:NAMED]) for these in by_place.values())
    return Holds(counts["live"], counts["kept"], counts["owners"], crowded.count(), places)


def memories_named(workspace: Workspace, ids: Iterable[str]) -> list[Memory]:
    """These memories by number."""
    return list(Memory.objects.filter(workspace=workspace, pk__in=list(ids)).order_by("number"))
