"""Memories that say the same merged into one, and one that says several things split: decisions like any other."""

from collections.abc import Mapping, Sequence
from typing import Any

from memory_app import guardrails
from memory_app.domain.actor import Actor
from memory_app.domain.errors import UNFIT, UNKNOWN_REFERENCE, Conflict, Invalid, PreconditionFailed
from memory_app.models import Memory, MemoryStatus

from .content import embed, ensure_slot, fill_slot, to_json
from .guard import check_fields, refuse_secret
from .locks import lock_owner, owner_of, writing
from .memories import CHECKED, Changed, find_memory, propose, refuse_blocked

MOST = 20
#: What a part may say for itself; the rest it has from the memory that was split.
OF_PART = ("text", "key", "value", "condition", "subject", "keywords")
UNSAID: Any = object()


def merge_memories(
    memory: Memory,
    actor: Actor,
    others: Sequence[Any],
    *,
    text: str | None = None,
    value: Any = UNSAID,
    if_match: int | None = None,
    seen: Mapping[str, int] | None = None,
) -> Changed:
    """The memory with a new version that stands for the others as well; they are superseded by it, and their sources
    count for it. A decision that waits for an admin where any of them is protected. PreconditionFailed where one of
    the others is no longer the version in which it was `seen`: what it says now would be lost unread."""
    wanted = list(dict.fromkeys(str(pk) for pk in others))
    if not wanted or len(wanted) > MOST:
        raise Invalid.field("memories", f"must name 1 to {MOST} memories.")
    if str(memory.pk) in wanted:
        raise Invalid.field("memories", "must be others than the memory itself.", UNFIT)
    changes = {k: v for k, v in (("text", text), ("value", value)) if v is not None and v is not UNSAID}
    checked = check_fields(memory.workspace.rules, changes, key=memory.key)
    refuse_blocked(memory.workspace, checked, user=memory.user, memory=memory)
    content = checked.values | ({"value": None} if value is None else {})
    vector = embed(content.get("text") or memory.text)
    read = memory.version
    with writing():
        memory = _held(memory, read, if_match)
        gone = _same_owner(memory, wanted)
        _refuse_moved(gone, seen or {})
        after = memory.state() | content
        after["keywords"] = list(dict.fromkeys([*memory.keywords, *(k for m in gone for k in m.keywords)]))
        after["updated_at"] = max(m.updated_at for m in (memory, *gone))
        after["importance"] = max(m.importance for m in (memory, *gone))
        after["sensitivity"] = guardrails.sensitivity(after["text"], after["value"]) or next(
            (m.sensitivity for m in (memory, *gone) if m.sensitivity), ""
        )
        after["pinned"] = any(m.pinned for m in (memory, *gone))
        after = fill_slot(after, ensure_slot(memory.workspace, after["key"]))
        params = {
            "merged": [str(m.pk) for m in gone],
            "versions": {str(m.pk): m.version for m in gone},
        }
        protected = any(m.protected for m in gone)
        return propose(memory, actor, "merge", after, vector, params=params, protected=protected)


def split_memory(
    memory: Memory, actor: Actor, parts: Sequence[Mapping[str, Any]], *, if_match: int | None = None
) -> Changed:
    """The first part as the memory's next version, each other part as a memory of its own with the same sources."""
    if not 2 <= len(parts) <= MOST:
        raise Invalid.field("parts", f"must be 2 to {MOST}.")
    contents = [_part(memory, part, place) for place, part in enumerate(parts)]
    slots = [(c["key"], c["condition"], c["subject"], "" if c["single"] else c["value_key"]) for c in contents]
    for place, slot in enumerate(slots):
        if slot[0] and slot in slots[:place]:
            raise Invalid.field(f"parts.{place}.key", "fills the same slot as another part.", UNFIT)
    vector = embed(contents[0]["text"])
    seen = memory.version
    with writing():
        memory = _held(memory, seen, if_match)
        params = {"parts": [to_json(content) for content in contents[1:]]}
        return propose(memory, actor, "split", contents[0], vector, params=params)


def _part(memory: Memory, part: Mapping[str, Any], place: int) -> dict[str, Any]:
    refuse_secret(f"parts.{place}.key", part.get("key"))
    fields = {k: v for k, v in part.items() if k in CHECKED}
    checked = check_fields(memory.workspace.rules, fields, key=part.get("key") or "")
    refuse_blocked(memory.workspace, checked, user=memory.user, memory=memory)
    given = {k: v for k, v in part.items() if k in OF_PART} | checked.values
    content = memory.state() | {"key": "", "value": None} | given
    content["sensitivity"] = guardrails.sensitivity(content["text"], content["value"]) or memory.sensitivity
    content.pop("author", None)
    return fill_slot(content, ensure_slot(memory.workspace, content["key"]))


def _held(memory: Memory, seen: int, if_match: int | None) -> Memory:
    """The memory as it is now, active, its owner held."""
    lock_owner(owner_of(memory))
    memory = find_memory(memory.workspace, memory.pk)
    if if_match is not None and if_match != memory.version:
        raise PreconditionFailed(f"{memory.ref} is now v{memory.version}, not v{if_match}.")
    if memory.version != seen:
        raise Conflict(f"{memory.ref} has changed meanwhile and is now v{memory.version}.", memory=str(memory.pk))
    if memory.status != MemoryStatus.ACTIVE:
        raise Conflict(f"{memory.ref} is {memory.status}; restore it first.", memory=str(memory.pk))
    return memory


def _refuse_moved(memories: Sequence[Memory], seen: Mapping[str, int]) -> None:
    for one in memories:
        if seen.get(str(one.pk), one.version) != one.version:
            raise PreconditionFailed(f"{one.ref} is now v{one.version}, not v{seen[str(one.pk)]}.")


def _same_owner(memory: Memory, wanted: Sequence[str]) -> list[Memory]:
    rows = Memory.objects.filter(workspace=memory.workspace, scope=memory.scope, owner=memory.owner, pk__in=wanted)
    found = {str(m.pk): m for m in rows}
    for place, pk in enumerate(wanted):
        if pk not in found:
            raise Invalid.field(
                f"memories.{place}", "is no memory of the same user, session or team.", UNKNOWN_REFERENCE
            )
        if found[pk].status != MemoryStatus.ACTIVE:
            raise Invalid.field(f"memories.{place}", f"is {found[pk].status}; only active memories are merged.", UNFIT)
        if found[pk].kind != memory.kind or found[pk].subject != memory.subject:
            raise Invalid.field(f"memories.{place}", "is of another kind or about somebody else.", UNFIT)
    return [found[pk] for pk in wanted]
