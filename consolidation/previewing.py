"""What the worker would make of notes and turns that somebody only tries: the same functions, and nothing is written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.utils import timezone

from consolidation.actions.gathering import slots_of
from consolidation.actions.policies import current_policy
from consolidation.distill import DraftNote, SpokenTurn, distill
from consolidation.domain.policy import PolicyError
from consolidation.domain.preview import PreviewError, preview
from memory_app import guardrails
from memory_app.actions.guard import check_fields, masked, strings
from memory_app.domain.errors import UNFIT, Invalid
from memory_app.embedding import get_embedder
from memory_app.guardrails import RuleSet
from memory_app.models import Workspace

#: Fields of a memory or note that hold words.
WORDS = ("text", "key", "condition", "subject", "team", "source")


@dataclass(frozen=True, slots=True)
class TriedTurn:
    id: str
    role: str
    content: str
    at: datetime | None = None
    recalled: bool = False


def try_consolidation(workspace: Workspace, document: Mapping[str, Any]) -> dict[str, Any]:
    """The decisions on the document's notes and the memory afterwards, under the workspace's slots and policy.

    Invalid names the part of the document that cannot be used.
    """
    now = document.get("now") or timezone.now()
    rules = workspace.rules
    existing = [
        _masked(rules, item) | {"updated_at": item.get("updated_at") or item.get("created_at") or now}
        for item in document["existing"]
    ]
    notes = [_captured(rules, item) | {"said_at": item.get("said_at") or now} for item in document["notes"]]
    profile = masked(rules, document.get("profile"))
    policy = document.get("policy") or current_policy(workspace).to_json()
    try:
        return preview(
            {"existing": existing, "notes": notes, "now": now, "policy": policy, "profile": profile},
            lambda text: guardrails.check(text, "consolidation", rules).category,
            similarity_of([item["text"] for item in (*existing, *notes)] + _quotes(notes)),
            sensitivity=guardrails.sensitivity,
            slots=slots_of(workspace),
        )
    except PolicyError as error:
        raise Invalid.field("policy", guardrails.mask(str(error)).text, UNFIT if error.unfit else "") from error
    except PreviewError as error:
        raise Invalid.field(error.field, error.message) from error


def try_distill(turns: Sequence[TriedTurn], rules: RuleSet) -> list[tuple[DraftNote, TriedTurn]]:
    """The notes that the rules find in the turns, masked first as they would be stored."""
    at = timezone.now()
    spoken = [
        SpokenTurn(
            id=turn.id, index=index, role=turn.role, text=guardrails.mask(turn.content, rules).text, at=turn.at or at,
            recalled=turn.recalled,
        )
        for index, turn in enumerate(turns, start=1)
    ]  # fmt: skip
    by_id = {turn.id: turn for turn in turns}

    def guard(text: str) -> str | None:
        return guardrails.check(text, "capture", rules).category

    drafts = distill(spoken, guard=guard)
    kept = [draft for draft in drafts if guard(draft.text) is None and rules.slot(draft.key or "") is None]
    return [(draft, by_id[draft.turn]) for draft in kept]


def _masked(rules: RuleSet, item: Mapping[str, Any]) -> dict[str, Any]:
    """The memory as it would be stored. What is shown again, as it is or in a reason, holds no secret."""
    told = {name: masked(rules, item.get(name)) for name in WORDS if item.get(name)}
    if item.get("value") is not None:
        # A name tells what its value is.
        told["value"] = next(iter(masked(rules, {item.get("key") or "value": item["value"]}).values()))
    return dict(item) | told


def _captured(rules: RuleSet, item: Mapping[str, Any]) -> dict[str, Any]:
    """The note as retaining it would store it: masked, and blocked where it holds what must not be kept."""
    quote = (item.get("evidence") or {}).get("quote")
    fields = {name: item.get(name) for name in (*WORDS, "value", "keywords") if item.get(name) not in (None, "", [])}
    fields |= {"evidence_quote": quote} if quote else {}
    checked = check_fields(rules, fields, key=item.get("key") or "")
    told = dict(checked.values)
    evidence = {"evidence": item["evidence"] | {"quote": told.pop("evidence_quote")}} if quote else {}
    category = checked.verdict.category if checked.verdict is not None else None
    blocked = {"blocked": category} if category in guardrails.MASKED_CATEGORIES or checked.field == "key" else {}
    later = [
        guardrails.check(said, "consolidation", rules).rule for said in strings([told.get("text"), told.get("value")])
    ]
    by = checked.verdict.rule if blocked and checked.verdict is not None else next(filter(None, later), None)
    blocked["found_by"] = by or ""
    return dict(item) | told | evidence | blocked | {"held": rules.holds(list(strings(fields)), item.get("key") or "")}


def _quotes(notes: Sequence[Mapping[str, Any]]) -> list[str]:
    return [note["evidence"]["quote"] for note in notes if note.get("evidence") and note["evidence"]["quote"]]


def similarity_of(texts: Sequence[str]) -> Callable[[str, str], float]:
    """How alike two texts are; texts that were not foreseen are embedded when they are asked for."""
    embedder = get_embedder()
    distinct = list(dict.fromkeys(texts))
    vectors = dict(zip(distinct, embedder.passages(distinct), strict=True)) if distinct else {}

    def similarity(one: str, other: str) -> float:
        for text in (one, other):
            if text not in vectors:
                vectors[text] = embedder.passages([text])[0]
        return float(np.clip(np.dot(vectors[one], vectors[other]), 0.0, 1.0))

    return similarity
