"""One case of an evaluation in full: what there was, what was expected, what came of it, why, and by which rule."""

import uuid
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from consolidation.evaluation.cases import listed
from consolidation.models import EvaluationCase
from consolidation.queries import evaluations as read
from consolidation.queries.item import nearest
from consolidation.queries.labels import texts_of
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.addresses import page_url, turn_url
from memory_app.labels import SPEAKERS, label_of
from memory_app.models import Block, Decision, Memory, MemoryVersion, Workspace
from memory_app.reasons import check_sentence, hold_sentence, sentence
from memory_app.rule_words import words_of
from memory_app.values import told

from .evaluation_run import got_words
from .evaluation_words import (
    KINDS,
    MEANINGS,
    RULINGS,
    SAYS,
    expected_words,
    outcome_of,
    set_words,
    subject_url,
    subject_words,
)

PAGE = "consolidation/evaluation_case.html"


@require_safe
@workspace_page()
def evaluation_case(request: WorkspaceRequest, case_id: uuid.UUID) -> HttpResponse:
    """The case as a decision is shown: candidate, existing memory and result, evidence, reason and rule."""
    case = read.find_case(request.workspace, case_id)
    if case is None:
        raise Http404
    context: dict[str, Any] = {
        "case": case,
        "run": case.evaluation,
        "set_name": set_words(case.evaluation),
        "kind": KINDS.get(case.kind, case.kind),
        "outcome": outcome_of(case.outcome),
        "meaning": MEANINGS.get(case.outcome, ""),
        "expected": expected_words(case.expected),
        "got": got_words(case),
        "ruling": RULINGS.get(case.ruling, ""),
        "says": SAYS.get(case.ruling, ""),
    }
    found = _of_label(case, request.workspace) if case.subject is not None else _of_file(case)
    return render(request, PAGE, context | found)


def _of_label(case: EvaluationCase, workspace: Workspace) -> dict[str, Any]:
    assert case.subject is not None
    subject = texts_of([case.subject]).get(case.subject)
    ref, text = subject_words(subject)
    context = {"ref": ref or "–", "title": text, "gone": subject is None, "href": subject_url(subject, workspace.slug)}
    if isinstance(subject, Block):
        return context | {"parts": "text", "text": text, "verdicts": [_verdict(case.got)]}
    if subject is None or subject.note is None or case.kind == "distill":
        wanted = (subject.after or {}).get("text", "") if subject is not None else ""
        return context | {"parts": "words", "wanted": wanted, "evidence": _evidence(subject, workspace)}
    return context | {"parts": "decisions", "decisions": [_decision(case, subject, workspace)]}


def _decision(case: EvaluationCase, decision: Decision, workspace: Workspace) -> dict[str, Any]:
    """The decision as it came out in this run, drawn from ids: the memory in the version that it met."""
    note, got, expect = decision.note, case.got, case.expect
    assert note is not None
    ids = [one for one in (got.get("target"), expect.get("target")) if one]
    memories = {str(pk): one for pk, one in Memory.objects.filter(workspace=workspace).in_bulk(_uuids(ids)).items()}
    target, wanted = memories.get(got.get("target", "")), memories.get(expect.get("target", ""))
    met = _met(target, got.get("version"))
    action = str(got.get("action", ""))
    params = {"key": note.key, "value": note.value, "old": met["text"] if met else ""} | got.get("params", {})
    return {
        "action": action,
        "proposed": got.get("proposed", ""),
        "waits": got.get("waits"),
        "candidate": {"text": note.text, "when": note.said_at, "scope": note.scope, "kind": note.kind},
        "existing": met and met | {"href": page_url("memory", workspace.slug, target.pk if target else "")},
        "result": _result(action, note.text, met["text"] if met else None, decision.scope, note.kind),
        "why": sentence(str(got.get("rule", "")), params) if got.get("rule") else "",
        "hold": hold_sentence(got.get("hold")),
        "rule": got.get("rule", ""),
        "guardrail": _guardrail(got),
        "confidence": got.get("confidence"),
        "checks": [{"text": check_sentence(one["name"], one["ok"]), "ok": one["ok"]} for one in got.get("checks", ())],
        "near": [
            {"text": one.memory.text, "href": page_url("memory", workspace.slug, one.memory.pk), "ref": one.memory.ref,
             "similarity": one.similarity, "target": one.memory == target}
            for one in nearest(workspace.pk, got.get("neighbours", ()))
        ],
        "evidence": _evidence(decision, workspace),
        "wanted": case.expected,
        "accepted": [one for one in expect.get("accepted", ()) if one != case.expected],
        "wanted_memory": wanted and {"ref": wanted.ref, "href": page_url("memory", workspace.slug, wanted.pk)},
        "words": (decision.after or {}).get("text", "") if case.ruling == "edited" else "",
    }  # fmt: skip


