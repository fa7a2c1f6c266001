"""Erasure: every version and trace of a memory or a user gone from every table. It is no decision and has no undo.

Rows are deleted outright, in an order that the foreign keys allow. History is append-only; it yields to erasure alone,
inside its transaction. What stays is one audit row with ids, counts and keyed hashes.
"""

import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pgtrigger
from django.db import connection, models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Forbidden
from memory_app.domain.slots import WRITERS, default_cardinality
from memory_app.models import (
    Action,
    Block,
    Comment,
    Decision,
    Exposure,
    IdempotencyRecord,
    Memory,
    MemorySource,
    MemoryVersion,
    Note,
    NoteOrigin,
    ScanFinding,
    SearchEntry,
    Session,
    Slot,
    Turn,
    User,
    Workspace,
)
from memory_app.models.decision import CARRIED_OUT
from memory_app.queries.slots import is_set_up

from .audit import audit
from .effects import PROFILE_FIELD, take_field_of
from .indexing import blot_entry
from .locks import lock_owners, owner_of, writing

HISTORY = "memory_app.MemoryVersion:append_only"
BLOT = "█"
UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


@dataclass(frozen=True)
class Receipt:
    """What was erased, told without a word of it. `digest` is a keyed hash of its name: who knows the name and the
    installation's key can show that this receipt is about it."""

    id: uuid.UUID
    subject: str
    digest: str
    at: datetime
    by: str
    counts: dict[str, int]


@dataclass
class Erased:
    """Rows gone so far, by table, and the ids by which kept answers are known to repeat them."""

    counts: Counter[str] = field(default_factory=Counter)
    ids: set[str] = field(default_factory=set)

    def delete(self, rows: "models.QuerySet[Any]") -> None:
        """The rows deleted without reading them; what still points at them fails the transaction."""
        self.counts[rows.model._meta.db_table] += rows._raw_delete(rows.db) or 0  # None where it can match nothing


def erase_memory(memory: Memory, actor: Actor) -> Receipt:
    """The memory and every trace of it gone: versions, vectors, decisions, blocks, the notes that it came from, what
    they quoted of a turn (blotted there), what its session's end reported, the field of a profile that was taken from
    it, kept answers. Forbidden below admin, Conflict where another writer was faster."""
    needs_admin(actor)
    workspace, erased = memory.workspace, Erased()
    with writing():
        owners = _owners_of(memory)
        lock_owners(owners)
        if not Memory.objects.select_for_update().filter(pk=memory.pk).exists():
            return write_receipt(workspace, actor, "memory.erase", memory, str(memory.pk), erased)
        if _owners_of(memory) - owners:
            raise Conflict(f"Others have said the same as {memory.ref} at this moment; try again.")
        notes = list(Note.objects.filter(sources__memory=memory.pk).distinct())
        copies = Memory.objects.filter(scope="session", sources__note__in=notes)
        memories = {memory.pk, *copies.values_list("pk", flat=True)}
        _forget_reports(notes)
        quoting = blot_quotes(notes)
        _empty_beside(erased, memories, [*(note.pk for note in notes), *quoting])
        for taken in Decision.objects.filter(rule=PROFILE_FIELD, params__about=str(memory.pk), status__in=CARRIED_OUT):
            take_field_of(taken, actor)
        erase_memories(workspace, erased, memories, Q(note__in=notes))
        erased.ids |= {str(note.pk) for note in notes} | {str(note.turn_id) for note in notes if note.turn_id}
        erased.delete(Block.objects.filter(note__in=notes))
        erased.delete(ScanFinding.objects.filter(note__in=notes))
        MemorySource.objects.filter(note__in=notes).update(note=None, turn=None)
        keys = {memory.key, *(note.key for note in notes)}
        erased.delete(Note.objects.filter(pk__in=[note.pk for note in notes]))
        erase_answers(workspace, erased)
        erase_slots(workspace, erased, keys)
        return write_receipt(workspace, actor, "memory.erase", memory, str(memory.pk), erased)


