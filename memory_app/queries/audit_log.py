"""The audit log as a page and as a file: which events match, newest first."""

import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import Model, Q, QuerySet

from memory_app.keyset import Order, Page, everything, page_of
from memory_app.models import (
    ActorKind,
    ApiKey,
    AuditEvent,
    Block,
    Decision,
    Memory,
    Note,
    Operator,
    Session,
    Slot,
    User,
    Workspace,
)
from memory_app.moments import days_of, first_day

PAGE_SIZE = 50
NAMED_AT_ONCE = 500
NEWEST = Order("at")
REF = re.compile(r"([A-Za-z])-([0-9]{1,17})")
BY_REF: dict[str, type[Model]] = {"M": Memory, "S": Session, "D": Decision, "G": Block}
#: What other objects are called, by the name of their table.
NAMED: dict[type[Model], str] = {User: "external_id", Slot: "key", ApiKey: "name", Note: "number"}
#: What actions begin with; each stands for all below it.
FAMILIES = ("session", "turns", "note", "working", "run", "decision", "memory", "block", "user", "slot", "policy", "key",
            "member", "workspace", "audit", "alert", "case_set", "evaluation")  # fmt: skip


@dataclass(frozen=True)
class AuditFilters:
    """What the address says. `actor` is an id or a part of a name, `object` an id or a ref such as M-412."""

    action: str = ""
    actor: str = ""
    kind: str = ""
    object: str = ""
    days: int | None = None

    @classmethod
    def read(cls, query: Mapping[str, Any]) -> "AuditFilters":
        def text(name: str) -> str:
            return str(query.get(name, ""))[:200].replace("\x00", "").strip()

        kind = text("kind")
        return cls(
            text("action"), text("actor"), kind if kind in ActorKind.values else "", text("object"),
            days_of(query.get("days", "")),
        )  # fmt: skip

    @property
    def narrowed(self) -> bool:
        return self != AuditFilters()

    def rows(self, workspace: Workspace) -> "QuerySet[AuditEvent]":
        found: QuerySet[AuditEvent] = AuditEvent.objects.filter(workspace=workspace)
        if self.action:
            family, _, name = self.action.partition(".")  # decision, or decision. for all of them
            found = found.filter(action=self.action) if name else found.filter(action__startswith=f"{family}.")
        if self.actor:
            found = found.filter(Q(actor_id=self.actor) | Q(actor__icontains=self.actor))
        if self.kind:
            found = found.filter(actor_kind=self.kind)
        if self.object:
            found = found.filter(_about(workspace, self.object))
        return found.filter(at__gte=first_day(self.days)) if self.days is not None else found


def audit_page(workspace: Workspace, filters: AuditFilters, cursor: str = "") -> Page[AuditEvent]:
    """A page of events, newest first."""
    return page_of(filters.rows(workspace), NEWEST, cursor, PAGE_SIZE)


def last_event(workspace: Workspace, action: str) -> AuditEvent | None:
    """The newest event of this action; None where it has never happened."""
    return AuditEvent.objects.filter(workspace=workspace, action=action).order_by("-at", "-pk").first()


def all_events(workspace: Workspace, filters: AuditFilters) -> Iterator[AuditEvent]:
    """Every event that matches, newest first, read a batch at a time however many there are."""
    return everything(filters.rows(workspace), NEWEST)


def named_events(workspace: Workspace, filters: AuditFilters) -> Iterator[tuple[AuditEvent, dict[str, str]]]:
    """Every event that matches, each with what the objects around it are called now."""
    events = all_events(workspace, filters)
    while some := list(islice(events, NAMED_AT_ONCE)):
        refs = refs_of(workspace, some)
        yield from ((event, refs) for event in some)


def refs_of(workspace: Workspace, events: Iterable[AuditEvent]) -> dict[str, str]:
    """What people call the objects of these events and what their details name, by id: M-412, a name and so on; a
    statement for each kind of object. What is gone has no name any more."""
    ids: dict[str, set[str]] = {"session": set()}
    for event in events:
        ids.setdefault(event.object_type, set()).add(event.object_id)
        ids["session"] |= {str(value) for name, value in event.detail.items() if name == "session"}
    found: dict[str, str] = {}
    for letter, model in BY_REF.items():
        found |= {pk: f"{letter}-{number}" for pk, number in _names(workspace, model, "number", ids)}
    for model, field in NAMED.items():
        start = "C-" if model is Note else ""
        found |= {pk: f"{start}{name}" for pk, name in _names(workspace, model, field, ids)}
    people = [int(one) for one in ids.get("operator", ()) if one.isdecimal()]
    rows = Operator.objects.filter(pk__in=people) if people else ()  # also who is no member any more
    found[str(workspace.pk)] = workspace.name
    return found | {str(one.pk): one.get_full_name() or one.username for one in rows}


def _names(workspace: Workspace, model: type[Model], field: str, ids: Mapping[str, set[str]]) -> list[tuple[str, Any]]:
    wanted = []
    for given in ids.get(model._meta.model_name or "", ()):
        with suppress(ValueError):
            wanted.append(uuid.UUID(given))
    if not wanted:
        return []
    rows = model._default_manager.filter(workspace=workspace, pk__in=wanted).values_list("pk", field)
    return [(str(pk), name) for pk, name in rows if name]


def row_by_ref(workspace: Workspace, ref: str) -> Any:
    """The memory, session, decision or block that is called so; None where there is none."""
    match = REF.fullmatch(ref.strip())
    model = BY_REF.get(match[1].upper()) if match else None
    if match is None or model is None:
        return None
    return model._default_manager.filter(workspace=workspace, number=int(match[2])).first()


def _about(workspace: Workspace, given: str) -> Q:
    """Events of the object of this id or ref; or the very event, whose id a receipt gives."""
    row = row_by_ref(workspace, given)
    about = Q(object_id__in=[given, *([str(row.pk)] if row is not None else [])])
    with suppress(ValueError):
        about |= Q(pk=uuid.UUID(given))
    return about