def _met(memory: Memory | None, number: int | None) -> dict[str, Any] | None:
    """The memory in the version that the decision met; what the same run made has no version yet."""
    if memory is None:
        return None
    version = MemoryVersion.objects.filter(memory=memory, number=number or memory.version).first()
    text = version.text if version is not None else memory.text
    return {"ref": memory.ref, "version": number or memory.version, "text": text, "scope": memory.scope,
            "kind": memory.kind}  # fmt: skip


def _result(action: str, text: str, old: str | None, scope: str, kind: str) -> dict[str, Any] | None:
    """What memory would say; nothing where nothing is written."""
    if action == "session_only":
        return {"text": text, "before": text, "place": _("session notes"), "scope": "session", "kind": kind}
    if action == "dedupe" and old is not None:
        return {
            "text": old,
            "before": old,
            "note": _("One more source; the wording stays."),
            "scope": scope,
            "kind": kind,
        }
    if action in ("promote", "override"):
        before = old if action == "override" else None
        return {"text": text, "before": before, "place": _("new memory") if before is None else "", "scope": scope,
                "kind": kind}  # fmt: skip
    return None


def _evidence(decision: Decision | None, workspace: Workspace) -> dict[str, Any]:
    note = decision.note if decision is not None else None
    if note is None:
        return {}
    turn = note.turn
    spans = [(note.evidence_start, note.evidence_end)] if turn and note.evidence_start is not None else []
    return {
        "text": turn.content if turn is not None and turn.content else note.evidence_quote,
        "spans": spans if turn is not None and turn.content else [],
        "speaker": label_of(SPEAKERS, turn.role if turn is not None else note.evidence_role or "user").text,
        "turn": turn.index if turn is not None else "",
        "href": turn_url(workspace.slug, note.session_id, turn.index) if turn is not None else "",
        "at": turn.at if turn is not None else note.said_at,
    }


def _of_file(case: EvaluationCase) -> dict[str, Any]:
    document = read.document_of(case)
    context: dict[str, Any] = {"ref": case.case, "title": case.title, "gone": document is None, "href": ""}
    if document is None:
        return context | {"parts": ""}
    given, expect, got = document["input"], document["expect"], case.got
    context["about"] = document.get("why", "")
    if case.kind == "guardrail":
        return context | {"parts": "text", "text": given.get("text", ""), "verdicts": [_verdict(got)]}
    if case.kind == "distill":
        return context | {"parts": "notes", "turns": listed(given, "turns"), "notes": got.get("notes", ()),
                          "wanted": [_wanted(one) for one in listed(expect, "candidates")]}  # fmt: skip
    if case.kind == "recall":
        return context | _recalled(given, expect, got)
    made = {one["note"]: one for one in got.get("decisions", ())}
    notes = {str(one.get("id")): one for one in listed(given, "candidates")}
    existing = {str(one.get("id")): one for one in listed(given, "existing")}
    return context | {
        "parts": "decisions",
        "decisions": [
            _tried(one, notes.get(name, {}), made.get(name, {}), existing | notes)
            for one in listed(expect, "decisions")
            for name in (str(one.get("candidate")),)
        ],
        "wrong": got.get("wrong", ()),
    }  # fmt: skip


