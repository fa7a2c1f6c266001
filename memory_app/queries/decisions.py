"""Decisions as they are shown."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet

from memory_app.domain.errors import NotFound
from memory_app.keyset import Order
from memory_app.models import Decision, Workspace
from memory_app.queries.teams import within
from memory_app.reasons import sentence

ORDER = Order("created_at")
CONTENT = (
    "text", "value", "keywords", "kind", "status", "pinned", "importance", "priority", "confidence",
    "updated_at", "confirmed_at", "occurred_at", "expires_at",
)  # fmt: skip
OPTIONAL = ("key", "condition", "subject", "sensitivity", "source")

FILTERS = {
    "status": "status",
    "action": "action",
    "needs": "needs",
    "kind": "kind",
    "scope": "scope",
    "user": "user__external_id",
    "session": "session",
    "batch": "batch",
}


def decisions(
    workspace: Workspace, filters: Mapping[str, Any], teams: Iterable[str] | None = None
) -> QuerySet[Decision]:
    """The workspace's decisions that match every filter; with `teams`, none of another team or its sessions."""
    rows = Decision.objects.filter(workspace=workspace, **{FILTERS[name]: value for name, value in filters.items()})
    rows = within(rows, teams)
    return rows.select_related("user", "team", "note").prefetch_related("comments")


def get_decision(workspace: Workspace, decision_id: Any) -> Decision:
    """The workspace's decision; NotFound when it is unknown or another's."""
    decision = decisions(workspace, {}).filter(pk=decision_id).first()
    if decision is None:
        raise NotFound("There is no such decision.")
    return decision


def decision_shown(decision: Decision) -> dict[str, Any]:
    """The decision as the API shows it."""
    return {
        "id": decision.pk,
        "ref": decision.ref,
        "origin": decision.origin,
        "user": decision.user.external_id if decision.user else None,
        "team": decision.team.external_id if decision.team else None,
        "session": decision.session_id,
        "note": decision.note_id,
        "kind": decision.kind,
        "scope": decision.scope,
        "action": decision.action,
        "proposed_action": decision.proposed_action or None,
        "status": decision.status,
        "needs": decision.needs,
        "reason": sentence(decision.rule, decision.params, done=decision.was_carried_out),
        "rule": decision.rule,
        "engine": decision.engine,
        "model": decision.params.get("model"),
        "policy_version": decision.policy_version,
        "rule_set": decision.rule_set or None,
        "confidence": decision.confidence,
        "sensitivity": decision.sensitivity or None,
        "neighbours": [{"memory": n["memory"], "similarity": n["similarity"]} for n in decision.neighbours],
        "checks": decision.checks,
        "memory": decision.memory_id,
        "base_version": decision.base_version,
        "before": content_shown(decision.before),
        "after": content_shown(decision.after),
        "proposal": _proposal_shown(decision),
        "edited": decision.edited(decision.after or {}) if decision.params.get("proposal") else [],
        "proposed_by": decision.proposed_by,
        "decided_by": decision.decided_by or None,
        "decided_at": decision.decided_at,
        "reason_code": decision.reason_code or None,
        "replaces": decision.replaces_id,
        "batch": decision.batch,
        "merged": decision.params.get("merged", []),
        "parts": [content_shown(part) for part in decision.params.get("parts", [])],
        "comments": [
            {"id": c.pk, "author": c.author, "text": c.text, "at": c.created_at} for c in decision.comments.all()
        ],
        "created_at": decision.created_at,
    }


def _proposal_shown(decision: Decision) -> dict[str, Any] | None:
    """What was proposed, where a person has ruled otherwise; what is in force stands beside it."""
    kept = decision.params.get("proposal")
    if kept is None:
        return None
    return {
        "action": kept["action"],
        "proposed_action": kept["proposed_action"] or None,
        "memory": kept["memory"] or None,
        "before": content_shown(kept["before"]),
        "after": content_shown(kept["after"]),
    }


def content_shown(state: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What of a memory's content people see; the columns that only guard the slot are left out."""
    if state is None:
        return None
    shown = {name: state[name] for name in CONTENT if name in state}
    return shown | {name: state.get(name) or None for name in OPTIONAL}
