"""What people ruled on, as lines of a case file: with the notes and the memory of then, to be run again anywhere."""

from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime
from typing import Any

from consolidation.actions.case_sets import MOST_CASES
from consolidation.actions.gathering import gather
from consolidation.domain.decisions import Candidate, Existing
from consolidation.domain.labels import Expected
from consolidation.queries.labels import Label, labels
from consolidation.schemas import MemoryTried, NoteTried
from memory_app.models import Block, Decision, Workspace

from .labels import situation_of

#: The kinds of file that rulings fill: decisions, and blocks.
KINDS = ("consolidation", "guardrail")
Line = dict[str, Any]


def case_lines(workspace: Workspace, kind: str) -> Iterator[Line]:
    """The newest rulings as cases of this kind, as many as a set holds. Left out is what can no longer be told: where
    the note or the memory that would be right is gone, or was made by another note of the same run."""
    found = [label for label in labels(workspace) if (label.kind == "guardrail") == (kind == "guardrail")]
    for label in found[:MOST_CASES]:
        line = _of_block(label) if kind == "guardrail" else _of_decision(label)
        if line is not None:
            yield line


def _of_block(label: Label) -> Line | None:
    block = Block.objects.filter(pk=label.subject).first()
    if block is None:
        return None
    allowed = label.expected == "allow"
    expect = {"verdict": "allow" if allowed else "block", "category": None if allowed else block.category}
    return _line(block.ref, label, {"text": block.masked}, expect)


def _of_decision(label: Label) -> Line | None:
    found = Decision.objects.filter(pk=label.subject)
    decision = found.select_related("note__session__workspace", "note__session__user", "note__turn").first()
    if decision is None or decision.note is None:
        return None
    expected = Expected.from_json(label.expect)
    notes, moment = situation_of(decision)
    gathered = gather(notes[0].session, notes, {}, known_at=moment)
    named = {one["memory"] for one in decision.neighbours if "memory" in one} | {expected.target}
    keys = {note.key for note in notes if note.key}
    existing = [one for one in gathered.existing if one.id in named or one.key in keys]
    if expected.target and expected.target not in {one.id for one in existing}:
        return None
    wanted = {
        "candidate": str(decision.note_id), "decision": expected.action, "target": expected.target or None,
        "also_ok": [action for action in expected.accepted if action != expected.action],
    }  # fmt: skip
    given = {
        "now": moment.isoformat(),
        "existing": [_told(one, MemoryTried) for one in existing],
        "candidates": [_told(one, NoteTried) for one in gathered.candidates],
    }
    return _line(decision.ref, label, given, {"decisions": [wanted]})


def _line(ref: str, label: Label, given: Line, expect: Line) -> Line:
    return {"id": ref, "lang": label.language, "input": given, "expect": expect, "why": label.ruling}


def _told(record: Existing | Candidate, shape: type[MemoryTried | NoteTried]) -> Line:
    """What the shape has of the record, without what it does not say."""
    told = {one.name: getattr(record, one.name) for one in fields(record) if one.name in shape.model_fields}
    if isinstance(record, Candidate):
        told["evidence"] = record.evidence and {"role": record.evidence.role, "quote": record.evidence.quote}
        told["origin"] = "distilled" if record.origin == "llm" else record.origin
        told["keywords"] = list(record.keywords)
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in told.items()
        if value not in (None, "", [], False)
    }
