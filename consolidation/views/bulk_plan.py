"""What is to become of many decisions, chosen one by one or as all that match: tried first, a part at a time, then done
a part at a time under one batch. Where it stands travels signed with the form, so nothing is kept between two parts."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.core import signing
from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from consolidation.actions import rule_on_many
from consolidation.actions.bulk import Bulk
from consolidation.queries.queue import QueueFilters
from consolidation.queries.sitting import RULED
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Invalid
from memory_app.keyset import Order
from memory_app.models import Decision, Workspace
from memory_app.models.decision import DecisionQuerySet

from .flow import effect_of

SALT = "commonplace.bulk"
#: A part is so many decisions and takes no longer than this.
PART, SECONDS = 100, 8.0
#: So many may be chosen one by one; of what is left out so many are named for each reason.
CHOSEN, NAMED = 200, 5
#: What nobody has confirmed within a day is tried again.
HOLDS = 86_400
ACTIONS = ("approve", "decline", "undo")


@dataclass(frozen=True)
class Plan:
    """What is to be done, and how far it has come: since when nothing new is taken in, after which decision it goes
    on, what has come of it by effect, and what is left out by reason with the first of each."""

    action: str
    batch: str
    until: str
    query: str = ""
    everything: bool = False
    ids: tuple[str, ...] = ()
    of_batch: str = ""
    total: int = 0
    seen: int = 0
    after: tuple[str, str] | None = None
    done: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, tuple[int, list[str]]] = field(default_factory=dict)
    over: bool = False

    @property
    def done_count(self) -> int:
        return sum(self.done.values())

    @property
    def left_count(self) -> int:
        return sum(count for count, _refs in self.left.values())

    def signed(self) -> str:
        return signing.dumps(asdict(self), salt=SALT, compress=True)

    def from_the_start(self) -> "Plan":
        """The same, nothing of it done."""
        return replace(self, seen=0, after=None, done={}, left={}, over=False)


def plan_of(token: str) -> Plan:
    """The plan that a form was given; Invalid where it is none, was changed, is older than a day, or comes from a
    release whose plans held something else."""
    try:
        held = signing.loads(token, salt=SALT, max_age=HOLDS)
        held["ids"] = tuple(held["ids"])
        held["after"] = tuple(held["after"]) if held["after"] else None
        return Plan(**held)
    except (signing.BadSignature, KeyError, TypeError):
        raise Invalid.field("plan", _("is no longer valid; select again.")) from None


def new_plan(workspace: Workspace, action: str, query: str, ids: list[str], *, everything: bool) -> Plan:
    """The plan for the chosen decisions, or for all that the list of this address holds now."""
    chosen = () if everything else tuple(dict.fromkeys(one for one in ids[:CHOSEN] if is_id(one)))
    now = timezone.now().isoformat()
    plan = Plan(action, str(uuid4()), now, query=query, everything=everything, ids=chosen)
    return replace(plan, total=rows_of(workspace, plan).count())


def undoing(batch: UUID, total: int) -> Plan:
    """The plan that takes back what one stroke has done."""
    return Plan("undo", str(uuid4()), timezone.now().isoformat(), of_batch=str(batch), total=total)


def rows_of(workspace: Workspace, plan: Plan) -> DecisionQuerySet:
    """What the plan is about and is still as it has to be, without what came since it was made."""
    if plan.of_batch:
        return Decision.objects.filter(workspace=workspace, batch=plan.of_batch, status__in=RULED)
    if not plan.everything:
        return Decision.objects.filter(workspace=workspace, pk__in=plan.ids)
    filters = QueueFilters.read(QueryDict(plan.query))
    return filters.rows(workspace).waiting().filter(created_at__lte=parse_datetime(plan.until))


def next_part(workspace: Workspace, actor: Actor, plan: Plan, *, dry_run: bool) -> Plan:
    """The plan after its next part, tried or done, oldest first (undone newest first)."""
    order = Order("created_at", descending=plan.action == "undo")
    rows: Any = rows_of(workspace, plan)
    if plan.after is not None:
        rows = rows.filter(order.beyond(parse_datetime(plan.after[0]), plan.after[1]))
    part = {str(one.pk): one for one in order.sorted(rows.select_related("note", "memory"))[:PART]}
    made = rule_on_many(
        workspace, actor, plan.action, list(part), dry_run=dry_run, batch=UUID(plan.batch), seconds=SECONDS
    )
    return _counted(plan, part, made)


def _counted(plan: Plan, part: Mapping[str, Decision], made: Bulk) -> Plan:
    done, left = dict(plan.done), {code: (count, list(refs)) for code, (count, refs) in plan.left.items()}
    for pk in made.done:
        effect = effect_of(part[pk])
        done[effect] = done.get(effect, 0) + 1
    reached = list(part)
    for one in made.left:
        if one.code == "not_reached":
            reached.remove(one.decision)
            continue
        count, refs = left.get(one.code, (0, []))
        left[one.code] = (count + 1, [*refs, one.decision][:NAMED])
    last = part[reached[-1]] if reached else None
    after = (_exact(last.created_at), str(last.pk)) if last is not None else plan.after
    over = len(reached) == len(part) < PART
    return replace(plan, done=done, left=left, seen=plan.seen + len(reached), after=after, over=over)


def left_words(code: str) -> str:
    """Why a decision is left out, in the language of the page."""
    words = {
        "already_decided": _("somebody has decided it meanwhile"),
        "stale": _("the memory has changed since it was made"),
        "depends_on_later": _("later decisions build on it"),
        "needs_two": _("its memory is protected: propose the change instead, and another admin approves it"),
        "forbidden": _("it needs an admin, or another one than who proposed it"),
        "blocked": _("the guardrails refuse it"),
        "needs_action": _("a person has to choose or to say why"),
        "not_found": _("it no longer exists"),
    }
    return words.get(code, _("it conflicts with another one"))


def _exact(moment: datetime) -> str:
    return moment.isoformat()


def is_id(given: str) -> bool:
    try:
        return bool(UUID(given))
    except ValueError:
        return False
