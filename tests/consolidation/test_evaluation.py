"""Case files are run through the product's own functions, scored as people score them, and leave nothing behind."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from consolidation.evaluation import Case, run_cases, scores
from consolidation.evaluation.likeness import alike, same
from memory_app.guardrails import OwnRule, RuleSet
from memory_app.models import AuditEvent, Memory, User, Workspace
from tests.acceptance.documents import ROOT

CASES = ROOT / "tests" / "cases"

RECALL = {
    "memories": [
        {"id": "m1", "user": "u1", "session": None, "kind": "semantic", "text": "Prefers aisle seats",
         "key": "seat_preference", "value": "aisle", "created_at": "2026-01-01T00:00:00Z", "expires_at": None,
         "status": "active"},
        {"id": "m2", "user": "u2", "session": None, "kind": "semantic", "text": "Prefers window seats",
         "created_at": "2026-01-01T00:00:00Z", "expires_at": None, "status": "active"},
    ],
    "query": "Which seat does the user prefer?", "now": "2026-02-01T00:00:00Z", "user": "u1", "session": None,
    "teams": [], "limit": 5,
}  # fmt: skip


def case(kind: str, given: dict[str, Any], expect: dict[str, Any], **extra: Any) -> Case:
    return Case(kind, f"{kind}-1", "en", given, expect, extra)


def outcome(*cases: Case) -> dict[str, Any]:
    return scores(run_cases(cases))


def evaluate(*paths: Path, **options: Any) -> str:
    out = StringIO()
    call_command("evaluate", *map(str, paths), stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


@pytest.mark.django_db
def test_guardrail_cases_are_scored() -> None:
    block = {"verdict": "block", "category": "payment"}
    found = outcome(
        case("guardrail", {"text": "My card is 4111 1111 1111 1111"}, block),
        case("guardrail", {"text": "Likes tea"}, block),
        case("guardrail", {"text": "Likes jazz"}, {"verdict": "allow", "category": None}),
    )["guardrail"]["all"]
    assert (found["cases"], found["accuracy"], found["recall"], found["precision"]) == (3, 66.7, 50.0, 100.0)
    assert (found["false_alarm"], found["category"]) == (0.0, 100.0)


@pytest.mark.django_db
def test_distill_cases_are_scored() -> None:
    turns = {"turns": [{"role": "user", "text": "I prefer aisle seats."}], "said_at": "2026-02-01T00:00:00Z"}
    wanted = {"gist": "Prefers aisle seats", "key": None, "value": "aisle", "kind": "semantic", "scope": "user"}
    missed = wanted | {"gist": "Owns a red bicycle", "value": "bicycle"}
    found = outcome(
        case("distill", turns, {"candidates": [wanted]}), case("distill", turns, {"candidates": [wanted, missed]})
    )["distill"]["all"]
    assert (found["accuracy"], found["precision"], found["recall"], found["f1"]) == (50.0, 100.0, 66.7, 80.0)


@pytest.mark.django_db
def test_consolidation_cases_are_scored() -> None:
    note = {"id": "c1", "text": "Likes tea", "key": "likes", "value": "tea", "said_at": "2026-02-01T00:00:00Z",
            "evidence": {"role": "user", "quote": "I like tea"}}  # fmt: skip
    given = {"now": "2026-03-01T00:00:00Z", "existing": [], "candidates": [note]}
    right = {"decisions": [{"candidate": "c1", "decision": "promote"}], "active": [{"from": ["c1"]}]}
    wrong = {"decisions": [{"candidate": "c1", "decision": "reject"}], "active": []}
    found = outcome(case("consolidation", given, right), case("consolidation", given, wrong))["consolidation"]["all"]
    assert (found["decisions"], found["accuracy"], found["harmful"]) == (2, 50.0, 1)
    assert (found["precision"], found["recall"], found["active"]) == (50.0, 100.0, 100.0)


@pytest.mark.django_db
def test_recall_cases_are_scored_and_leave_nothing() -> None:
    before = Workspace.objects.count(), AuditEvent.objects.count()
    right = {"top": ["m1"], "include": ["m1"], "exclude": ["m2"], "effective": {"seat_preference": "aisle"}}
    found = outcome(case("recall", RECALL, right), case("recall", RECALL, right | {"top": [], "include": ["m2"]}))
    assert (found["recall"]["all"]["accuracy"], found["recall"]["all"]["leaks"]) == (50.0, 0)
    assert (Workspace.objects.count(), AuditEvent.objects.count()) == before
    assert not Memory.objects.exists()
    assert not User.objects.exists()


@pytest.mark.django_db
def test_cases_go_by_the_rules_of_the_workspace_and_only_recall_writes() -> None:
    rule = OwnRule("seats", "words", ("aisle seats",), "instruction")
    like = Workspace.objects.create(slug="like", name="Like", guard_rules=RuleSet((rule,), since=1).to_text())
    turns = {"turns": [{"role": "user", "text": "I prefer aisle seats."}], "said_at": "2026-02-01T00:00:00Z"}
    cases = [
        case("distill", turns, {"candidates": []}),
        case("guardrail", {"text": "Prefers aisle seats"}, {"verdict": "block", "category": "instruction"}),
        case("consolidation", {"now": "2026-03-01T00:00:00Z", "existing": [], "candidates": []},
             {"decisions": [], "active": []}),
    ]  # fmt: skip
    with CaptureQueriesContext(connection) as asked:
        assert [result.right for result in run_cases(cases, like)] == [True, True, True]
    assert all(
        one["sql"].startswith("SELECT") for one in asked.captured_queries
    )  # so nothing is held while texts are embedded
    assert [result.got["ids"] for result in run_cases([case("recall", RECALL, {"top": []})], like)] == [
        []
    ]  # refused there too


@pytest.mark.django_db
def test_a_recall_case_may_leave_out_what_its_format_leaves_open() -> None:
    memory = {"id": "m1", "user": "u1", "text": "Prefers aisle seats", "key": "seat_preference", "value": "aisle"}
    bare = {"memories": [memory], "query": "Which seat does the user prefer?", "user": "u1"}
    expected = [
        {"top": ["m1"]},
        {"include": "m1"},
        {"effective": "aisle"},
        {},
        {"effective": "window"},
        {"exclude": "m1"},
    ]
    found = scores(run_cases([case("recall", bare, one) for one in expected]))["recall"]["all"]
    assert (found["cases"], found["errors"], found["leaks"]) == (6, 0, 1)
    assert found["accuracy"] == 66.7


@pytest.mark.django_db
def test_a_case_that_cannot_be_run_is_wrong_and_shown() -> None:
    results = list(run_cases([case("recall", {}, {"top": []}), case("guardrail", {"text": "Likes tea"},
                                                                    {"verdict": "allow", "category": None})]))  # fmt: skip
    assert [(r.right, r.error) for r in results] == [(False, True), (True, False)]
    assert "KeyError" in results[0].said


@pytest.mark.django_db
def test_the_command_prints_scores_and_failures_by_language(tmp_path: Path) -> None:
    rows = [
        {"id": "g-1", "lang": "zh", "input": {"text": "喜欢喝茶"}, "expect": {"verdict": "block", "category": "pii"}},
        {"id": "g-2", "lang": "en", "input": {"text": "Likes tea"}, "expect": {"verdict": "allow", "category": None}},
    ]
    (tmp_path / "guardrail_own.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    (tmp_path / "notes.txt").write_text("not a case")
    told = evaluate(tmp_path)
    assert "all    cases=2 accuracy=50.0" in told
    assert "zh     cases=1 accuracy=0.0" in told
    assert "g-1 (zh): allow" in told
    document = json.loads(evaluate(tmp_path, json=True))
    assert document["guardrail"]["en"]["accuracy"] == 100.0
    assert [one["id"] for one in document["guardrail"]["failed"]] == ["g-1"]


@pytest.mark.django_db
def test_paths_without_cases_are_named(tmp_path: Path) -> None:
    (tmp_path / "guardrail.jsonl").write_text("{}")
    (tmp_path / "poems.jsonl").write_text("{}")
    for path, problem in ((tmp_path / "none", "no such file"), (tmp_path / "poems.jsonl", "must begin with"),
                          (tmp_path / "guardrail.jsonl", "line 1: must be an object with input")):  # fmt: skip
        with pytest.raises(CommandError, match=problem):
            evaluate(path)


@pytest.mark.django_db
def test_the_cases_kept_here_are_read_and_scored() -> None:
    document = json.loads(evaluate(CASES / "consolidation.jsonl", CASES / "recall.jsonl", json=True))
    for kind in ("consolidation", "recall"):
        assert document[kind]["all"]["errors"] == 0
        assert document[kind]["all"]["accuracy"] > 90


def test_likeness() -> None:
    assert same("High-speed rail", "high_speed_rail")
    assert alike("Prefers aisle seats", "prefers an aisle seat")
    assert not alike("Prefers aisle seats", "Owns a red bicycle")
