"""The links and counts of the sidebar, and the workspaces an operator can switch to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Min, Q, Subquery
from django.db.models.functions import JSONObject
from django.urls import NoReverseMatch, reverse
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from memory_app.models import (
    Block,
    BlockStatus,
    Decision,
    Membership,
    Memory,
    Needs,
    Session,
    SessionStatus,
    Workspace,
)
from memory_app.models.decision import in_queue_now
from memory_app.queries.alerts import open_alerts
from memory_app.queries.counting import counted

#: Memories are counted up to here: a million of them take a second, and nobody works them off one by one.
MOST_COUNTED = 10_000


@dataclass(frozen=True)
class NavItem:
    """A link of the sidebar; `current` is the value of aria-current, or empty."""

    name: str
    title: str | Promise
    icon: str
    url: str
    current: str
    count: int | None

    @property
    def also(self) -> str:
        """What else the page is looked for by: its title in English, and what is on it in both languages."""
        words = (self.title, *_ALSO.get(self.name, ()))
        with override("en"):
            english = [str(word) for word in words]
        return " ".join(dict.fromkeys([*map(str, words), *english]))

    @property
    def shown(self) -> str:
        """The number as it stands beside the link; empty where nothing is being done."""
        if self.count is None or (self.name == "sessions" and not self.count):
            return ""
        return f"{MOST_COUNTED:,}+" if self.name == "memories" and self.count > MOST_COUNTED else f"{self.count:,}"


# URL name, words, symbol, group
_LINKS = (
    ("overview", _("Overview"), "overview", "main"),
    ("review", _("Review"), "queue", "main"),
    ("sessions", _("Sessions"), "session", "main"),
    ("memories", _("Memories"), "memory", "main"),
    ("users", _("Users"), "user", "main"),
    ("recall", _("Recall"), "search", "main"),
    ("guardrails", _("Guardrails"), "shield", "main"),
    ("approvals", _("Approvals"), "approve", "main"),
    ("quality", _("Quality"), "check", "main"),
    ("evaluation", _("Evaluation"), "evaluation", "main"),
    ("rules", _("Rules"), "rules", "settings"),
    ("agents", _("Agents and keys"), "agent", "settings"),
    ("slots", _("Slots"), "slot", "settings"),
    ("members", _("Members"), "team", "settings"),
    ("audit", _("Audit log"), "audit", "settings"),
)


#: What the title does not say of a page.
_ALSO: Mapping[str, tuple[str | Promise, ...]] = {
    "review": (_("Review queue"), _("Decisions")),
    "guardrails": (_("Blocks"),),
    "approvals": (_("Proposals"),),
    "quality": (_("Metrics"),),
    "rules": (_("Policy"),),
    "members": (_("Roles"),),
}
#: Pages that a weaker role is refused.
_FOR_ADMINS = frozenset({"audit"})


def nav_items(group: str, workspace: Any, path: str, counts: Mapping[str, int], *, admin: bool = True) -> list[NavItem]:
    """The links of `group` whose page exists and may be opened, with the one that `path` is in marked as current."""
    items: list[NavItem] = []
    if not workspace:
        return items
    for name, title, icon, its_group in _LINKS:
        if its_group != group or (name in _FOR_ADMINS and not admin):
            continue
        try:
            url = reverse(name, args=[workspace.slug])
        except NoReverseMatch:
            continue
        current = "page" if path == url else "true" if path.startswith(url) else ""
        items.append(NavItem(name, title, icon, url, current, counts.get(name)))
    return items


def shell_numbers(workspace: Workspace, also: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What stands beside the links, in one statement: decisions that wait and since when (`oldest`), memories that the
    list begins with (up to MOST_COUNTED), blocks not looked at, sessions being consolidated, alerts that nobody has
    acknowledged; and whatever is asked `also`."""
    waiting = Decision.objects.waiting().filter(workspace=workspace).waiting_since().order_by().values("workspace")
    here = in_queue_now()
    decisions = waiting.annotate(
        found=JSONObject(
            review=Count("pk", filter=here),
            approvals=Count("pk", filter=Q(needs=Needs.ADMIN)),
            oldest=Min("waits_since", filter=here),
        )
    )
    row = counted(workspace, {
        "decisions": Subquery(decisions.values("found")),  # one reading of one index for all three
        "memories": Memory.objects.filter(workspace=workspace).beyond_sessions().order_by()[: MOST_COUNTED + 1],
        "guardrails": Block.objects.filter(workspace=workspace, status=BlockStatus.BLOCKED),
        "sessions": Session.objects.filter(workspace=workspace, status=SessionStatus.CONSOLIDATING),
        "alerts": open_alerts(workspace).filter(acknowledged_at=None),
        **(also or {}),
    })  # fmt: skip
    found = row.pop("decisions") or {"review": 0, "approvals": 0, "oldest": None}
    return row | found | {"oldest": parse_datetime(found["oldest"]) if found["oldest"] else None}


@dataclass(frozen=True)
class Choice:
    """A workspace to switch to, with the number of decisions that wait there."""

    workspace: Workspace
    role: str
    waiting: int


def workspaces_of(operator: Any, known: Callable[[], Mapping[Any, int]] = dict) -> list[Choice]:
    """The operator's workspaces by name; none for someone who has not signed in. Of some it is `known` how many wait."""
    if not getattr(operator, "is_authenticated", False):
        return []
    memberships = list(Membership.objects.filter(operator=operator).select_related("workspace"))
    waiting = dict(known()) if memberships else {}
    others = [one.workspace_id for one in memberships if one.workspace_id not in waiting]
    if others:
        counted_there = Decision.objects.in_queue().filter(workspace__in=others).order_by().values_list("workspace")
        waiting |= dict(counted_there.annotate(Count("id")))
    return sorted(
        (Choice(one.workspace, one.role, waiting.get(one.workspace_id, 0)) for one in memberships),
        key=lambda choice: choice.workspace.name.casefold(),
    )


def membership_in_mind(operator: Any, slug: str | None) -> Membership | None:
    """The membership for pages outside a workspace: of the workspace last seen, else the first by name."""
    memberships = Membership.objects.filter(operator=operator).select_related("workspace")
    named = memberships.filter(workspace__slug=slug).first() if slug else None
    return named or memberships.order_by("workspace__name", "pk").first()
