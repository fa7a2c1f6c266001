"""What a person chose of a reading's findings taken out of memory, and put back: archiving by a decision, and its undo."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field

from memory_app.domain.actor import Actor
from memory_app.domain.errors import CommonplaceError, Conflict, Forbidden
from memory_app.models import Memory, MemoryStatus, Needs, Scan, ScanFinding
from memory_app.models.scan import PUT_BACK

from .content import snapshot, to_json
from .decisions import Proposal, decline, record
from .locks import lock_owner, owner_of, writing
from .rulings import Ruling
from .undo import undo

RULE = "archive.guardrail"


@dataclass(slots=True)
class Quarantined:
    """What was done, and what was left for which reason (`changed`, `protected`, `gone` or `conflict`). `stroke` is what
    the decisions of one call have in common."""

    done: list[ScanFinding] = field(default_factory=list)
    left: list[tuple[ScanFinding, str]] = field(default_factory=list)
    stroke: uuid.UUID = field(default_factory=uuid.uuid4)


def quarantine(scan: Scan, actor: Actor, findings: Iterable[uuid.UUID]) -> Quarantined:
    """The memories of these findings archived, each by a decision that can be undone. One that has changed since it was
    found is left, and so is a protected one below admin."""
    _needs_curator(actor)
    made = Quarantined()
    for finding in _chosen(scan, findings):
        try:
            problem = _take_out(finding, actor, made.stroke)
        except Conflict:
            problem = "conflict"
        if problem:
            made.left.append((finding, problem))
        else:
            made.done.append(finding)
    return made


def put_back(scan: Scan, actor: Actor, findings: Iterable[uuid.UUID]) -> Quarantined:
    """The memories of these findings as they were before they were taken out. With that it is done: no decision about
    them waits, and it is here that they are taken out again."""
    _needs_curator(actor)
    made = Quarantined()
    for finding in _chosen(scan, findings):
        decision = finding.decision
        if decision is None or not finding.taken_out:
            made.left.append((finding, "changed"))
            continue
        try:
            with writing():
                undo(scan.workspace, actor, decision.pk)
                decline(scan.workspace, actor, decision.pk, Ruling(reason_code=PUT_BACK))
        except Forbidden:
            made.left.append((finding, "protected"))
        except CommonplaceError:
            made.left.append((finding, "conflict"))
        else:
            made.done.append(finding)
    return made


def of_stroke(scan: Scan, stroke: uuid.UUID) -> list[uuid.UUID]:
    """The findings whose memories one call has taken out."""
    return list(scan.findings.filter(decision__batch=stroke).values_list("pk", flat=True))


def _chosen(scan: Scan, findings: Iterable[uuid.UUID]) -> list[ScanFinding]:
    rows = scan.findings.filter(pk__in=list(findings), memory__isnull=False)
    return list(rows.select_related("memory", "decision").order_by("pk"))


def _take_out(finding: ScanFinding, actor: Actor, stroke: uuid.UUID) -> str:
    """Why the memory was left; empty where it is taken out."""
    assert finding.memory is not None
    with writing():
        lock_owner(owner_of(finding.memory))
        rows = Memory.objects.select_related("workspace", "user", "team", "session")
        memory = rows.filter(pk=finding.memory.pk).first()
        if memory is None:
            return "gone"
        if not finding.is_about(memory):
            return "changed"
        if memory.protected and not actor.at_least("admin"):
            return "protected"
        decision = record(memory.workspace, actor, _proposal(finding, memory))
        decision.batch = stroke
        if memory.protected:  # and so it is only an admin who puts it back
            decision.needs = Needs.ADMIN
        decision.save(update_fields=["batch", "needs"])
        finding.decision = decision
        finding.save(update_fields=["decision"])
    return ""


def _proposal(finding: ScanFinding, memory: Memory) -> Proposal:
    return Proposal(
        action="archive", rule=RULE, params={"guardrail": finding.rule, "category": finding.category},
        kind=memory.kind, scope=memory.scope, before=snapshot(memory),
        after=to_json(memory.state() | {"status": MemoryStatus.ARCHIVED}), memory=memory, base_version=memory.version,
        user=memory.user, team=memory.team, session=memory.session, sensitivity=memory.sensitivity,
    )  # fmt: skip


def _needs_curator(actor: Actor) -> None:
    if not actor.at_least("curator"):
        raise Forbidden("Taking memory out of recall needs the role curator.")
