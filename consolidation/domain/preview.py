"""preview(): decide() on a document in the vocabulary of the API and the case files; nothing is stored."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from .compare import values
from .decide import decide
from .decisions import ActiveMemory, Candidate, Decided, Evidence, Existing, Slot
from .policy import Policy

Guard = Callable[[str], str | None]
#: Fields of a note or memory that hold words where they hold anything.
WORDS = (
    "key", "condition", "subject", "kind", "scope", "team", "status", "source", "cardinality", "sensitivity", "polarity",
    "origin",
)  # fmt: skip


class PreviewError(ValueError):
    """A document that cannot be read; `field` says where."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field, self.message = field, message


def preview(
    payload: Mapping[str, Any],
    guard: Guard,
    similarity: Callable[[str, str], float],
    *,
    sensitivity: Guard | None = None,
    slots: Mapping[str, Slot] | None = None,
    profile: Mapping[str, Any] | None = None,
    now: datetime | None = None,
) -> dict[str, Any]:
    """`{decisions, active}` for `{existing, notes, now?, policy?}`, in the caller's own ids.

    `guard` names the category of a text that must not be kept; `sensitivity` the kind of a sensitive fact. A
    preview shows the outcome as if every decision were approved.
    """
    existing = [_existing(item, i) for i, item in enumerate(_list(payload, "existing"))]
    notes = [_candidate(item, i, guard, sensitivity) for i, item in enumerate(_list(payload, "notes"))]
    moment = _time(payload.get("now"), "now") or now
    if moment is None:
        moment = max([n.said_at for n in notes] + [e.updated_at for e in existing], default=datetime.now(UTC))
    policy = Policy.from_json(payload["policy"]) if payload.get("policy") else Policy()
    trusted = payload.get("profile") or profile or {}
    outcome = decide(notes, existing, moment, policy, slots or {}, similarity, trusted)
    return {
        "decisions": [decision_json(d) for d in outcome.decisions],
        "active": [memory_json(m) for m in outcome.active],
    }


def decision_json(decided: Decided) -> dict[str, Any]:
    """A decision as the API shows it in a preview."""
    return {
        "note": decided.candidate,
        "memory": decided.target,
        "action": decided.action,
        "proposed_action": decided.proposed_action,
        "rule": decided.rule,
        "params": dict(decided.params),
        "confidence": decided.confidence,
        "status": "pending" if decided.hold else "applied",
        "needs": decided.needs,
        "hold_reason": decided.hold_reason,
        "neighbours": [{"memory": n.memory, "similarity": n.similarity} for n in decided.neighbours],
        "checks": [{"name": c.name, "ok": c.ok} for c in decided.checks],
        "base_version": decided.base_version,
    }


def memory_json(memory: ActiveMemory) -> dict[str, Any]:
    """A live record as the API shows it in a preview."""
    m = memory.memory
    return {
        "id": memory.id,
        "sources": list(memory.sources),
        "text": m.text,
        "key": m.key,
        "value": m.value,
        "condition": m.condition,
        "subject": m.subject,
        "kind": m.kind,
        "scope": m.scope,
        "team": m.team,
        "updated_at": m.updated_at.isoformat(),
        "confirmed_at": m.confirmed_at.isoformat(),
        "occurred_at": m.occurred_at.isoformat() if m.occurred_at else None,
        "expires_at": m.expires_at.isoformat() if m.expires_at else None,
        "polarity": m.polarity,
        "pinned": memory.pinned,
        "protected": memory.protected,
        "contested": memory.contested,
        "status": "active",
    }


def _list(payload: Mapping[str, Any], name: str) -> list[Any]:
    found = payload.get(name)
    if found is None:
        return []
    if not isinstance(found, list):
        raise PreviewError(name, "must be a list")
    return found


#: Characters of a bare date.
DAY = 10


def _time(value: Any, field: str, *, day: bool = False) -> datetime | None:
    """A moment; where a `day` will do, a bare date is its first, as the API takes it."""
    if value is None:
        return None
    if isinstance(value, datetime):
        found = value
    else:
        try:
            found = datetime.fromisoformat(str(value))
        except ValueError:
            raise PreviewError(field, "must be a time in ISO 8601") from None
    if found.tzinfo is None and day and len(str(value)) == DAY:
        return found.replace(tzinfo=UTC)
    if found.tzinfo is None:
        raise PreviewError(field, "must have an offset")
    return found


