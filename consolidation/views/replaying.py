"""A session run again in thought, from its workbench: another policy, another engine, other guardrails."""

import uuid
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from consolidation.actions.replaying import ENGINES, MODEL, NOTES, RULE_SETS, TODAY, TURNS, is_quick, replay
from consolidation.actions.replays import begin_replay, may_ask
from consolidation.domain.policy import Policy
from consolidation.domain.replaying import BLOCKED, Replay, Row, Side
from consolidation.models import PolicyTrial
from consolidation.queries import replays as read
from consolidation.queries import rules
from consolidation.queries.workbench import find_session
from consolidation.tasks import send_job
from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.addresses import page_url
from memory_app.domain.errors import Conflict
from memory_app.models import JobStatus, Note, Session
from memory_app.reasons import HOLDS, hold_sentence, sentence
from memory_app.rule_words import words_of
from memory_app.titles import session_title

PAGE = "consolidation/session_what_if.html"


@require_safe
@workspace_page("curator")
def session_what_if(request: WorkspaceRequest, session_id: uuid.UUID) -> HttpResponse:
    """What happened beside what would happen, worked out once the page is there (`now`) where that is quick, else what its
    run in the background has found; with htmx that part alone, which asks again while it runs."""
    session = _session(request, session_id)
    given = request.GET.get("run", "")
    trial = read.find_replay(session, given) if given else None
    chosen = _chosen(request, request.GET) if trial is None else _of(trial)
    asked, now = bool({"policy", "engine", "rule_set"} & set(request.GET)), request.GET.get("now") == "1"
    found: dict[str, Any] = {}
    if trial is not None:
        found = _of_trial(session, trial)
    elif given:
        found = {"gone": True}
    elif session.consolidated_at is not None and is_quick(session, chosen["engine"]):
        made = replay(session, chosen["policy"], chosen["engine"], chosen["rule_set"]) if now else None
        found = {"begins": True} if made is None else _shown(session, made)
    elif asked and chosen["engine"] != MODEL:
        found = {"long": True}
    context = _form(request, session, chosen) | {"session": session, "trial": trial} | found
    return render(request, f"{PAGE}#found" if request.htmx and (trial is not None or now) else PAGE, context)


@require_POST
@workspace_page("curator")
def session_what_if_start(request: WorkspaceRequest, session_id: uuid.UUID) -> HttpResponse:
    """The session run again as the form says: on its page where that is quick, else in the background; the page again where a model
    has been asked often enough for a day."""
    session = _session(request, session_id)
    chosen = _chosen(request, request.POST)
    slug = request.workspace.slug
    if session.consolidated_at is None or is_quick(session, chosen["engine"]):
        url = page_url("session_what_if", slug, session.pk, policy=chosen["policy"].version, engine=chosen["engine"],
                       rule_set=chosen["rule_set"])  # fmt: skip
    else:
        try:
            trial = begin_replay(session, request.actor, chosen["policy"], chosen["engine"], chosen["rule_set"])
        except Conflict:
            context = _form(request, session, chosen) | {"session": session, "spent": True}
            return render(request, PAGE, context, status=409)
        send_job(PolicyTrial, trial.pk)
        url = page_url("session_what_if", slug, session.pk, run=str(trial.pk))
    return HttpResponse(headers={"HX-Redirect": url}) if request.htmx else redirect(url)


def _session(request: WorkspaceRequest, session_id: uuid.UUID) -> Session:
    found = find_session(request.workspace, session_id)
    if found is None:
        raise Http404
    return found


def _chosen(request: WorkspaceRequest, given: Any) -> dict[str, Any]:
    """What was asked for; what there is not counts as the first choice, another version of the policy as not found."""
    engine, rule_set, named = given.get("engine", ""), given.get("rule_set", ""), given.get("policy", "")
    newest = rules.newest_version(request.workspace)
    policy = rules.policy_of(newest)
    if named and named != str(policy.version):
        number = int(named) if named.isascii() and named.isdigit() and len(named) < 9 else 0
        version = rules.find_version(request.workspace, number)
        if version is None and number != 1:
            raise Http404
        policy = rules.policy_of(version)
    known = engine in ENGINES and (engine != MODEL or may_ask(request.workspace))
    return {"policy": policy, "engine": engine if known else NOTES,
            "rule_set": rule_set if rule_set in RULE_SETS else TODAY, "in_force": newest.number if newest else 1}  # fmt: skip


def _of(trial: PolicyTrial) -> dict[str, Any]:
    how: dict[str, Any] = trial.replay or {}
    newest = rules.newest_version(trial.workspace)
    return {"policy": Policy.from_json(trial.content | {"version": trial.base_number}), "engine": how["engine"],
            "rule_set": how["rule_set"], "in_force": newest.number if newest else 1}  # fmt: skip


def _form(request: WorkspaceRequest, session: Session, chosen: dict[str, Any]) -> dict[str, Any]:
    then = read.decided_under(session)
    numbers = sorted({1, *(version.number for version in read.versions_of(request.workspace))}, reverse=True)
    engines = [(NOTES, _("The notes as they are, by the rules of today")),
               (TURNS, _("The turns read again and decided by the rules of today"))]  # fmt: skip
    if may_ask(request.workspace) or chosen["engine"] == MODEL:
        engines.append((MODEL, _("The rules of today and the language model")))
    return {
        "title": session_title(session),
        "policies": [(number, _policy_words(number, chosen["in_force"], then)) for number in numbers],
        "engines": engines,
        "rule_sets": [
            (TODAY, _("Those of today (%(version)s)") % {"version": request.workspace.rules.version}),
            ("then", _("What they found then")),
        ],
        "chosen": chosen,
    }


