"""The words of the queue: its filters as chips and menus, its orders, its rows."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import QueryDict
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from consolidation.queries.queue import SNOOZED, WAITING, QueueFilters, agents_of
from consolidation.queries.saved_views import saved_views
from memory_app import labels
from memory_app.access import WorkspaceRequest
from memory_app.models import Action, Decision, DecisionStatus, Kind, Needs, Scope, Workspace
from memory_app.moments import last_days

from .flow import text_of
from .hold import hold_of

CONSOLIDATION_ACTIONS = (
    Action.PROMOTE,
    Action.DEDUPE,
    Action.OVERRIDE,
    Action.SESSION_ONLY,
    Action.REJECT,
    Action.REVIEW,
)
#: Parameters of the address that are filters or order, in the order in which they are written.
NAMES = (
    "status",
    "action",
    "scope",
    "kind",
    "agent",
    "needs",
    "rule",
    "user",
    "key",
    "confidence__lt",
    "age__gt",
    "days",
    "sensitive",
    "sort",
)


def query_of(given: QueryDict) -> str:
    """The filters of an address without its item and page, to come back to the same list."""
    return urlencode([(name, value) for name in NAMES if (value := given.get(name))])


def sorts() -> list[tuple[str, str]]:
    return [
        ("-created", _("Newest first")),
        ("created", _("Oldest first")),
        ("confidence", _("Least certain first")),
        ("-impact", _("Highest impact")),
    ]


def filter_context(workspace: Workspace, filters: QueueFilters, counts: Mapping[str, int] | None) -> dict[str, Any]:
    """Everything that templates/consolidation/queue_filters.html shows, with how many there are of each action, where
    that was counted."""
    others = [a for a in Action if a not in CONSOLIDATION_ACTIONS]
    shown = [*CONSOLIDATION_ACTIONS, *(a for a in others if counts is None or counts.get(a))]
    agents = agents_of(workspace)
    return {
        "filters": filters,
        "statuses": _statuses(),
        "status_text": _status_text(filters.status),
        "actions": [
            {
                "value": a.value,
                "text": a.label,
                "badge": True,
                "count": None if counts is None else counts.get(a.value, 0),
            }
            for a in shown
        ],
        "chips": _chips(filters),
        "groups": _groups(agents),
        "narrowed": filters != QueueFilters(sort=filters.sort),
        "sorts": sorts(),
        "sort_text": dict(sorts())[filters.sort],
    }


def _statuses() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"value": value, "text": _status_text(value), "badge": False} for value in (WAITING, SNOOZED)
    ]
    return found + [{"value": status.value, "text": status.label, "badge": True} for status in DecisionStatus]


def _status_text(status: str) -> str:
    words = {WAITING: _("Waiting"), SNOOZED: _("Snoozed")}
    return words.get(status) or _text(labels.STATUSES, status)


def _text(family: dict[str, labels.Label], name: str) -> str:
    return str(labels.label_of(family, name).text)


def _chips(filters: QueueFilters) -> list[dict[str, str]]:
    found = []
    if filters.scope:
        found.append({"name": "scope", "text": _("Scope: %(name)s") % {"name": _text(labels.SCOPES, filters.scope)}})
    if filters.kind:
        found.append({"name": "kind", "text": _("Kind: %(name)s") % {"name": _text(labels.KINDS, filters.kind)}})
    if filters.agent:
        found.append({"name": "agent", "text": _("Agent: %(name)s") % {"name": filters.agent}})
    if filters.needs:
        found.append({"name": "needs", "text": _("Needs: %(name)s") % {"name": Needs(filters.needs).label}})
    if filters.rule:
        found.append({"name": "rule", "text": _("Rule: %(name)s") % {"name": filters.rule}})
    if filters.user:
        found.append({"name": "user", "text": _("User: %(name)s") % {"name": filters.user}})
    if filters.key:
        found.append({"name": "key", "text": _("Slot: %(name)s") % {"name": filters.key}})
    if filters.confidence_lt is not None:
        found.append({"name": "confidence__lt", "text": _under(filters.confidence_lt)})
    if filters.age_gt is not None:
        found.append({"name": "age__gt", "text": _waiting_over(filters.age_gt)})
    if filters.days is not None:
        found.append({"name": "days", "text": last_days(filters.days)})
    if filters.sensitive:
        found.append({"name": "sensitive", "text": _("Sensitive only")})
    return found


def _under(share: float) -> str:
    return _("Confidence under %(share)s") % {"share": f"{share:.2f}"}


def _waiting_over(hours: int) -> str:
    return _("Waiting over %(hours)s h") % {"hours": hours}


def _groups(agents: Iterable[str]) -> list[dict[str, Any]]:
    def options(name: str, values: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
        return [{"name": name, "value": value, "text": text} for value, text in values]

    found = [
        {"title": _("Scope"), "options": options("scope", Scope.choices)},
        {"title": _("Kind"), "options": options("kind", Kind.choices)},
    ]
    if agents:
        found.append({"title": _("Agent"), "options": options("agent", ((name, name) for name in agents))})
    more = [
        {"name": "confidence__lt", "value": "0.7", "text": _under(0.7)},
        {"name": "age__gt", "value": "24h", "text": _waiting_over(24)},
        {"name": "sensitive", "value": "1", "text": _("Sensitive only")},
        {"name": "needs", "value": "admin", "text": _("Needs an admin")},
    ]
    return [*found, {"title": "", "options": more}]


def views_context(request: WorkspaceRequest) -> dict[str, Any]:
    """The named views, those that this person may change, and whether the address is one of them."""
    query, found = query_of(request.GET), saved_views(request.workspace, request.user)
    admin = request.actor.at_least("admin")
    return {
        "views": found,
        "own_views": [one for one in found if one.owner_id == request.user.pk or (admin and one.shared)],
        "can_save_view": bool(query) and all(one.query != query for one in found),
        "queue_query": query,
        "can_decide": request.actor.at_least("curator"),
    }


def with_words(rows: Iterable[Decision]) -> list[Decision]:
    """The decisions with the words and the owner that their rows show."""
    found = list(rows)
    for row in found:
        row.words = text_of(row)  # type: ignore[attr-defined]
        row.held_by = hold_of(row)  # type: ignore[attr-defined]
        owner = row.team if row.scope == "team" and row.team else row.user
        row.owner_name = owner.external_id if owner else ""  # type: ignore[attr-defined]
    return found