def _text(item: Any, field: str) -> str:
    """The item's text, in an item whose other words are words too."""
    if not isinstance(item, Mapping) or not isinstance(item.get("text"), str):
        raise PreviewError(field, "must be an object with a text")
    for name in WORDS:
        if not isinstance(item.get(name), str | None):
            raise PreviewError(f"{field}.{name}", "must be a string")
    for name in ("confidence", "version"):
        number = item.get(name)
        if number is not None and (isinstance(number, bool) or not isinstance(number, int | float)):
            raise PreviewError(f"{field}.{name}", "must be a number")
    if not isinstance(item.get("keywords"), list | tuple | None):
        raise PreviewError(f"{field}.keywords", "must be a list")
    return str(item["text"])


def _id(item: Mapping[str, Any], default: str) -> str:
    return str(item["id"]) if item.get("id") is not None else default


def _existing(item: Any, index: int) -> Existing:
    field = f"existing.{index}"
    text = _text(item, field)
    updated = _time(item.get("updated_at") or item.get("created_at") or item.get("said_at"), f"{field}.updated_at")
    if updated is None:
        raise PreviewError(f"{field}.updated_at", "is missing")
    scope = item.get("scope") or ("team" if item.get("team") else "user")
    return Existing(
        id=_id(item, f"m{index + 1}"), text=text, updated_at=updated, version=int(item.get("version") or 1),
        key=item.get("key"), value=item.get("value"), condition=item.get("condition"), subject=item.get("subject"),
        kind=item.get("kind") or "semantic", scope=scope, team=item.get("team"),
        status=item.get("status") or "active", pinned=bool(item.get("pinned")), protected=bool(item.get("protected")),
        source=item.get("source"), confirmed_at=_time(item.get("confirmed_at"), f"{field}.confirmed_at"),
        occurred_at=_time(item.get("occurred_at"), f"{field}.occurred_at", day=True),
        expires_at=_time(item.get("expires_at"), f"{field}.expires_at"),
        deleted_at=_time(item.get("deleted_at"), f"{field}.deleted_at"), cardinality=item.get("cardinality"),
        sensitivity=item.get("sensitivity"), polarity=item.get("polarity"),
    )  # fmt: skip


def _candidate(item: Any, index: int, guard: Guard, sensitivity: Guard | None) -> Candidate:
    field = f"notes.{index}"
    text = _text(item, field)
    said = _time(item.get("said_at"), f"{field}.said_at")
    if said is None:
        raise PreviewError(f"{field}.said_at", "is missing")
    return Candidate(
        id=_id(item, f"c{index + 1}"), text=text, said_at=said, key=item.get("key"), value=item.get("value"),
        condition=item.get("condition"), subject=item.get("subject"), kind=item.get("kind") or "semantic",
        scope=item.get("scope") or "user", team=item.get("team"),
        occurred_at=_time(item.get("occurred_at"), f"{field}.occurred_at", day=True),
        expires_at=_time(item.get("expires_at"), f"{field}.expires_at"), evidence=_evidence(item.get("evidence")),
        keywords=tuple(str(k) for k in item.get("keywords") or ()), confidence=item.get("confidence"),
        retract=bool(item.get("retract")), origin=item.get("origin") or "agent", blocked=_unsafe(item, text, guard),
        found_by=str(item.get("found_by") or ""), held=item.get("held"),
        sensitivity=item.get("sensitivity") or (sensitivity(text) if sensitivity else None),
        recalled=bool(item.get("recalled")), polarity=item.get("polarity"),
    )  # fmt: skip


def _evidence(item: Any) -> Evidence | None:
    if not isinstance(item, Mapping):
        return None
    return Evidence(str(item.get("role") or "user"), str(item.get("quote") or ""), item.get("anchored"))


def _unsafe(item: Mapping[str, Any], text: str, guard: Guard) -> str | None:
    if item.get("blocked"):
        return str(item["blocked"])
    value = item.get("value")
    return guard(text) or (guard(value) if isinstance(value, str) and values.normal(value) not in text else None)
