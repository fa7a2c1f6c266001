"""decide(): what becomes of each candidate. A pure function; the same input has the same outcome."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from . import rules
from .decisions import CHANGES, Candidate, Decided, Existing, Needs, Neighbour, Outcome, Result, Slot
from .judging import Verdict, judged, waits_for_person
from .policy import NEEDS, Policy
from .related import Related
from .situation import Draft, Situation
from .working_set import (
    Record,
    confirmed,
    is_live,
    is_tombstone,
    overridden,
    record_of,
    result_of,
    statement_of,
)

Similarity = Callable[[str, str], float] | Mapping[tuple[str, str], float]


def decide(
    candidates: Iterable[Candidate],
    existing: Iterable[Existing],
    now: datetime,
    policy: Policy,
    slots: Mapping[str, Slot],
    similarity: Similarity,
    profile: Mapping[str, Any] | None = None,
    verdicts: Mapping[str, Verdict] | None = None,
) -> Outcome:
    """One decision for each candidate, in the order they were said, and the live records afterwards.

    `similarity` is a function of two texts, or a mapping of (candidate id, memory or earlier candidate id) to a
    number; a pair that the mapping lacks counts as unlike. `verdicts` are what a model made of candidates that the
    rules leave to a person, by candidate.
    """
    memories = sorted(existing, key=lambda e: _natural(e.id))
    live = [record_of(e, slots) for e in memories if is_live(e, now)]
    gone = [e for e in memories if is_tombstone(e)]
    expired = [e for e in memories if e.status in ("active", "expired") and not is_live(e, now)]
    run = _Run(live, Related(live), gone, expired, policy, slots, similarity, profile or {}, verdicts or {})
    decided = [run.decide(c) for c in sorted(candidates, key=lambda c: (c.said_at, c.order, _natural(c.id)))]
    return Outcome(tuple(decided), tuple(record.active() for record in run.live))


@lru_cache(maxsize=16384)
def _natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sorts c2 before c10."""
    parts = re.findall(r"\d+|\D+", name)
    return tuple((0, int(p), "") if p.isascii() and p.isdigit() else (1, 0, p) for p in parts)


