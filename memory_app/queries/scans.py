"""Readings of what is stored: the newest, and the findings of one with what they are about."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from memory_app.keyset import Order, Page, page_of
from memory_app.models import JobStatus, Scan, ScanFinding, Workspace

PAGE_SIZE = 50
LATELY = timedelta(days=30)
FINDINGS = Order("rule", descending=False)


@dataclass(frozen=True)
class Found:
    """A finding with the row that it is about, how often that was handed out lately, and what can be done with it."""

    finding: ScanFinding
    recalled: int

    @property
    def changed(self) -> bool:
        """The memory is no longer what was read."""
        memory = self.finding.memory
        return memory is not None and not self.finding.taken_out and not self.finding.is_about(memory)


def newest_scan(workspace: Workspace) -> Scan | None:
    return Scan.objects.filter(workspace=workspace).order_by("-created_at", "-pk").first()


def is_due(workspace: Workspace, scan: Scan | None) -> bool:
    """Whether the rule set in force is another than what is stored was last read with, to the end."""
    return (
        scan is None
        or scan.rule_set != workspace.rules.version
        or scan.status in (JobStatus.CANCELLED, JobStatus.FAILED)
    )


def find_scan(workspace: Workspace, scan_id: uuid.UUID) -> Scan | None:
    return Scan.objects.select_related("workspace").filter(workspace=workspace, pk=scan_id).first()


def findings_page(scan: Scan, cursor: str = "") -> tuple[Page[ScanFinding], list[Found]]:
    """A page of what was found, by rule."""
    rows = scan.findings.select_related("memory__user", "memory__team", "note__session", "user", "decision")
    page = page_of(rows, FINDINGS, cursor, PAGE_SIZE)
    counts = _recalled(scan.workspace, [row.memory_id for row in page.rows if row.memory_id])
    return page, [Found(row, counts.get(row.memory_id, 0)) for row in page.rows]


def _recalled(workspace: Workspace, memories: Iterable[Any]) -> dict[Any, int]:
    """How many answers of the last days handed each of these memories out."""
    ids = list(memories)
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT m.id, count(i.id) FROM unnest(%s::uuid[]) AS m(id) JOIN memory_app_injection i "
            "ON i.memory_ids @> ARRAY[m.id] AND i.workspace_id = %s AND i.at >= %s GROUP BY m.id",
            [ids, workspace.pk, timezone.now() - LATELY],
        )
        return dict(cursor.fetchall())
