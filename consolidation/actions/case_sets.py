"""Case files that somebody sends, kept as a set: masked, and without the cases that masking would change."""

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from django.db import transaction

from consolidation.evaluation.cases import Case, CaseError, cases_in, kind_of
from consolidation.models import CaseSet
from memory_app import guardrails
from memory_app.actions.audit import audit
from memory_app.actions.guard import check_fields, masked, refuse_secret
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Forbidden, Invalid
from memory_app.models import Workspace

MOST_CASES, MOST_BYTES, MOST_SETS = 500, 1_000_000, 20
#: What a case says beside input and expect that is kept.
KEPT = ("why", "must_not_contain", "also_ok_empty")
File = tuple[str, bytes]


def save_case_set(workspace: Workspace, actor: Actor, name: str, files: Sequence[File]) -> CaseSet:
    """The cases of the files as one set. Each file's name begins with the kind of its cases. Invalid says by its code
    what is wrong, and of a file which line; Forbidden below admin."""
    needs_admin(actor)
    name = name.strip()
    refuse_secret("name", name)
    if not name or len(name) > 100:
        raise Invalid.field("name", "must have 1 to 100 characters.", "name")
    found = read(files)
    kept = [document for case in found if (document := _kept(workspace.rules, case)) is not None]
    _once(kept)
    if not kept:
        raise Invalid.field("files", "hold no case that can be kept.", "empty")
    with transaction.atomic():
        Workspace.objects.select_for_update(no_key=True).get(pk=workspace.pk)  # one at a time: they are counted
        sets = CaseSet.objects.filter(workspace=workspace)
        if sets.filter(name=name).exists():
            raise Invalid.field("name", "is taken by another set.", "taken")
        if sets.count() >= MOST_SETS:
            raise Invalid.field("files", f"are too many: a workspace has at most {MOST_SETS} sets.", "sets")
        made = CaseSet.objects.create(
            workspace=workspace, name=name, cases=kept, total=len(kept), left_out=len(found) - len(kept),
            author_id=actor.id, author=actor.label,
        )  # fmt: skip
        audit(workspace, actor, "case_set.save", made, count=made.total)
    return made


def remove_case_set(found: CaseSet, actor: Actor) -> None:
    """The set and its evaluations gone."""
    needs_admin(actor)
    with transaction.atomic():
        Workspace.objects.select_for_update(no_key=True).get(pk=found.workspace_id)  # nobody begins a run of it now
        list(found.evaluations.select_for_update().order_by("pk").values_list("pk"))  # before their cases, as runs do
        audit(found.workspace, actor, "case_set.remove", found, count=found.total)
        found.delete()


def needs_admin(actor: Actor) -> None:
    if not actor.at_least("admin"):
        raise Forbidden("Evaluations need the role admin.")


def read(files: Sequence[File]) -> list[Case]:
    """Every case of the files; Invalid names what is wrong by its code."""
    if not files:
        raise Invalid.field("files", "are needed.", "none")
    if sum(len(content) for _, content in files) > MOST_BYTES:
        raise Invalid.field("files", f"have more than {MOST_BYTES:,} bytes.", "bytes")
    found: list[Case] = []
    for filename, content in files:
        kind = kind_of(PurePath(filename).stem)
        if not kind or not filename.endswith(".jsonl"):
            raise Invalid.field("files", "must be .jsonl files whose names begin with the kind of their cases.", "kind")
        try:
            found += cases_in(kind, f"{kind}.jsonl", content.decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise Invalid.field("files", "must be UTF-8 text.", "utf8") from None
        except CaseError as error:
            raise Invalid.field("files", str(error), f"line:{kind}:{error.line}") from None
    if len(found) > MOST_CASES:
        raise Invalid.field("files", f"have more than {MOST_CASES} cases.", "cases")
    return found


def case_of(document: dict[str, Any]) -> Case:
    """A kept case as the evaluation runs it."""
    extra = {name: document[name] for name in KEPT if name in document}
    return Case(document["kind"], document["id"], document["lang"], document["input"], document["expect"], extra)


def _kept(rules: guardrails.RuleSet, case: Case) -> dict[str, Any] | None:
    """The case as it is stored; None where it holds what may not be stored, or what no table can hold."""
    document = {
        "kind": case.kind,
        "id": case.id[:200],
        "lang": case.lang[:8],
        "input": case.input,
        "expect": case.expect,
    }
    document |= {name: case.extra[name] for name in KEPT if name in case.extra}
    try:
        written = json.dumps(document, ensure_ascii=False, allow_nan=False)
        written.encode("utf-8")
        clean = masked(rules, document)
    except (ValueError, RecursionError):
        return None
    if clean != document or "\\u0000" in written or any(_tells(rules, row) for row in _rows(case)):
        return None
    return document


def _rows(case: Case) -> list[dict[str, Any]]:
    """The notes, memories and decisions of the case."""
    parts = (*case.input.values(), *case.expect.values())
    return [row for part in parts if isinstance(part, list) for row in part if isinstance(row, dict)]


def _tells(rules: guardrails.RuleSet, row: dict[str, Any]) -> bool:
    """Whether one field says what another holds: a password by its key, a code by the text."""
    fields = {name: row.get(name) for name in ("condition", "subject", "value", "keywords")}
    fields["text"] = row.get("text") or row.get("gist")
    given = {n: v for n, v in fields.items() if v not in (None, "", [])}
    told = check_fields(rules, given, key=str(row.get("key") or ""))
    return told.verdict is not None and told.verdict.category in guardrails.MASKED_CATEGORIES


def _once(documents: Sequence[dict[str, Any]]) -> None:
    """Each id stands once: two runs of the set are compared by it."""
    seen: set[str] = set()
    for place, document in enumerate(documents, start=1):
        own, again = document["id"][:190], place
        while document["id"] in seen:
            document["id"], again = f"{own} #{again}", again + 1
        seen.add(document["id"])
