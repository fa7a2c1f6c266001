"""A language model asked about what the rules leave to a person. Its verdicts are proposals; decide() weighs them."""

from collections.abc import Mapping

from consolidation.domain.decisions import Candidate, Decided, Outcome
from consolidation.domain.judging import ASKED, Verdict
from consolidation.llm import JUDGE, VerdictGiven, believed, judge_data
from memory_app import guardrails
from memory_app.actions.guard import check_fields, masked

from .asking import Asking, engine_of
from .gathering import Gathered


def verdicts_on(asking: Asking, outcome: Outcome, gathered: Gathered) -> dict[str, Verdict]:
    """What the model makes of each open question of the outcome, by candidate; where it gives no answer, why."""
    if not asking.policy.llm_judges:
        return {}
    candidates = {c.id: c for c in gathered.candidates}
    return {
        decided.candidate: _verdict(asking, decided, candidates[decided.candidate], gathered)
        for decided in outcome.decisions
        if _may_ask(decided, candidates[decided.candidate], gathered)
    }


def _may_ask(decided: Decided, candidate: Candidate, gathered: Gathered) -> bool:
    """Only a question of whether two statements agree, only about words that the user said in a turn, never about
    protected memory, and only with texts that an agent might be shown."""
    said = candidate.evidence
    if decided.action != "review" or decided.rule not in ASKED or decided.needs == "admin":
        return False
    if said is None or said.role != "user" or not said.anchored or not said.quote.strip():
        return False
    texts = (candidate.text, said.quote, _text_of(decided, gathered))
    return all(guardrails.check(text, "injection", gathered.rules).allowed for text in texts if text)


def _text_of(decided: Decided, gathered: Gathered) -> str:
    """The wording of the record that the candidate was compared with: a memory, or an earlier note of this run."""
    if decided.target is None:
        return ""
    records = {e.id: e.text for e in gathered.existing} | {c.id: c.text for c in gathered.candidates}
    return records.get(decided.target, "")


def _verdict(asking: Asking, decided: Decided, candidate: Candidate, gathered: Gathered) -> Verdict:
    assert candidate.evidence is not None
    quote = candidate.evidence.quote
    reply = asking.ask(JUDGE, _data(decided, candidate, gathered), VerdictGiven)
    given, refused = reply.value, reply.reason
    if given is not None:
        refused = believed(given, quote) or _unsafe(gathered.rules, given) or ""
        reply.entry["found"] = int(not refused and given.choice != "unclear")
        if refused:
            reply.entry["dropped"] = {refused: 1}
        asking.save()
    combined = given is not None and given.choice == "combined"
    return Verdict(
        rule=decided.rule,
        target=decided.target,
        target_text=_text_of(decided, gathered),
        choice=given.choice if given is not None else "unclear",
        engine=engine_of(asking.model, JUDGE),
        why="" if given is None or refused else str(masked(gathered.rules, given.why)),
        text=given.text if given is not None and combined else None,
        value=given.value if given is not None and combined else None,
        tokens=reply.tokens,
        refused=refused,
    )


def _unsafe(rules: guardrails.RuleSet, given: VerdictGiven) -> str | None:
    """A wording that a guardrail refuses, or a reason that would speak to whoever reads it."""
    combined = {"text": given.text, "value": given.value}
    if given.choice == "combined" and not check_fields(rules, combined).allowed:
        return "blocked"
    return None if guardrails.check(given.why, "injection", rules).allowed else "blocked"


def _data(decided: Decided, candidate: Candidate, gathered: Gathered) -> Mapping[str, object]:
    assert candidate.evidence is not None
    memory = next((m for m in gathered.existing if m.id == decided.target), None)
    known: dict[str, object] | None = None
    if decided.target is not None:
        known = {"text": _text_of(decided, gathered)}
        if memory is not None:
            known |= {"value": memory.value, "condition": memory.condition, "since": _day(memory.updated_at)}
    note = {"text": candidate.text, "value": candidate.value, "condition": candidate.condition,
            "said": _day(candidate.said_at)}  # fmt: skip
    return judge_data(decided.rule.removeprefix("review."), candidate.evidence.quote, note, known)


def _day(moment: object) -> str:
    return str(moment)[:10]
