"""What is stored, read again with the rules of today, in portions. It writes its findings, and nothing else."""

import logging
import uuid
from collections.abc import Iterator
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from memory_app import guardrails
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Forbidden
from memory_app.models import (
    Decision,
    Memory,
    MemoryStatus,
    Note,
    NoteStatus,
    Scan,
    ScanFinding,
    Workspace,
)

from .audit import audit
from .guard import Checked, check_fields, released
from .jobs import drop_older, keep
from .locks import lock_owners, owner_of

log = logging.getLogger(__name__)

KEPT = 10  # readings of a workspace; older ones are dropped
PORTION = 100  # rows of a step
MEMORIES, NOTES = 0, 1
MEMORY_FIELDS = (*guardrails.HANDED_OUT, "keywords", "source")
NOTE_FIELDS = (*guardrails.HANDED_OUT, "evidence_quote")


def begin_scan(workspace: Workspace, actor: Actor) -> Scan:
    """A reading of all that is stored, to be gone through in the background. Conflict while one is running."""
    if not actor.at_least("admin"):
        raise Forbidden("Reading again what is stored needs the role admin.")
    total = _rows(workspace, MEMORIES).count() + _rows(workspace, NOTES).count()
    try:
        with transaction.atomic():
            made = Scan.objects.create(
                workspace=workspace, rule_set=workspace.rules.version, total=total,
                author_id=actor.id, author=actor.label,
            )  # fmt: skip
            drop_older(Scan.objects.filter(workspace=workspace), KEPT)
            audit(workspace, actor, "scan.begin", made, count=total, rule_set=made.rule_set)
    except IntegrityError as error:
        raise Conflict("What is stored is being read already.") from error
    return made


def scan_steps(scan: Scan) -> Iterator[None]:
    """The reading gone on with, a portion a step."""
    while True:
        part = scan.state.get("part", MEMORIES)
        rows = list(_portion(scan))
        if rows:
            found = [finding for row in rows if (finding := _finding(scan, row)) is not None]
            _kept(scan, found, done=scan.done + len(rows), state={"part": part, "last": str(rows[-1].pk)})
        elif part == MEMORIES:
            _kept(scan, [], state={"part": NOTES})
        else:
            return
        yield


def _kept(scan: Scan, found: list[ScanFinding], **step: Any) -> None:
    """The portion stored and the reading moved on. What was erased while it was read leaves no finding: who erases holds
    the owners, as this does, so nothing of them goes between the look and the end."""
    with transaction.atomic():
        lock_owners(_owner(finding) for finding in found)
        keep(scan, **step)
        known = set(Memory.objects.filter(pk__in=[f.memory_id for f in found]).values_list("pk", flat=True))
        known |= set(Note.objects.filter(pk__in=[f.note_id for f in found]).values_list("pk", flat=True))
        ScanFinding.objects.bulk_create(f for f in found if (f.memory_id or f.note_id) in known)


def _owner(finding: ScanFinding) -> uuid.UUID:
    """Whom whoever erases what was found holds."""
    if finding.memory is not None:
        return owner_of(finding.memory)
    assert finding.note is not None
    return finding.note.user_id


def _rows(workspace: Workspace, part: int) -> "QuerySet[Any]":
    if part == MEMORIES:
        return Memory.objects.filter(workspace=workspace, status=MemoryStatus.ACTIVE)
    waiting = Decision.objects.waiting().filter(note=OuterRef("pk"))
    return Note.objects.filter(Q(status=NoteStatus.STAGED) | Exists(waiting), workspace=workspace)


def _portion(scan: Scan) -> "QuerySet[Any]":
    rows = _rows(scan.workspace, scan.state.get("part", MEMORIES)).select_related("user", "team").order_by("pk")
    return (rows.filter(pk__gt=scan.state["last"]) if "last" in scan.state else rows)[:PORTION]


def _finding(scan: Scan, row: Any) -> ScanFinding | None:
    """What the rules of today have against the row; None where it passes, or a person has released just this text."""
    is_memory = isinstance(row, Memory)
    try:
        checked = checked_again(scan.workspace, row)
    except Exception:  # a text that no rule can read is not handed out either
        log.exception("%s %s could not be read again", type(row).__name__, row.pk)
        return ScanFinding(
            workspace=scan.workspace, scan=scan, user=row.user, category="pii", rule="pii.unread",
            version=row.version if is_memory else 0, **{"memory" if is_memory else "note": row},
        )  # fmt: skip
    verdict = checked.verdict
    if verdict is None:
        return None
    return ScanFinding(
        workspace=scan.workspace, scan=scan, user=row.user, category=verdict.category or "", rule=verdict.rule or "",
        field=checked.field or "text", excerpt=verdict.excerpt or "", version=row.version if is_memory else 0,
        **{"memory" if is_memory else "note": row},
    )  # fmt: skip


def checked_again(workspace: Workspace, row: Memory | Note) -> Checked:
    """A memory as it is handed out, a note as it is decided: the stages at which its rules would bite, for what no
    person has released."""
    names = MEMORY_FIELDS if isinstance(row, Memory) else NOTE_FIELDS
    stage: guardrails.Stage = "injection" if isinstance(row, Memory) else "consolidation"
    fields = {name: getattr(row, name) for name in names}
    passed = partial(released, workspace, row.user, team=row.team)
    return check_fields(workspace.rules, fields, stage, key=row.key, passed=passed)
