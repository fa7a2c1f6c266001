"""What the page of one decision shows, beside its flow: evidence, reason, what approving means, what one may do."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from consolidation.queries.item import Item, Near, Released
from memory_app.access import WorkspaceRequest
from memory_app.actions.allowing import changes_protected, kept_from_undo, only_admin_undoes
from memory_app.actions.deferring import may_hand_back, was_escalated
from memory_app.actions.effects import PROFILE_FIELD, WRITES_VERSION
from memory_app.actions.rulings import NEW_CONTENT
from memory_app.addresses import page_url, row_url
from memory_app.domain.actor import Actor
from memory_app.domain.words import count_tokens
from memory_app.models import (
    Action,
    ActorKind,
    Decision,
    DecisionStatus,
    Needs,
    Note,
    NoteOrigin,
    Speaker,
)
from memory_app.moments import moment_of
from memory_app.queries.approvers import Parties, is_own, made_its_agent, nobody_else_approves, proposed
from memory_app.reasons import check_sentence, decline_reasons, declined_because, sentence
from memory_app.values import told
from memory_app.views.memory_history import edit_shown
from memory_app.wording import together, undone_by_two

from .choosing import Choice, as_chosen, choices_of, stored_as
from .flow import changes_of, effect_of, flow_of, memory_url, text_of
from .hold import why_it_waits
from .later import later_times
from .model_words import model_of

#: Characters of a turn shown on either side of the quote; the turn's own page has all of it.
AROUND = 600
#: Checks that are asked of a quote.
OF_QUOTES = ("from_user", "explicit_statement", "no_new_facts", "has_evidence")
OVERRULED = (Action.REJECT, Action.SESSION_ONLY)


def item_context(request: WorkspaceRequest, item: Item, choice: str = "") -> dict[str, Any]:
    """Everything that templates/consolidation/decision.html asks of a decision; of one that waits for a choice, what
    the chosen one would do."""
    decision = item.decision
    choices = choices_of(decision, choice)
    shown = as_chosen(decision, choices)
    changes, unchanged = changes_of(shown)
    edit_action = _edit_action(decision, choices)
    return {
        "decision": decision,
        "choices": choices,
        "chosen": next((one for one in choices if one.chosen), None),
        "edit_action": edit_action,
        "effect": effect_of(decision),
        "title": text_of(decision),
        "owner": owner_of(decision, request.workspace.slug),
        "flow": flow_of(shown),
        "changes": changes,
        "unchanged": unchanged,
        "evidence": evidence_of(decision.note, request.workspace.slug),
        "why": reason_of(decision),
        "model": model_of(decision),
        "waits": why_it_waits(decision),
        "released": _released(item.released, request.workspace.slug),
        "checks": checks_of(decision),
        "near": [_near(one, decision, request.workspace.slug) for one in item.near],
        "if_approved": if_approved(shown) if decision.is_open else [],
        "edited": edit_shown(decision, decision.after) if decision.after and decision.params.get("proposal") else None,
        "declined_because": declined_because(decision.reason_code),
        "decline_reasons": decline_reasons(),
        "siblings": [(one, text_of(one)) for one in item.siblings],
        "rivals": [(one, text_of(one), _value_of(one)) for one in item.rivals],
        "rivals_url": page_url("review", request.workspace.slug, key=decision.slot_key, **_of(decision)),
        "of_owner": item.of_owner,
        "of_owner_url": page_url("review", request.workspace.slug, **_of(decision)),
        "comments": item.comments,
        "replaced_by": item.replaced_by,
        "session_url": session_url(decision),
        "can": allowed(decision, request.actor) | _edits(decision, edit_action or effect_of(decision)),
        "later_times": later_times() if decision.is_open else [],
    }


def _edit_action(decision: Decision, choices: list[Choice]) -> str:
    """What storing it with an edit is: the chosen action where that stores something, else what storing it would be."""
    chosen = next((one.action for one in choices if one.chosen), "")
    return chosen if chosen in NEW_CONTENT else stored_as(decision) if choices else ""


def reason_of(decision: Decision) -> str:
    """Why, in one sentence in the language of the page."""
    return sentence(decision.rule, decision.params, done=decision.was_carried_out)


def _released(found: Released | None, slug: str) -> dict[str, Any] | None:
    """Who let the block go that it came from, with the reason as it is stored, for released.html."""
    if found is None:
        return None
    block = found.block
    return {"ref": block.ref, "href": page_url("block", slug, block.pk), "kind": found.kind, "who": found.who,
            "at": block.decided_at, "reason": block.reason}  # fmt: skip


def checks_of(decision: Decision) -> list[dict[str, Any]]:
    """What it was checked against. A session's report is nobody's words, so nothing is claimed of a quote."""
    found = [(str(one.get("name", "")), bool(one.get("ok"))) for one in decision.checks]
    if decision.note is not None and decision.note.origin == NoteOrigin.OUTCOME:
        found = [("from_outcome", True), *(one for one in found if one[0] not in (*OF_QUOTES, "from_outcome"))]
    return [{"text": check_sentence(name, ok), "ok": ok} for name, ok in found]


def owner_of(decision: Decision, slug: str) -> dict[str, str]:
    """Whose memory it is: the name, the symbol before it and the page about them, where there is one."""
    if decision.scope == "team" and decision.team is not None:
        return {"name": decision.team.external_id, "icon": "team", "href": ""}
    if decision.user is None:
        return {"name": "", "icon": "user", "href": ""}
    return {"name": decision.user.external_id, "icon": "user", "href": page_url("user", slug, decision.user_id)}


def _of(decision: Decision) -> dict[str, str]:
    return {"user": decision.user.external_id} if decision.user is not None else {}


def _value_of(decision: Decision) -> str:
    value = (decision.after or {}).get("value")
    if value is None and decision.note is not None:
        value = decision.note.value
    return told(value) if value is not None else ""


def session_url(decision: Decision) -> str:
    if decision.session_id is None:
        return ""
    anchor = f"c-{decision.note.number}" if decision.note is not None else f"d-{decision.number}"
    return row_url(decision.workspace.slug, decision.session_id, anchor)


def evidence_of(note: Note | None, slug: str) -> dict[str, Any] | None:
    """The turn with the quoted words as spans, for components/evidence.html; None where nothing is recorded."""
    if note is None or (note.turn is None and not note.evidence_quote):
        return None
    turn = note.turn
    if turn is None or note.anchored is False:
        speaker = speaker_of(note.evidence_role or (turn.role if turn else ""), note)
        return {"text": note.evidence_quote or (turn.content if turn else ""), "speaker": speaker,
                "unanchored": note.anchored is False, "at": note.said_at, "turn": turn.index if turn else None,
                "href": turn_url(note, slug) if turn else ""}  # fmt: skip
    text, spans = _around(turn.content, note.evidence_start, note.evidence_end)
    return {"text": text, "spans": spans, "speaker": speaker_of(turn.role, note), "turn": turn.index,
            "href": turn_url(note, slug), "at": turn.at, "recalled": turn.recalled or note.recalled}  # fmt: skip


def turn_url(note: Note, slug: str) -> str:
    assert note.turn is not None
    return f"{page_url('session', slug, note.session_id)}?turn={note.turn.index}#turn-{note.turn.index}"


def speaker_of(role: str, note: Note) -> str:
    """The user by name, anybody else by role."""
    if role in ("", Speaker.USER):
        return note.user.external_id
    return str(Speaker(role).label) if role in Speaker.values else role


def _around(text: str, start: int | None, end: int | None) -> tuple[str, list[tuple[int, int]]]:
    """The part of a long turn that holds the quote, and the quote's place in it."""
    if start is None or end is None:
        return (text, []) if len(text) <= 2 * AROUND else (text[: 2 * AROUND] + " …", [])
    first, last = max(0, start - AROUND), min(len(text), end + AROUND)
    before, after = ("… " if first else ""), (" …" if last < len(text) else "")
    shift = len(before) - first
    return before + text[first:last] + after, [(start + shift, end + shift)]


