"""The case files through preview(): the shared ones and our own, with the scores that must hold.

exact: the expected action or one that is also accepted; safe: exact or review; harmful: memory was changed in a way
that nothing accepts; missed: reject or session_only where memory should have changed; active: the surviving set.
"""

import collections
import json
from datetime import datetime
from pathlib import Path

import pytest

from consolidation.domain.decisions import CHANGES
from consolidation.domain.preview import preview

from .build import dice, luhn_guard

CASES = Path(__file__).parents[2] / "cases"


def load(name):
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


def judge(case, score):
    wanted, data = case["expect"], case["input"]
    got = preview({"now": data["now"], "existing": data["existing"], "notes": data["candidates"]}, luhn_guard, dice)
    by = {d["note"]: d for d in got["decisions"]}
    wrong = []
    for want in wanted["decisions"]:
        accepted = [want["decision"], *want.get("also_ok", [])]
        made = by[want["candidate"]]
        action = made["action"]
        elsewhere = action == want["decision"] and action in ("dedupe", "override") and made["memory"] != want["target"]
        score["n"] += 1
        score["exact"] += action in accepted
        score["safe"] += action in accepted or action == "review"
        score["harmful"] += (action in CHANGES and action not in accepted) or elsewhere
        score["missed"] += (
            action in ("reject", "session_only") and action not in accepted and bool(CHANGES & set(accepted))
        )
        if action not in accepted or elsewhere:
            wrong.append(f"{case['id']} {want['candidate']}: {action} ({made['rule']}) want {accepted}")
    if all(by[w["candidate"]]["action"] == w["decision"] for w in wanted["decisions"]):
        score["active_n"] += 1
        right = surviving(wanted, got)
        score["active"] += right
        if not right:
            wrong.append(f"{case['id']}: active {got['active']}")
    return wrong


def surviving(wanted, got):
    texts = " ".join(m["text"] for m in got["active"])
    if any(w not in texts for w in wanted.get("must_keep", [])) or any(
        w in texts for w in wanted.get("must_not_add", [])
    ):
        return False
    by = {tuple(sorted(m["sources"])): m for m in got["active"]}
    if sorted(by) != sorted(tuple(sorted(a["from"])) for a in wanted["active"]):
        return False
    moments = [(a, by[tuple(sorted(a["from"]))]) for a in wanted["active"] if "confirmed_at" in a]
    return all(
        datetime.fromisoformat(a["confirmed_at"]) == datetime.fromisoformat(m["confirmed_at"]) for a, m in moments
    )


@pytest.mark.parametrize(
    ("name", "prefix", "exact"),
    [
        ("consolidation.jsonl", "", 0.97),
        ("consolidation.jsonl", "cx-", 0.93),
        ("consolidation_own.jsonl", "", 0.95),
        ("consolidation_unseen.jsonl", "", 0.97),
        ("consolidation_unseen2.jsonl", "", 0.97),
        ("consolidation_own2.jsonl", "", 0.97),
        ("consolidation_own3.jsonl", "", 0.97),
        ("consolidation_own4.jsonl", "", 0.97),
        ("consolidation_own5.jsonl", "", 0.97),
        ("consolidation_own6.jsonl", "", 0.92),
        ("consolidation_unseen3.jsonl", "", 0.92),
        ("consolidation_unseen4.jsonl", "", 0.92),
        ("consolidation_unseen5.jsonl", "", 0.92),
        ("consolidation_unseen6.jsonl", "", 0.92),
        ("consolidation_unseen7.jsonl", "", 0.97),
    ],
)
def test_scores(name, prefix, exact):
    score, wrong = collections.Counter(), []
    for case in load(name):
        # What only the guardrails or the vectors can tell is left to `manage.py evaluate`; a "limit" is not met yet.
        if case["id"].startswith(prefix) and not {"guardrail", "vectors", "limit"} & set(case["tags"]):
            wrong += judge(case, score)
    report = f"{dict(score)}\n" + "\n".join(wrong)
    assert score["n"] > 0
    assert score["exact"] / score["n"] >= exact, report
    assert score["safe"] / score["n"] >= 0.98, report
    assert score["harmful"] == 0, report
    assert score["missed"] / score["n"] <= 0.01, report
    assert score["active"] / score["active_n"] >= 0.97, report


@pytest.mark.parametrize(
    "name",
    ["consolidation_own.jsonl", "consolidation_own2.jsonl", "consolidation_own3.jsonl", "consolidation_own4.jsonl"],
)
def test_own_cases_say_why_and_are_half_chinese(name):
    cases = load(name)
    assert sum("limit" in c["tags"] for c in cases) < len(cases) / 20
    languages = collections.Counter(c["lang"] for c in cases)
    assert all(c["why"] for c in cases)
    assert len({c["id"] for c in cases}) == len(cases) >= 50
    assert abs(languages["zh"] - languages["en"]) < len(cases) / 4