def _policy_words(number: int, in_force: int, then: list[int]) -> str:
    words = _("Version %(version)s") % {"version": number}
    told = [text for text, so in ((_("in force"), number == in_force), (_("decided under"), number in then)) if so]
    return " · ".join([words, *told])


def _of_trial(session: Session, trial: PolicyTrial) -> dict[str, Any]:
    if trial.status == JobStatus.RUNNING:
        return {"running": True}
    if trial.status != JobStatus.DONE:
        return {"failed": True}
    rows = tuple(Row.from_json(one) for one in trial.changes)
    return _shown(session, Replay(rows, (trial.replay or {}).get("missing", {})))


def _shown(session: Session, made: Replay) -> dict[str, Any]:
    found = read.found_of(session, made.rows)
    return {
        "done": True,
        "total": len(made.rows),
        "tables": [
            {"id": "differing", "title": _("What would differ"), "rows": [_row(one, found, session) for one in made.differing]},
            {"id": "alike", "title": _("What would be the same"), "rows": [_row(one, found, session) for one in made.alike]},
        ],
        "missing": _missing(made.missing),
    }  # fmt: skip


def _row(row: Row, found: read.Found, session: Session) -> dict[str, Any]:
    note = found.notes.get(row.note)
    decision = found.decisions.get(row.decision)
    before = _side(row.before, note, found, session)
    if decision is not None:
        before["why"] = sentence(decision.rule, decision.params)
    turn = found.turns.get(row.note.split(":")[1]) if ":" in row.note else None
    return {"note": note, "turn": turn, "decision": decision, "block": found.blocks.get(row.note), "before": before,
            "after": _side(row.after, note, found, session)}  # fmt: skip


def _side(side: Side, note: Note | None, found: read.Found, session: Session) -> dict[str, Any]:
    """A side in words: its reason, why it waits, and the memory that it would change or confirm."""
    memory = found.memories.get(side.target)
    earlier = found.notes.get(side.target)
    old = ""
    if memory is not None:
        old = _known(*found.wordings.get((side.target, side.version or memory.version), (memory.text, memory.value)))
    elif earlier is not None:
        old = _known(earlier.text, earlier.value)
    key = note.key if note is not None else ""
    params = {"key": key, "value": note.value if note is not None else "", "old": old,
              "trusted": session.user.profile.get(key, {}).get("value", "")}  # fmt: skip
    if side.action == BLOCKED:
        why = str(words_of(side.rule).title)
    else:
        why = sentence(side.rule, params | dict(side.params)) if side.rule else ""
    waits = hold_sentence(side.hold) if side.hold in HOLDS else ""
    if side.hold and not waits:
        waits = _("It waits because of the policy's hold “%(name)s”.") % {"name": side.hold}
    return {"fate": side, "why": why, "waits": waits, "memory": memory, "version": side.version, "earlier": earlier}


def _known(text: str, value: Any) -> str:
    """A statement as the reasons of decisions name it: its value, or its text."""
    return (text if value in (None, "") else str(value))[:60]


def _missing(counts: Any) -> list[str]:
    """What could not be restored, in sentences: first what never can be."""
    told = [
        _("The rules of deciding, the slots and the profile are those of today; what they were then is not kept."),
        _("What people have ruled since counts on neither side."),
    ]
    n = counts.get
    words = {
        "erased": ngettext("%(count)d memory that was compared then has been erased.", "%(count)d memories that were compared then have been erased.", n("erased", 0)),
        "vectors": ngettext("%(count)d memory is compared by its words only: its version of then has no vector of today's embedder.", "%(count)d memories are compared by their words only: their versions of then have no vector of today's embedder.", n("vectors", 0)),
        "turns": ngettext("%(count)d turn is no longer kept, so it cannot be read again.", "%(count)d turns are no longer kept, so they cannot be read again.", n("turns", 0)),
        "masked": ngettext("%(count)d blocked note was masked before it was stored; it stays blocked.", "%(count)d blocked notes were masked before they were stored; they stay blocked.", n("masked", 0)),
        "model": ngettext("%(count)d note owes its decision or itself to a language model, which was not asked again.", "%(count)d notes owe their decisions or themselves to a language model, which was not asked again.", n("model", 0)),
        "unanswered": ngettext("%(count)d question to the language model has no answer; the rules stand.", "%(count)d questions to the language model have no answers; the rules stand.", n("unanswered", 0)),
        "undecided": ngettext("%(count)d note has not been decided by a run, so there is nothing to compare.", "%(count)d notes have not been decided by a run, so there is nothing to compare.", n("undecided", 0)),
        "habits": ngettext("%(count)d proposal that came of a habit is left out.", "%(count)d proposals that came of habits are left out.", n("habits", 0)),
    }  # fmt: skip
    return told + [text % {"count": n(name)} for name, text in words.items() if n(name)]