def _near(one: Near, decision: Decision, slug: str) -> dict[str, Any]:
    memory = one.memory
    target = memory.pk == decision.memory_id
    words = [str(memory.get_kind_display())]
    note_key = decision.note.key if decision.note is not None else ""
    if target:
        words = [_("same key, target") if note_key and note_key == memory.key else _("target")]
    elif note_key and note_key == memory.key:
        words = [_("same key"), *words]
    return {"id": memory.pk, "text": memory.text, "href": page_url("memory", slug, memory.pk), "ref": memory.ref,
            "similarity": one.similarity, "note": " · ".join(words), "target": target}  # fmt: skip


def if_approved(decision: Decision) -> list[tuple[str, str]]:
    """What approving would mean, as terms and words."""
    effect = effect_of(decision)
    if effect == Action.REVIEW:
        return []  # that is for the person to say
    rows = [(_("Takes effect"), _takes_effect(effect))]
    if effect in WRITES_VERSION and decision.memory is not None:
        version = decision.base_version or decision.memory.version
        rows.append((_("Old value"), _("kept in history as v%(version)s") % {"version": version}))
    if effect in ("promote", "override", "edit", "merge"):
        rows.append((pgettext("term", "Expires"), expiry_of(decision)))
        rows.append((pgettext("term", "Context"), _tokens(decision)))
    needs = _("an admin") if decision.needs == Needs.ADMIN else _("a curator")
    rows.append((pgettext("term", "Approval"), needs))
    return rows


