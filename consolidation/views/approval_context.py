"""What the page of approvals shows: the list, and one proposal as what changes, why, and what was said about it."""

import uuid
from typing import Any

from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from consolidation.queries import approvals as read
from consolidation.queries.item import find_item, item_of
from memory_app.access import WorkspaceRequest
from memory_app.actions.effects import PROFILE_FIELD
from memory_app.actor_words import actor_words, decider_words, proposer_words
from memory_app.labels import ACTIONS, label_of
from memory_app.models import Comment, Decision, DecisionStatus, Memory
from memory_app.queries.approvers import proposed

from .flow import effect_of, result_version, text_of
from .item import expiry_of, item_context

PAGE = "consolidation/approvals.html"
#: Effects after which the memory says something else.
REWORDS = {"promote", "override", "edit", "merge", "split", "restore"}


def list_context(request: WorkspaceRequest, current: Decision | None) -> dict[str, Any]:
    """The list of the tab that the address names."""
    filters = read.ApprovalFilters.read(request.GET)
    page = read.approvals_page(request.workspace, request.actor, filters, request.GET.get("cursor", ""))
    counts, said = read.counts_by_tab(request.workspace, request.actor), read.last_words(page.rows)
    return {
        "filters": filters,
        "page": page,
        "rows": [_row(one, request, said.get(one.pk)) for one in page.rows],
        "tabs": _tabs(counts),
        "total": counts[filters.status],
        "mine_waiting": _mine(request),
        "can_govern": request.actor.at_least("admin"),
        "current": current.pk if current is not None else None,
        "list_query": query_of(request),
        "data_view": "detail" if request.GET.get("id") else "list",
        "list_title": next(str(tab["text"]) for tab in _tabs(counts) if tab["value"] == filters.status),
    }


def query_of(request: WorkspaceRequest) -> str:
    """The tab and page of the list, to come back to it."""
    given = [(name, request.GET.get(name)) for name in ("status", "cursor")]
    return urlencode([(name, value) for name, value in given if value])


def approval_context(request: WorkspaceRequest, decision: Decision | None, **more: Any) -> dict[str, Any]:
    """The open proposal; nothing open where the list is empty."""
    common = {"list_query": query_of(request), "can_comment": request.actor.at_least("curator")} | more
    if decision is None:
        return {"decision": None} | common
    effect = effect_of(decision)
    context = item_context(request, item_of(decision))
    before = (decision.before or {}).get("text")
    after = (decision.after or {}).get("text") or context["title"]
    return (
        context
        | {
            "heading": heading_of(decision),
            "proposer": proposer_of(decision),
            "was": before if effect in REWORDS else after,
            "becomes": after if effect in REWORDS or before is None else before,
            "parts": [str(part.get("text", "")) for part in decision.params.get("parts", [])],
            "merged": _merged(decision),
            "reach": _reach(decision),
            "expires": expiry_of(decision),
            "confirm": _confirm(decision, context["can"]),
            "discussion": discussion_of(decision, context["comments"]),
            "state_token": state_token(decision),
        }
        | common
    )


def proposer_of(decision: Decision) -> str:
    """Who proposed it, by name; consolidation in the language of the page."""
    return proposer_words(decision)


def heading_of(decision: Decision) -> str:
    """What is asked for, in few words: the action and the memory's number."""
    if decision.rule == PROFILE_FIELD:
        what = _("field of the profile")
    else:
        what = decision.memory.ref if decision.memory is not None else _("new memory")
    return _("%(action)s: %(what)s") % {"action": label_of(ACTIONS, effect_of(decision)).text, "what": what}


def state_token(decision: Decision) -> str:
    """Changes when somebody decides or says something, or the memory moves."""
    return f"{decision.status}.{decision.memory.version if decision.memory else 0}.{decision.comments.count()}"


def _row(decision: Decision, request: WorkspaceRequest, last: Comment | None) -> dict[str, Any]:
    return {"decision": decision, "text": text_of(decision), "heading": heading_of(decision),
            "mine": proposed(decision, request.actor), "proposer": proposer_of(decision),
            "said_last_by": actor_words(last.author_kind, last.author) if last is not None else "",
            "icon": label_of(ACTIONS, effect_of(decision)).icon}  # fmt: skip


