"""One case run and judged: what counts, whether it is right, and what came instead."""

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from consolidation.models import PolicyVersion
from consolidation.previewing import TriedTurn, try_consolidation, try_distill
from consolidation.schemas import ConsolidationTried, DistillTried
from memory_app import guardrails
from memory_app.models import Slot, Workspace

from .cases import Case
from .likeness import alike, same
from .recalling import Tried, try_recall

CHANGES = frozenset({"promote", "dedupe", "override"})


@dataclass(frozen=True, slots=True)
class Result:
    """A case's outcome. `counts` add up to the scores; `got` is what came, as JSON."""

    case: Case
    right: bool
    counts: Counter[str]
    said: str = ""
    error: bool = field(default=False)
    got: dict[str, Any] = field(default_factory=dict)


def run_cases(cases: Iterable[Case], like: Workspace | None = None) -> Iterator[Result]:
    """Each case's result under the policy, slots and rules of `like`. Nothing that a case writes is ever seen."""
    for case in cases:
        yield _run(like or Workspace(slug="evaluation", name="Evaluation"), case)


@contextmanager
def _space(like: Workspace) -> Iterator[Workspace]:
    """A workspace in which one case may write: empty, with the policy, slots and rules of `like`, and gone afterwards."""
    with transaction.atomic():
        made = Workspace.objects.create(
            slug=f"evaluation-{uuid.uuid4().hex[:12]}", name="Evaluation", guard_rules=like.guard_rules
        )
        for slot in Slot.objects.filter(workspace=like):
            slot.pk, slot.workspace = uuid.uuid4(), made
            slot.save(force_insert=True)
        newest = PolicyVersion.objects.filter(workspace=like).order_by("-number").first()
        if newest is not None:
            PolicyVersion.objects.create(workspace=made, number=newest.number, content=newest.content)
        yield made
        transaction.set_rollback(True)


def _run(workspace: Workspace, case: Case) -> Result:
    try:
        return RUN[case.kind](workspace, case)
    except Exception as error:  # an answer that cannot be had counts as wrong, and is shown
        counts = Counter(cases=1, errors=1)
        if case.kind == "consolidation":
            counts["decisions"] = len(case.expect.get("decisions", ()))
        return Result(case, False, counts, f"{type(error).__name__}: {error}"[:300], error=True)


def _guardrail(workspace: Workspace, case: Case) -> Result:
    verdict = guardrails.check(case.input["text"], "capture", workspace.rules)
    got, want = ("allow" if verdict.allowed else "block"), case.expect["verdict"]
    right = got == want
    counts = Counter(cases=1, right=int(right))
    if want == "block":
        counts.update(to_block=1, blocked=int(right))
    else:
        counts.update(to_allow=1, false_alarm=int(not right))
    if want == got == "block":
        accepted = [case.expect["category"], *case.expect.get("also_ok", [])]
        counts.update(judged=1, category=int(verdict.category in accepted))
    told = f"{got} {verdict.category or ''}, not {want} {case.expect.get('category') or ''}"
    return Result(case, right, counts, told, got={"category": verdict.category or "", "rule": verdict.rule or ""})


def _distill(workspace: Workspace, case: Case) -> Result:
    given = [{"role": t["role"], "content": t["text"], "at": case.input["said_at"]} for t in case.input["turns"]]
    body = DistillTried.model_validate({"turns": given})
    turns = [TriedTurn(str(i), t.role, t.content, t.at, t.recalled) for i, t in enumerate(body.turns, start=1)]
    drafts = [draft for draft, _ in try_distill(turns, workspace.rules)]
    wanted, left = case.expect["candidates"], list(drafts)
    for want in wanted:
        found = next((d for d in left if _fits(d, want)), None)
        if found is not None:
            left.remove(found)
    hits = len(drafts) - len(left)
    said = " ".join(d.text for d in drafts)
    forbidden = sum(1 for word in case.extra.get("must_not_contain", []) if word in said)
    counts = Counter(cases=1, hits=hits, found=len(drafts), wanted=len(wanted), forbidden=forbidden)
    if not wanted:
        counts.update(empty_cases=1, left_empty=int(not drafts))
    whole = hits == len(wanted) == len(drafts) or bool(case.extra.get("also_ok_empty") and not drafts)
    right = whole and not forbidden
    counts["right"] += right
    told = (
        f"{[(d.scope, d.value, d.text) for d in drafts]}, not {[(w['scope'], w['value'], w['gist']) for w in wanted]}"
    )
    notes = [{"text": d.text, "key": d.key, "value": d.value, "kind": d.kind, "scope": d.scope} for d in drafts]
    return Result(case, right, counts, told, got={"notes": notes})


