"""What is stored, read again with the rules of today: how far a reading is, and what it would block."""

from django.db import models

from .base import WorkspaceRow
from .choices import Category, MemoryStatus, one_of
from .decision import CARRIED_OUT, Decision
from .job import Job
from .memory import Memory
from .session import Note
from .workspace import User

PUT_BACK = "put_back"  # why the decision that took a memory out is declined once the memory is back


class Scan(Job):
    """One reading of the active memories, then of the notes that wait, in the order of their ids."""

    rule_set = models.CharField(max_length=40)

    class Meta(Job.Meta):
        constraints = [
            *Job.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace"], condition=models.Q(status="running"), name="scan_one_at_a_time"
            ),
        ]


class ScanFinding(WorkspaceRow):
    """A memory (in this version) or a waiting note that would be blocked now. Only masked text is here. `decision` took
    the memory out of recall."""

    scan = models.ForeignKey(Scan, on_delete=models.CASCADE, related_name="findings")
    memory = models.ForeignKey(Memory, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    note = models.ForeignKey(Note, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    version = models.PositiveIntegerField(default=0)
    category = models.CharField(max_length=12, choices=Category.choices)
    rule = models.CharField(max_length=80)
    field = models.CharField(max_length=60, default="text")
    excerpt = models.TextField(blank=True)
    decision = models.ForeignKey(Decision, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            one_of("category", Category, "scan_finding_category"),
            models.UniqueConstraint(fields=["scan", "memory"], name="scan_memory_once"),
            models.UniqueConstraint(fields=["scan", "note"], name="scan_note_once"),
        ]

    @property
    def taken_out(self) -> bool:
        """Whether it is out of memory by this finding, and nobody has brought it back another way."""
        out = self.memory is not None and self.memory.status != MemoryStatus.ACTIVE
        return out and self.decision is not None and self.decision.status in CARRIED_OUT

    def is_about(self, memory: Memory) -> bool:
        """Whether the memory is what was read, or has been put back to it."""
        back = self.decision is not None and self.decision.status not in CARRIED_OUT
        version = self.decision.base_version if self.decision is not None and back else self.version
        return memory.status == MemoryStatus.ACTIVE and memory.version == version

    def __str__(self) -> str:
        return f"{self.rule} {self.memory_id or self.note_id}"