def _mine(request: WorkspaceRequest) -> list[Decision]:
    """The last of one's own proposals that wait."""
    rows = read.ApprovalFilters(read.MINE).rows(request.workspace, request.actor)
    return list(rows.filter(status__in=read.OPEN).order_by("-created_at", "-id")[:3])


def _tabs(counts: dict[str, int]) -> list[dict[str, Any]]:
    words = {
        read.PENDING: _("Pending"),
        "approved": _("Approved"),
        "declined": _("Declined"),
        "stale": _("Stale"),
        read.MINE: _("Proposed by me"),
    }
    return [{"value": tab, "text": text, "count": counts[tab]} for tab, text in words.items()]


def _merged(decision: Decision) -> list[Memory]:
    ids = decision.params.get("merged", [])
    return list(Memory.objects.filter(workspace=decision.workspace_id, pk__in=ids)) if ids else []


def _reach(decision: Decision) -> str:
    """How far it reaches, where that is further than one user."""
    if decision.team_id is None:
        return ""
    reach = read.reach_of(decision.team_id)
    team = decision.team.external_id if decision.team else ""
    users = ngettext("%(n)s user", "%(n)s users", reach.users) % {"n": f"{reach.users:,}"}
    sessions = ngettext("%(n)s session", "%(n)s sessions", reach.sessions) % {"n": f"{reach.sessions:,}"}
    return _("It holds for the whole team %(team)s: %(users)s and %(sessions)s in the last 7 days.") % {
        "team": team, "users": users, "sessions": sessions,
    }  # fmt: skip


def _confirm(decision: Decision, can: dict[str, Any]) -> dict[str, str]:
    """What the dialog says before a proposal is approved, and the action that its button stands for."""
    effect, memory = effect_of(decision), decision.memory
    action = can["stores_as"] if effect == "review" else ""
    title = _("Approve %(ref)s?") % {"ref": decision.ref}
    if decision.rule == PROFILE_FIELD:
        text = _("The profile of the user holds the field. New sessions use it at once.")
    elif memory is None or action == "promote" or effect == "promote":
        text = _("It becomes a new memory. New sessions use it at once.")
    elif effect in ("archive", "retract"):
        text = _("%(memory)s is archived: agents no longer see it. Any version can be restored later.")
    elif effect == "dedupe":
        text = _("%(memory)s gains a source and keeps its wording.")
    else:
        text = _("%(memory)s becomes v%(version)s. New sessions use it at once; what was before stays in its history.")
    version = result_version(decision, "edit" if effect == "review" else effect)
    return {"title": title, "action": action,
            "text": text % {"memory": memory.ref if memory else "", "version": version}}  # fmt: skip


def discussion_of(decision: Decision, comments: tuple[Comment, ...]) -> list[dict[str, Any]]:
    """Who proposed, said and decided what, in order, for components/timeline.html."""
    found: list[dict[str, Any]] = [
        {"tone": "proposed", "title": proposer_of(decision), "said": _("proposed"),
         "at": decision.created_at}
    ]  # fmt: skip
    found += [
        {"tone": "reject", "title": one.author, "said": _("commented"), "at": one.created_at, "text": one.text}
        for one in comments
    ]
    if decision.decided_at is not None and decision.status != DecisionStatus.PENDING:
        words = {"approved": _("approved"), "declined": _("declined"), "undone": _("undid it"),
                 "stale": _("found it stale"), "applied": _("applied")}  # fmt: skip
        if decision.is_withdrawn:
            words["declined"] = _("withdrew it")
        tone = {"approved": "promote", "declined": "blocked"}.get(decision.status, "reject")
        found.append({"tone": tone, "title": decider_words(decision) or proposer_words(decision),
                      "said": words[decision.status], "at": decision.decided_at})  # fmt: skip
    return found


def open_item(request: WorkspaceRequest, given: str) -> Decision | None:
    """The weighty decision that the address names; None where there is none."""
    try:
        decision = find_item(request.workspace, uuid.UUID(given))
    except ValueError:
        return None
    return decision if decision is not None and decision.needs == "admin" else None
