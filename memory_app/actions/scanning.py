"""What is stored, read again with the rules of today: begun, gone through in portions, stopped, and found again where
its worker was lost. It writes its findings, and nothing else."""

import logging
import time
import uuid
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

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
    ScanStatus,
    Workspace,
)

from .audit import audit
from .guard import Checked, check_fields, released

log = logging.getLogger(__name__)

KEPT = 10  # readings of a workspace; older ones are dropped
PORTION = 100  # rows between two looks at whether somebody has stopped it
SECONDS = 15.0  # a task reads for so long and sends the next, so that consolidation waits no longer
LOST_AFTER = timedelta(seconds=60)
MOST_ATTEMPTS = 5
MEMORIES, NOTES = 0, 1
MEMORY_FIELDS = ("text", "value", "condition", "subject", "keywords", "source")
NOTE_FIELDS = ("text", "value", "condition", "subject", "evidence_quote")


def begin_scan(workspace: Workspace, actor: Actor) -> Scan:
    """A reading of all that is stored, to be gone through in the background. Conflict while one is running."""
    _needs_admin(actor)
    total = _rows(workspace, MEMORIES).count() + _rows(workspace, NOTES).count()
    try:
        with transaction.atomic():
            made = Scan.objects.create(
                workspace=workspace, rule_set=guardrails.RULE_SET_VERSION, total=total,
                author_id=actor.id, author=actor.label,
            )  # fmt: skip
            old = Scan.objects.filter(workspace=workspace).order_by("-created_at", "-pk")
            Scan.objects.filter(pk__in=list(old.values_list("pk", flat=True)[KEPT:])).delete()
            audit(workspace, actor, "scan.begin", made, count=total, rule_set=made.rule_set)
    except IntegrityError as error:
        raise Conflict("What is stored is being read already.") from error
    return made


def stop_scan(scan: Scan, actor: Actor) -> None:
    """The reading ended where it stands; Conflict where it is over. What it has found stays."""
    _needs_admin(actor)
    with transaction.atomic():
        running = Scan.objects.filter(pk=scan.pk, status=ScanStatus.RUNNING)
        if not running.update(status=ScanStatus.CANCELLED, finished_at=timezone.now()):
            raise Conflict("This reading is over.")
        audit(scan.workspace, actor, "scan.cancel", scan)


def lost_scans() -> list[uuid.UUID]:
    """Readings that nobody has worked on for a while, to be sent again; one that was lost in one place again and again
    ends as failed."""
    now = timezone.now()
    lost = Scan.objects.filter(status=ScanStatus.RUNNING, touched_at__lt=now - LOST_AFTER)
    lost.filter(attempts__gte=MOST_ATTEMPTS).update(status=ScanStatus.FAILED, finished_at=now)
    ids = list(lost.values_list("pk", flat=True))
    lost.filter(pk__in=ids).update(attempts=F("attempts") + 1, touched_at=now)
    return ids


def run_scan(scan_id: uuid.UUID, seconds: float = SECONDS) -> bool:
    """The reading gone on with for so long; whether there is more to do. Two workers on it do no harm: a portion
    counts once."""
    stop = time.monotonic() + seconds
    scan = Scan.objects.select_related("workspace").filter(pk=scan_id, status=ScanStatus.RUNNING).first()
    while scan is not None:
        rows = list(_portion(scan))
        found = [finding for row in rows if (finding := _finding(scan, row)) is not None]
        if not _kept(scan, rows, found):
            return False
        scan.refresh_from_db()
        if scan.status != ScanStatus.RUNNING:
            return False
        if time.monotonic() >= stop:
            return True
    return False


def _kept(scan: Scan, rows: list[Any], found: list[ScanFinding]) -> bool:
    """The portion stored and the reading moved on; False where it is stopped, or another worker was faster."""
    where = Scan.objects.filter(pk=scan.pk, status=ScanStatus.RUNNING, part=scan.part, last=scan.last)
    now = timezone.now()
    if rows:
        step: dict[str, Any] = {"last": rows[-1].pk, "done": F("done") + len(rows)}
    elif scan.part == MEMORIES:
        step = {"part": NOTES, "last": None}
    else:
        step = {"status": ScanStatus.DONE, "finished_at": now}
    with transaction.atomic():
        if not where.update(touched_at=now, attempts=0, **step):
            return False
        # What was erased while it was read leaves no finding.
        known = set(Memory.objects.select_for_update(no_key=True).filter(pk__in=[f.memory_id for f in found if f.memory_id]).order_by("pk").values_list("pk", flat=True))  # fmt: skip
        known |= set(Note.objects.select_for_update(no_key=True).filter(pk__in=[f.note_id for f in found if f.note_id]).order_by("pk").values_list("pk", flat=True))  # fmt: skip
        ScanFinding.objects.bulk_create(f for f in found if (f.memory_id or f.note_id) in known)
    return True


def _rows(workspace: Workspace, part: int) -> "QuerySet[Any]":
    if part == MEMORIES:
        return Memory.objects.filter(workspace=workspace, status=MemoryStatus.ACTIVE)
    waiting = Decision.objects.waiting().filter(note=OuterRef("pk"))
    return Note.objects.filter(Q(status=NoteStatus.STAGED) | Exists(waiting), workspace=workspace)


def _portion(scan: Scan) -> "QuerySet[Any]":
    rows = _rows(scan.workspace, scan.part).select_related("user", "team").order_by("pk")
    return (rows if scan.last is None else rows.filter(pk__gt=scan.last))[:PORTION]


def _finding(scan: Scan, row: Any) -> ScanFinding | None:
    """What the rules of today have against the row; None where it passes, or a person has released just this text."""
    is_memory = isinstance(row, Memory)
    try:
        checked = checked_again(row)
    except Exception:  # a text that no rule can read is not handed out either
        log.exception("%s %s could not be read again", type(row).__name__, row.pk)
        return ScanFinding(
            workspace=scan.workspace, scan=scan, user=row.user, category="pii", rule="pii.unread",
            version=row.version if is_memory else 0, **{"memory" if is_memory else "note": row},
        )  # fmt: skip
    verdict = checked.verdict
    if verdict is None or released(scan.workspace, row.user, verdict, row.team):
        return None
    return ScanFinding(
        workspace=scan.workspace, scan=scan, user=row.user, category=verdict.category or "", rule=verdict.rule or "",
        field=checked.field or "text", excerpt=verdict.excerpt or "", version=row.version if is_memory else 0,
        **{"memory" if is_memory else "note": row},
    )  # fmt: skip


def checked_again(row: Memory | Note) -> Checked:
    """A memory as it is handed out, a note as it is decided: the stages at which its rules would bite."""
    names = MEMORY_FIELDS if isinstance(row, Memory) else NOTE_FIELDS
    stage: guardrails.Stage = "injection" if isinstance(row, Memory) else "consolidation"
    return check_fields({name: getattr(row, name) for name in names}, stage, key=row.key)


def _needs_admin(actor: Actor) -> None:
    if not actor.at_least("admin"):
        raise Forbidden("Reading again what is stored needs the role admin.")