@dataclass(slots=True)
class _Run:
    live: list[Record]
    related: Related
    gone: list[Existing]
    expired: list[Existing]
    policy: Policy
    slots: Mapping[str, Slot]
    similarity: Similarity
    profile: Mapping[str, Any]
    verdicts: Mapping[str, Verdict]

    def decide(self, candidate: Candidate) -> Decided:
        situation = self._situation(candidate)
        draft = next(d for rule in rules.ORDER if (d := rule(situation)) is not None)
        draft = judged(situation, draft, self.verdicts.get(candidate.id))
        decided = self._finish(candidate, situation, draft)
        self._apply(candidate, draft, decided)
        return decided

    def _situation(self, candidate: Candidate) -> Situation:
        alike = self._alike(candidate)
        quote = candidate.evidence.quote if candidate.evidence else ""
        statement = statement_of(candidate, self.slots)
        return Situation(
            candidate=candidate, statement=statement, live=tuple(self.live), alike=alike,
            related=self.related.of(statement, alike, self.policy.doubtful),
            gone=tuple(self.gone), expired=tuple(self.expired), policy=self.policy, slots=self.slots, profile=self.profile,
            quote_alike=self._quote_alike(candidate.text, quote),
        )  # fmt: skip

    def _alike(self, candidate: Candidate) -> dict[str, float]:
        if isinstance(self.similarity, Mapping):
            found = self.similarity
            return {r.ref: float(found.get((candidate.id, r.ref), 0.0)) for r in self.live}
        return {r.ref: float(self.similarity(candidate.text, r.content.text)) for r in self.live}

    def _quote_alike(self, text: str, quote: str) -> float | None:
        if isinstance(self.similarity, Mapping) or not quote:
            return None
        return float(self.similarity(text, quote))

    def _finish(self, candidate: Candidate, situation: Situation, draft: Draft) -> Decided:
        confidence = round(draft.confidence * situation.trust, 3)
        needs, reason, depends = self._hold(candidate, draft, confidence, waits_for_person(situation, draft))
        return Decided(
            candidate=candidate.id,
            action=draft.action,
            rule=draft.rule,
            proposed_action=draft.proposed_action,
            target=draft.target.ref if draft.target else None,
            root=draft.target.root if draft.target else None,
            base_version=draft.target.version if draft.target else None,
            params=draft.params,
            confidence=confidence,
            neighbours=self._neighbours(situation),
            result=self._result(candidate, draft),
            checks=situation.checks(draft),
            hold=needs != "none",
            needs=needs,
            hold_reason=reason,
            depends_on=depends,
            engine=draft.engine or candidate.engine,
        )

    def _hold(
        self, candidate: Candidate, draft: Draft, confidence: float, proposed: bool
    ) -> tuple[Needs, str | None, tuple[str, ...]]:
        target = draft.target
        guarded = target is not None and target.protected
        if draft.action == "review":
            open_question = "llm" if draft.rule == "review.llm" else "undecided"
            return ("admin" if guarded else "curator"), ("protected" if guarded else open_question), ()
        kind, scope = candidate.kind, candidate.scope
        sensitive = candidate.sensitivity is not None
        needs, reason = self.policy.verdict(
            action=draft.action, kind=kind, scope=scope, sensitive=sensitive, confidence=confidence
        )
        least: Needs = "admin" if guarded else "curator"
        if proposed and NEEDS.index(least) > NEEDS.index(needs):
            needs, reason = least, reason or "llm"
        if candidate.held is not None and needs == "none" and draft.action in ("promote", "override"):
            needs, reason = "curator", candidate.held
        if sensitive and needs == "curator" and guarded and draft.action != "dedupe":
            needs = "admin"
        depends = target.waits_for if target is not None and draft.action in CHANGES else ()
        if target is not None and depends and NEEDS.index(target.needs) > NEEDS.index(needs):
            needs, reason = target.needs, "waits_for_earlier"
        return needs, reason, depends

    def _neighbours(self, situation: Situation) -> tuple[Neighbour, ...]:
        alike = situation.alike
        least = sorted(alike.values(), reverse=True)[: self.policy.neighbours][-1:]
        near = [ref for ref, close in alike.items() if close >= least[0]] if least else []
        ranked = sorted(sorted(near, key=_natural), key=alike.__getitem__, reverse=True)
        return tuple(Neighbour(ref, round(alike[ref], 4)) for ref in ranked[: self.policy.neighbours])

    def _result(self, candidate: Candidate, draft: Draft) -> Result | None:
        if draft.action == "reject" or draft.proposed_action == "retract":
            return None
        if draft.action == "dedupe" and draft.target is not None:
            return confirmed(draft.target, candidate)
        if draft.action in ("override", "review") and draft.target is not None:
            result = overridden(draft.target, candidate, self.slots)
            return replace(result, text=draft.wording, value=draft.value) if draft.wording is not None else result
        return result_of(candidate, self.slots)

    def _apply(self, candidate: Candidate, draft: Draft, decided: Decided) -> None:
        waits = (*decided.depends_on, candidate.id) if decided.hold else ()
        target = draft.target
        if draft.action == "dedupe" and target is not None:
            target.content = confirmed(target, candidate)
            target.sources.append(candidate.id)
            self.related.add(target)
        elif draft.action == "review" and target is not None:
            target.contested = True
        elif draft.action == "override" and target is not None:
            assert decided.result is not None
            target.content = decided.result
            target.ref, target.sources, target.contested = candidate.id, [candidate.id], False
            target.waits_for, target.needs = waits, decided.needs
            self.related.add(target)
        elif draft.action == "promote":
            made = Record(
                ref=candidate.id, root=candidate.id, version=None, content=result_of(candidate, self.slots),
                sources=[candidate.id], many=statement_of(candidate, self.slots).many, waits_for=waits, needs=decided.needs,
                protected=candidate.scope == "team" or candidate.kind == "procedural",
            )  # fmt: skip
            self.live.append(made)
            self.related.add(made)
