"""The rules in force: versions of the policy, and how often each rule of deciding and of guarding was used."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db.models import BooleanField, Case, Count, When

from consolidation.domain.advice import Ruled
from consolidation.domain.decisions import CHANGES
from consolidation.domain.policy import Policy
from consolidation.models import PolicyVersion
from memory_app.keyset import Order, Page, page_of
from memory_app.models import Block, Decision, Workspace
from memory_app.moments import first_day
from memory_app.queries.metrics import JUDGED, REVERSED
from memory_app.queries.overview import Span
from memory_app.queries.sums import Days, added, hours_of
from memory_app.queries.tallies import RULES

PAGE_SIZE = 20
MOST_COMPARED = 200  # versions among which one that says the same is looked for
MOST_RULED = 5_000  # decisions that an advice is made from
NEWEST = Order("number")


def newest_version(workspace: Workspace) -> PolicyVersion | None:
    """The version in force; None while the documented default is."""
    return PolicyVersion.objects.filter(workspace=workspace).order_by("-number").first()


def find_version(workspace: Workspace, number: int) -> PolicyVersion | None:
    return PolicyVersion.objects.filter(workspace=workspace, number=number).first()


def versions_of(workspace: Workspace, numbers: Iterable[int]) -> dict[int, PolicyVersion]:
    """The versions with these numbers, by number."""
    return {row.number: row for row in PolicyVersion.objects.filter(workspace=workspace, number__in=list(numbers))}


def versions_page(workspace: Workspace, cursor: str = "") -> Page[PolicyVersion]:
    """A page of the versions that were saved, newest first."""
    return page_of(PolicyVersion.objects.filter(workspace=workspace), NEWEST, cursor, PAGE_SIZE)


def policy_of(version: PolicyVersion | None) -> Policy:
    """What the version says; the documented default, version 1, where there is none."""
    return Policy() if version is None else Policy.from_json(version.content | {"version": version.number})


def number_of(workspace: Workspace, policy: Policy, *, before: int) -> int | None:
    """The newest version before this number that says just this; None where no such version does."""
    wanted = replace(policy, version=1)
    rows = PolicyVersion.objects.filter(workspace=workspace, number__lt=before).order_by("-number")[:MOST_COMPARED]
    found = next((row.number for row in rows if replace(policy_of(row), version=1) == wanted), None)
    return found or (1 if before > 1 and wanted == Policy() else None)


def changed_in(workspace: Workspace, versions: Iterable[PolicyVersion]) -> dict[int, list[str]]:
    """The fields that each of these versions changed of the one before it, in one statement."""
    rows = list(versions)
    before = {row.number: row for row in PolicyVersion.objects.filter(
        workspace=workspace, number__in=[row.number - 1 for row in rows])}  # fmt: skip
    found = {}
    for row in rows:
        old, new = policy_of(before.get(row.number - 1)).to_json(), policy_of(row).to_json()
        found[row.number] = [name for name in new if name != "version" and new[name] != old.get(name)]
    return found


@dataclass(frozen=True)
class Rulings:
    """Of the decisions of a rule, how many people could rule on, how many they overruled, and at which confidence."""

    judged: int
    overruled: int
    confidence: float | None

    @property
    def share(self) -> float:
        return self.overruled / self.judged if self.judged else 0.0


@dataclass(frozen=True)
class ByRule:
    """How many decisions of the last days each rule has made, and how people ruled on those that they could."""

    counts: dict[str, int]
    rulings: dict[str, Rulings]


def by_rule(workspace: Workspace, days: int) -> ByRule:
    """Read from the sums by the hour, however many decisions these are."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    confidence: dict[str, Decimal] = defaultdict(Decimal)
    start = first_day(days)
    midnights = tuple(start + timedelta(days=day) for day in range(days))
    for (rule,), numbers in added(RULES, Span(workspace), Days(start, None, midnights), hours_of(workspace), ("told",)):
        confidence[rule] += numbers.pop("at")
        found[rule].update({name: int(number) for name, number in numbers.items()})
    rulings = {}
    for rule, one in found.items():
        if one["judged"]:
            at = float(confidence[rule] / one["overruled"]) if one["overruled"] else None
            rulings[rule] = Rulings(one["judged"], one["overruled"], at)
    return ByRule({rule: one["count"] for rule, one in found.items()}, rulings)


def changes_ruled_on(workspace: Workspace, days: int) -> list[Ruled]:
    """The newest changes that were applied at once or waited for being uncertain, and what became of them."""
    rows = Decision.objects.filter(
        JUDGED, workspace=workspace, created_at__gte=first_day(days), action__in=CHANGES
    ).annotate(wrong=Case(When(REVERSED, then=True), default=False, output_field=BooleanField()))
    values = rows.order_by("-created_at").values_list("confidence", "params__hold", "wrong")[:MOST_RULED]
    return [Ruled(confidence, hold == "uncertain", wrong) for confidence, hold, wrong in values
            if hold in (None, "uncertain")]  # fmt: skip


def blocks_by_rule(workspace: Workspace, days: int) -> dict[str, int]:
    """How many blocks of the last days each rule of the guardrails has made."""
    return _counted(Block.objects.filter(workspace=workspace, created_at__gte=first_day(days)))


def _counted(rows: Any) -> dict[str, int]:
    return dict(rows.order_by().values_list("rule").annotate(Count("pk")))