def _tried(want: dict[str, Any], note: dict[str, Any], got: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """One decision of a file's case, drawn from the file."""
    action, text = str(got.get("action") or ""), str(note.get("text", ""))
    target = known.get(str(got.get("memory")))
    old = str(target.get("text", "")) if target else None
    evidence = note["evidence"] if isinstance(note.get("evidence"), dict) else {}
    scope, kind = str(note.get("scope") or "user"), str(note.get("kind") or "semantic")
    try:
        said = parse_datetime(str(note.get("said_at") or ""))
    except ValueError:  # well written, and a day of no calendar
        said = None
    return {
        "id": str(want.get("candidate", "")),
        "action": action,
        "proposed": got.get("proposed_action") or "",
        "waits": got.get("status") == "pending",
        "candidate": {"text": text, "when": said, "scope": scope, "kind": kind},
        "existing": target and {"ref": str(got.get("memory")), "version": got.get("base_version") or 1, "text": old,
                                "scope": str(target.get("scope") or "user"), "kind": str(target.get("kind") or "semantic")},
        "result": _result(action, text, old, scope, kind),
        "why": sentence(str(got.get("rule", "")), got.get("params")) if got.get("rule") else "",
        "hold": hold_sentence(got.get("hold_reason")),
        "rule": got.get("rule", ""),
        "guardrail": _guardrail(got),
        "confidence": got.get("confidence"),
        "checks": [{"text": check_sentence(one["name"], one["ok"]), "ok": one["ok"]} for one in got.get("checks", ())],
        "evidence": {"text": evidence.get("quote", ""), "spans": [], "at": said,
                     "speaker": label_of(SPEAKERS, str(evidence.get("role") or "user")).text},
        "wanted": str(want.get("decision", "")),
        "accepted": _also(want.get("also_ok")),
        "wanted_memory": {"ref": str(want["target"]), "href": ""} if want.get("target") else None,
    }  # fmt: skip


def _also(given: Any) -> list[str]:
    """The other actions that are right, each written as its name or as a decision."""
    found = given if isinstance(given, list) else []
    return [str(one.get("decision", "")) if isinstance(one, dict) else str(one) for one in found]


def _named(given: Any) -> list[Any]:
    """What a case names: a list, one thing alone, or nothing."""
    return given if isinstance(given, list) else [given] if given else []


def _recalled(given: dict[str, Any], expect: dict[str, Any], got: dict[str, Any]) -> dict[str, Any]:
    places = {name: place for place, name in enumerate(got.get("ids", ()), start=1)}
    wants = {
        str(name): words
        for key, words in (("exclude", _("never")), ("include", _("found")), ("top", _("first")))
        for name in _named(expect.get(key))
    }
    return {
        "parts": "memories",
        "query": given.get("query", ""),
        "memories": [
            {"id": str(one.get("id")), "text": str(one.get("text", "")), "wanted": wants.get(str(one.get("id")), ""),
             "place": places.get(str(one.get("id")))}
            for one in listed(given, "memories")
        ],
        "effective": [(name, told(value)) for name, value in (got.get("effective") or {}).items()],
    }  # fmt: skip


def _wanted(one: dict[str, Any]) -> dict[str, Any]:
    return {"text": one.get("gist", ""), "key": one.get("key"), "value": one.get("value"), "scope": one.get("scope", ""),
            "kind": one.get("kind", "")}  # fmt: skip


def _verdict(got: dict[str, Any]) -> dict[str, Any]:
    rule = str(got.get("rule") or "")
    words = words_of(rule) if rule else None
    return {"category": got.get("category") or "", "rule": rule, "title": words.title if words else "",
            "why": words.why if words else ""}  # fmt: skip


def _guardrail(got: dict[str, Any]) -> dict[str, Any]:
    """The guardrail's rule that a decision came of; nothing where it came of none."""
    rule = str((got.get("params") or {}).get("guardrail") or "")
    return {"rule": rule, "title": words_of(rule).title} if rule else {}


def _uuids(names: list[str]) -> list[uuid.UUID]:
    found = []
    for name in names:
        try:
            found.append(uuid.UUID(name))
        except ValueError:
            continue
    return found