def expiry_of(decision: Decision) -> str:
    """When what it writes expires, in the operator's zone."""
    given = (decision.after or {}).get("expires_at")
    return moment_of(given, "minute") if given else _("no expiry")


def _takes_effect(effect: str) -> str:
    if effect == Action.REJECT:
        return _("nothing is written")
    return _("stays in its session") if effect == "session_only" else _("next session")


def _tokens(decision: Decision) -> str:
    after, before = (decision.after or {}).get("text"), (decision.before or {}).get("text")
    change = count_tokens(after or text_of(decision)) - (count_tokens(before) if before else 0)
    return _("%(change)s tokens") % {"change": f"{change:+d}"}


def allowed(decision: Decision, actor: Actor, parties: Parties | None = None) -> dict[str, Any]:
    """What this person may do with it now, and why not what they may not. `parties` are those of a page's decisions."""
    parties = parties or Parties(actor, [decision])
    curator = actor.at_least("curator")
    weighty = decision.needs == Needs.ADMIN and not actor.at_least("admin")
    in_force = decision.status in (DecisionStatus.APPLIED, DecisionStatus.APPROVED)
    kept = kept_from_undo(decision, actor) if curator and not weighty and in_force else None
    own = curator and not weighty and is_own(decision, actor, parties)  # else nobody has to be looked up
    why_not = ""
    if not curator:
        why_not = _("Your role is viewer: you read, curators decide.")
    elif weighty:
        why_not = _("Waits for an admin.")
    elif own and decision.is_open:
        why_not = _own_words(decision, actor, parties)
    elif only_admin_undoes(decision, actor):
        why_not = _("The memory is protected by now: an admin takes this back, or whoever did it.")
    elif kept is not None:
        why_not = undone_by_two(kept.ref)
    chooses = decision.is_open and effect_of(decision) == Action.REVIEW
    settles = curator and decision.is_open and not weighty
    approves = settles and not own
    return {
        "approve": approves,
        "to_know": _made_its_agent_words() if approves and made_its_agent(decision, actor, parties) else "",
        "decline": settles,
        "withdraw": curator and decision.is_open and proposed(decision, actor),
        "snooze": settles and not decision.is_snoozed,
        "wake": settles and decision.is_snoozed,
        "escalate": settles and decision.needs != Needs.ADMIN,
        "hand_back": decision.is_open and was_escalated(decision) and may_hand_back(decision, actor),
        "undo": curator
        and kept is None
        and not only_admin_undoes(decision, actor)
        and (in_force or decision.status == DecisionStatus.DECLINED),
        "overrule": curator and decision.status == DecisionStatus.APPLIED and decision.action in OVERRULED and not own,
        "chooses": chooses,
        "choice": stored_as(decision) or Action.OVERRIDE,
        # What fills the slot already is replaced, as a new version; a second one beside it could not be.
        "stores_as": Action.OVERRIDE if decision.memory_id else Action.PROMOTE,
        "keep_in_session": decision.note_id is not None and effect_of(decision) != Action.SESSION_ONLY,
        "merge": decision.note_id is not None,
        "edit": effect_of(decision) in ("promote", "override", "edit", "merge", "review")
        and decision.rule != PROFILE_FIELD,  # a field has a key and a value, and no wording
        "why_not": why_not,
    }


def _edits(decision: Decision, effect: str) -> dict[str, Any]:
    """That it is not edited in approving, and why, where that would put one person's words in protected memory."""
    memory = decision.memory
    if not decision.is_open or memory is None or decision.workspace.solo or decision.rule == PROFILE_FIELD:
        return {}
    if effect not in WRITES_VERSION or not changes_protected(decision, effect, memory):
        return {}
    return {
        "edit": False,
        "no_edit": _(
            "%(memory)s is protected, so two people agree on its words: to change them, propose an edit of it."
        )
        % {"memory": memory.ref},
    }


def _made_its_agent_words() -> str:
    return _("You made the key of the agent that proposed this. Where you approve it, the audit log says so.")


def _own_words(decision: Decision, actor: Actor, parties: Parties) -> str:
    if proposed(decision, actor):
        whose = _("You proposed this.")
    elif decision.proposed_by_kind == ActorKind.KEY:
        whose = _("This was proposed with a key that you made.")
    elif decision.proposed_by_kind != ActorKind.OPERATOR:
        whose = _("What this was made of was sent by you, or with a key that you made.")
    else:
        whose = _("You set the password of whoever proposed this, and they have not replaced it yet.")
    if nobody_else_approves(decision.workspace, actor, parties):
        stuck = _("There is no other admin who could approve it: add one on the members page, or switch solo on there.")
        return together(whose, stuck)
    return together(whose, _("Another admin approves it."))


__all__ = ["allowed", "evidence_of", "expiry_of", "item_context", "memory_url", "reason_of", "session_url"]