def erase_memories(workspace: Workspace, erased: Erased, memories: Iterable[uuid.UUID], also: Q) -> None:
    """These memories gone with everything that hangs on them, with what was proposed because of them, and with all
    decisions that match `also`."""
    own = list(memories)
    names = [str(pk) for pk in own]
    doomed = Decision.objects.filter(Q(memory__in=own) | Q(params__about__in=names) | also, workspace=workspace)
    noted = dict(doomed.values_list("pk", "note"))
    decisions, notes = list(noted), [note for note in noted.values() if note is not None]
    erased.ids |= {*names, *(str(pk) for pk in decisions)}
    with pgtrigger.ignore(HISTORY):
        # What these decisions did to other memories stays with them, but no longer says by whose words.
        foreign = MemoryVersion.objects.filter(decision__in=decisions).exclude(memory__in=own)
        foreign.update(decision=None)
        MemoryVersion.objects.filter(superseded_by__in=own).exclude(memory__in=own).update(superseded_by=None)
        Memory.objects.filter(superseded_by__in=own).update(superseded_by=None)
        erased.delete(SearchEntry.objects.filter(memory__in=own))
        erased.delete(MemorySource.objects.filter(Q(memory__in=own) | Q(decision__in=decisions)))
        erased.delete(MemoryVersion.objects.filter(memory__in=own))
    erased.delete(Block.objects.filter(memory__in=own))
    erased.delete(ScanFinding.objects.filter(Q(memory__in=own) | Q(note__in=notes)))
    ScanFinding.objects.filter(decision__in=decisions).update(decision=None)
    _empty_shown(own, decisions)
    erased.delete(Comment.objects.filter(decision__in=decisions))
    Decision.objects.filter(replaces__in=decisions).update(replaces=None)
    erased.delete(Decision.objects.filter(pk__in=decisions))
    # Compared with memories, and with earlier notes of the same run.
    _forget_in_decisions(workspace, erased, set(names), {*names, *(str(note) for note in notes)})
    erased.delete(Memory.objects.filter(pk__in=own))


def erase_answers(workspace: Workspace, erased: Erased, also: Q | None = None) -> None:
    """Kept answers that match `also`, or that repeat something erased. They are emptied and not deleted where the
    same request might come again: it must not make anew what was erased."""
    kept = IdempotencyRecord.objects.filter(api_key__workspace=workspace)
    if also is not None:
        erased.delete(kept.filter(also))
    table = IdempotencyRecord._meta.db_table
    # Each body is read once: the ids in it are looked up among those erased, however many these are.
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} AS kept SET body = '{{\"erased\": true}}'::jsonb FROM memory_app_apikey AS api_key "  # noqa: S608
            "WHERE api_key.id = kept.api_key_id AND api_key.workspace_id = %s AND EXISTS ("
            "SELECT 1 FROM regexp_matches(kept.body::text, %s, 'g') AS found WHERE found[1] = ANY(%s))",
            [workspace.pk, UUID, sorted(erased.ids)],
        )
        erased.counts[table] += cursor.rowcount


def erase_slots(workspace: Workspace, erased: Erased, keys: Iterable[str]) -> None:
    """Slots that only what is gone had made: no memory, note or profile uses their key any more, and nobody has set
    them up."""
    as_made = Slot.objects.filter(
        ~is_set_up(), workspace=workspace, key__in={key for key in keys if key}, values=[], writers=list(WRITERS),
        expires_after=None, exposure=Exposure.CONTEXT,
    )  # fmt: skip
    for table in (Memory, MemoryVersion, Note):
        as_made = as_made.filter(~Exists(table._default_manager.filter(workspace=workspace, key=OuterRef("key"))))
    as_made = as_made.filter(~Exists(User.objects.filter(workspace=workspace, profile__has_key=OuterRef("key"))))
    unused = [slot.pk for slot in as_made if slot.cardinality == default_cardinality(slot.key)]
    erased.delete(Slot.objects.filter(pk__in=unused))


def blot_quotes(notes: Sequence[Note]) -> set[uuid.UUID]:
    """What these notes quote is unreadable in their turns, in what was masked there, and in other notes that quote the
    same words, whose ids are returned; the length stays, so that every quote keeps its place."""
    quoting: set[uuid.UUID] = set()
    for turn in Turn.objects.select_for_update().filter(notes__in=notes):
        content = turn.content
        for note in notes:
            if note.turn_id == turn.pk and note.evidence_start is not None and note.evidence_end is not None:
                start, end = note.evidence_start, note.evidence_end
                content = content[:start] + BLOT * len(content[start:end]) + content[end:]
        Turn.objects.filter(pk=turn.pk).update(content=content)
        Block.objects.filter(turn=turn, field="turn").update(excerpt="", masked="")
        blot_entry(turn, content)
        for other in turn.notes.filter(evidence_start__isnull=False).exclude(pk__in=[note.pk for note in notes]):
            place = slice(other.evidence_start, other.evidence_end)
            if content[place] != turn.content[place]:
                Note.objects.filter(pk=other.pk).update(evidence_quote=content[place])
                quoting.add(other.pk)
    return quoting


def needs_admin(actor: Actor) -> None:
    if not actor.at_least("admin"):
        raise Forbidden("Erasing needs the role admin.")