def _fits(draft: Any, want: dict[str, Any]) -> bool:
    if draft.scope != want["scope"]:
        return False
    if want["value"] is not None and draft.value is not None and same(draft.value, want["value"]):
        return True
    return alike(draft.text, want["gist"])


def _consolidation(workspace: Workspace, case: Case) -> Result:
    given = {"now": case.input["now"], "existing": case.input["existing"], "notes": case.input["candidates"]}
    outcome = try_consolidation(workspace, ConsolidationTried.model_validate(given).model_dump())
    made = {d["note"]: d for d in outcome["decisions"]}
    counts, wrong, as_expected = Counter(cases=1), [], True
    for want in case.expect["decisions"]:
        accepted = [want["decision"], *(_action(other) for other in want.get("also_ok", []))]
        decided = made.get(want["candidate"], {})
        action, target = decided.get("action"), decided.get("memory")
        astray = action == want["decision"] and action in ("dedupe", "override") and want.get("target") not in (
            None, "", target
        )  # fmt: skip
        _count(counts, action, accepted, bool(astray))
        as_expected &= action == want["decision"]
        if action not in accepted or astray:
            wrong.append(f"{want['candidate']}: {action} {target or ''}, not {' or '.join(accepted)}")
    if as_expected and "active" in case.expect:
        kept = _kept(outcome["active"], case.expect)
        counts.update(active_cases=1, active=int(not kept))
        wrong += kept
    counts["right"] += not wrong
    return Result(case, not wrong, counts, "; ".join(wrong), got={"decisions": outcome["decisions"], "wrong": wrong})


def _action(accepted: str | dict[str, Any]) -> str:
    """A decision that is right too, written as its action or as a decision of its own."""
    return accepted if isinstance(accepted, str) else str(accepted["decision"])


def _count(counts: Counter[str], action: str | None, accepted: list[str], astray: bool) -> None:
    right = action in accepted
    counts["decisions"] += 1
    counts["exact"] += right
    counts["safe"] += right or action == "review"
    counts["harmful"] += (action in CHANGES and not right) or astray
    counts["missed"] += action in ("reject", "session_only") and not right and bool(CHANGES & set(accepted))
    counts["changed"] += action in CHANGES
    counts["changed_rightly"] += action in CHANGES and right and not astray
    counts["to_change"] += accepted[0] in CHANGES
    counts["to_change_met"] += accepted[0] in CHANGES and right and not astray


def _kept(active: list[dict[str, Any]], expect: dict[str, Any]) -> list[str]:
    """What is wrong with the memory that is left."""
    texts = " ".join(str(one.get("text", "")) for one in active)
    lost = [word for word in expect.get("must_keep", []) if word not in texts]
    added = [word for word in expect.get("must_not_add", []) if word in texts]
    have = sorted(sorted(one.get("sources", [])) for one in active)
    want = sorted(sorted(one["from"]) for one in expect["active"])
    wrong = [] if have == want else [f"memory from {have}, not {want}"]
    if lost or added:
        wrong.append(f"words lost {lost}, added {added}")
    return wrong


def _recall(workspace: Workspace, case: Case) -> Result:
    with _space(workspace) as space:
        tried = try_recall(space, case.input)
    want, got = case.expect, tried.ids
    top, include, exclude = (_ids(want.get(name)) for name in ("top", "include", "exclude"))
    leaks = [one for one in got if one in exclude or one == "?"]
    needed = set(include) | set(top)
    right = got[: len(top)] == top and set(include) <= set(got) and not leaks
    right = right and len(got) <= want.get("max_results", 99)
    right = right and _holds(tried, want)
    counts = Counter(
        cases=1, right=int(right), leaks=int(bool(leaks)), needed=len(needed), met=len(needed & set(got)),
        returned=len(got), allowed=len(got) - len(leaks),
    )  # fmt: skip
    told = f"{got}, not top {top}, include {include}, exclude {exclude}"
    told += f"; effective {tried.effective}" if want.get("effective") else ""
    return Result(case, right, counts, told, got={"ids": got, "effective": tried.effective})


def _holds(tried: Tried, want: dict[str, Any]) -> bool:
    wanted, have = want.get("effective") or {}, tried.effective
    if not isinstance(wanted, dict):  # the value alone that should win, or several
        effective = all(any(same(one, value) for one in have.values()) for value in _ids(wanted))
    else:
        effective = all(have.get(key) == value for key, value in wanted.items())
    return effective and not any(word in tried.text for word in _ids(want.get("render_must_not_contain")))


def _ids(given: Any) -> list[Any]:
    """What a case names: a list, one thing alone, or nothing."""
    return [] if given is None else given if isinstance(given, list) else [given]


RUN: dict[str, Callable[[Workspace, Case], Result]] = {
    "guardrail": _guardrail,
    "distill": _distill,
    "consolidation": _consolidation,
    "recall": _recall,
}
