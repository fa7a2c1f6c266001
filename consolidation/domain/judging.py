"""What a model's verdict makes of a decision that the rules left to a person: a proposal, held to the same checks.

A verdict is about one rule's question, one record and its wording; where any of these has changed, it is void. By
itself (and only where the policy lets it) it never changes a protected record, never discards anything, and never says
what the user's words and the record do not say.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .decisions import CHANGES, Action
from .grounding import Grounding, ground
from .situation import Draft, Situation
from .working_set import Record

#: Reviews that a model may help with: whether two statements agree. What a person has to confirm, what profile, slots
#: and protection say, and whose words they are, is no question for it.
ASKED = frozenset(
    {
        "review.conflict",
        "review.several",
        "review.unsure",
        "review.double_negative",
        "review.for_a_while",
        "review.part_changed",
        "review.names_old",
    }
)
_ACTIONS: Mapping[str, Action] = {
    "same": "dedupe",
    "replaces": "override",
    "combined": "override",
    "beside": "promote",
    "this_time": "session_only",
    "not_kept": "reject",
}
#: Which questions a verdict may answer without a person. A contradiction that the comparison found is never "the same".
_ALONE: Mapping[Action, frozenset[str]] = {
    "dedupe": frozenset({"review.unsure"}),
    "override": frozenset({"review.conflict", "review.unsure", "review.part_changed", "review.names_old"}),
    "promote": frozenset({"review.unsure", "review.names_old"}),
    "session_only": ASKED,
}
CONFIDENCE = 0.7


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a model made of one candidate: `refused` says why its answer, or its silence, counts for nothing."""

    rule: str
    target: str | None
    target_text: str
    choice: str
    engine: str
    why: str = ""
    text: str | None = None
    value: Any = None
    tokens: int = 0
    refused: str = ""

    def about(self, draft: Draft) -> bool:
        """Whether this is what was asked."""
        target = draft.target
        here = (draft.rule, target.ref, target.content.text) if target is not None else (draft.rule, None, "")
        return here == (self.rule, self.target, self.target_text)


def judged(s: Situation, draft: Draft, verdict: Verdict | None) -> Draft:
    """The draft as the verdict has it, or as it was, with what was asked and why it counts for nothing."""
    if verdict is None or draft.action != "review" or draft.rule not in ASKED or not verdict.about(draft):
        return draft
    action = _ACTIONS.get(verdict.choice)
    refused = verdict.refused or (_refused(s, draft.target, action, verdict) if action is not None else "")
    told = {"engine": verdict.engine, "choice": verdict.choice, "why": verdict.why, "tokens": verdict.tokens}
    # Also a decision that changes no memory says which one this is about: its reason may repeat that one's words.
    about = {"memory": verdict.target} if verdict.target is not None else {}
    params = {**draft.params, **about, "model": told | ({"refused": refused} if refused else {})}
    if action is None or refused:
        return replace(draft, params=params)
    proposed = replace(
        draft,
        params=params | {"decided": draft.rule},
        target=draft.target if action in ("dedupe", "override") else None,
        confidence=CONFIDENCE,
        engine=verdict.engine,
        wording=verdict.text if verdict.choice == "combined" else None,
        value=verdict.value,
    )
    if s.policy.llm_proposals_wait or not _may_stand_alone(s, draft, action):
        return replace(proposed, action="review", rule="review.llm", proposed_action=action)
    return replace(proposed, action=action, rule=f"{action}.llm")


def waits_for_person(s: Situation, draft: Draft) -> bool:
    """Whether a change that a model has proposed needs a person, whatever else the policy says."""
    proposed = s.candidate.origin == "llm" or draft.rule.endswith(".llm")
    if not proposed or draft.action not in CHANGES:
        return False
    guarded = draft.target is not None and draft.target.protected
    return s.policy.llm_proposals_wait or guarded or s.grounding is not Grounding.STATED


def _refused(s: Situation, target: Record | None, action: Action, verdict: Verdict) -> str:
    """Why this cannot even be proposed."""
    if s.grounding in (Grounding.ADDED, Grounding.PARTLY, Grounding.NOT_STATED):
        return "not_stated"
    if action not in ("dedupe", "override"):
        return ""
    if target is None:
        return "no_memory"
    if action == "override" and s.candidate.said_at <= target.said_at:
        return "older"
    if verdict.choice == "combined":
        sources = "; ".join((target.content.text, s.quote, s.candidate.text))
        for said in (verdict.text, verdict.value):
            if said is not None and ground(str(said), None, sources, 0.0, s.policy.related) is not Grounding.STATED:
                return "adds_facts"
        if verdict.value is None and target.content.value not in (None, ""):
            return "no_value"
    return ""


def _may_stand_alone(s: Situation, draft: Draft, action: Action) -> bool:
    target = draft.target
    if target is not None and target.protected or s.grounding is not Grounding.STATED:
        return False
    key = target.content.key if target is not None else None
    if action == "promote" and key is not None and key == s.candidate.key and not s.statement.many:
        return False  # one slot holds one value: what stands beside it there would take its place
    return draft.rule in _ALONE.get(action, frozenset())