def digest_of(workspace: Workspace, name: str) -> str:
    """A keyed hash: whoever has the installation's key can tell whether a receipt is about this name."""
    return salted_hmac("commonplace.erased", f"{workspace.pk}/{name}", algorithm="sha256").hexdigest()


def write_receipt(
    workspace: Workspace, actor: Actor, action: str, subject: models.Model, name: str, erased: Erased
) -> Receipt:
    digest = digest_of(workspace, name)
    counts = {table: n for table, n in sorted(erased.counts.items()) if n}
    event = audit(workspace, actor, action, subject, counts=counts, digest=digest)
    return Receipt(event.pk, str(subject.pk), digest, timezone.now(), actor.label, counts)


def _empty_shown(memories: Sequence[uuid.UUID], decisions: Sequence[uuid.UUID]) -> None:
    """What agents were shown no longer holds the words of these, nor asks about them; that it was shown stays known."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory_app_injection SET text = '', included = (SELECT coalesce(jsonb_agg(one - 'because'), '[]')"
            " FROM jsonb_array_elements(included) AS one) WHERE memory_ids && %s::uuid[] OR asked_about && %s::uuid[]",
            [list(memories), [*memories, *decisions]],
        )


def _empty_beside(erased: Erased, memories: Iterable[uuid.UUID], notes: Sequence[uuid.UUID]) -> None:
    """What agents were told of other memories that go back to these notes no longer quotes them."""
    beside = MemorySource.objects.filter(note__in=notes).exclude(memory__in=memories).values_list("memory", flat=True)
    found = list(beside.distinct())
    _empty_shown(found, [])
    erased.ids |= {str(pk) for pk in found}


def _forget_reports(notes: Sequence[Note]) -> None:
    """Sessions whose end gave one of these notes no longer say what it was made from, so it is not made anew."""
    reported = {note.session_id for note in notes if note.origin == NoteOrigin.OUTCOME}
    held = Session.objects.select_for_update().filter(pk__in={note.session_id for note in notes})
    list(held.order_by("pk").values_list("pk"))  # who writes to a session holds it, before its turns and notes
    Session.objects.filter(pk__in=reported).update(task="", summary="")


def _owners_of(memory: Memory) -> set[uuid.UUID]:
    """Everybody of whom something goes with it: also who said what a team remembers."""
    return {owner_of(memory), *Note.objects.filter(sources__memory=memory.pk).values_list("user", flat=True)}


def _forget_whole(split: Decision, erased: Erased) -> None:
    """What a memory said before it was split goes with a part that is erased: it said that as well."""
    Decision.objects.filter(pk=split.pk).update(before=None)
    if split.memory_id is None or split.result_version is None or split.status not in CARRIED_OUT:
        return
    earlier = {"memory": split.memory_id, "number__lt": split.result_version}
    erased.delete(SearchEntry.objects.filter(**earlier))
    with pgtrigger.ignore(HISTORY):
        erased.delete(MemoryVersion.objects.filter(**earlier))


def _forget_in_decisions(workspace: Workspace, erased: Erased, gone: set[str], compared: set[str]) -> None:
    """Other decisions no longer repeat what these said: as a reason in the rules' words or a model's, as what was
    proposed of them before a person chose another memory, or as a part that one was split into."""
    about = Q(params__memory__in=compared) | Q(params__proposal__memory__in=gone) | Q(action=Action.SPLIT)
    for decision in Decision.objects.filter(about, workspace=workspace):
        params = dict(decision.params)
        if params.get("memory") in compared:
            params.pop("old", None)
            if "model" in params:
                params["model"] = params["model"] | {"why": ""}
        proposal = params.get("proposal")
        if proposal and proposal.get("memory") in gone:
            params["proposal"] = proposal | {"memory": "", "before": None, "after": None, "base_version": None}
        parts = [part for part in params.get("parts", ()) if part.get("memory") not in gone]
        if len(parts) < len(params.get("parts", ())):
            params |= {"parts": parts, "erased": True}
            _forget_whole(decision, erased)
        if params != decision.params:
            Decision.objects.filter(pk=decision.pk).update(params=params)
    with connection.cursor() as cursor:  # a model was shown all of the nearest, whichever it chose
        cursor.execute(
            "UPDATE memory_app_decision SET params = jsonb_set(params, '{model,why}', '\"\"') "
            "WHERE workspace_id = %s AND params ? 'model' AND EXISTS (SELECT 1 "
            "FROM jsonb_array_elements(neighbours) AS near WHERE near ->> 'memory' = ANY(%s))",
            [workspace.pk, sorted(gone)],
        )
