"""Rows of the session workbench: source notes, the decision, the result; and their answers to a decision."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from consolidation.queries.item import find_item
from consolidation.queries.workbench import Entry, entry_of, fates_of, source_counts, to_approve
from memory_app.access import WorkspaceRequest
from memory_app.addresses import page_url, row_url
from memory_app.domain.actor import Actor
from memory_app.models import Action, Decision
from memory_app.queries.approvers import Parties

from .flow import effect_of, flow_of, memory_url
from .hold import why_it_waits
from .item import allowed, reason_of

#: The words of the summary, in the order of the actions.
SUMMARY = (Action.PROMOTE, Action.DEDUPE, Action.OVERRIDE, Action.SESSION_ONLY, Action.REJECT, Action.REVIEW)


def row_of(
    entry: Entry, actor: Actor, sources: Mapping[Any, int], session_href: str = "", parties: Parties | None = None
) -> dict[str, Any]:
    """What templates/consolidation/workbench_row.html shows of an entry; without `session_href` its turn is on the page."""
    decision, note = entry.decision, entry.note
    found: dict[str, Any] = {"id": entry.anchor, "note": note, "decision": decision}
    if note is not None and note.turn is not None:
        found |= {"turn": note.turn.index, "turn_href": turn_link(session_href, note.turn.index)}
    if decision is None:
        return found
    flow, effect = flow_of(decision), effect_of(decision)
    # What the decision did not touch is no part of what it was made from.
    existing = None if effect in ("reject", "session_only") else flow["existing"]
    can = allowed(decision, actor, parties)
    return found | {
        "candidate": flow["candidate"],
        "existing": existing,
        "result": flow["result"],
        "effect": effect,
        "reason": reason_of(decision),
        "waits": why_it_waits(decision),
        "dest": _destination(decision, effect, sources),
        "can": can,
        "href": memory_url(decision),
    }


def turn_link(session_href: str, index: int) -> str:
    """The turn on the page of this address, whose query is kept."""
    joint = "&" if "?" in session_href else "?"
    return f"{session_href}{joint}turn={index}#turn-{index}" if session_href else f"#turn-{index}"


def _destination(decision: Decision, effect: str, sources: Mapping[Any, int]) -> list[str]:
    """Where the result lies, as words to be joined."""
    if effect == Action.SESSION_ONLY:
        return [_("stays in session notes, not written to long-term memory")]
    memory = decision.memory
    place = {"team": _("team memory"), "session": _("session memory")}.get(decision.scope, _("user memory"))
    if memory is None:
        return [place, pgettext("memory", "new")]
    words = [place]
    count = sources.get(memory.pk, 0)
    if effect == Action.DEDUPE and count:
        words.append(ngettext("%(count)d source", "%(count)d sources", count) % {"count": count})
    elif effect == Action.PROMOTE:
        words.append(pgettext("memory", "new"))
    elif decision.base_version:
        words.append(_("v%(version)s kept in history") % {"version": decision.base_version})
    return words


def answer(
    request: WorkspaceRequest,
    decision: Decision,
    said: str,
    *,
    undoable: bool = True,
    notice: str = "",
    status: int = 200,
) -> HttpResponse:
    """The row as it is now; out of band the summary, the button above and what happened."""
    now = find_item(request.workspace, decision.pk) or decision
    assert now.session_id is not None
    entry = entry_of(now)
    back = page_url("session", request.workspace.slug, now.session_id, cursor=entry.anchor)
    if not request.htmx:
        messages.info(request, notice or said)
        return redirect(row_url(request.workspace.slug, now.session_id, entry.anchor))
    row = row_of(entry, request.actor, source_counts([now]), session_href=back)
    undo_url = reverse("decision_undo", args=[request.workspace.slug, now.pk])
    context = {
        "row": row,
        "session": now.session,
        "row_notice": notice,
        "said": said,
        "undo_url": undo_url + "?view=row" if undoable and said else "",
        "undo_target": f"#{entry.anchor}",
        "oob": True,
    } | summary_context(now.session_id, request.actor)
    return render(request, "consolidation/row_changed.html", context, status=status)


def summary_context(session_id: Any, actor: Actor, around: Iterable[Decision] = ()) -> dict[str, Any]:
    """How many were decided how, how many wait, and those of them that this person could approve in one stroke, with who
    stands behind them and the decisions `around` them."""
    fates, around = fates_of(session_id), list(around)
    parties = Parties(actor, around)

    def may_approve(part: list[Decision]) -> list[Decision]:
        nonlocal parties
        parties = Parties(actor, [*around, *part])  # who stands behind all of them is read together
        return [d for d in part if allowed(d, actor, parties)["approve"]]

    approvable, more = to_approve(session_id, actor, may_approve) if actor.at_least("curator") else ([], False)
    return {
        "parties": parties,
        "summary": [
            (fates.by_action[one], words) for one, words in _summary_words().items() if fates.by_action.get(one)
        ],
        "decided": sum(fates.by_action.values()),
        "waiting": fates.waiting,
        "approvable": approvable,
        "to_choose": fates.to_choose,
        "not_at_once": more,
    }


def _summary_words() -> dict[Any, str]:
    return {
        Action.PROMOTE: _("promoted"),
        Action.DEDUPE: _("deduped"),
        Action.OVERRIDE: _("overridden"),
        Action.SESSION_ONLY: _("session only"),
        Action.REJECT: _("rejected"),
        Action.REVIEW: _("to review"),
    }
